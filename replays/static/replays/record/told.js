// What the page tells beside the hand being written: what waits to be sent, and the last hands.

import { escaped, filled, signed } from "./tiles.js";

export function lineHtml(queue, { say, signIn }) {
  const texts = { offline: say.offline, "signed-out": say.signed_out, sending: say.sending };
  const count = queue.items.length;
  const state = texts[queue.state] ?? "";
  const text = count ? `${filled(say.waiting, count)} ${state}` : navigator.onLine ? "" : say.offline;
  const link = queue.state === "signed-out" ? ` <a href="${signIn}">${say.sign_in}</a>` : "";
  return text.trim() + link;
}

export function handsHtml({ hands, seats, game }, say) {
  if (!hands.length) return "";
  const lines = hands.toReversed().map((hand) => {
    const won = (hand.facts?.wins ?? []).map((win) => escaped(hand.names[win.seat])).join(say.list_comma);
    const points = hand.points.map((gained) => `<td class="number ${gained > 0 ? "up" : gained < 0 ? "down" : ""}">${signed(gained)}</td>`);
    const nobody = hand.facts ? say.nobody : say.void;
    return `<tr><th scope="row"><a href="/games/${game}?hand=${hand.hand}">${hand.hand}</a></th><td>${won || nobody}</td>${points.join("")}</tr>`;
  });
  const names = seats.map((seat) => `<th scope="col"><span>${escaped(seat.name)}</span></th>`).join("");
  return (
    `<table class="last-hands"><caption>${say.last_hands}</caption><thead><tr><th scope="col">${say.hand}</th>` +
    `<th scope="col">${say.winner}</th>${names}</tr></thead><tbody>${lines.join("")}</tbody></table>`
  );
}
