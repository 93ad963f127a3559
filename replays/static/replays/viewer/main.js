// The replay viewer: which hand, which step, seen how. Everything shown comes from the server.

import { follow } from "./follow.js";
import { loadHand } from "./frames.js";
import { tableInWords } from "./in_words.js";
import { copy, save } from "./share.js";
import { drawTable } from "./table.js";

const root = document.getElementById("viewer");
const part = (id) => document.getElementById(id);
const { game, page, sprite } = root.dataset;
const words = JSON.parse(part("viewer-words").textContent);
const called = JSON.parse(part("viewer-called").textContent); // What tiles and melds are called.
const language = document.documentElement.lang.startsWith("zh") ? "zh" : "en";
const SETTLING_MS = 2000; // A hand is settled within seconds, of which no event of the game tells.
const WORDING_MS = 200; // Nobody reads the table in words while it is stepped through.
let settling = 0;
let wording = 0;
const hands = new Map(); // number to a promise of the hand

// `number` is the hand that is wanted, `hand` the one that is shown: it may still be on its way.
const view = {
  number: 0, hand: null, index: 0, seat: Number(root.dataset.seat), hide: false, playing: 0,
};

function fetchHand(number) {
  if (!hands.has(number)) {
    const coming = loadHand(page, number);
    coming.catch(() => hands.delete(number));
    hands.set(number, coming);
  }
  return hands.get(number);
}

// Drawing -------------------------------------------------------------------------------------

function tableOf(hand, index) {
  for (let at = index; at >= 0; at -= 1) if (hand.frames[at].table) return hand.frames[at];
  return null;
}

function draw() {
  const { hand, index } = view;
  const step = hand.steps[index];
  const frame = tableOf(hand, index);
  const atEnd = hand.steps.slice(0, index + 1).some((each) => each.kind === "end");
  const table = part("table");
  const hasTable = hand.frames.some((each) => each.table);
  table.toggleAttribute("hidden", !hasTable);
  part("plain").hidden = hasTable;
  const options = {
    view: view.seat,
    hidden: (seat) => view.hide && seat !== view.seat,
    names: hand.names,
    points: atEnd ? hand.after : hand.before,
    claimedAt: (seq) => hand.bySeq.get(seq)?.body.tile,
    words,
    called,
    language,
  };
  drawTable(table, frame, options);
  clearTimeout(wording);
  wording = setTimeout(() => {
    part("in-words").innerHTML = frame ? tableInWords(frame, options) : "";
  }, WORDING_MS);
  const now = part("now");
  now.innerHTML = step.undone ? `<del>${step.html}</del>` : step.html;
  table.setAttribute("aria-label", now.textContent);
  part("slider").value = index;
  part("slider").setAttribute("aria-valuetext", `${step.seq}: ${now.textContent}`);
  markEvent(index);
  const box = part("panel-box");
  box.hidden = !hand.panel;
  if (box.dataset.hand !== String(hand.hand) || atEnd !== (box.dataset.end === "1")) {
    box.open = atEnd;
    box.dataset.hand = hand.hand;
    box.dataset.end = atEnd ? "1" : "0";
    if (atEnd) part("side").scrollTop = 0;
  }
  const address = `#${hand.hand}.${step.seq}`;
  if (location.hash !== address) history.replaceState(null, "", address);
}

function markEvent(index) {
  const list = part("events");
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const item = list.children[index]?.firstElementChild;
  if (!item) return;
  item.setAttribute("aria-current", "true");
  const top = item.offsetTop; // From the list's own top.
  if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - list.clientHeight / 2;
  }
}

function told({ undone, html }) {
  return undone ? `<del>${html}</del> <span class="unseen">${words.taken_back}</span>` : html;
}

function showHand(hand) {
  view.hand = hand;
  hand.bySeq ??= new Map(hand.steps.map((step) => [step.seq, step]));
  part("slider").max = hand.steps.length - 1;
  part("marks").innerHTML = hand.steps
    .map((step, index) => [step, (index / Math.max(1, hand.steps.length - 1)) * 100])
    .filter(([step]) => ["claim", "gang", "win", "note"].includes(step.kind))
    .map(([step, left]) => `<i class="${step.kind}" data-left="${left}"></i>`)
    .join("");
  for (const mark of part("marks").children) mark.style.left = `${mark.dataset.left}%`;
  part("events").innerHTML = hand.steps
    .map(
      (step) =>
        `<li${step.undone ? ' class="undone"' : ""}><a href="#${hand.hand}.${step.seq}">` +
        `<span class="seq">${step.seq}</span> <span>${told(step)}</span></a></li>`,
    )
    .join("");
  part("panel").innerHTML = hand.panel;
  if (part("overview")) part("overview").innerHTML = hand.overview;
  showHandList(hand);
  clearTimeout(settling);
  if (hand.pending) settling = setTimeout(news, SETTLING_MS);
}

function showHandList(hand) {
  const links = [];
  for (let number = 1; number <= hand.hands; number += 1) {
    const link = document.createElement("a");
    link.href = `#${number}`;
    link.textContent = number;
    if (number === hand.hand) link.setAttribute("aria-current", "true");
    if (hand.corrected.includes(number)) {
      link.className = "corrected";
      link.title = words.corrected;
    }
    links.push(link);
  }
  part("hand-list").replaceChildren(...links);
}

// Moving --------------------------------------------------------------------------------------

// To a step by its index (-1: the last), by its seq, or without either to the deal.
async function goTo(number, at = {}) {
  view.number = number;
  let hand;
  try {
    hand = await fetchHand(number);
  } catch {
    if (view.number === number) stay(number);
    return;
  }
  if (view.number !== number) return;
  if (view.hand !== hand) showHand(hand);
  let index = at.index ?? Math.max(0, hand.frames.findIndex((frame) => frame.table));
  if (at.seq !== undefined) {
    index = hand.steps.findIndex((step) => step.seq >= at.seq);
    if (index < 0) index = hand.steps.length - 1;
  }
  view.index = index < 0 ? hand.steps.length + index : index;
  draw();
}

// A hand that cannot be had, or that there is not: what is shown stays, or the page's own hand comes.
function stay(number) {
  play(false);
  const first = Number(root.dataset.hand);
  if (view.hand) {
    view.number = view.hand.hand;
    part("now").textContent = words.not_loaded;
  } else if (number !== first) goTo(first);
}

function step(by) {
  const to = view.index + by;
  if (to < 0) return toHand(-1, { index: -1 });
  if (to >= view.hand.steps.length) return toHand(1, { index: 0 });
  view.index = to;
  draw();
  if (to === view.hand.steps.length - 3 && view.hand.hand < view.hand.hands) {
    fetchHand(view.hand.hand + 1); // It is there when it is wanted.
  }
  return true;
}

function toHand(by, at) {
  const number = view.number + by;
  if (number < 1 || number > view.hand.hands) return false;
  goTo(number, at);
  return true;
}

function jump(kind) {
  const found = view.hand.steps.findIndex((each, at) => at > view.index && each.kind === kind);
  if (found >= 0) {
    view.index = found;
    draw();
  } else {
    toHand(1);
  }
}

function play(wanted) {
  clearTimeout(view.playing);
  view.playing = 0;
  if (wanted) {
    const on = () => {
      view.playing = step(1) ? setTimeout(on, Number(part("speed").value)) : 0;
      showPlaying();
    };
    view.playing = setTimeout(on, Number(part("speed").value));
  }
  showPlaying();
}

function showPlaying() {
  const button = root.querySelector('[data-do="play"]');
  button.dataset.playing = view.playing ? "1" : "0";
  part("now").setAttribute("aria-live", view.playing ? "off" : "polite");
  button.setAttribute("aria-label", view.playing ? words.pause : words.play);
}

// What a person does --------------------------------------------------------------------------

function toggle(name, pressed) {
  root.querySelector(`[data-do="${name}"]`).setAttribute("aria-pressed", pressed);
}

async function copyLink() {
  const button = root.querySelector('[data-do="copy"]');
  const label = button.textContent;
  await copy(new URL(page, location.href).href + location.hash);
  button.textContent = words.copied;
  setTimeout(() => {
    button.textContent = label;
  }, 1500);
}

const actions = {
  back: () => step(-1),
  on: () => step(1),
  "hand-back": () => toHand(-1),
  "hand-on": () => toHand(1),
  first: () => goTo(view.hand.hand, { index: 0 }),
  last: () => goTo(view.hand.hand, { index: -1 }),
  play: () => play(!view.playing),
  turn: () => {
    view.seat = (view.seat + 1) % 4;
    draw();
  },
  hide: () => {
    view.hide = !view.hide;
    toggle("hide", view.hide);
    draw();
  },
  numerals: () => toggle("numerals", root.classList.toggle("numerals")),
  copy: copyLink,
  help: () => part("help").showModal(),
};
const keys = {
  ArrowLeft: "back", ArrowRight: "on", ArrowUp: "hand-back", ArrowDown: "hand-on",
  Home: "first", End: "last", " ": "play", v: "turn", h: "hide", n: "numerals", c: "copy",
  "?": "help",
};

function act(name) {
  if (name !== "play") play(false);
  actions[name]();
}

function listen() {
  root.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do], [data-jump]");
    if (button?.dataset.do) act(button.dataset.do);
    else if (button) {
      play(false);
      jump(button.dataset.jump);
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || part("help").open) return;
    if (event.target.closest("input, select, textarea, summary, .scroll, pre")) return;
    if (event.key === " " && event.target.closest("a, button")) return;
    const name = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (name) {
      event.preventDefault();
      act(name);
    }
  });
  part("slider").addEventListener("input", (event) => {
    play(false);
    view.index = Number(event.target.value);
    draw();
  });
  addEventListener("hashchange", () => {
    play(false);
    goTo(...addressed());
  });
  listenToTouch();
}

function listenToTouch() {
  let from = null;
  const table = part("table");
  table.addEventListener("pointerdown", (event) => {
    from = event.pointerType === "mouse" ? null : [event.clientX, event.clientY];
  });
  table.addEventListener("pointerup", (event) => {
    if (!from) return;
    const [x, y] = [event.clientX - from[0], event.clientY - from[1]];
    from = null;
    if (Math.abs(x) > 30 && Math.abs(x) > Math.abs(y)) act(x < 0 ? "on" : "back");
  });
}

function addressed() {
  const [number, seq] = location.hash.slice(1).split(".").map(Number);
  if (!number) return [Number(root.dataset.hand), root.dataset.over === "1" ? {} : { index: -1 }];
  return [number, seq ? { seq } : {}];
}

// A game still being played -------------------------------------------------------------------

let asking = null;
let askAgain = false;

async function news() {
  if (asking) {
    askAgain = true;
    return;
  }
  const { number } = view;
  hands.delete(number);
  asking = fetchHand(number);
  try {
    const hand = await asking;
    if (view.number === number && view.hand.hand === number) {
      const wasLast = view.index === view.hand.steps.length - 1 && number === view.hand.hands;
      const { seq } = view.hand.steps[view.index];
      if (wasLast && hand.hands > number) await goTo(hand.hands, { index: -1 });
      else await goTo(number, wasLast ? { index: -1 } : { seq });
    }
    if (hand.over) stop?.();
  } finally {
    asking = null;
    if (askAgain) {
      askAgain = false;
      news();
    }
  }
}

let stop = null;

function followGame() {
  const live = part("live");
  stop = follow({
    game,
    seq: view.hand.seq,
    onNews: news,
    onState: (state) => {
      live.hidden = state === "over";
      live.textContent = state === "lost" ? words.reconnecting : words.live_now;
      live.dataset.state = state;
    },
  });
}

async function begin() {
  const symbols = await (await fetch(sprite)).text();
  const holder = document.createElement("div");
  holder.hidden = true;
  holder.innerHTML = symbols;
  document.body.append(holder);
  part("controls").hidden = part("gear").hidden = false;
  await goTo(...addressed());
  listen();
  for (const link of document.querySelectorAll("[data-download]")) {
    link.addEventListener("click", save);
  }
  if (root.dataset.over !== "1") followGame();
  root.dataset.ready = "1";
}

begin();
