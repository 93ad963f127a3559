// Signing up signs in too, and goes on to where the newcomer was going.

import { call } from "./api.js";
import "./forms.js";

const form = document.getElementById("sign-up");
form.addEventListener("done", async (event) => {
  event.preventDefault();
  const { username, password } = Object.fromEntries(new FormData(form));
  await call("POST", "/api/v1/session", { username, password });
  // Where signing in failed, the page that comes asks for it.
  location.assign(form.dataset.next);
});
