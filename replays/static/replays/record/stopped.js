// A hand that could not be recorded as it was: somebody decides what becomes of it.

import { problemHtml } from "./preview.js";
import { escaped, filled, signed } from "./tiles.js";

const button = (what, item, text) =>
  `<button type="button" data-do="${what}" data-key="${what}" data-item="${item.id}">${text}</button>`;

export function stoppedHtml(item, { desk, say }) {
  const mine = item.hand ? filled(say.your_hand, item.hand) : say.your_event;
  if (item.stopped.kind === "refused") {
    const edit = item.draft ? button("edit", item, say.edit) : "";
    return `<h2>${mine}</h2>${problemHtml(item.stopped.problem, say, desk.seats)}<p class="decide">${edit}${button("drop", item, say.discard)}</p>`;
  }
  const others = desk.hands.filter((hand) => hand.hand >= (item.hand ?? 0));
  const lines = others.map((hand) => {
    const won = (hand.facts?.wins ?? []).map((win) => hand.names[win.seat]).join(say.list_comma);
    const points = hand.names.map((name, seat) => `${escaped(name)} ${signed(hand.points[seat])}`);
    return `<li><b>${filled(say.hand_number, hand.hand)}</b> ${escaped(won || say.nobody)} <small>${points.join(" · ")}</small></li>`;
  });
  const [first] = item.facts?.wins ?? [];
  const winner = first ? desk.seats[first.seat].name : say.nobody;
  const again = desk.next && item.kind === "hand"
    ? button("as-next", item, filled(say.record_as, desk.next.hand))
    : "";
  return (
    `<h2>${say.overtaken}</h2><ul>${lines.join("")}</ul>` +
    `<p>${mine}${item.kind === "hand" ? `: <b>${escaped(winner)}</b>` : ""}</p>` +
    `<p class="decide">${again}${button("drop", item, say.discard)}</p>`
  );
}

export function stoppedTaps({ queue, desk, edit }) {
  const found = (id) => queue.items.find((item) => item.id === Number(id));
  return {
    edit: ({ item }) => edit(found(item)),
    drop: ({ item }) => queue.drop(found(item)),
    // The hands behind it follow it.
    "as-next": async ({ item }) => {
      const chosen = found(item);
      const by = desk().next.hand - chosen.hand;
      const seats = desk().seats.map((seat) => seat.id).join();
      for (const each of queue.items) {
        if (each.id !== chosen.id && each.kind === "hand") await queue.resume(each, { hand: each.hand + by, seats });
      }
      await queue.resume(chosen, { hand: chosen.hand + by, seats });
    },
  };
}
