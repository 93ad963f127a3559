// An event that no seat chooses, written down: its form says what is known and what has to be asked
// (`rules_engine/event_forms.py`). Answers become the event; whether it may happen the server says.

import { namesIn, sorted, write } from "./draft.js";
import { keysHtml, slotHtml } from "./draw.js";
import { escaped } from "./tiles.js";

const isTile = (field) => field.kind === "tile" || field.kind === "tiles";
const sum = (dice) => dice.reduce((total, die) => total + die, 0);

// `answers`, by field: a list of tiles, a list of dice, the number of a choice, a player's id.
export const noAnswers = (form) =>
  form.fields.map((field) => {
    if (field.kind === "player") return field.players.length === 1 ? field.players[0] : null;
    return field.kind === "choice" ? null : [];
  });

export function isAnswered(field, answer) {
  if (field.kind === "dice") {
    const whole = answer.filter(Boolean).length === field.count;
    return whole && (!field.sums || sum(answer) in field.sums);
  }
  return isTile(field) ? answer.length === field.count : answer !== null;
}

// What was not asked of everybody may be left out, but not begun and left.
const isLeftOut = (field, answer) => field.optional && !answer?.some?.(Boolean);

export const isWhole = (form, answers) =>
  form.fields.every((field, at) => isAnswered(field, answers[at]) || isLeftOut(field, answers[at]));

export function eventOf(form, answers) {
  const event = { ...form.values, type: form.type };
  const lists = {};
  form.fields.forEach((field, at) => {
    const answer = answers[at];
    if (!isAnswered(field, answer)) return;
    if (field.kind === "choice") Object.assign(event, field.choices[answer].values);
    else if (field.kind === "tiles") (lists[field.name] ??= [])[field.place] = [...answer];
    else event[field.name] = field.kind === "tile" ? answer[0] : answer;
    if (field.sums) Object.assign(event, field.sums[sum(answer)]);
    if (field.also_in) lists[field.also_in][event.dealer].push(answer[0]);
  });
  for (const [name, places] of Object.entries(lists)) event[name] = places.map(write);
  return event;
}

// How many of each of the field's tiles lie in no answer yet.
export function leftFor(form, answers, at) {
  const counts = {};
  for (const name of namesIn(form.fields[at].tiles)) counts[name] = (counts[name] ?? 0) + 1;
  form.fields.forEach((field, place) => {
    if (isTile(field)) for (const name of answers[place]) counts[name] = (counts[name] ?? 0) - 1;
  });
  return counts;
}

export function nextField(form, answers, at) {
  if (at !== null && isTile(form.fields[at]) && !isAnswered(form.fields[at], answers[at])) return at;
  const open = form.fields.findIndex((field, place) => isTile(field) && !isAnswered(field, answers[place]));
  return open < 0 ? null : open;
}

// One of them is shown at a time, with its own answers. `view`: {seats, players, say, language, tiles}
export class FormPad {
  constructor({ record, changed }) {
    Object.assign(this, { record, changed, form: null, key: "", answers: [], at: null });
  }

  // Show a form; what was answered stays while it is the same (`key`), or is what was `kept`.
  show(form, key, kept) {
    if (key === this.key && this.form?.fields.length === form.fields.length) {
      this.form = form;
      return;
    }
    Object.assign(this, { form, key });
    this.answers = kept?.key === key ? kept.answers : noAnswers(form);
    this.at = nextField(form, this.answers, null);
  }

  close() {
    Object.assign(this, { form: null, key: "", answers: [], at: null });
  }

  get whole() {
    return Boolean(this.form) && isWhole(this.form, this.answers);
  }

  tap({ form: what, field, value }) {
    const at = Number(field);
    if (what === "record") {
      this.record(eventOf(this.form, this.answers));
      return;
    }
    if (what === "slot") this.at = at;
    else if (what === "tile") this.tile(value);
    else if (what === "back") this.answers[this.at ?? this.lastTiles()]?.pop();
    else if (what === "die") {
      const [place, face] = value.split(".").map(Number);
      this.answers[at][place] = this.answers[at][place] === face ? 0 : face;
    } else if (what === "choose") this.answers[at] = this.answers[at] === Number(value) ? null : Number(value);
    this.changed(this);
  }

  lastTiles() {
    this.at = this.form.fields.findLastIndex((field, at) => isTile(field) && this.answers[at].length);
    return this.at;
  }

  player(at, id) {
    this.answers[at] = id || null;
    this.changed(this);
  }

  canTake(name) {
    if (this.at === null) return false;
    const field = this.form.fields[this.at];
    return this.answers[this.at].length < field.count && leftFor(this.form, this.answers, this.at)[name] > 0;
  }

  tile(name) {
    if (!this.canTake(name)) return;
    this.answers[this.at].push(name);
    this.at = nextField(this.form, this.answers, this.at);
  }

  // Tiles as a text: what of it could not be entered.
  text(text) {
    const refused = [];
    for (const name of namesIn(text)) {
      if (this.canTake(name)) this.tile(name);
      else refused.push(name);
    }
    this.changed(this);
    return refused;
  }
}

// Drawing --------------------------------------------------------------------------------------

const button = (what, data, inside, { pressed, disabled, label, kind } = {}) =>
  `<button type="button" data-form="${what}"${Object.entries(data).map(([name, value]) => ` data-${name}="${escaped(value)}"`).join("")}` +
  ` data-key="form.${what}.${Object.values(data).join(".")}"${pressed === undefined ? "" : ` aria-pressed="${pressed}"`}` +
  `${disabled ? " disabled" : ""}${label ? ` aria-label="${escaped(label)}"` : ""}${kind ? ` class="${kind}"` : ""}>${inside}</button>`;

export function formHtml(pad, view) {
  const { form, answers, at } = pad;
  const { say, language, seats } = view;
  const tiles = form.fields.map((field, place) => (isTile(field) ? tileSlot(pad, place, view) : ""));
  const others = form.fields.map((field, place) => (isTile(field) ? "" : fieldHtml(pad, place, view)));
  const whose = form.seat === null ? "" : `${escaped(seats[form.seat].name)} `;
  const keys = at === null ? "" : keysOf(pad, view);
  return (
    `<div class="form" role="group" aria-label="${whose}${escaped(form[language])}"><h2>${whose}${escaped(form[language])}</h2>` +
    `${others.join("")}${form.fields.some(isTile) ? `<div class="form-slots">${tiles.join("")}</div>` : ""}${keys}` +
    `<p>${button("record", {}, say.confirm, { disabled: !isWhole(form, answers), kind: "main" })}</p></div>`
  );
}

function labelOf(field, { language, seats, say }) {
  const whose = field.seat === null ? "" : `${seats[field.seat].name} `;
  return `${whose}${field[language]}${field.optional ? ` (${say.if_any})` : ""}`;
}

function tileSlot(pad, at, view) {
  const field = pad.form.fields[at];
  const held = pad.answers[at];
  const count = field.count > 1 ? ` ${held.length}/${field.count}` : "";
  return slotHtml({
    attributes: `data-form="slot" data-field="${at}" data-key="form.slot.${at}"`,
    pressed: pad.at === at,
    label: `${labelOf(field, view)}${count}`,
    inside: held.length ? view.tiles.row(sorted(held)) : "",
    hint: view.say.tap_tile,
    kind: field.count > 1 ? "wide" : "",
  });
}

function keysOf(pad, view) {
  const counts = leftFor(pad.form, pad.answers, pad.at);
  const html = keysHtml(namesIn(view.sheet.tiles), {
    counts,
    can: (name) => pad.canTake(name),
    attributes: (name) => `data-form="tile" data-value="${name}" data-key="form.tile.${name}"`,
    ...view,
  });
  const { say } = view;
  return (
    `<div class="keys" role="group" aria-label="${say.keyboard}">${html}</div><div class="paste">` +
    `<input data-form-text data-key="form.text" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="${say.paste}" aria-label="${say.paste}">` +
    `${button("text", {}, say.put_in, { kind: "secondary" })}${button("back", {}, "⌫", { label: say.back, kind: "secondary" })}</div>`
  );
}

function fieldHtml(pad, at, view) {
  const field = pad.form.fields[at];
  const label = labelOf(field, view);
  const inside = { dice: diceHtml, choice: choicesHtml, player: playersHtml }[field.kind](field, pad.answers[at], at, view);
  const ofSeats = field.choices.length === 4 && field.choices.every((choice) => choice.seat !== null);
  return `<div class="choices ${field.kind}${ofSeats ? " seats" : ""}" role="group" aria-label="${escaped(label)}"><span class="label">${escaped(label)}</span>${inside}</div>`;
}

function diceHtml(field, answer, at, { say }) {
  const dice = Array.from({ length: field.count }, (_, place) => {
    const faces = [1, 2, 3, 4, 5, 6].map((face) =>
      button("die", { field: at, value: `${place}.${face}` }, face, {
        pressed: answer[place] === face,
        label: `${labelOfDie(say, place)} ${face}`,
      }),
    );
    return `<span class="die">${faces.join("")}</span>`;
  });
  const bad = field.sums && answer.filter(Boolean).length === field.count && !(sum(answer) in field.sums);
  return dice.join("") + (bad ? `<p class="wrong" role="status">${say.throw_again}</p>` : "");
}

const labelOfDie = (say, place) => say.die.replace("{}", place + 1);

function choicesHtml(field, answer, at, { seats, language }) {
  return field.choices
    .map((choice, number) => {
      const name = choice.seat === null ? "" : seats[choice.seat].name;
      const text = [name, choice[language]].filter(Boolean).join(" ");
      return button("choose", { field: at, value: number }, escaped(text), { pressed: answer === number });
    })
    .join("");
}

function playersHtml(field, answer, at, { seats, players, say }) {
  const named = new Map(players.map((player) => [player.id, player.name]));
  const sitting = new Set(seats.map((seat) => seat.id));
  const can = field.players.length ? field.players : players.map((player) => player.id).filter((id) => !sitting.has(id));
  const options = can.map((id) => `<option value="${id}"${id === answer ? " selected" : ""}>${escaped(named.get(id) ?? id)}</option>`);
  return `<select data-form-player="${at}" data-key="form.player.${at}" aria-label="${say.who_sits}"><option value="">${say.choose}</option>${options.join("")}</select>`;
}
