// Who sits where, and what else may be recorded beside the hands: somebody leaves, takes a seat, is
// played automatically. What has to happen before the next hand is asked for at once.

import { FormPad, formHtml } from "./forms.js";
import { put } from "./put.js";
import { escaped } from "./tiles.js";

const isChange = (form) => form.due && form.type.startsWith("player_");

export class People {
  constructor({ change, list, view, record }) {
    Object.assign(this, { change, list, view, chosen: null });
    this.due = new FormPad({ record, changed: () => this.draw() });
    this.pad = new FormPad({
      record: (event) => {
        this.chosen = null;
        record(event);
      },
      changed: () => this.draw(),
    });
    for (const [part, pad] of [[change, this.due], [list, this.pad]]) {
      part.addEventListener("click", (event) => {
        const tapped = event.target.closest("button");
        if (!tapped || tapped.disabled) return;
        if (tapped.dataset.open) this.open(tapped.dataset.open);
        else if (tapped.dataset.form) pad.tap(tapped.dataset);
      });
      part.addEventListener("change", (event) => {
        const { formPlayer } = event.target.dataset;
        if (formPlayer) pad.player(Number(formPlayer), event.target.value);
      });
    }
  }

  open(name) {
    this.chosen = this.chosen === name ? null : name;
    this.draw();
  }

  // Whether somebody has to leave or to sit down before the next hand.
  get isDue() {
    return this.view().desk.forms.some(isChange);
  }

  draw() {
    const view = this.view();
    const { forms, seq, live } = view.desk;
    const due = live ? null : forms.find(isChange);
    if (due) this.due.show(due, `${seq}.${due.type}`);
    this.change.hidden = !due;
    put(this.change, due ? formHtml(this.due, view) : "");
    const names = forms.map((form) => `${form.type}.${form.zh}`);
    const other = forms.filter((form) => !form.due);
    const buttons = other.map((form) => {
      const name = names[forms.indexOf(form)];
      return `<button type="button" data-open="${name}" data-key="open.${name}" aria-expanded="${this.chosen === name}">${escaped(form[view.language])}</button>`;
    });
    const chosen = forms[names.indexOf(this.chosen)];
    if (chosen) this.pad.show(chosen, `${seq}.${this.chosen}`);
    else this.pad.close();
    put(this.list, `<div class="choices">${buttons.join("")}</div>${this.waiting(view)}${chosen ? formHtml(this.pad, view) : ""}`);
  }

  waiting({ desk, say }) {
    const names = desk.waiting.map((each) => escaped(each.name)).join(say.list_comma);
    return names ? `<p class="note">${say.waits}${names}</p>` : "";
  }
}
