// The scorekeeper's page of one game: it ties draft, preview, queue and table together.
import {
  draftOf, emptyDraft, factsOf, handResult, missing, settleFlags,
} from "./draft.js";
import {
  drawFlags, drawHand, drawHow, drawKeys, drawMissing, drawSlots, drawStrip, drawTicks,
} from "./draw.js";
import { People } from "./people.js";
import { Preview, answerHtml } from "./preview.js";
import { keepClear, put } from "./put.js";
import { GRACE_MS, Queue } from "./queue.js";
import { Steps } from "./steps.js";
import { changeHtml, correction, rulingHtml } from "./ruling.js";
import { stoppedHtml, stoppedTaps } from "./stopped.js";
import { forget, keep, kept } from "./store.js";
import { TAPS, clear, enterText } from "./taps.js";
import { filled, tileDrawer } from "./tiles.js";
import { handsHtml, lineHtml } from "./told.js";

const REFRESH_MS = 15000;
const KEY_TAPS = ["target", "back", "meld", "active", "unmeld"]; // Whoever taps these goes on with tiles.

const root = document.getElementById("record");
const part = (id) => document.getElementById(id);
const { game, account, sprite } = root.dataset;
const say = JSON.parse(part("record-words").textContent);
const language = document.documentElement.lang.startsWith("zh") ? "zh" : "en";
const tiles = tileDrawer(sprite, say.tiles);

let desk = JSON.parse(part("record-desk").textContent);
let draft = emptyDraft();
let correcting = null; // The hand that a ruling is being written for.
let mode = "result"; // Or "tiles": how the next hand is recorded.
let folded = false; // Once a hand is whole the keyboard makes room for what it pays.
const players = JSON.parse(part("record-players").textContent);

const queue = new Queue({ game, account, compose, readDesk, changed: onQueue });
const preview = new Preview({ game, shown: drawAnswer });
const steps = new Steps({ game, address: root.dataset.steps, part: part("steps"), view: viewOf, queue, desk: () => desk });
const people = new People({ change: part("change"), list: part("people"), view: viewOf, record });

// The table ------------------------------------------------------------------------------------

async function readDesk() {
  let answer;
  try {
    answer = await fetch(root.dataset.state, { credentials: "same-origin", cache: "no-store" });
  } catch {
    return null;
  }
  queue.signedOut = answer.redirected; // To where one signs in.
  if (!answer.ok || !(answer.headers.get("Content-Type") ?? "").includes("json")) return null;
  const found = await answer.json();
  if (found.seq >= desk.seq) showDesk(found); // A copy of the database may lag behind.
  return found.seq >= desk.seq ? found : null;
}

function showDesk(found) {
  const moved = found.seq !== desk.seq;
  desk = found;
  keep(`desk.${game}`, desk);
  if (moved) {
    preview.again();
    steps.refresh();
  }
  draw();
}

const waiting = () => queue.items.filter((item) => item.kind === "hand");
const handsEnded = () => desk.hands.at(-1)?.hand ?? 0;
const nextHand = () => (desk.next ? desk.next.hand + waiting().length : 0);

// The next hand's dealer is the server's to say: while hands are on their way nobody knows it.
function next() {
  if (correcting || !desk.next) return null;
  return waiting().length ? null : desk.next;
}

function seated() {
  const due = [0, 0, 0, 0];
  for (const item of waiting()) (item.points ?? []).forEach((points, seat) => (due[seat] += points));
  return desk.seats.map((seat, number) => ({ ...seat, due: due[number] }));
}

// The queue ------------------------------------------------------------------------------------

function compose(item, now) {
  const event = item.kind === "hand" ? handResult(item.facts, now.next) : item.event;
  return { ...event, occurred_at: item.occurred };
}

async function onQueue(what, item) {
  if (what === "sent") {
    tell(item.kind === "hand" ? filled(say.recorded, item.hand) : say.recorded_event);
    await readDesk();
  }
  if (what === "dropped" || what === "sent") preview.again();
  if (what === "dropped") steps.refresh();
  draw();
}

async function confirm() {
  if (missing(draft, desk.sheet)) return;
  const facts = factsOf(draft, desk.sheet);
  const occurred = new Date().toISOString();
  if (correcting) {
    const reason = part("reason").value.trim();
    if (!reason) {
      part("reason").focus();
      return;
    }
    const event = correction(correcting, facts, { sheet: desk.sheet, reason });
    await queue.add({ kind: "ruling", event, occurred });
    correcting = null;
  } else {
    const points = preview.answer?.ok ? preview.answer.body.total_points : null;
    await queue.add({
      kind: "hand",
      hand: draft.hand || nextHand(),
      seats: desk.seats.map((seat) => seat.id).join(),
      facts,
      draft: structuredClone(draft),
      points,
      occurred,
      grace: GRACE_MS,
    });
    tell(filled(say.will_be_sent, draft.hand || nextHand()));
  }
  startAnew();
}

function startAnew() {
  clear(draft);
  correcting = null;
  part("paste").value = "";
  forget(`draft.${game}`);
  preview.ask(null);
  draw();
  scrollTo(0, 0);
}

// Take back the last thing: a hand that is still here, or an event of a live hand. What has ended
// only a ruling changes.
async function undo() {
  await queue.read();
  const last = queue.takeable();
  if (last) {
    if (last.draft) draft = last.draft;
    await queue.drop(last);
    tell(filled(say.taken_back, last.hand ?? ""));
    draw();
  } else if (desk.undo_to) await record({ type: "rewind", to: desk.undo_to, reason: say.slip });
  else {
    part("ruling").hidden = !part("ruling").hidden;
    draw();
  }
}

// An event beside the hands, behind what waits to be sent.
async function record(event) {
  const after = queue.items.length ? {} : { after: desk.seq };
  await queue.add({ kind: "event", event, ...after, occurred: new Date().toISOString() });
}

const end = () => record({ type: "game_ended", reason: "finished" });

function correct({ hand: number }) {
  const hand = desk.hands.find((each) => each.hand === Number(number));
  correcting = hand;
  draft = draftOf(hand.facts, desk.sheet);
  part("ruling").hidden = true;
  draw();
  part("reason").focus();
}

// Drawing --------------------------------------------------------------------------------------

function viewOf() {
  const before = correcting?.facts;
  return {
    draft,
    desk,
    sheet: desk.sheet,
    seats: seated(),
    players,
    next: before ? { dealer: before.dealer, streak: before.streak ?? 1 } : next(),
    gains: preview.answer?.body?.total_points,
    told: (refused) => tell(filled(say.not_entered, refused.map((name) => say.tiles[name]).join(" "))),
    say,
    language,
    tiles,
  };
}

const show = (id, html) => put(part(id), html);

function draw() {
  const view = viewOf();
  settleFlags(draft, desk.sheet, view.next ? (view.next.dealer ?? draft.dealer) : null);
  const byTile = !correcting && !desk.ended && (desk.live || mode === "tiles");
  const open = correcting || (!byTile && desk.next && !people.isDue);
  part("entry").hidden = part("confirm").hidden = part("clear").hidden = !open;
  part("closed").hidden = !desk.ended;
  part("closed").textContent = desk.ended ? say.game_over : "";
  part("ending").hidden = desk.ended;
  part("end").hidden = desk.live;
  part("reason-line").hidden = !correcting;
  drawTitle(byTile);
  show("strip", drawStrip(view));
  people.draw();
  if (open) drawEntry(view);
  steps.show(byTile && !people.isDue);
  drawAnswer();
  drawQueue();
  drawHands();
}

function drawTitle(byTile) {
  const number = nextHand() || handsEnded() + (desk.live ? 1 : 0);
  show("title", correcting ? filled(say.correct_hand, correcting.hand) : filled(say.hand_number, number));
  part("modes").hidden = Boolean(correcting || desk.live || desk.ended || people.isDue);
  part("modes").querySelectorAll("button").forEach((button) => {
    button.setAttribute("aria-pressed", (button.dataset.mode === "tiles") === byTile);
  });
}

function drawEntry(view) {
  show("how", drawHow(view));
  show("hand", drawHand(view));
  show("flags", drawFlags(view));
  show("slots", drawSlots(view));
  show("keys", drawKeys(view));
  part("dock").classList.toggle("folded", folded && !missing(draft, desk.sheet));
  askPreview();
  show("lack", drawMissing(view));
  show("ticks", drawTicks(view));
}

function askPreview() {
  const whole = missing(draft, desk.sheet) ? null : factsOf(draft, desk.sheet);
  if (whole && correcting) {
    preview.ask(correction(correcting, whole, { sheet: desk.sheet, reason: say.slip }), "rulings/preview");
  } else preview.ask(whole && next() ? handResult(whole, desk.next) : null);
}

function drawAnswer() {
  const { answer } = preview;
  const lacks = missing(draft, desk.sheet);
  const later = !lacks && !next() && !correcting;
  let html = later ? `<p class="note">${say.preview_later}</p>` : "";
  if (answer?.ok && correcting) html = changeHtml(answer.body, { hand: correcting, say });
  else if (answer) {
    html = answerHtml(answer, { say, seats: desk.seats, language, ticked: draft.ticked, items: desk.items, payments: desk.payments });
  }
  show("answer", html);
  const refused = answer && !answer.ok && answer.status >= 400 && answer.status < 500;
  part("confirm").disabled = Boolean(lacks || refused);
  show("strip", drawStrip(viewOf()));
  if (answer?.ok && !correcting) {
    const totals = answer.body.explanation.wins.map((win) => `${desk.seats[win.seat].name} ${win.total}`);
    tell(totals.join(", ") || say.nobody);
  } else if (refused) tell(answer.body?.title ?? say.failed);
}

function drawQueue() {
  root.dataset.waiting = queue.items.length;
  show("line", lineHtml(queue, { say, signIn: root.dataset.signIn }));
  const stopped = queue.items[0]?.stopped ? queue.items[0] : null;
  const asked = part("stopped").drawn;
  show("stopped", stopped ? stoppedHtml(stopped, { desk, say }) : "");
  if (stopped && !asked) scrollTo(0, 0);
  const last = queue.takeable();
  part("undo").textContent = last?.hand ? filled(say.undo_hand, last.hand) : say.undo;
  part("undo").disabled = !(last || desk.undo_to || desk.hands.length);
}

function drawHands() {
  show("hands", handsHtml(desk, say));
  show("ruling", rulingHtml(desk, say));
}

// What is read out to who cannot see the page change.
function tell(text) {
  if (part("said").textContent !== text) part("said").textContent = text;
}

// Taps -----------------------------------------------------------------------------------------

function changed() {
  if (!correcting) {
    if (!draft.hand) draft.hand = nextHand();
    keep(`draft.${game}`, draft);
  }
  draw();
}

function setMode(chosen) {
  mode = chosen.mode;
  keep(`mode.${game}`, mode);
  draw();
}

const OWN_TAPS = { confirm, undo, correct, end, clear: startAnew, mode: setMode, ...stoppedTaps({ queue, desk: () => desk, edit }) };

async function edit(item) {
  draft = item.draft ?? draft;
  draft.hand = 0;
  await queue.drop(item);
  changed();
}

root.addEventListener("click", (event) => {
  const tapped = event.target.closest("[data-do]");
  if (!tapped || tapped.disabled) return;
  const what = tapped.dataset.do;
  if (TAPS[what]) {
    const lacked = missing(draft, desk.sheet);
    TAPS[what](draft, desk.sheet, tapped.dataset);
    if (KEY_TAPS.includes(what)) folded = false;
    else if (lacked && !missing(draft, desk.sheet)) folded = true;
    changed();
  } else if (OWN_TAPS[what]) act(what, tapped.dataset);
});

// One after the other: a second tap on what is being done is none.
let acting = false;

async function act(what, data) {
  if (acting) return;
  acting = true;
  try {
    await OWN_TAPS[what](data);
  } finally {
    acting = false;
  }
}

function pasted(text) {
  const lacked = missing(draft, desk.sheet);
  const { entered, refused, rest } = enterText(draft, desk.sheet, text);
  const faults = [...refused.map((name) => say.tiles[name]), ...(rest ? [rest] : [])];
  tell(faults.length ? filled(say.not_entered, faults.join(" ")) : filled(say.entered, entered));
  part("paste-fault").textContent = faults.length ? filled(say.not_entered, faults.join(" ")) : "";
  if (lacked && !missing(draft, desk.sheet)) folded = true;
  changed();
  return !faults.length;
}

part("paste-form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (pasted(part("paste").value)) part("paste").value = "";
});

document.addEventListener("paste", (event) => {
  if (event.target.closest("input, textarea") || part("entry").hidden) return;
  pasted(event.clipboardData.getData("text"));
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Backspace" || event.target.closest("input, textarea, select")) return;
  if (part("entry").hidden) return;
  event.preventDefault();
  TAPS.back(draft, desk.sheet, {});
  changed();
});

// Beginning ------------------------------------------------------------------------------------

async function begin() {
  const before = await kept(`desk.${game}`);
  if (before && before.seq > desk.seq) desk = before; // This page came from the phone's own store.
  draft = { ...emptyDraft(), ...(await kept(`draft.${game}`)) };
  folded = !missing(draft, desk.sheet);
  mode = (await kept(`mode.${game}`)) ?? mode;
  draw();
  await queue.load();
  steps.refresh();
  root.dataset.ready = "1";
  const again = () => {
    if (document.visibilityState !== "visible") return;
    readDesk();
    queue.soon(0);
  };
  addEventListener("online", () => {
    queue.failures = 0;
    again();
  });
  addEventListener("offline", draw);
  addEventListener("pageshow", (event) => event.persisted && again());
  document.addEventListener("visibilitychange", again);
  setInterval(() => document.visibilityState === "visible" && !queue.items.length && readDesk(), REFRESH_MS);
  readDesk();
  keepClear(part("strip"), [part("dock"), root.querySelector(".bar")]);
  if ("serviceWorker" in navigator) {
    navigator.serviceWorker.register(root.dataset.worker, { scope: "/record" }).catch(() => {});
  }
}

begin();
