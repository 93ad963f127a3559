// A button that prints the page. It is hidden where no script runs; the browser's own menu prints too.

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-print]")) print();
});

function show() {
  for (const button of document.querySelectorAll("[data-print]")) button.hidden = false;
}

document.addEventListener("htmx:load", show);
show();
