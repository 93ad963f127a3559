// Light and dark by the reader's choice: kept in a cookie, so that the server writes the page in it.

const root = document.documentElement;
const button = document.querySelector("[data-theme-toggle]");
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : systemIsDark.matches;
}

function choose(theme) {
  root.dataset.theme = theme;
  document.cookie = `theme=${theme}; path=/; max-age=31536000; samesite=lax`;
}

if (button) {
  button.hidden = false;
  button.addEventListener("click", () => choose(isDark() ? "light" : "dark"));
}
