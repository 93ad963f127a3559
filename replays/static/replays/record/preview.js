// What the server says a hand would pay, before it is recorded; and what somebody ticked by hand,
// held against it.

import { call } from "../js/api.js";
import { escaped, filled } from "./tiles.js";

const DELAY_MS = 150;

export class Preview {
  constructor({ game, shown }) {
    Object.assign(this, { game, shown, answer: null, asked: "", timer: 0, stop: null });
  }

  // Try this event out, unless it is what is shown already; null shows nothing.
  ask(event, path = "preview") {
    const text = event ? JSON.stringify(event) : "";
    if (text === this.asked) return;
    this.asked = text;
    this.answer = null;
    clearTimeout(this.timer);
    this.stop?.abort();
    if (!event) return;
    this.timer = setTimeout(() => this.fetch(event, text, path), DELAY_MS);
  }

  again() {
    this.asked = "";
  }

  async fetch(event, text, path) {
    this.stop = new AbortController();
    const answer = await call("POST", `/api/v1/games/${this.game}/${path}`, event, { signal: this.stop.signal });
    if (answer.aborted || text !== this.asked) return;
    this.answer = answer;
    this.shown();
  }
}

export function problemHtml(problem, say, seats) {
  if (!problem) return `<p class="wrong">${say.failed}</p>`;
  return `<p class="wrong"><b>${escaped(problem.title)}</b> ${named(problem.detail ?? "", seats)}</p>`;
}

export function answerHtml(answer, { say, seats, language, ticked, items, payments }) {
  if (answer.status === 0 || answer.status >= 500) return `<p class="note">${say.preview_later}</p>`;
  if (!answer.ok) return problemHtml(answer.body, say, seats);
  const { explanation, score, next_dealer: dealer } = answer.body;
  const wins = explanation.wins.map((win) => winHtml(win, { say, seats, language }));
  const names = paymentNames(explanation, [...payments, ...items], language);
  const paid = score.transfers.map(
    (each) =>
      `<tr><td>${escaped(seats[each.payer].name)} → ${escaped(seats[each.payee].name)}</td>` +
      `<td>${escaped(names[each.item] ?? each.item)}</td><td class="number">${each.points}</td></tr>`,
  );
  const notes = explanation.notes.map((step) => stepHtml(step, { seats, language })).join("");
  return (
    wins.join("") +
    (ticked.length ? comparedHtml(explanation, ticked, { say, seats, language, items }) : "") +
    (paid.length
      ? `<details open><summary>${say.who_pays}</summary><table class="paid"><caption class="unseen">${say.who_pays}</caption><tbody>${paid.join("")}</tbody></table></details>`
      : `<p class="note">${say.nobody_pays}</p>`) +
    (notes ? `<dl class="formula">${notes}</dl>` : "") +
    (dealer === null ? "" : `<p class="small">${filled(say.deals_next, escaped(seats[dealer].name))}</p>`)
  );
}

function paymentNames(explanation, items, language) {
  const names = Object.fromEntries(items.map((item) => [item.id, item[language]]));
  for (const win of explanation.wins) {
    for (const item of win.given) names[item.id] = item[`name_${language}`];
  }
  return names;
}

// A sentence with the names of who sits in the seats that it writes.
const named = (text, seats) =>
  escaped(text.replace(/([0-3]) 座|\b[Ss]eat ([0-3])\b/g, (seat, zh, en) => seats[zh ?? en]?.name ?? seat));

const told = (sentence, { seats, language }) => named(sentence[language], seats);

const stepHtml = (step, page) =>
  `<div><dt>${told(step, page)}</dt><dd>${step.points}</dd></div>`;

function winHtml(win, { say, seats, language }) {
  const items = win.given.map(
    (item) =>
      `<li><span class="rule-id">${item.rule}</span> <span><b>${escaped(item[`name_${language}`])}</b> <small>${told(item, { seats, language })}</small></span> <b class="points">${escaped(item.worth[language])}</b></li>`,
  );
  return (
    `<section class="win"><h3>${escaped(seats[win.seat].name)} <b class="total">${win.total}</b></h3>` +
    `<ul class="score-lines">${items.join("")}</ul>` +
    `<details><summary>${say.formula}</summary><dl class="formula">${win.formula.map((step) => stepHtml(step, { seats, language })).join("")}</dl></details></section>`
  );
}

// Items ticked by hand are no scores: they are held against what the rules say.
function comparedHtml(explanation, ticked, { say, seats, language, items }) {
  const given = new Map(explanation.wins.flatMap((win) => win.given.map((item) => [item.id, item])));
  const reasons = new Map(explanation.wins.flatMap((win) => win.not_given.map((item) => [item.id, item])));
  const name = (id) => escaped(items.find((item) => item.id === id)?.[language] ?? id);
  const lines = [
    ...ticked
      .filter((id) => !given.has(id))
      .map((id) => `<li class="over"><b>${name(id)}</b> ${say.ticked_not_given} <small>${reasons.has(id) ? told(reasons.get(id), { seats, language }) : ""}</small></li>`),
    ...[...given.keys()]
      .filter((id) => !ticked.includes(id))
      .map((id) => `<li class="under"><b>${name(id)}</b> ${say.given_not_ticked} <small>${told(given.get(id), { seats, language })}</small></li>`),
  ];
  return lines.length
    ? `<div class="compared"><h3>${say.differences}</h3><ul>${lines.join("")}</ul></div>`
    : `<p class="compared same">${say.no_difference}</p>`;
}
