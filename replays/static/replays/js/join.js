// What an invitation is to. Its secret is behind the # of the link, which is never sent with an
// address and so is in nobody's log; it is kept in this tab while its bearer signs in or up.

import { call } from "./api.js";
import "./forms.js";

const KEPT = "paipu-invitation";
const page = document.getElementById("join");
const club = page.querySelector("[data-club]");
if (location.hash.length > 1) sessionStorage.setItem(KEPT, location.hash.slice(1));
const secret = sessionStorage.getItem(KEPT);

if (secret) show(await call("POST", "/api/v1/invitations/look", { secret }));
else club.textContent = page.dataset.lost;
page.addEventListener("done", () => sessionStorage.removeItem(KEPT));
window.addEventListener("hashchange", () => location.reload());

function show(answer) {
  if (!answer.ok) {
    club.textContent = answer.body?.detail ?? page.dataset.lost;
    return;
  }
  const { club_name, role, player_name, state, expires_at } = answer.body;
  club.textContent = state === "open" ? club_name : page.dataset[state];
  if (state !== "open") return;
  page.querySelector(`[data-role="${role}"]`).hidden = false;
  page.querySelector("dl").hidden = false;
  if (player_name) {
    page.querySelector("[data-player]").textContent = player_name;
    page.querySelector("[data-for-player]").hidden = false;
  }
  const until = page.querySelector("[data-until]");
  until.dateTime = expires_at;
  until.textContent = new Date(expires_at).toLocaleString(document.documentElement.lang);
  const enter = page.querySelector("form, [data-enter]");
  enter.hidden = false;
  const field = enter.querySelector("[name=secret]");
  if (field) field.value = secret;
}
