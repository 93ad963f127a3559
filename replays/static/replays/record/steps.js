// Recording tile by tile: the legal actions of the moment as buttons, as the API lists them.

import { call } from "../js/api.js";
import { namesIn } from "./draft.js";
import { escaped } from "./tiles.js";

export class Steps {
  constructor({ game, part, tiles, say, queue, desk, language }) {
    Object.assign(this, { game, part, tiles, say, queue, desk, language, actions: [], seq: 0 });
    const box = part.closest("details");
    box.addEventListener("toggle", () => box.open && this.refresh());
    part.addEventListener("click", (event) => {
      const tapped = event.target.closest("[data-action]");
      if (tapped) this.record(this.actions[Number(tapped.dataset.action)]);
    });
  }

  async refresh() {
    const box = this.part.closest("details");
    if (this.desk().live) box.open = true;
    if (!box.open) return;
    const answer = await call("GET", `/api/v1/games/${this.game}/actions`);
    if (!answer.ok) {
      this.part.innerHTML = `<p class="note">${this.say.steps_offline}</p>`;
      return;
    }
    this.seq = answer.body.seq;
    this.actions = answer.body.actions;
    this.draw();
  }

  draw() {
    const { seats, live } = this.desk();
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
    this.part.innerHTML = live
      ? groups.join("") || `<p class="note">${this.say.steps_none}</p>`
      : `<p class="note">${this.say.steps_deal}</p>${groups.join("")}`;
  }

  button(action, place) {
    const name = this.say[`act_${action.type}`] ?? action.type;
    const tiles = namesIn(action.tiles ?? action.tile ?? "");
    const shown = tiles.length ? this.tiles.row(tiles) : "";
    const drawn = action.drawn ? ` <small>${this.say.just_drawn}</small>` : "";
    return `<button type="button" data-action="${place}" data-key="action.${place}">${escaped(name)} ${shown}${drawn}</button>`;
  }

  async record(event) {
    if (!event || this.queue.items.length) return;
    this.part.querySelectorAll("button").forEach((button) => (button.disabled = true));
    await this.queue.add({ kind: "event", event, after: this.seq, occurred: new Date().toISOString() });
  }
}
