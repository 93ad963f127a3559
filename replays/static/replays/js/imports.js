// Sending a file of games, straight from the disk with a bar of how much has gone; and how far the
// workers are with one, as its stream tells.

import { csrfToken, freshKey } from "./api.js";
import { forgive, refuse } from "./forms.js";

const REFUSED_MS = 10_000; // Then a stream that was refused is asked for again, by the page.
const form = document.getElementById("import");
const section = document.getElementById("import-progress");
if (form) begin();
if (section?.dataset.stream) follow();

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
  request.setRequestHeader("Accept-Language", document.documentElement.lang);
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

// The browser connects again by itself. At the end the page comes anew, with what was refused.
function follow() {
  const stream = new EventSource(section.dataset.stream);
  stream.addEventListener("progress", (message) => show(JSON.parse(message.data).progress));
  stream.addEventListener("end", () => {
    stream.close();
    location.reload();
  });
  stream.addEventListener("error", () => {
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), REFUSED_MS);
  });
}

function show(progress) {
  for (const each of section.querySelectorAll("[data-count]")) {
    each.textContent = progress[each.dataset.count];
  }
  const bar = section.querySelector("progress");
  bar.max = progress.games || 1;
  bar.value = progress.games - progress.waiting;
}
