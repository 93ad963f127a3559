// The editor of a ladder: rows of tiers, who would move, and saving. What a ladder may be and who
// moves is decided by the service, which names the tier and the field that it refuses.

import { call, freshKey } from "./api.js";
import { agreed, forgive, refuse, saying } from "./forms.js";

const SHOWN_MAX = 200;
const form = document.getElementById("ladder");
const rows = form.querySelector("tbody");
const moves = document.getElementById("moves");
const lang = document.documentElement.lang.startsWith("zh") ? "zh" : "en";
const path = `/api/v1/clubs/${form.dataset.club}/ladder`;
let saving = null;

enable(true);
form.querySelector("[data-add]").addEventListener("click", add);
rows.addEventListener("click", (event) => {
  if (event.target.closest("[data-drop]")) drop(event.target.closest("tr"));
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  forgive(form);
  enable(false);
  await (event.submitter?.dataset.save === undefined ? preview() : save(event.submitter));
  enable(true);
});
number();

function enable(on) {
  form.setAttribute("aria-busy", String(!on));
  for (const button of form.querySelectorAll("button")) button.disabled = !on;
}

function add() {
  const last = rows.lastElementChild;
  const row = last.cloneNode(true);
  for (const field of row.querySelectorAll("input")) {
    field.value = "";
    field.disabled = false;
    field.required = true;
  }
  last.after(row);
  number();
  row.querySelector("input").focus();
}

function drop(row) {
  const next = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  number();
  next?.querySelector("[data-drop]").focus();
}

// Tiers are numbered from the lowest, which has no threshold: everybody reaches it.
function number() {
  [...rows.children].forEach((row, index) => {
    row.firstElementChild.textContent = index + 1;
    for (const each of row.querySelectorAll("[aria-label]")) {
      each.setAttribute("aria-label", each.getAttribute("aria-label").replace(/\d+$/, index + 1));
    }
    const threshold = row.querySelector("[data-tier=from_points]");
    threshold.disabled = index === 0;
    threshold.required = index > 0;
    if (index === 0) threshold.value = "";
  });
}

function ladder() {
  const { name, scope, start, demotion } = form.elements;
  return {
    name: name.value,
    scope: scope.value,
    start: Number(start.value),
    demotion: demotion.checked,
    tiers: [...rows.children].map((row) => {
      const [zh, en, from] = row.querySelectorAll("[data-tier]");
      return { zh: zh.value, en: en.value, from_points: from.disabled ? null : Number(from.value) };
    }),
  };
}

function ask(body, limit) {
  const ruleset = form.querySelector("[data-ruleset]").value;
  const query = new URLSearchParams({ limit, ...(ruleset && { ruleset }) });
  return call("POST", `${path}/preview?${query}`, body);
}

// Nobody's tier changes without somebody having been told how many do.
async function save(button) {
  const body = ladder();
  const seen = await ask(body, 1);
  if (!seen.ok) return say(seen);
  if (!(await agreed(form.dataset.sure, movingText(seen.body.moving), button))) return;
  const wanted = JSON.stringify(body);
  if (saving?.wanted !== wanted) saving = { wanted, key: freshKey() };
  const answer = await call("PUT", path, body, { key: saving.key });
  if (answer.ok) location.assign(form.dataset.here);
  else say(answer);
}

function movingText(moving) {
  return moving ? form.dataset.moving.replace("{}", moving) : form.dataset.nobody;
}

async function preview() {
  const answer = await ask(ladder(), SHOWN_MAX);
  if (!answer.ok) return say(answer);
  const { before, after, moving, items } = answer.body;
  const title = moves.querySelector("h2");
  title.textContent = movingText(moving);
  const tiers = Math.max(before.length, after.length);
  const counted = Array.from({ length: tiers }, (_, index) => [
    (after[index] ?? before[index]).tier[lang],
    before[index]?.players ?? "",
    after[index]?.players ?? "",
  ]);
  fill("[data-counts]", counted.filter(([, was, is]) => was || is).reverse());
  fill(
    "[data-movers]",
    items.map((each) => [
      each.name,
      each.from_tier?.[lang] ?? form.dataset.noTier,
      each.to_tier?.[lang] ?? form.dataset.noTier,
      each.score_after ?? each.score_before ?? "",
    ]),
  );
  moves.querySelector("[data-more]").hidden = moving <= items.length;
  moves.hidden = false;
  title.focus();
}

function fill(which, lines) {
  const table = form.querySelector(which);
  table.hidden = !lines.length;
  const numbered = [...table.querySelectorAll("thead th")].map((cell) => cell.className);
  table.tBodies[0].replaceChildren(
    ...lines.map((line) => {
      const row = document.createElement("tr");
      line.forEach((text, index) => {
        const cell = document.createElement(index ? "td" : "th");
        if (!index) cell.scope = "row";
        cell.className = numbered[index];
        cell.textContent = String(text).replace(/^-/, "−");
        row.append(cell);
      });
      return row;
    }),
  );
}

// A refusal names the tier, counted from 1, and its field.
function say(answer) {
  const { tier, field } = answer.body?.facts ?? {};
  const cell = tier && rows.children[tier - 1]?.querySelector(`[data-tier=${field}]`);
  if (!cell) return refuse(form, answer);
  const said = saying(answer);
  said.textContent = form.getAttribute(`data-wrong-${field}`) ?? said.textContent;
  said.id = `refused-${freshKey()}`;
  cell.setAttribute("aria-invalid", "true");
  cell.setAttribute("aria-describedby", said.id);
  cell.after(said);
  cell.focus();
}
