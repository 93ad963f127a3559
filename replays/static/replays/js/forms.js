// Forms that write: <form data-api="POST /api/v1/…"> goes to the REST API as JSON, {name} in the
// address standing for the field of that name. What is refused is told beside the field it is about
// (by its name, or by the codes in its data-refused). Then the page of data-then comes, or this one
// again. What an answer shows only once (data-once: its field) is shown to be copied first. Before
// what cannot simply be taken back a form asks (data-sure of the button, the chosen option or the
// form, and what it is about in data-sure-about).
//
// Buttons are disabled until this module is there, so that nothing is ever sent another way.

import { call, freshKey } from "./api.js";

const kit = document.getElementById("form-kit");
const NOTICE = "paipu-notice";
const attempts = new WeakMap();

for (const form of document.querySelectorAll("form[data-api]")) prepare(form);
tellNotice();

export function prepare(form) {
  enable(form, true);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form, event.submitter);
  });
}

// The body of a form: numbers, switches and lists as what they are; what is left empty is left out.
export function bodyOf(form, submitter) {
  const body = {};
  for (const field of form.elements) {
    if (!field.name || field.disabled || ["submit", "button", "fieldset"].includes(field.type)) continue;
    if (field.type === "radio" && !field.checked) continue;
    if (field.dataset.each !== undefined) {
      body[field.name] ??= [];
      if (field.checked) body[field.name].push(field.value);
    } else {
      const value = valueOf(field);
      if (value !== undefined) body[field.name] = value;
    }
  }
  if (submitter?.name) body[submitter.name] = valueOf(submitter);
  return body;
}

function valueOf(field) {
  if (field.type === "checkbox") return field.checked;
  if (field.value === "" && field.dataset.empty !== "text") {
    return field.dataset.empty === "null" ? null : undefined;
  }
  if (field.type === "number") return Number(field.value);
  if (field.type === "datetime-local") return new Date(field.value).toISOString();
  return field.dataset.type === "json" ? JSON.parse(field.value) : field.value;
}

async function send(form, submitter) {
  const chosen = form.querySelector("option[data-sure]:checked");
  const sure = submitter?.dataset.sure ?? chosen?.dataset.sure ?? form.dataset.sure;
  if (sure && !(await agreed(sure, form.dataset.sureAbout, submitter))) return;
  const [method, template] = form.dataset.api.split(" ");
  const body = bodyOf(form, submitter);
  const path = template.replace(/\{(\w+)\}/g, (_, name) => {
    const value = body[name];
    delete body[name];
    return encodeURIComponent(value);
  });
  forgive(form);
  enable(form, false);
  const answer = await attempt(form, method, path, body);
  if (!answer.ok) {
    enable(form, true);
    return refuse(form, answer);
  }
  attempts.delete(form);
  const done = new CustomEvent("done", { bubbles: true, cancelable: true, detail: answer });
  if (form.dispatchEvent(done)) goOn(form, answer.body);
}

// The same thing tried again has the same key, so that it is done once.
function attempt(form, method, path, body) {
  const wanted = JSON.stringify([method, path, body]);
  if (attempts.get(form)?.wanted !== wanted) attempts.set(form, { wanted, key: freshKey() });
  const sent = Object.keys(body).length || method === "PATCH" ? body : undefined;
  return call(method, path, sent, { key: attempts.get(form).key });
}

function goOn(form, body) {
  const { then, once, said } = form.dataset;
  if (once && body?.[once]) return showOnce(form, (form.dataset.oncePrefix ?? "") + body[once]);
  const filled = then?.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(body[name]));
  const place = new URL(filled ?? location.href, location.href);
  sessionStorage.setItem(NOTICE, JSON.stringify({ path: place.pathname, text: said ?? kit.dataset.done }));
  if (then) location.assign(place);
  else location.reload();
}

function showOnce(form, text) {
  const panel = kit.querySelector("[data-once-panel]").content.cloneNode(true).firstElementChild;
  panel.querySelector("[data-once-text]").textContent = form.dataset.onceText;
  const field = panel.querySelector("input");
  field.value = text.startsWith("/") ? location.origin + text : text;
  panel.querySelector("[data-copy]").addEventListener("click", (event) => copy(field, event.target));
  panel.querySelector("[data-end]").addEventListener("click", () => location.reload());
  form.replaceWith(panel);
  field.focus();
  field.select();
}

async function copy(field, button) {
  field.select();
  // A page without TLS has no clipboard, but the older command.
  if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
  else document.execCommand("copy");
  button.textContent = kit.dataset.copied;
}

// What was done is told by the page that comes then, and by no later one.
function tellNotice() {
  const { path, text } = JSON.parse(sessionStorage.getItem(NOTICE) ?? "{}");
  sessionStorage.removeItem(NOTICE);
  const place = document.getElementById("notice");
  if (path === location.pathname && place) place.textContent = text;
}

// Whether the person goes on. The button that does it says what it does, as the one pressed did.
export function agreed(text, about, submitter) {
  const dialog = kit.querySelector("dialog");
  const yes = dialog.querySelector("[value=yes]");
  dialog.querySelector("[data-sure-about]").textContent = about ?? submitter.textContent;
  dialog.querySelector("[data-sure-text]").textContent = text;
  yes.textContent = submitter.textContent;
  yes.classList.toggle("dangerous", submitter.classList.contains("danger"));
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

function enable(form, on) {
  form.setAttribute("aria-busy", String(!on));
  for (const button of form.querySelectorAll("button")) button.disabled = !on;
}

// Says what was refused beside the field it is about, else at the end of the form.
export function refuse(form, answer) {
  const field = fieldAbout(form, answer.body ?? {});
  const said = saying(answer);
  if (!field) return void form.append(said);
  said.id = `refused-${freshKey()}`;
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", said.id);
  (field.closest("p, .field-box") ?? field).append(said);
  field.focus();
}

// What was refused, in words. Whose session is over is led to another tab, so that nothing is lost.
export function saying(answer) {
  const said = document.createElement("span");
  said.className = "refused";
  said.setAttribute("role", "alert");
  if (answer.status === 401) said.append(kit.querySelector("[data-signed-out]").content.cloneNode(true));
  else said.textContent = answer.status ? (answer.body?.detail ?? kit.dataset.failed) : kit.dataset.noAnswer;
  return said;
}

function fieldAbout(form, problem) {
  const fields = [...form.elements].filter((field) => field.name && field.type !== "hidden");
  const at = String(problem.facts?.at ?? "").split(/[.[]/)[0];
  return (
    fields.find((field) => field.dataset.refused?.split(" ").includes(problem.code)) ??
    (problem.code === "invalid_input" ? fields.find((field) => field.name === at) : undefined)
  );
}

export function forgive(form) {
  for (const said of form.querySelectorAll(".refused")) said.remove();
  for (const field of form.querySelectorAll("[aria-invalid]")) {
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
  }
}
