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

export function drawStrip(view) {
  const { draft, seats, next, say } = view;
  return SEATS.map((seat) => {
    const deals = next && next.dealer === seat;
    const dealer = deals
      ? `<span class="dealer" title="${say.dealer}">${say.dealer_mark}${next.streak > 1 ? `<small>${next.streak}</small>` : ""}</span>`
      : "";
    const { name, points, due } = seats[seat];
    const change = due ? `<small class="due">${signed(due)}</small>` : "";
    const inside =
      `<span class="name">${escaped(name)}${dealer}</span>` +
      `<span class="points">${signed(points)}${change}</span>`;
    return button("winner", inside, { pressed: isWinner(draft, seat), data: { seat } });
  }).join("");
}

export function drawHow(view) {
  const { draft, sheet, next, seats, say } = view;
  const nobody = draft.result !== "hu";
  const ways = sheet.ways.map((by) =>
    button("by", say[by], { pressed: !nobody && draft.by === by, data: { by }, disabled: nobody }),
  );
  ways.push(button("nobody", say.nobody, { pressed: nobody }));
  let html = group(say.how, ways.join(""), "choices how");
  if (!nobody && draft.by !== "zimo") {
    const from = SEATS.filter((seat) => !isWinner(draft, seat)).map((seat) =>
      button("from", escaped(seats[seat].name), { pressed: draft.from === seat, data: { seat } }),
    );
    html += group(draft.by === "dianpao" ? say.from_discard : say.from_gang, from.join(""));
  }
  if (next && next.dealer === null) {
    const dealers = SEATS.map((seat) =>
      button("dealer", escaped(seats[seat].name), { pressed: draft.dealer === seat, data: { seat } }),
    );
    html += group(say.who_deals, dealers.join(""));
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

function slot(view, target, inside, label, hint) {
  const { draft } = view;
  const pressed = draft.target === target;
  const empty = inside ? "" : `<span class="hint">${escaped(hint)}</span>`;
  return button("target", `<span class="label">${escaped(label)}</span>${inside}${empty}`, {
    pressed,
    data: { target },
    kind: `slot slot-${target}`,
  });
}

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

export function drawHand(view) {
  const { draft, sheet, seats, say, tiles } = view;
  const order = [...draft.winners, ...SEATS.filter((seat) => !isWinner(draft, seat))];
  const others = draft.result !== "hu" || draft.winners.length;
  const tabs = others
    ? order.map((seat) => {
        const told = draft.seats[seat];
        const more = told.melds.length + told.flowers.length + told.flags.length + told.concealed.length;
        const mark = isWinner(draft, seat) ? ` <b>${say.won_mark}</b>` : more ? " •" : "";
        return button("active", escaped(seats[seat].name) + mark, {
          pressed: draft.active === seat,
          data: { seat },
        });
      })
    : [];
  let html = tabs.length ? group(say.whose_tiles, tabs.join(""), "choices tabs") : "";
  const slots = [];
  if (sheet.wild !== "no" && (others || draft.wild)) {
    slots.push(slot(view, "wild", draft.wild ? tiles.row([draft.wild]) : "", say.wild, sheet.wild === "may" ? say.if_any : say.tap_tile));
  }
  const seat = draft.active;
  if (seat !== null) {
    const hand = draft.seats[seat];
    const wins = isWinner(draft, seat);
    if (wins || sheet.others) {
      const count = `${hand.concealed.length}/${room(draft, sheet, seat)}`;
      slots.push(slot(view, "concealed", hand.concealed.length ? tiles.row(sorted(hand.concealed)) : "", `${say.in_hand} ${wins ? count : ""}`, say.tap_tile));
    }
    if (wins) slots.push(slot(view, "tile", draft.tile ? tiles.row([draft.tile]) : "", say.won_on, say.tap_tile));
    if (sheet.flowers) {
      slots.push(slot(view, "flowers", hand.flowers.length ? tiles.row(sorted(hand.flowers)) : "", say.flowers, say.if_any));
    }
    html += `<div class="slots">${slots.join("")}</div>`;
    html += `<div class="melds">${drawMelds(view, seat)}</div>`;
    html += drawMeldButtons(view);
  } else if (slots.length) html += `<div class="slots">${slots.join("")}</div>`;
  return html;
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
  return group(say.melds, inside.join("")) + (draft.meld ? drawMeldStep(view) : "");
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

export function drawKeys(view) {
  const { draft, sheet, say, tiles } = view;
  const counts = left(draft, sheet);
  const here = [...new Set(namesIn(sheet.tiles))];
  const rows = ROWS.map((suit) => here.filter((name) => name[1] === suit)).filter((row) => row.length);
  const html = rows.map((row) => {
    const keys = row.map((name) => {
      const count = Math.max(0, counts[name]);
      return button("tile", tiles.one(name), {
        data: { tile: name },
        disabled: !canTake(draft, sheet, name, counts),
        label: filled(say.tile_left, tiles.name(name), count),
      });
    });
    return `<div class="keys-row">${keys.join("")}</div>`;
  });
  return html.join("");
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
