// What each button of the form does to the draft.

import {
  advance, back, canTake, emptyDraft, enter, finishMeld, formOf, isWinner, left, namesIn, startMeld,
} from "./draft.js";

function toHand(draft, sheet, seat) {
  draft.active = seat;
  draft.meld = null;
  draft.target = sheet.wild === "must" && !draft.wild ? "wild" : "concealed";
  advance(draft, sheet);
}

function trimWinners(draft, sheet) {
  if (!sheet.several.includes(draft.by)) draft.winners = draft.winners.slice(0, 1);
  if (draft.by === "zimo") draft.from = null;
}

function toggle(list, value) {
  const at = list.indexOf(value);
  if (at < 0) list.push(value);
  else list.splice(at, 1);
}

export const TAPS = {
  winner(draft, sheet, { seat }) {
    const chosen = Number(seat);
    draft.result = "hu";
    if (isWinner(draft, chosen)) {
      toggle(draft.winners, chosen);
      draft.active = draft.winners[0] ?? null;
      return;
    }
    if (draft.winners.length && !sheet.several.includes(draft.by)) {
      // The winner was somebody else: what was entered is theirs.
      const [before] = draft.winners;
      [draft.seats[before], draft.seats[chosen]] = [draft.seats[chosen], draft.seats[before]];
      draft.winners = [];
    }
    draft.winners.push(chosen);
    if (draft.from === chosen) draft.from = null;
    toHand(draft, sheet, chosen);
  },
  by(draft, sheet, { by }) {
    draft.result = "hu";
    draft.by = by;
    trimWinners(draft, sheet);
    if (draft.active !== null && !isWinner(draft, draft.active)) draft.active = draft.winners[0] ?? null;
  },
  nobody(draft) {
    const nobody = draft.result === "hu";
    Object.assign(draft, { winners: [], tile: null, from: null, active: null, meld: null });
    draft.result = nobody ? "huang_zhuang" : "hu";
    draft.target = "concealed";
  },
  from(draft, sheet, { seat }) {
    draft.from = Number(seat);
  },
  dealer(draft, sheet, { seat }) {
    draft.dealer = Number(seat);
  },
  cause(draft, sheet, { flag }) {
    draft.flags = draft.flags.includes(flag) ? [] : [flag];
  },
  active(draft, sheet, { seat }) {
    draft.active = Number(seat);
    draft.meld = null;
    draft.target = "concealed";
    advance(draft, sheet);
  },
  target(draft, sheet, { target }) {
    draft.meld = null;
    draft.target = target;
  },
  tile(draft, sheet, { tile }) {
    if (canTake(draft, sheet, tile, left(draft, sheet))) enter(draft, sheet, tile);
  },
  back(draft) {
    back(draft);
  },
  meld(draft, sheet, { kind }) {
    draft.meld = draft.meld?.kind === kind ? null : { kind };
    draft.target = draft.meld ? "meld" : "concealed";
    const form = formOf(sheet, kind);
    if (draft.meld && form.shape === "set" && form.sets.length === 1) {
      TAPS.set(draft, sheet, { set: form.sets[0] });
    }
  },
  set(draft, sheet, { set }) {
    const counts = left(draft, sheet);
    const form = formOf(sheet, draft.meld.kind);
    const tiles = namesIn(set).map((name) => (counts[name] > 0 || !form.wild ? name : (draft.wild ?? name)));
    startMeld(draft, form, tiles);
    if (!form.adds) finishMeld(draft);
  },
  finish(draft, sheet) {
    finishMeld(draft);
    advance(draft, sheet);
  },
  "meld-from"(draft, sheet, { seat }) {
    draft.meld.from = Number(seat);
    finishMeld(draft);
    advance(draft, sheet);
  },
  unmeld(draft, sheet, { meld }) {
    draft.seats[draft.active].melds.splice(Number(meld), 1);
    draft.target = "concealed";
  },
  // A wild tile stands for this one of a set, or does not any more.
  swap(draft, sheet, { meld, at }) {
    const told = draft.seats[draft.active].melds[meld];
    const base = formOf(sheet, told.kind).sets.map(namesIn).find((names) => {
      const others = told.tiles.filter((name) => name !== draft.wild);
      return names.length === told.tiles.length && others.every((name) => names.includes(name));
    });
    if (!base) return;
    const missing = base.find((name) => !told.tiles.includes(name));
    told.tiles[at] = told.tiles[at] === draft.wild ? (missing ?? draft.wild) : draft.wild;
  },
  flag(draft, sheet, { flag }) {
    toggle(draft.seats[draft.active].flags, flag);
  },
  tick(draft, sheet, { item }) {
    toggle(draft.ticked, item);
  },
};

// Tiles as a text: what of it could be entered, in order, and what could not.
export function enterText(draft, sheet, text) {
  const refused = [];
  const names = namesIn(text);
  const rest = text.replace(/[0-9]+[mpszf]|\s/g, "");
  for (const name of names) {
    if (canTake(draft, sheet, name, left(draft, sheet))) enter(draft, sheet, name);
    else refused.push(name);
  }
  return { entered: names.length - refused.length, refused, rest };
}

export const clear = (draft) => Object.assign(draft, emptyDraft());
