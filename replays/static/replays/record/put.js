// Drawing a part of the page anew, without taking the focus from who goes through it with keys.

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
