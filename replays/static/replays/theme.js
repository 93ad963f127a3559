// Light and dark by the reader's choice: kept in a cookie, so that the server writes the page in it.
// Without a choice, or when it is taken back, the system's own decides.

const root = document.documentElement;
const button = document.querySelector("[data-theme-toggle]");
const choices = document.querySelectorAll("[data-theme-choice]");
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
const YEAR_S = 365 * 24 * 3600;

function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : systemIsDark.matches;
}

function choose(theme) {
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
  document.cookie = `theme=${theme}; path=/; max-age=${theme ? YEAR_S : 0}; samesite=lax`;
  mark();
}

function mark() {
  for (const each of choices) {
    each.setAttribute("aria-pressed", String(each.dataset.themeChoice === (root.dataset.theme ?? "")));
  }
}

if (button) {
  button.hidden = false;
  button.addEventListener("click", () => choose(isDark() ? "light" : "dark"));
}
for (const each of choices) {
  each.parentElement.hidden = false;
  each.addEventListener("click", () => choose(each.dataset.themeChoice));
}
mark();
