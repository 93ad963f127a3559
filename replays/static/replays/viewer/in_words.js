// The table in words, for who cannot see it: seat by seat what lies there, in the order of a drawing.

import { lyingOn, namesIn, saidOf, signed } from "./table.js";

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escaped = (text) => String(text).replace(/[&<>]/g, (letter) => escapes[letter]);

export function tableInWords(frame, options) {
  const { table } = frame;
  const { words, called } = options;
  const middle = [words.hand_number.replace("{}", table.hand)];
  if (table.streak > 1) middle.push(words.streak.replace("{}", table.streak));
  middle.push(`${words.wall} ${table.remaining}`);
  for (const [word, tile] of lyingOn(frame, options)) {
    middle.push(tile ? `${word} ${called.tiles[tile]}` : word);
  }
  const seats = table.seats.map((_, place) => seatInWords((options.view + place) % 4, frame, options));
  return `<p>${escaped(middle.join(words.list_comma))}</p>${seats.join("")}`;
}

function seatInWords(number, frame, options) {
  const { words, called } = options;
  const { table } = frame;
  const seat = table.seats[number];
  const player = frame.players[number];
  const title = [player ? options.names[player] || "" : words.seat_empty];
  if (table.dealer === number) title.push(words.is_dealer);
  if (options.points[player] !== undefined) title.push(signed(options.points[player]));
  const said = saidOf(seat, frame, number, options);
  if (said) title.push(said);
  const tiles = (names) => names.map((name) => called.tiles[name]).join(" ");
  const unseen = seat.concealed === null || (options.hidden(number) && !seat.open);
  const lines = [
    [words.in_hand, unseen ? `${seat.concealed_count} ${words.hidden_tiles}` : tiles(namesIn(seat.concealed))],
    [words.melds, seat.melds.map((meld) => meldInWords(meld, called)).join(words.list_comma)],
    [words.flowers, tiles(namesIn(seat.flowers || ""))],
    [words.pond, tiles(seat.pond.filter((tile) => !tile.taken).map((tile) => tile.tile))],
  ];
  const waits = !options.hidden(number) && frame.waits && frame.waits[number];
  if (waits) {
    const each = waits.map(([name, left]) => `${called.tiles[name]} ${words.left_of.replace("{}", left)}`);
    lines.push([words.waited_for, each.join(words.list_comma)]);
  }
  const told = lines.filter(([, text]) => text).map(([word, text]) => `<li>${word}${words.colon}${escaped(text)}</li>`);
  return `<h3>${escaped(title.join(words.list_comma))}</h3><ul>${told.join("")}</ul>`;
}

function meldInWords(meld, called) {
  const tiles = meld.tiles && namesIn(meld.tiles).map((name) => called.tiles[name]).join(" ");
  return [called.melds[meld.kind] || meld.kind, tiles].filter(Boolean).join(" ");
}
