// Draws one frame. It knows where things lie on a table, and nothing of what they are worth.

// The table is a square of 400, turned about its middle for each seat; below it is room for the hand
// of the seat it is seen from, which is drawn larger. Numbers are widths, heights and places there.
const HAND = 17.5, MELD = 16, POND = 24, SMALL = 14, FLOWER = 16, LYING = 18;
const OWN = 1.4; // How much larger the hand is that lies nearest.
const TALL = 4 / 3;
const MIDDLE = 200, EDGE = 398, FOOT = 410, POND_TOP = 274, POND_ROW = 6, POND_ROWS = 3;
const ROOM = 352, OWN_ROOM = 396, WAIT_ROW = 4;
export const WIDTH = 400, HEIGHT = 412;

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
  const own = number === options.view;
  const scale = own ? Math.min(OWN, OWN_ROOM / width) : Math.min(1, ROOM / width);
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
  const down = (own ? FOOT : EDGE) - EDGE * scale;
  return `<g transform="translate(${start} ${down}) scale(${scale})">${row}</g>`;
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
    const box = `x="${x}" y="${y}" width="${POND}" height="${POND * TALL}" rx="3"`;
    if (tile.drawn) drawn += `<rect class="just-drawn" ${box}/>`;
    if (offered) drawn += `<rect class="ring" ${box}/>`;
  });
  return drawn;
}

// Flowers to the left in front of the hand, what is said of the seat to the right; what it waits for
// is in the corner between its pond and its neighbour's.
function drawBeside(seat, frame, number, options) {
  const flowers = namesIn(seat.flowers || "");
  const step = Math.min(FLOWER + 0.5, 96 / flowers.length);
  let drawn = flowers.map((name, place) => upright(name, 28 + place * step, 349, FLOWER)).join("");
  const waits = (!options.hidden(number) && frame.waits && frame.waits[number]) || [];
  const shown = waits.length > 2 * WAIT_ROW ? waits.slice(0, 2 * WAIT_ROW - 1) : waits;
  const more = waits.length - shown.length;
  const spot = (place) => [276 + (place % WAIT_ROW) * 16.5, place < WAIT_ROW ? 287 : 319];
  shown.forEach(([name, left], place) => {
    const [x, y] = spot(place);
    drawn += upright(name, x, y, SMALL);
    drawn += `<text class="left" x="${x + SMALL / 2}" y="${y - 2}">${left}</text>`;
  });
  if (more > 0) {
    const [x, y] = spot(shown.length);
    drawn += `<text class="left" x="${x + SMALL / 2}" y="${y + 13}">+${more}</text>`;
  }
  const said = saidOf(seat, frame, number, options);
  if (said) drawn += `<text class="sign" x="276" y="353">${escaped(said)}</text>`;
  return drawn;
}

// What is said of a seat: the signs of the variant's own, else that it is ting.
export function saidOf(seat, frame, number, options) {
  const said = (frame.signs || [])
    .filter((sign) => sign.seat === number)
    .map((sign) => sign[options.language]);
  if (seat.ting && !said.length) said.push(options.words.ting);
  return said.join(" ");
}

// How wide a text is, in letters of Chinese.
const widthOf = (text) =>
  Array.from(text).reduce((sum, letter) => sum + (letter.codePointAt(0) > 0x2e7f ? 1 : 0.58), 0);

function fitted(text, room) {
  if (widthOf(text) <= room) return text;
  let shown = "";
  for (const letter of text) {
    if (widthOf(shown + letter) > room - 0.8) break;
    shown += letter;
  }
  return `${shown.trimEnd()}…`;
}

const PLACES = ["translate(200 258)", "translate(258 200) rotate(-90)", "translate(200 142)",
  "translate(142 200) rotate(90)"];
const NAME_ROOM = 8.4; // Of a name, its mark and its points, between two others.
const TITLE_ROOM = 9;

function drawName(frame, number, place, options) {
  const player = frame.players[number];
  const name = player ? options.names[player] || "" : options.words.seat_empty;
  const points = options.points[player];
  const dealing = frame.table.dealer === number;
  const figure = points === undefined ? "" : signed(points);
  const room = NAME_ROOM - widthOf(figure) - (dealing ? widthOf(options.words.dealer) + 0.5 : 0);
  return `<text class="name" transform="${PLACES[place]}">` +
    (dealing ? `<tspan class="dealer">${options.words.dealer}</tspan> ` : "") +
    escaped(fitted(name, room)) +
    (figure && ` <tspan class="points">${figure}</tspan>`) + "</text>";
}

export function signed(points) {
  return points > 0 ? `+${points}` : String(points).replace("-", "−");
}

// What lies on the table for all to see: words, and a tile where there is one.
export function lyingOn(frame, { words, language }) {
  const { table } = frame;
  const lying = [];
  if (table.wild) lying.push([words.wild, table.wild]);
  if (table.indicator && table.indicator !== table.wild) lying.push([words.indicator, table.indicator]);
  for (const sign of frame.signs || []) {
    if (sign.seat === null || sign.seat === undefined) lying.push([sign[language], sign.tile]);
  }
  return lying;
}

function drawMiddle(frame, options) {
  const { table } = frame;
  const { words } = options;
  const titles = [words.hand_number.replace("{}", table.hand)];
  if (table.streak > 1) titles.push(words.streak.replace("{}", table.streak));
  const title = titles.join(" · ");
  const lines = widthOf(title) > TITLE_ROOM ? titles : [title];
  const lying = lyingOn(frame, options).slice(0, 3);
  const reserve = frame.drawable === null ? 0 : table.remaining - frame.drawable;
  const top = (lying.length ? 166 : 180) + (lines.length - 1) * 8;
  let drawn =
    lines
      .map((line, place) => [escaped(line), top - (lines.length - 1 - place) * 13])
      .map(([line, y]) => `<text class="title" x="200" y="${y}">${line}</text>`)
      .join("") +
    `<text class="wall" x="200" y="${top + 20}">${table.remaining}<tspan class="unit" dx="3">${words.wall}</tspan></text>`;
  if (reserve > 0) {
    drawn += `<text class="unit" x="200" y="${top + 34}">${words.reserve.replace("{}", reserve)}</text>`;
  }
  lying.forEach(([word, tile], place) => {
    const x = 200 + (place - (lying.length - 1) / 2) * 36;
    drawn += `<text class="unit" x="${x}" y="${tile ? 213 : 228}">${escaped(word)}</text>`;
    if (tile) drawn += upright(tile, x - LYING / 2, 216, LYING, table.wild);
  });
  return drawn;
}

const FELT = `<rect class="felt" width="${WIDTH}" height="${HEIGHT}" rx="8"/>`;
const SEATS = [0, 1, 2, 3];
// What a table is made of: each seat's pond, hand and what lies beside, the names, the middle.
const BARE =
  `${FELT}<rect class="middle" x="130" y="130" width="140" height="140" rx="8"/>` +
  SEATS.map((seat) => `<g data-seat="${seat}"><g></g><g></g><g></g><g></g></g>`).join("") +
  "<g></g>".repeat(SEATS.length + 1);

const markups = new WeakMap(); // a group to the markup in it

// Most of a table stays as it is from one step to the next, and is not drawn again.
function put(group, markup) {
  if (markups.get(group) === markup) return;
  group.innerHTML = markup;
  markups.set(group, markup);
}

// Draws the whole table into an <svg> of WIDTH by HEIGHT, seen from the seat `options.view`; without
// a frame an empty one.
export function drawTable(svg, frame, options) {
  if (!frame) {
    svg.innerHTML = FELT;
    return;
  }
  if (svg.childElementCount < 3) svg.innerHTML = BARE;
  const { table } = frame;
  const groups = [...svg.children].slice(2);
  table.seats.forEach((seat, number) => {
    const place = (number - options.view + 4) % 4;
    const own = groups[number];
    own.setAttribute("transform", `rotate(${-90 * place} 200 200)`);
    const turn = table.turn === number && table.phase !== "over";
    put(own.children[0], turn ? '<path class="turn" d="M142 270H258"/>' : "");
    put(own.children[1], drawPond(seat, table));
    put(own.children[2], drawHand(seat, frame, number, options));
    put(own.children[3], drawBeside(seat, frame, number, options));
    put(groups[SEATS.length + number], drawName(frame, number, place, options));
  });
  put(groups.at(-1), drawMiddle(frame, options));
}
