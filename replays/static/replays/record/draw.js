// The form of a hand as HTML. It draws what `draft.js` says can be entered, and decides nothing.

import {
  SEATS, canTake, flagsFor, formOf, isWinner, left, missing, namesIn, room, sorted,
} from "./draft.js";
import { escaped, filled, signed } from "./tiles.js";

const ROWS = ["m", "p", "s", "z", "f"];

// `view`: {draft, desk, sheet, seats, next, say, language, tiles}
const named = (view, thing) => thing[view.language];
const button = (what, text, { pressed, disabled, data = {}, label, kind = "" } = {}) => {
  const extra = Object.entries(data).map(([name, value]) => ` data-${name}="${escaped(value)}"`).join("");
  const key = [what, ...Object.values(data)].join(".");
  return (
    `<button type="button" data-do="${what}" data-key="${escaped(key)}"${extra}` +
    `${pressed === undefined ? "" : ` aria-pressed="${pressed}"`}${disabled ? " disabled" : ""}` +
    `${label ? ` aria-label="${escaped(label)}"` : ""}${kind ? ` class="${kind}"` : ""}>${text}</button>`
  );
};
const group = (label, inside, kind = "choices") =>
  `<div class="${kind}" role="group" aria-label="${escaped(label)}"><span class="label">${escaped(label)}</span>${inside}</div>`;

const gainHtml = (gain) =>
  gain ? `<small class="due ${gain > 0 ? "up" : "down"}">${signed(gain)}</small>` : `<small class="due"></small>`;

export function drawStrip(view) {
  const { draft, seats, next, say, gains } = view;
  return SEATS.map((seat) => {
    const deals = next && next.dealer === seat;
    const dealer = deals
      ? `<span class="dealer" title="${say.dealer}">${say.dealer_mark}${next.streak > 1 ? `<small>${next.streak}</small>` : ""}</span>`
      : "";
    const { name, points, due } = seats[seat];
    const change = gainHtml(due + (gains?.[seat] ?? 0));
    const inside =
      `${dealer}<span class="name">${escaped(name)}</span>` +
      `<span class="points">${signed(points)}</span>${change}`;
    return button("winner", inside, { pressed: isWinner(draft, seat), data: { seat } });
  }).join("");
}

export function drawHow(view) {
  const { draft, sheet, next, seats, say } = view;
  const nobody = draft.result !== "hu";
  const ways = sheet.ways.map((by) =>
    button("by", say[by], { pressed: !nobody && draft.by === by, data: { by } }),
  );
  ways.push(button("nobody", say.nobody, { pressed: nobody }));
  let html = group(say.how, ways.join(""), "choices how");
  if (!nobody && draft.by !== "zimo") {
    const from = SEATS.map((seat) =>
      button("from", escaped(seats[seat].name), {
        pressed: draft.from === seat,
        disabled: isWinner(draft, seat),
        data: { seat },
      }),
    );
    html += group(draft.by === "dianpao" ? say.from_discard : say.from_gang, from.join(""), "choices seats");
  }
  if (next && next.dealer === null) {
    const dealers = SEATS.map((seat) =>
      button("dealer", escaped(seats[seat].name), { pressed: draft.dealer === seat, data: { seat } }),
    );
    html += group(say.who_deals, dealers.join(""), "choices seats");
  }
  if (nobody) {
    const causes = sheet.flags.filter((flag) => flag.who === "table");
    if (causes.length) {
      const inside = causes.map((flag) =>
        button("cause", escaped(named(view, flag)), {
          pressed: draft.flags.includes(flag.id),
          data: { flag: flag.id },
        }),
      );
      html += group(say.ended_by, inside.join(""));
    }
  }
  return html;
}

// A place for tiles: what lies in it, or what to do.
export function slotHtml({ attributes, pressed, label, inside, hint, kind }) {
  return (
    `<button type="button" ${attributes} aria-pressed="${pressed}" class="slot ${kind}">` +
    `<span class="label">${escaped(label)}</span>${inside || `<span class="hint">${escaped(hint)}</span>`}</button>`
  );
}

const slot = (view, target, inside, label, hint) =>
  slotHtml({
    attributes: `data-do="target" data-target="${target}" data-key="target.${target}"`,
    pressed: view.draft.target === target,
    label,
    inside,
    hint,
    kind: `slot-${target}`,
  });

function drawMelds(view, seat) {
  const { draft, sheet, say, seats, tiles } = view;
  const melds = draft.seats[seat].melds.map((meld, place) => {
    const form = formOf(sheet, meld.kind);
    const label = [form ? named(view, form) : meld.kind, meld.tiles.map(tiles.name).join(" ")].join(" ");
    const from = meld.from === null ? "" : `<small>${escaped(seats[meld.from].name)}</small>`;
    const swap =
      form?.wild && draft.wild
        ? meld.tiles.map((name, at) =>
            button("swap", tiles.one(name), { data: { meld: place, at }, label: `${say.wild} ↔ ${tiles.name(name)}`, kind: "bare" }),
          ).join("")
        : tiles.row(meld.tiles);
    return (
      `<span class="meld"><span class="label">${escaped(form ? named(view, form) : meld.kind)}</span>${swap}${from}` +
      `${button("unmeld", "×", { data: { meld: place }, label: filled(say.remove, label), kind: "bare" })}</span>`
    );
  });
  return melds.join("");
}

// Whose tiles are entered: the winner's, or what payments need of the others.
export function drawHand(view) {
  const { draft, seats, say } = view;
  if (draft.result === "hu" && !draft.winners.length) return "";
  const tabs = SEATS.map((seat) => {
    const { melds, flowers, flags, concealed } = draft.seats[seat];
    const begun = melds.length + flowers.length + flags.length + concealed.length;
    const mark = isWinner(draft, seat) ? ` <b>${say.won_mark}</b>` : begun ? " •" : "";
    return button("active", escaped(seats[seat].name) + mark, { pressed: draft.active === seat, data: { seat } });
  });
  const html = group(say.whose_tiles, tabs.join(""), "choices seats tabs");
  if (draft.active === null) return html;
  const melds = drawMelds(view, draft.active);
  return html + (melds ? `<div class="melds">${melds}</div>` : "") + drawMeldButtons(view);
}

// The places for tiles, above the keyboard.
export function drawSlots(view) {
  const { draft, sheet, say, tiles } = view;
  const slots = [];
  const begun = draft.result !== "hu" || draft.winners.length > 0;
  if (sheet.wild !== "no" && (begun || draft.wild)) {
    const hint = sheet.wild === "may" ? say.if_any : say.tap_tile;
    slots.push(slot(view, "wild", draft.wild ? tiles.row([draft.wild]) : "", say.wild, hint));
  }
  const seat = draft.active;
  if (seat !== null) slots.push(...seatSlots(view, seat));
  if (slots.length) return `<div class="slots${slots.length > 2 ? " many" : ""}">${slots.join("")}</div>`;
  return `<p class="hint">${begun ? say.tap_whose : say.lack_winner}</p>`;
}

function seatSlots(view, seat) {
  const { draft, sheet, say, tiles } = view;
  const hand = draft.seats[seat];
  const wins = isWinner(draft, seat);
  const slots = [];
  const row = (names) => (names.length ? tiles.row(sorted(names)) : "");
  if (wins || sheet.others) {
    const count = wins ? ` ${hand.concealed.length}/${room(draft, sheet, seat)}` : "";
    slots.push(slot(view, "concealed", row(hand.concealed), `${say.in_hand}${count}`, say.tap_tile));
  }
  if (wins) slots.push(slot(view, "tile", draft.tile ? tiles.row([draft.tile]) : "", say.won_on, say.tap_tile));
  if (sheet.flowers) slots.push(slot(view, "flowers", row(hand.flowers), say.flowers, say.if_any));
  return slots;
}

function drawMeldButtons(view) {
  const { draft, sheet, say } = view;
  const kinds = isWinner(draft, draft.active) || sheet.others
    ? sheet.melds
    : sheet.melds.filter((form) => form.shape !== "run" && form.shape !== "triplet");
  if (!kinds.length) return "";
  const inside = kinds.map((form) =>
    button("meld", `+ ${escaped(named(view, form))}`, {
      pressed: draft.meld?.kind === form.kind,
      data: { kind: form.kind },
    }),
  );
  return group(say.melds, inside.join(""), "choices meld-kinds") + (draft.meld ? drawMeldStep(view) : "");
}

function drawMeldStep(view) {
  const { draft, sheet, seats, say, tiles } = view;
  const form = formOf(sheet, draft.meld.kind);
  const so_far = draft.meld.tiles ? tiles.row(draft.meld.tiles) : "";
  if (!draft.meld.tiles && form.shape === "set") {
    const sets = form.sets.map((set) => button("set", tiles.row(namesIn(set)), { data: { set }, kind: "set" }));
    return `<div class="step" role="group" aria-label="${escaped(named(view, form))}">${sets.join("")}</div>`;
  }
  if (!draft.meld.tiles) return `<p class="step">${form.shape === "run" ? say.tap_lowest : say.tap_any}</p>`;
  if (form.shape === "set") {
    return `<div class="step">${so_far} ${form.adds ? `<span>${say.tap_added}</span>` : ""}${button("finish", say.done)}</div>`;
  }
  const from = SEATS.filter((seat) => seat !== draft.active).map((seat) =>
    button("meld-from", escaped(seats[seat].name), { data: { seat } }),
  );
  return `<div class="step" role="group" aria-label="${say.meld_from}">${so_far} <span>${say.meld_from}</span>${from.join("")}</div>`;
}

// A keyboard of these tiles, a row a suit.
export function keysHtml(names, { counts, can, attributes, say, tiles }) {
  const here = [...new Set(names)];
  const rows = ROWS.map((suit) => here.filter((name) => name[1] === suit)).filter((row) => row.length);
  // A few flowers lie beside the honours.
  if (rows.length > 1 && rows.at(-1).length + rows.at(-2).length <= 9) rows.push(rows.splice(-2).flat());
  const widest = Math.max(...rows.map((row) => row.length));
  const html = rows.map((row) => {
    const keys = row.map((name) => {
      const label = filled(say.tile_left, tiles.name(name), Math.max(0, counts[name] ?? 0));
      return `<button type="button" ${attributes(name)}${can(name) ? "" : " disabled"} aria-label="${escaped(label)}">${tiles.one(name)}</button>`;
    });
    return `<div class="keys-row${widest < 8 ? " wide-keys" : ""}">${keys.join("")}</div>`;
  });
  return html.join("");
}

export function drawKeys(view) {
  const { draft, sheet } = view;
  const counts = left(draft, sheet);
  return keysHtml(namesIn(sheet.tiles), {
    ...view,
    counts,
    can: (name) => canTake(draft, sheet, name, counts),
    attributes: (name) => `data-do="tile" data-tile="${name}" data-key="tile.${name}"`,
  });
}

export function drawFlags(view) {
  const { draft, sheet, next, say, seats } = view;
  if (draft.active === null) return "";
  const dealer = next ? (next.dealer ?? draft.dealer) : null;
  const flags = flagsFor(draft, sheet, draft.active, dealer);
  const inside = flags.map((flag) => {
    const of = flag.seat === null ? "" : ` ${escaped(seats[flag.seat].name)}`;
    return button("flag", `${escaped(named(view, flag))}${of}`, {
      pressed: draft.seats[draft.active].flags.includes(flag.id),
      data: { flag: flag.id },
    });
  });
  return inside.length ? group(say.facts, inside.join("")) : "";
}

export function drawMissing(view) {
  const { draft, sheet, say, seats } = view;
  const lack = missing(draft, sheet);
  if (!lack) return "";
  if (lack.what === "tiles") return filled(say.lack_tiles, escaped(seats[lack.seat].name), lack.count);
  return say[`lack_${lack.what}`];
}

export function drawTicks({ desk, draft, language }) {
  const ticks = desk.items.map((item) =>
    button("tick", escaped(item[language]), { pressed: draft.ticked.includes(item.id), data: { item: item.id } }),
  );
  return ticks.join("");
}
