// Recording tile by tile: the legal actions of the moment as buttons, in the server's words.

import { call } from "../js/api.js";
import { namesIn } from "./draft.js";
import { escaped, filled } from "./tiles.js";

export class Steps {
  constructor({ address, part, tiles, say, queue, desk }) {
    Object.assign(this, { address, part, tiles, say, queue, desk, actions: [], seq: 0, drawn: 0 });
    const box = part.closest("details");
    box.addEventListener("toggle", () => box.open && this.refresh());
    part.addEventListener("click", (event) => {
      const tapped = event.target.closest("[data-action]");
      if (tapped) this.record(this.actions[Number(tapped.dataset.action)].event);
    });
    part.addEventListener("submit", (event) => {
      event.preventDefault();
      const form = event.target;
      this.record("raw" in form.dataset ? this.written(form.raw) : this.dealt(form));
    });
  }

  async refresh() {
    const box = this.part.closest("details");
    if (this.desk().live) box.open = true;
    if (!box.open) return;
    this.part.querySelectorAll("button").forEach((button) => (button.disabled = false));
    const answer = await call("GET", this.address);
    if (!answer.ok) {
      this.part.innerHTML = `<p class="note">${this.say.steps_offline}</p>`;
      return;
    }
    const { seq, due, steps, unseen } = answer.body;
    Object.assign(this, { seq, due, unseen: namesIn(unseen), actions: steps });
    this.draw();
  }

  draw() {
    const { seats, live, next } = this.desk();
    if (!live && next) {
      this.drawDeal();
      return;
    }
    const bySeat = new Map();
    this.actions.forEach((action, place) => {
      const seat = action.seat ?? -1;
      if (!bySeat.has(seat)) bySeat.set(seat, []);
      bySeat.get(seat).push(this.button(action, place));
    });
    const groups = [...bySeat].map(
      ([seat, buttons]) =>
        `<div class="choices" role="group" aria-label="${escaped(seats[seat]?.name ?? this.say.table)}">` +
        `<span class="label">${escaped(seats[seat]?.name ?? this.say.table)}</span>${buttons.join("")}</div>`,
    );
    groups.push(this.dueHtml());
    this.part.innerHTML = groups.join("") || `<p class="note">${this.say.steps_none}</p>`;
    this.drawn = 0;
  }

  // What comes by itself: a draw, of which only the tile is asked; the end of the hand; or an event
  // of the ruleset's own, which is written out.
  dueHtml() {
    const { due, say, tiles } = this;
    const { seats, sheet } = this.desk();
    if (!due) return "";
    if (due.type === "hand_ended") {
      this.actions.push({ event: { type: "hand_ended", reason: due.reason }, html: say.act_hand_ended });
      return `<div class="choices">${this.button(this.actions.at(-1), this.actions.length - 1)}</div>`;
    }
    if (due.type !== "draw") {
      const text = escaped(JSON.stringify(due));
      return `<form class="deal" data-raw><label>${say.steps_own}<textarea name="raw" rows="3" spellcheck="false">${text}</textarea></label><p><button>${say.confirm}</button></p></form>`;
    }
    const keys = [...new Set(namesIn(sheet.tiles))].map((tile) => {
      this.actions.push({ event: { type: "draw", seat: due.seat, tile, source: due.source } });
      const gone = !this.unseen.includes(tile);
      return `<button type="button" data-action="${this.actions.length - 1}" data-key="draw.${tile}"${gone ? " disabled" : ""} aria-label="${escaped(`${say.act_draw} ${tiles.name(tile)}`)}">${tiles.one(tile)}</button>`;
    });
    const title = `${escaped(seats[due.seat].name)} ${say.act_draw}`;
    return `<p class="label">${title}</p><div class="keys draws" role="group" aria-label="${title}">${keys.join("")}</div>`;
  }

  // What was dealt is written as text; from then on what may happen is offered.
  drawDeal() {
    const { seats, next, sheet } = this.desk();
    if (this.drawn === next.hand) return;
    this.drawn = next.hand;
    const { say } = this;
    const field = (name, label, required) =>
      `<label>${escaped(label)}<input name="${name}" autocomplete="off" autocapitalize="none" spellcheck="false"${required ? " required" : ""}></label>`;
    const dealer = seats.map(
      (seat, number) => `<option value="${number}">${escaped(seat.name)}</option>`,
    );
    this.part.innerHTML =
      `<form class="deal"><p class="note">${say.steps_deal}</p>` +
      (next.dealer === null
        ? `<label>${say.deal_dealer}<select name="dealer">${dealer.join("")}</select></label>`
        : "") +
      seats.map((seat, number) => field(`dealt${number}`, filled(say.deal_seat, seat.name), true)).join("") +
      field("last", say.deal_last, true) +
      (sheet.wild === "no" ? "" : field("indicator", say.deal_indicator, false)) +
      `<p><button>${say.deal}</button></p></form>`;
  }

  // An event as it was written, or null where that is no JSON.
  written(field) {
    try {
      field.setCustomValidity("");
      return JSON.parse(field.value);
    } catch (error) {
      field.setCustomValidity(error.message);
      field.reportValidity();
      return null;
    }
  }

  dealt(form) {
    const { next } = this.desk();
    const indicator = form.indicator?.value.trim();
    return {
      type: "hand_started",
      hand: next.hand,
      dealer: next.dealer ?? Number(form.dealer.value),
      streak: next.streak,
      dealt: [0, 1, 2, 3].map((seat) => form[`dealt${seat}`].value.trim()),
      last: form.last.value.trim(),
      ...(indicator ? { indicator } : {}),
    };
  }

  button(action, place) {
    return `<button type="button" data-action="${place}" data-key="action.${place}">${action.html}</button>`;
  }

  async record(event) {
    if (!event || this.queue.items.length) return;
    this.part.querySelectorAll("button").forEach((button) => (button.disabled = true));
    const after = this.desk().live ? this.seq : this.desk().seq;
    await this.queue.add({ kind: "event", event, after, occurred: new Date().toISOString() });
  }
}
