// The scorekeeper's page of one game: it ties draft, preview, queue and table together.

import {
  draftOf, emptyDraft, factsOf, handResult, missing, settleFlags,
} from "./draft.js";
import { drawFlags, drawHand, drawHow, drawKeys, drawMissing, drawStrip } from "./draw.js";
import { stoppedHtml, stoppedTaps } from "./stopped.js";
import { Preview, answerHtml } from "./preview.js";
import { GRACE_MS, Queue } from "./queue.js";
import { Steps } from "./steps.js";
import { forget, keep, kept } from "./store.js";
import { TAPS, clear, enterText } from "./taps.js";
import { escaped, filled, signed, tileDrawer } from "./tiles.js";

const REFRESH_MS = 15000;

const root = document.getElementById("record");
const part = (id) => document.getElementById(id);
const { game, account, sprite } = root.dataset;
const say = JSON.parse(part("record-words").textContent);
const language = document.documentElement.lang.startsWith("zh") ? "zh" : "en";
const tiles = tileDrawer(sprite, say.tiles);

let desk = JSON.parse(part("record-desk").textContent);
let draft = emptyDraft();
let correcting = null; // The hand that a ruling is being written for.

const queue = new Queue({ game, account, compose, readDesk, changed: onQueue });
const preview = new Preview({ game, shown: drawAnswer });
const steps = new Steps({ address: root.dataset.steps, part: part("steps"), tiles, say, queue, desk: () => desk });

// The table ------------------------------------------------------------------------------------

async function readDesk() {
  let answer;
  try {
    answer = await fetch(root.dataset.state, { credentials: "same-origin", cache: "no-store" });
  } catch {
    return null;
  }
  if (answer.redirected) queue.state = "signed-out";
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
    const event = { type: "hand_corrected", hand: correcting.hand, reason, facts: correctedFacts(facts) };
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

// A ruling keeps what the hands before say of this one.
function correctedFacts(facts) {
  const before = correcting.facts;
  const known = new Set(desk.sheet.flags.map((flag) => flag.id));
  const kept_flags = (before.wins?.[0]?.flags ?? []).filter((id) => !known.has(id));
  return {
    ...facts,
    dealer: before.dealer,
    streak: before.streak ?? 1,
    wins: facts.wins.map((win) => ({ ...win, flags: [...win.flags, ...kept_flags] })),
  };
}

function startAnew() {
  clear(draft);
  correcting = null;
  part("paste").value = "";
  forget(`draft.${game}`);
  preview.ask(null);
  draw();
  part("strip").scrollIntoView({ block: "nearest" });
}

// Take back the last thing: a hand that is still here, or an event of a live hand. What has ended
// only a ruling changes.
async function undo() {
  const last = queue.takeable();
  if (last) {
    if (last.draft) draft = last.draft;
    await queue.drop(last);
    tell(filled(say.taken_back, last.hand ?? ""));
    draw();
  } else if (desk.live && desk.undo_to) {
    const event = { type: "rewind", to: desk.undo_to, reason: say.slip };
    await queue.add({ kind: "event", event, after: desk.seq, occurred: new Date().toISOString() });
  } else {
    part("ruling").hidden = !part("ruling").hidden;
    draw();
  }
}

// The game is over once all its hands are recorded.
async function end() {
  const event = { type: "game_ended", reason: "finished" };
  await queue.add({ kind: "event", event, ...(queue.items.length ? {} : { after: desk.seq }), occurred: new Date().toISOString() });
}

function correct() {
  const hand = desk.hands.at(-1);
  correcting = hand;
  draft = draftOf(hand.facts, desk.sheet);
  part("ruling").hidden = true;
  draw();
  part("reason").focus();
}

// Drawing --------------------------------------------------------------------------------------

const viewOf = () => ({
  draft,
  desk,
  sheet: desk.sheet,
  seats: seated(),
  next: correcting ? { dealer: correcting.facts.dealer, streak: correcting.facts.streak ?? 1 } : next(),
  say,
  language,
  tiles,
});

function put(id, html) {
  const place = part(id);
  if (place.drawn !== html) {
    place.innerHTML = html;
    place.drawn = html;
  }
}

function draw() {
  const view = viewOf();
  const focused = document.activeElement?.dataset?.key;
  settleFlags(draft, desk.sheet, view.next ? (view.next.dealer ?? draft.dealer) : null);
  const open = correcting || (desk.next && !desk.live);
  part("entry").hidden = !open;
  part("closed").hidden = Boolean(open);
  part("confirm").hidden = part("clear").hidden = !open;
  part("ending").hidden = desk.ended || desk.live;
  part("closed").textContent = desk.ended ? say.game_over : desk.live ? say.hand_live : "";
  put("strip", drawStrip(view));
  put("title", correcting ? filled(say.correct_hand, correcting.hand) : filled(say.hand_number, nextHand() || handsEnded() + (desk.live ? 1 : 0)));
  if (open) {
    put("how", drawHow(view));
    put("hand", drawHand(view));
    put("flags", drawFlags(view));
    put("keys", drawKeys(view));
    askPreview(view);
    put("lack", drawMissing(view));
    drawTicks();
  }
  drawAnswer();
  drawQueue();
  drawHands();
  part("reason-line").hidden = !correcting;
  if (focused && document.activeElement === document.body) {
    root.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }
}

function askPreview() {
  const ready = !missing(draft, desk.sheet) && next();
  preview.ask(ready ? handResult(factsOf(draft, desk.sheet), desk.next) : null);
}

function drawAnswer() {
  const { answer } = preview;
  const lacks = missing(draft, desk.sheet);
  const later = !lacks && !next() && !correcting;
  let html = later ? `<p class="note">${say.preview_later}</p>` : "";
  if (answer) {
    html = answerHtml(answer, { say, seats: desk.seats, language, ticked: draft.ticked, items: desk.items, payments: desk.payments });
  }
  put("answer", html);
  const refused = answer && !answer.ok && answer.status >= 400 && answer.status < 500;
  part("confirm").disabled = Boolean(lacks || refused);
  if (answer?.ok) {
    const totals = answer.body.explanation.wins.map((win) => `${desk.seats[win.seat].name} ${win.total}`);
    tell(totals.join(", ") || say.nobody);
  } else if (refused) tell(answer.body?.title ?? say.failed);
}

function drawTicks() {
  const ticks = desk.items.map(
    (item) =>
      `<button type="button" data-do="tick" data-key="tick.${item.id}" data-item="${item.id}" aria-pressed="${draft.ticked.includes(item.id)}">${escaped(item[language])}</button>`,
  );
  put("ticks", ticks.join(""));
}

function drawQueue() {
  const count = queue.items.length;
  const texts = { offline: say.offline, "signed-out": say.signed_out, sending: say.sending };
  const state = texts[queue.state] ?? "";
  const text = count ? `${filled(say.waiting, count)} ${state}` : navigator.onLine ? "" : say.offline;
  root.dataset.waiting = count;
  put("line", text.trim() + (queue.state === "signed-out" ? ` <a href="${root.dataset.signIn}">${say.sign_in}</a>` : ""));
  const stopped = queue.items[0]?.stopped ? queue.items[0] : null;
  put("stopped", stopped ? stoppedHtml(stopped, { desk, say }) : "");
  const last = queue.takeable();
  const undone = last ? filled(say.undo_hand, last.hand ?? "") : say.undo;
  part("undo").textContent = undone;
  part("undo").disabled = !(last || desk.undo_to || desk.hands.length);
}

function drawHands() {
  const lines = desk.hands.toReversed().map((hand) => {
    const won = (hand.facts?.wins ?? []).map((win) => escaped(hand.names[win.seat])).join(say.list_comma);
    const points = hand.points.map((gained) => `<td class="number">${signed(gained)}</td>`).join("");
    return `<tr><th scope="row"><a href="/games/${game}?hand=${hand.hand}">${hand.hand}</a></th><td>${won || say.nobody}</td>${points}</tr>`;
  });
  const names = desk.seats.map((seat) => `<th scope="col">${escaped(seat.name)}</th>`).join("");
  put(
    "hands",
    lines.length
      ? `<table class="last-hands"><caption>${say.last_hands}</caption><thead><tr><th scope="col">${say.hand}</th><th scope="col">${say.winner}</th>${names}</tr></thead><tbody>${lines.join("")}</tbody></table>`
      : "",
  );
  const last = desk.hands.at(-1);
  if (last) {
    part("ruling-text").textContent = filled(say.ruling_needed, last.hand);
    part("ruling-link").href = `/games/${game}?hand=${last.hand}`;
    part("correct").hidden = !(desk.may_rule && last.facts);
  }
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

const OWN_TAPS = { confirm, undo, correct, end, clear: startAnew, ...stoppedTaps({ queue, desk: () => desk, edit }) };

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
    TAPS[what](draft, desk.sheet, tapped.dataset);
    changed();
  } else if (OWN_TAPS[what]) OWN_TAPS[what](tapped.dataset);
});

function pasted(text) {
  const { entered, refused, rest } = enterText(draft, desk.sheet, text);
  const faults = [...refused.map((name) => say.tiles[name]), ...(rest ? [rest] : [])];
  tell(faults.length ? filled(say.not_entered, faults.join(" ")) : filled(say.entered, entered));
  part("paste-fault").textContent = faults.length ? filled(say.not_entered, faults.join(" ")) : "";
  changed();
  return !faults.length;
}

part("paste-form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (pasted(part("paste").value)) part("paste").value = "";
});

document.addEventListener("paste", (event) => {
  if (event.target.closest("input, textarea")) return;
  pasted(event.clipboardData.getData("text"));
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Backspace" || event.target.closest("input, textarea, select")) return;
  event.preventDefault();
  TAPS.back(draft, desk.sheet, {});
  changed();
});

// Beginning ------------------------------------------------------------------------------------

async function begin() {
  const before = await kept(`desk.${game}`);
  if (before && before.seq > desk.seq) desk = before; // This page came from the phone's own store.
  draft = { ...emptyDraft(), ...(await kept(`draft.${game}`)) };
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
  document.addEventListener("visibilitychange", again);
  setInterval(() => document.visibilityState === "visible" && !queue.items.length && readDesk(), REFRESH_MS);
  readDesk();
  if ("serviceWorker" in navigator) {
    navigator.serviceWorker.register(root.dataset.worker, { scope: "/record" }).catch(() => {});
  }
}

begin();
