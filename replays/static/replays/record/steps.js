// Recording tile by tile: what may happen now as buttons in the server's words, and what is due as a
// form. A tap records; what was recorded is taken back by a rewind.

import { call } from "../js/api.js";
import { FormPad, eventOf, formHtml, isWhole } from "./forms.js";
import { put } from "./put.js";
import { forget, keep, kept } from "./store.js";
import { escaped } from "./tiles.js";

// Of a form with nothing to ask, or with one tile, the tap itself is the answer.
const asksOneTile = (form) => form.due && form.fields.length === 1 && form.fields[0].kind === "tile";

// A choice in the server's words; a discard as its tile, the one just drawn a little apart.
function actionHtml({ event, html }, place, tiles) {
  const attributes = `type="button" data-action="${place}" data-key="action.${place}"`;
  if (event.type !== "discard") return `<button ${attributes}>${html}</button>`;
  const kind = event.drawn ? "tile-key drawn" : "tile-key";
  return `<button ${attributes} class="${kind}"><span class="unseen">${html}</span>${tiles.one(event.tile)}</button>`;
}

export class Steps {
  constructor({ game, address, part, view, queue, desk }) {
    Object.assign(this, { game, address, part, view, queue, desk, seq: 0, actions: [], shown: false, busy: false });
    this.pad = new FormPad({ record: (event) => this.record(event), changed: () => this.answered() });
    part.addEventListener("click", (event) => this.tapped(event.target.closest("button")));
    part.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target.matches("[data-form-text]")) this.enter(event.target);
    });
  }

  // Whether this is what the page shows now.
  show(shown) {
    if (shown && !this.shown) {
      this.shown = true;
      this.refresh();
    }
    this.shown = shown;
    this.part.hidden = !shown;
  }

  tapped(button) {
    if (!button || button.disabled) return;
    const { action, form } = button.dataset;
    if (action !== undefined) this.record(this.actions[Number(action)].event);
    else if (form === "text") this.enter(this.part.querySelector("[data-form-text]"));
    else if (form) this.pad.tap(button.dataset);
  }

  enter(input) {
    const refused = this.pad.text(input.value);
    if (refused.length) this.view().told(refused);
  }

  answered() {
    const { form, key, answers } = this.pad;
    if (asksOneTile(form) && isWhole(form, answers)) {
      this.record(eventOf(form, answers));
      return;
    }
    keep(`form.${this.game}`, { key, answers });
    this.draw();
  }

  async refresh() {
    if (!this.shown) return;
    const answer = await call("GET", this.address);
    this.busy = false;
    if (!answer.ok) {
      put(this.part, `<p class="note">${this.view().say.steps_offline}</p>`);
      return;
    }
    const { seq, steps, forms } = answer.body;
    Object.assign(this, { seq, actions: steps });
    const due = forms.find((form) => form.due);
    if (due) this.pad.show(due, `${seq}.${due.type}`, await kept(`form.${this.game}`));
    else this.pad.close();
    this.draw();
  }

  draw() {
    const view = this.view();
    const bySeat = new Map();
    this.actions.forEach((action, place) => {
      const seat = action.seat ?? -1;
      if (!bySeat.has(seat)) bySeat.set(seat, []);
      bySeat.get(seat).push(actionHtml(action, place, view.tiles));
    });
    const groups = [...bySeat].map(([seat, buttons]) => {
      const name = escaped(view.seats[seat]?.name ?? view.say.table);
      return `<div class="choices acts" role="group" aria-label="${name}"><span class="label">${name}</span>${buttons.join("")}</div>`;
    });
    if (this.pad.form) groups.push(formHtml(this.pad, view));
    put(this.part, groups.join("") || `<p class="note">${view.say.steps_none}</p>`);
    this.part.dataset.seq = this.seq;
    this.part.classList.toggle("at-once", Boolean(this.pad.form && asksOneTile(this.pad.form)));
  }

  async record(event) {
    if (this.busy || this.queue.items.length) return;
    this.busy = true;
    this.part.querySelectorAll("button").forEach((button) => (button.disabled = true));
    this.part.drawn = null;
    forget(`form.${this.game}`);
    const after = this.desk().live ? this.seq : this.desk().seq;
    await this.queue.add({ kind: "event", event, after, occurred: new Date().toISOString() });
  }
}
