// Starting a game: club, ruleset or preset, four players in the order of their seats, stake.

import { call, freshKey } from "../js/api.js";
import { escaped, filled } from "./tiles.js";

const SHOWN = 16; // Who played last; the others are found by name.

const form = document.getElementById("start");
const part = (id) => document.getElementById(id);

if (form) begin();

function begin() {
  const { clubs, rulesets } = JSON.parse(part("record-choices").textContent);
  const say = JSON.parse(part("record-words").textContent);
  let seats = [];
  let key = freshKey();
  const club = () => clubs.find((each) => each.id === form.club.value);
  const commonPresets = () => rulesets.find((each) => each.slug === form.ruleset.value);
  const ownPresets = () => club().presets.filter((each) => each.ruleset === form.ruleset.value);

  // The places to fill: four seats, and those who wait where the options say that some do.
  function places() {
    const named = ownPresets().find((each) => each.name === form.preset.value) ?? commonPresets().presets.find((each) => each.id === form.preset.value);
    const { waiting } = named ?? commonPresets();
    return Array.from({ length: 4 + waiting }, (_, place) => place);
  }

  const freePlace = () => places().find((place) => !seats[place]);

  const option = (value, text) => `<option value="${escaped(value)}">${escaped(text)}</option>`;

  function showClub() {
    seats = [];
    const last = club().ruleset;
    if (rulesets.some((each) => each.slug === last)) form.ruleset.value = last;
    showPresets();
  }

  function showPresets() {
    form.preset.innerHTML =
      option("", say.defaults) +
      ownPresets().map((each) => option(each.name, each.name)).join("") +
      commonPresets().presets.map((each) => option(each.id, each.name)).join("");
    showSeats();
  }

  function showSeats() {
    key = freshKey();
    const names = new Map(club().players.map((each) => [each.id, each.name]));
    seats.length = Math.min(seats.length, places().length);
    const free = freePlace();
    part("chairs").innerHTML = places()
      .map((seat) => {
        const name = names.get(seats[seat]);
        const inside = name
          ? `<span class="name">${escaped(name)}</span><button type="button" data-leave="${seat}" aria-label="${escaped(filled(say.remove, name))}">×</button>`
          : `<span class="name empty">${say.seat_empty}</span>`;
        return `<li class="seat-row${seat === free ? " next" : ""}"><span class="place">${seat < 4 ? seat + 1 : say.waiting_seat}</span>${inside}</li>`;
      })
      .join("");
    part("names").innerHTML = club().players.map((each) => option(each.name, "")).join("");
    part("players").innerHTML = club()
      .players.slice(0, SHOWN)
      .map((each) => {
        const taken = seats.includes(each.id);
        return `<button type="button" data-player="${each.id}" aria-pressed="${taken}">${escaped(each.name)}</button>`;
      })
      .join("");
    const hint = free < 4 ? filled(say.tap_player, free + 1) : say.tap_waiting;
    part("next-chair").textContent = free === undefined ? "" : hint;
    part("go").disabled = free !== undefined;
  }

  function sit(player) {
    const at = seats.indexOf(player);
    if (at >= 0) seats[at] = undefined;
    else {
      const free = freePlace();
      if (free !== undefined) seats[free] = player;
    }
    showSeats();
  }

  function refused(answer) {
    const box = part("refused");
    const problem = answer.body;
    box.innerHTML = answer.status
      ? `<p><b>${escaped(problem?.title ?? say.failed)}</b> ${escaped(problem?.detail ?? "")}</p>`
      : `<p>${say.offline}</p>`;
    box.hidden = false;
    box.scrollIntoView({ block: "nearest" });
  }

  async function addGuest() {
    const name = part("guest").value.trim();
    if (!name) return;
    const known = club().players.find((each) => each.name === name);
    if (!known) {
      const path = `/api/v1/clubs/${club().id}/players`;
      const answer = await call("POST", path, { name }, { key: freshKey() });
      if (!answer.ok) {
        refused(answer);
        return;
      }
      club().players.unshift({ id: answer.body.id, name });
    }
    part("guest").value = "";
    part("refused").hidden = true;
    const { id } = club().players.find((each) => each.name === name);
    club().players.sort((one, other) => (other.id === id) - (one.id === id));
    if (!seats.includes(id)) sit(id);
    else showSeats();
  }

  async function start(event) {
    event.preventDefault();
    part("go").disabled = true;
    const body = {
      club: club().id,
      ruleset: form.ruleset.value,
      players: seats.slice(0, 4),
      ...(seats.length > 4 ? { substitutes: seats.slice(4) } : {}),
      stake: Number(form.stake.value),
      ...(form.preset.value ? { preset: form.preset.value } : {}),
    };
    const answer = await call("POST", "/api/v1/games", body, { key });
    if (answer.ok) {
      location.assign(form.dataset.game.replace(/[0-9a-f-]{36}/, answer.body.id));
      return;
    }
    part("go").disabled = false;
    refused(answer);
  }

  form.club.innerHTML = clubs.map((each) => option(each.id, each.name)).join("");
  form.ruleset.innerHTML = rulesets.map((each) => option(each.slug, each.name)).join("");
  form.club.closest("p").hidden = clubs.length === 1;
  form.club.addEventListener("change", showClub);
  form.ruleset.addEventListener("change", showPresets);
  form.preset.addEventListener("change", showSeats);
  form.addEventListener("change", () => (key = freshKey()));
  form.addEventListener("submit", start);
  form.addEventListener("click", (event) => {
    const tapped = event.target.closest("[data-player], [data-leave]");
    if (!tapped) return;
    if (tapped.dataset.player) sit(tapped.dataset.player);
    else {
      seats[Number(tapped.dataset.leave)] = undefined;
      showSeats();
    }
    const again = tapped.dataset.player && part("players").querySelector(`[data-player="${tapped.dataset.player}"]`);
    again?.focus();
  });
  part("add-guest").addEventListener("click", addGuest);
  part("guest").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    addGuest();
  });
  form.hidden = false;
  showClub();
  if ("serviceWorker" in navigator) {
    navigator.serviceWorker.register(form.dataset.worker, { scope: "/record" }).catch(() => {});
  }
}
