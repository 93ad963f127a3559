// Drawing a part of the page anew, without taking the focus from who goes through it with keys, and
// without hiding what has it.

export function put(place, html) {
  if (place.drawn === html) return;
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  const key = focused?.dataset.key;
  place.innerHTML = html;
  place.drawn = html;
  if (!focused) return;
  const again = key && place.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
  (again || place.querySelector("button:not(:disabled), select, input"))?.focus();
}

// What gets the focus lies neither under what sticks to the top nor under what sticks to the bottom.
export function keepClear(top, bottom) {
  const { style } = document.documentElement;
  const sticks = (each) => getComputedStyle(each).position === "sticky";
  const heights = (parts) => parts.filter(sticks).reduce((sum, each) => sum + each.offsetHeight, 8);
  const watch = new ResizeObserver(() => {
    style.scrollPaddingTop = `${heights([top])}px`;
    style.scrollPaddingBottom = `${heights(bottom)}px`;
  });
  [top, ...bottom].forEach((each) => watch.observe(each));
}
