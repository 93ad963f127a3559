// Sending a file of games, straight from the disk with a bar of how much has gone; and how far the
// workers are with one.

import { call, csrfToken, freshKey } from "./api.js";
import { forgive, refuse } from "./forms.js";

const EVERY_MS = 1000;
const form = document.getElementById("import");
const section = document.getElementById("import-progress");
if (form) begin();
if (section?.dataset.path) follow();

function begin() {
  const button = form.querySelector("button");
  let wanted = null;
  button.disabled = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    forgive(form);
    const file = form.elements.file.files[0];
    // The same file tried again is the same import.
    if (wanted?.file !== file) wanted = { file, key: freshKey() };
    button.disabled = true;
    const answer = await send(file, wanted.key);
    button.disabled = false;
    if (answer.ok) location.assign(form.dataset.then + answer.body.id);
    else refuse(form, answer);
  });
}

// XMLHttpRequest, because fetch does not tell how much of a body has gone.
async function send(file, key) {
  const bar = form.querySelector("progress");
  bar.parentElement.hidden = false;
  const request = new XMLHttpRequest();
  request.open("POST", form.dataset.path);
  request.setRequestHeader("Content-Type", "application/x-ndjson");
  request.setRequestHeader("Accept", "application/json");
  request.setRequestHeader("Idempotency-Key", key);
  request.setRequestHeader("X-CSRFToken", await csrfToken());
  if (file.name.endsWith(".gz")) request.setRequestHeader("Content-Encoding", "gzip");
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    bar.value = total ? loaded / total : 0;
  });
  return new Promise((resolve) => {
    request.addEventListener("loadend", () => {
      bar.parentElement.hidden = true;
      const { status, responseText } = request;
      const ok = status >= 200 && status < 300;
      resolve({ ok, status, body: responseText.startsWith("{") ? JSON.parse(responseText) : null });
    });
    request.send(file);
  });
}

async function follow() {
  const answer = await call("GET", section.dataset.path);
  if (answer.ok) {
    const { state, progress } = answer.body;
    for (const each of section.querySelectorAll("[data-count]")) {
      each.textContent = progress[each.dataset.count];
    }
    const bar = section.querySelector("progress");
    bar.max = progress.games || 1;
    bar.value = progress.games - progress.waiting;
    if (state === "ended" || state === "cancelled") return location.reload();
  }
  setTimeout(follow, EVERY_MS);
}
