// A hand as it is being written down. What may be is the sheet's, a table of data that the server
// gives; what a hand is worth, and whether it may be recorded, only the server says.

export const SEATS = [0, 1, 2, 3];
const ORDER = "mpszf";

export function emptyDraft() {
  return {
    hand: 0,
    dealer: 0,
    result: "hu",
    winners: [],
    by: "zimo",
    from: null,
    tile: null,
    wild: null,
    seats: SEATS.map(() => ({ concealed: [], melds: [], flowers: [], flags: [] })),
    flags: [],
    active: null,
    target: "concealed",
    meld: null,
    ticked: [],
  };
}

export const namesIn = (text) =>
  [...text.matchAll(/([0-9]+)([mpszf])/g)].flatMap(([, ranks, suit]) =>
    [...ranks].map((rank) => rank + suit),
  );

export const sorted = (names) =>
  [...names].sort(
    (one, other) => ORDER.indexOf(one[1]) - ORDER.indexOf(other[1]) || one[0] - other[0],
  );

export function write(names) {
  let text = "";
  const all = sorted(names);
  all.forEach((name, place) => {
    text += name[0];
    if (all[place + 1]?.[1] !== name[1]) text += name[1];
  });
  return text;
}

// Tiles ---------------------------------------------------------------------------------------

export const room = (draft, sheet, seat) => sheet.hand_size - 3 * draft.seats[seat].melds.length;

export function used(draft) {
  const counts = {};
  const take = (name) => (counts[name] = (counts[name] ?? 0) + 1);
  for (const seat of draft.seats) {
    [...seat.concealed, ...seat.flowers].forEach(take);
    seat.melds.forEach((meld) => meld.tiles.forEach(take));
  }
  if (draft.meld?.tiles) draft.meld.tiles.forEach(take);
  if (draft.tile && draft.winners.length && draft.by !== "qiang_gang") take(draft.tile);
  return counts;
}

export function left(draft, sheet) {
  const counts = {};
  for (const name of namesIn(sheet.tiles)) counts[name] = (counts[name] ?? 0) + 1;
  for (const [name, count] of Object.entries(used(draft))) counts[name] = (counts[name] ?? 0) - count;
  return counts;
}

export const formOf = (sheet, kind) => sheet.melds.find((form) => form.kind === kind);

function run(name) {
  const [rank, suit] = [Number(name[0]), name[1]];
  return "mps".includes(suit) && rank <= 7 ? [0, 1, 2].map((step) => `${rank + step}${suit}`) : null;
}

// The tiles of a meld that this tile begins, or null where it begins none.
export function meldOf(form, name) {
  if (form.shape === "run") return run(name);
  if (name[1] === "f") return null;
  return Array(form.shape === "quad" ? 4 : 3).fill(name);
}

// Whether a tile can be entered now.
export function canTake(draft, sheet, name, counts) {
  const isFlower = name[1] === "f";
  if (draft.target === "wild") return !isFlower && name in counts;
  if (draft.target === "flowers") {
    return namesIn(sheet.flowers).includes(name) && counts[name] > 0;
  }
  if (draft.active === null) return false;
  if (draft.target === "meld") {
    const form = formOf(sheet, draft.meld.kind);
    if (form.shape === "set") {
      return Boolean(draft.meld.tiles) && namesIn(form.adds).includes(name) && counts[name] > 0;
    }
    const tiles = meldOf(form, name);
    return Boolean(tiles) && tiles.every((each) => counts[each] >= tiles.filter((it) => it === each).length);
  }
  if (isFlower || !(counts[name] > 0)) return false;
  if (draft.target === "tile") return true;
  return draft.seats[draft.active].concealed.length < room(draft, sheet, draft.active);
}

export function isWinner(draft, seat) {
  return draft.winners.includes(seat);
}

// Where the next tile belongs once one was entered.
export function advance(draft, sheet) {
  if (draft.target === "wild" && draft.wild) draft.target = "concealed";
  if (draft.target !== "concealed" || draft.active === null) return;
  const seat = draft.seats[draft.active];
  if (isWinner(draft, draft.active) && seat.concealed.length >= room(draft, sheet, draft.active)) {
    draft.target = draft.tile ? "concealed" : "tile";
  }
}

export function enter(draft, sheet, name) {
  const seat = draft.active === null ? null : draft.seats[draft.active];
  if (draft.target === "wild") draft.wild = name;
  else if (draft.target === "tile") draft.tile = name;
  else if (draft.target === "flowers") seat.flowers.push(name);
  else if (draft.target === "concealed") seat.concealed.push(name);
  else if (draft.target === "meld") {
    const form = formOf(sheet, draft.meld.kind);
    if (form.shape === "set") draft.meld.tiles.push(name);
    else startMeld(draft, form, meldOf(form, name));
  }
  advance(draft, sheet);
}

export function startMeld(draft, form, tiles) {
  draft.meld.tiles = tiles;
  draft.meld.from = form.source === "before" ? (draft.active + 3) % 4 : null;
  if (form.source !== "any" && form.shape !== "set") finishMeld(draft);
}

export function finishMeld(draft) {
  const { kind, tiles, from } = draft.meld;
  draft.seats[draft.active].melds.push({ kind, tiles, from });
  draft.meld = null;
  draft.target = "concealed";
}

export function back(draft) {
  if (draft.target === "wild") draft.wild = null;
  else if (draft.target === "meld") {
    draft.meld = draft.meld.tiles ? { kind: draft.meld.kind } : null;
    if (!draft.meld) draft.target = "concealed";
  } else if (draft.active !== null) {
    const seat = draft.seats[draft.active];
    if (draft.target === "flowers") seat.flowers.pop();
    else if (draft.tile && isWinner(draft, draft.active)) {
      draft.tile = null;
      draft.target = "tile";
    } else {
      seat.concealed.pop();
      draft.target = "concealed";
    }
  }
}

// Flags ---------------------------------------------------------------------------------------

// The flags that this seat's hand can carry (a winner's), or that any seat's can.
export function flagsFor(draft, sheet, seat, dealer) {
  return sheet.flags.filter((flag) => {
    if (flag.seat === seat || flag.who === "table") return false;
    return isWinner(draft, seat) ? canBe(draft, sheet, flag, seat, dealer) : flag.who === "seat";
  });
}

function canBe(draft, sheet, flag, seat, dealer) {
  const hand = draft.seats[seat];
  const kinds = hand.melds.map((meld) => meld.kind);
  const beside = hand.flags.filter((each) => each !== flag.id);
  const family = (id) => sheet.flags.find((each) => each.id === id)?.family;
  const bars = (one, other) => one.without.includes(other.id) || (other.family && one.without.includes(other.family));
  const others = sheet.flags.filter((each) => beside.includes(each.id));
  return (
    flag.by.includes(draft.by) &&
    (flag.dealer === null || dealer === null || flag.dealer === (seat === dealer)) &&
    (!flag.from_dealer || dealer === null || draft.from === dealer) &&
    (!flag.on_wild || (draft.wild !== null && draft.tile === draft.wild)) &&
    (!flag.needs_meld.length || kinds.some((kind) => flag.needs_meld.includes(kind))) &&
    (flag.only_melds === null || kinds.every((kind) => flag.only_melds.includes(kind))) &&
    !kinds.some((kind) => flag.no_melds.includes(kind)) &&
    namesIn(flag.flowers).every((name) => hand.flowers.includes(name)) &&
    (!flag.any_flower || hand.flowers.length > 0) &&
    (!flag.no_flower || hand.flowers.length === 0) &&
    flag.needs.every((id) => beside.includes(id)) &&
    (!kinds.length || flag.melds_need.every((id) => beside.includes(id))) &&
    !others.some((other) => bars(flag, other) || bars(other, flag)) &&
    !(flag.family && beside.some((id) => family(id) === flag.family))
  );
}

// A flag that can be no more is taken off again; what that takes away with it goes too.
export function settleFlags(draft, sheet, dealer) {
  for (const seat of SEATS) {
    const hand = draft.seats[seat];
    for (let before = -1; before !== hand.flags.length; ) {
      before = hand.flags.length;
      const can = flagsFor(draft, sheet, seat, dealer).map((flag) => flag.id);
      hand.flags = hand.flags.filter((id) => can.includes(id));
    }
  }
  if (draft.result === "hu") draft.flags = [];
}

// Writing -------------------------------------------------------------------------------------

// What is still missing before a hand can be tried out: a count of tiles and names of parts.
export function missing(draft, sheet) {
  if (draft.result !== "hu") return null;
  if (!draft.winners.length) return { what: "winner" };
  if (draft.by !== "zimo" && draft.from === null) return { what: "payer" };
  if (draft.meld) return { what: "meld" };
  if (sheet.wild === "must" && !draft.wild) return { what: "wild" };
  for (const seat of draft.winners) {
    const count = room(draft, sheet, seat) - draft.seats[seat].concealed.length;
    if (count > 0) return { what: "tiles", count: count + (draft.tile ? 0 : 1), seat };
  }
  return draft.tile ? null : { what: "tiles", count: 1, seat: draft.winners[0] };
}

const withSource = (from) => (from === null || from === undefined ? {} : { from });

function told(hand, withConcealed) {
  const facts = {};
  if (withConcealed && hand.concealed.length) facts.concealed = write(hand.concealed);
  if (hand.flowers.length) facts.flowers = write(hand.flowers);
  if (hand.melds.length) {
    facts.melds = hand.melds.map(({ kind, tiles, from }) => ({
      kind,
      tiles: write(tiles),
      ...withSource(from),
    }));
  }
  return facts;
}

// The facts of a draft, without what only the table as it is then can say (`hand_result`).
export function factsOf(draft, sheet) {
  const won = draft.result === "hu";
  const wins = (won ? draft.winners : []).map((seat) => ({
    seat,
    by: draft.by,
    tile: draft.tile,
    concealed: "",
    ...withSource(draft.by === "zimo" ? null : draft.from),
    ...told(draft.seats[seat], true),
    flags: draft.seats[seat].flags,
  }));
  const table = SEATS.filter((seat) => !won || !isWinner(draft, seat)).map((seat) => ({
    seat,
    ...told(draft.seats[seat], sheet.others),
    flags: [...draft.seats[seat].flags, ...(won ? [] : draft.flags)],
  }));
  return {
    result: draft.result,
    ...(draft.wild && sheet.wild !== "no" ? { wild: draft.wild } : {}),
    dealer: draft.dealer,
    wins,
    table: table.filter(({ seat, flags, ...rest }) => flags.length || Object.keys(rest).length),
  };
}

// The event that records the facts as the next hand of this table.
export function handResult(facts, next) {
  return {
    ...facts,
    type: "hand_result",
    hand: next.hand,
    dealer: next.dealer ?? facts.dealer,
    streak: next.streak,
    wins: facts.wins.map((win) => ({ ...win, flags: [...win.flags, ...next.flags] })),
  };
}

// The draft that facts once recorded came from, to change them.
export function draftOf(facts, sheet) {
  const draft = emptyDraft();
  const known = new Set(sheet.flags.map((flag) => flag.id));
  const first = facts.wins?.[0];
  Object.assign(draft, { result: facts.result, wild: facts.wild ?? null, dealer: facts.dealer });
  if (first) Object.assign(draft, { by: first.by, from: first.from ?? null, tile: first.tile });
  draft.winners = (facts.wins ?? []).map((win) => win.seat);
  draft.active = draft.winners[0] ?? null;
  for (const each of [...(facts.wins ?? []), ...(facts.table ?? [])]) {
    Object.assign(draft.seats[each.seat], {
      concealed: namesIn(each.concealed ?? ""),
      flowers: namesIn(each.flowers ?? ""),
      flags: (each.flags ?? []).filter((id) => known.has(id)),
      melds: (each.melds ?? []).map((meld) => ({
        kind: meld.kind,
        tiles: namesIn(meld.tiles),
        from: meld.from ?? null,
      })),
    });
  }
  return draft;
}
