// Shows of a page's items, options and rules those that contain what is typed, and opens what a link leads into.
const field = document.querySelector("[data-find] input");
const told = document.getElementById("found");
const lines = [...document.querySelectorAll(".items > li, .options > li, .rules > li")];
const folded = [...document.querySelectorAll("details.group")];
const openBefore = folded.filter((each) => each.open);
const parts = [...folded, ...document.querySelectorAll(".chapter")];

// A list goes with the heading or the fold that it stands under.
const listOf = (part) => part.matches("details") ? part : part.nextElementSibling;

const show = () => {
  const asked = field.value.trim().toLowerCase();
  const found = lines.filter((line) => {
    line.hidden = asked !== "" && !line.textContent.toLowerCase().includes(asked);
    return !line.hidden;
  });
  for (const part of parts) {
    part.hidden = !listOf(part).querySelector("li:not([hidden])");
  }
  for (const fold of folded) {
    fold.open = asked ? !fold.hidden : openBefore.includes(fold);
  }
  told.textContent = asked ? `${found.length} ${told.dataset.found}` : "";
};

const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const fold = target?.closest("details");
  if (fold && !fold.open) {
    fold.open = true;
    target.scrollIntoView();
  }
};

field.addEventListener("input", show);
field.closest("[data-find]").hidden = false;
addEventListener("hashchange", openTarget);
openTarget();
if (field.value) show();
