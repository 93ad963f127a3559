// Draws one frame. It knows where things lie on a table, and nothing of what they are worth.

const HAND = 23, MELD = 20, POND = 21, SMALL = 14; // widths of tiles on a table of 400 by 400
const TALL = 4 / 3;
const MIDDLE = 200, EDGE = 398, POND_TOP = 271, POND_ROW = 6, POND_ROWS = 3, ROOM = 352;

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text) => String(text).replace(/[&<>"]/g, (letter) => escapes[letter]);

export function namesIn(text) {
  const found = [];
  let ranks = "";
  for (const letter of text) {
    if (letter >= "0" && letter <= "9") ranks += letter;
    else {
      for (const rank of ranks) found.push(rank + letter);
      ranks = "";
    }
  }
  return found;
}

const symbol = (id, x, y, width, more = "") =>
  `<use href="#${id}" x="${x}" y="${y}" width="${width}" height="${width * TALL}"${more}/>`;

// A tile standing up, with the mark of a wild one; null is one that is not seen.
function upright(name, x, y, width, wild, more = "") {
  if (!name) return symbol("back", x, y, width, more);
  const size = width * 0.42;
  const corner = x + width - 1;
  const mark =
    name === wild
      ? `<path class="wild-mark" d="M${corner} ${y + 1}v${size}l-${size} -${size}z"/>`
      : "";
  return symbol(`t${name}`, x, y, width, more) + mark;
}

// The same on its side, in a box as wide as a tile is tall, its foot on the line `foot`.
function sideways(name, x, foot, width, wild) {
  return `<g transform="translate(${x} ${foot}) rotate(-90)">${upright(name, 0, 0, width, wild)}</g>`;
}

// A meld as a row: its tiles, and which of them lies on its side for whom it was claimed from.
function meldTiles(meld, seat, claimedAt) {
  if (!meld.tiles) return { tiles: [null, null, null, null], turned: -1, above: null };
  const tiles = namesIn(meld.tiles);
  const alike = tiles.length === 4 && tiles.every((name) => name === tiles[0]);
  if (meld.from === undefined || meld.from === null) {
    const shown = alike ? [null, tiles[0], tiles[0], null] : tiles;
    return { tiles: shown, turned: -1, above: null };
  }
  const from = (meld.from - seat + 4) % 4;
  const added = alike && meld.kind.startsWith("bu");
  const row = added ? tiles.slice(1) : tiles.slice();
  const turned = from === 3 ? 0 : from === 2 ? 1 : row.length - 1;
  const claimed = row.indexOf(claimedAt(meld.seq));
  if (claimed >= 0) row.splice(turned, 0, row.splice(claimed, 1)[0]);
  return { tiles: row, turned, above: added ? tiles[0] : null };
}

function meldWidth({ tiles, turned }) {
  return tiles.length * MELD + (turned >= 0 ? MELD * (TALL - 1) : 0);
}

function drawMeld(laid, x, wild) {
  let drawn = "";
  laid.tiles.forEach((name, place) => {
    if (place === laid.turned) {
      drawn += sideways(name, x, EDGE, MELD, wild);
      if (laid.above) drawn += sideways(laid.above, x, EDGE - MELD, MELD, wild);
      x += MELD * TALL;
    } else {
      drawn += upright(name, x, EDGE - MELD * TALL, MELD, wild);
      x += MELD;
    }
  });
  return drawn;
}

// The tiles in a seat's hand, and the one just drawn apart from them.
function inHand(seat, table, number, hidden) {
  const count = seat.concealed_count;
  const holds = table.turn === number && count % 3 === 2;
  if (hidden || seat.concealed === null) {
    return { held: Array(count - (holds ? 1 : 0)).fill(null), drawn: holds ? null : undefined };
  }
  const held = namesIn(seat.concealed);
  const place = holds && table.drawn ? held.lastIndexOf(table.drawn) : -1;
  return place < 0 ? { held } : { drawn: held.splice(place, 1)[0], held };
}

function drawHand(seat, frame, number, options) {
  const { table } = frame;
  const { held, drawn } = inHand(seat, table, number, options.hidden(number) && !seat.open);
  const melds = seat.melds.map((meld) => meldTiles(meld, number, options.claimedAt));
  const meldRoom = melds.reduce((sum, meld) => sum + meldWidth(meld) + 5, 0);
  const width = held.length * HAND + HAND + 5 + meldRoom;
  const scale = Math.min(1, ROOM / width);
  let x = 0, row = "";
  for (const name of held) {
    row += upright(name, x, EDGE - HAND * TALL, HAND, table.wild);
    x += HAND;
  }
  if (drawn !== undefined) row += upright(drawn, x + 4, EDGE - HAND * TALL, HAND, table.wild);
  x += HAND + 9;
  for (const meld of melds) {
    row += drawMeld(meld, x, table.wild);
    x += meldWidth(meld) + 5;
  }
  const start = MIDDLE - (width * scale) / 2;
  return `<g transform="translate(${start} ${EDGE * (1 - scale)}) scale(${scale})">${row}</g>`;
}

function drawPond(seat, table) {
  let drawn = "";
  seat.pond.forEach((tile, place) => {
    const row = Math.min(Math.floor(place / POND_ROW), POND_ROWS - 1);
    const x = MIDDLE - (POND_ROW / 2) * POND + (place - row * POND_ROW) * POND;
    const y = POND_TOP + row * (POND * TALL + 1);
    const offered = table.offer && table.offer.seq === tile.seq;
    const more = tile.taken ? ' class="taken"' : offered ? ' class="offered"' : "";
    drawn += upright(tile.tile, x, y, POND, table.wild, more);
    if (tile.drawn) {
      drawn += `<circle class="just-drawn" cx="${x + POND / 2}" cy="${y + POND * TALL - 3}" r="1.8"/>`;
    }
    if (offered) {
      drawn += `<rect class="ring" x="${x}" y="${y}" width="${POND}" height="${POND * TALL}" rx="3"/>`;
    }
  });
  return drawn;
}

// Flowers to the left in front of the hand; words and waits to the right. Corners stay free: there one
// seat's left meets another's right.
function drawBeside(seat, frame, number, options) {
  let drawn = "";
  namesIn(seat.flowers || "").forEach((name, place) => {
    drawn += upright(name, 62 + (place % 4) * (SMALL + 1), 343 - Math.floor(place / 4) * 20, SMALL);
  });
  const waits = options.hidden(number) ? null : frame.waits && frame.waits[number];
  let x = 338;
  for (const [name, left] of (waits || []).slice(0, 9).reverse()) {
    x -= SMALL + 2;
    drawn += upright(name, x, 343, SMALL);
    drawn += `<text class="left" x="${x + SMALL / 2}" y="340">${left}</text>`;
  }
  const said = (frame.signs || [])
    .filter((sign) => sign.seat === number)
    .map((sign) => sign[options.language]);
  if (seat.ting && !said.length) said.push(options.words.ting);
  if (said.length) {
    drawn += `<text class="sign" x="${x - 4}" y="354" text-anchor="end">${escaped(said.join(" "))}</text>`;
  }
  return drawn;
}

function fitted(text, room) {
  let width = 0, shown = "";
  for (const letter of text) {
    width += letter.codePointAt(0) > 0x2e7f ? 1 : 0.56;
    if (width > room) return `${shown}…`;
    shown += letter;
  }
  return shown;
}

const PLACES = ["translate(200 257)", "translate(257 200) rotate(-90)", "translate(200 151)",
  "translate(143 200) rotate(90)"];

function drawName(frame, number, place, options) {
  const player = frame.players[number];
  const name = player ? options.names[player] || "" : options.words.seat_empty;
  const points = options.points[player];
  const dealer = frame.table.dealer === number ? `<tspan class="dealer">${options.words.dealer}</tspan> ` : "";
  const figure = points === undefined ? "" : ` <tspan class="points">${signed(points)}</tspan>`;
  return `<text class="name" transform="${PLACES[place]}">${dealer}${escaped(fitted(name, 6))}${figure}</text>`;
}

export function signed(points) {
  return points > 0 ? `+${points}` : String(points).replace("-", "−");
}

function drawMiddle(frame, options) {
  const { table } = frame;
  const { words } = options;
  const streak = table.streak > 1 ? ` · ${words.streak.replace("{}", table.streak)}` : "";
  let drawn =
    `<text class="title" x="200" y="179">${escaped(words.hand_number.replace("{}", table.hand) + streak)}</text>` +
    `<text class="wall" x="200" y="199">${table.remaining}<tspan class="unit" dx="3">${words.wall}</tspan></text>`;
  const reserve = frame.drawable === null ? 0 : table.remaining - frame.drawable;
  if (reserve > 0) drawn += `<text class="unit" x="200" y="209">${words.reserve.replace("{}", reserve)}</text>`;
  const lying = [];
  if (table.wild) lying.push([words.wild, table.wild]);
  if (table.indicator && table.indicator !== table.wild) lying.push([words.indicator, table.indicator]);
  for (const sign of frame.signs || []) {
    if (sign.seat === null || sign.seat === undefined) lying.push([sign[options.language], sign.tile]);
  }
  const step = 38;
  lying.slice(0, 3).forEach(([word, tile], place) => {
    const x = 200 + (place - (Math.min(lying.length, 3) - 1) / 2) * step;
    drawn += `<text class="unit" x="${x}" y="220">${escaped(word)}</text>`;
    if (tile) drawn += upright(tile, x - SMALL / 2, 223, SMALL, table.wild);
  });
  return drawn;
}

export const emptyTable = '<rect class="felt" width="400" height="400" rx="10"/>';

// The whole table as the markup inside an <svg> of 400 by 400, seen from the seat `options.view`.
export function drawTable(frame, options) {
  const { table } = frame;
  let drawn = emptyTable +
    '<rect class="middle" x="136" y="136" width="128" height="128" rx="8"/>';
  table.seats.forEach((seat, number) => {
    const place = (number - options.view + 4) % 4;
    const turn = table.turn === number && table.phase !== "over" ? '<path class="turn" d="M146 264H254"/>' : "";
    drawn +=
      `<g transform="rotate(${-90 * place} 200 200)" data-seat="${number}">${turn}` +
      drawPond(seat, table) + drawHand(seat, frame, number, options) +
      drawBeside(seat, frame, number, options) + "</g>" +
      drawName(frame, number, place, options);
  });
  return drawn + drawMiddle(frame, options);
}
