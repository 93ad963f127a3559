// A hand that has ended is changed by a ruling only: who may make one, what it says, what it changes.

import { escaped, filled, signed } from "./tiles.js";

// The event. What the hands before say of this one stays as it was recorded.
export function correction({ hand, facts: before }, facts, { sheet, reason }) {
  const known = new Set(sheet.flags.map((flag) => flag.id));
  const carried = (before.wins?.[0]?.flags ?? []).filter((id) => !known.has(id));
  const corrected = {
    ...facts,
    dealer: before.dealer,
    streak: before.streak ?? 1,
    wins: facts.wins.map((win) => ({ ...win, flags: [...win.flags, ...carried] })),
  };
  return { type: "hand_corrected", hand, reason, facts: corrected };
}

// What it would come to, beside what it came to before.
export function changeHtml({ points_before: before, points_after: after, flags }, { hand, say }) {
  const rows = hand.names.map(
    (name, seat) =>
      `<tr><th scope="row">${escaped(name)}</th><td class="number">${signed(before[seat])}</td><td class="number"><b>${signed(after[seat])}</b></td></tr>`,
  );
  const later = flags.length ? `<p class="note">${say.later_hands}</p>` : "";
  return (
    `<table class="changes"><thead><tr><td></td><th scope="col">${say.before}</th><th scope="col">${say.after}</th></tr></thead>` +
    `<tbody>${rows.join("")}</tbody></table>${later}`
  );
}

// Where somebody wants to undo what has been sent: who can still change it, and how.
export function rulingHtml({ hands, may_rule: mayRule, game }, say) {
  const last = hands.at(-1);
  if (!last) return "";
  const can = mayRule ? hands.filter((hand) => hand.facts).toReversed() : [];
  const buttons = can.map(
    ({ hand }) =>
      `<button type="button" class="secondary" data-do="correct" data-key="correct.${hand}" data-hand="${hand}">${filled(say.correct_hand, hand)}</button>`,
  );
  return (
    `<p>${filled(say.ruling_needed, last.hand)} ${mayRule ? "" : say.ask_referee}</p>` +
    `<p class="decide"><a href="/games/${game}?hand=${last.hand}">${filled(say.look_at_hand, last.hand)}</a></p><p class="decide">${buttons.join("")}</p>`
  );
}
