// Tiles as pictures with names, from the sprite.

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const escaped = (text) => String(text).replace(/[&<>"]/g, (letter) => escapes[letter]);

export const signed = (points) =>
  points > 0 ? `+${points.toLocaleString("en")}` : points.toLocaleString("en").replace("-", "−");

// A text of `say` with its gaps filled in.
export const filled = (text, ...parts) => parts.reduce((done, part) => done.replace("{}", part), text);

export function tileDrawer(sprite, names) {
  const one = (name) =>
    `<svg class="tile" viewBox="0 0 60 80" aria-hidden="true"><use href="${sprite}#t${name}"/></svg>`;
  return {
    one,
    row: (tiles) =>
      `<span class="row" role="img" aria-label="${tiles.map((name) => names[name]).join(" ")}">` +
      `${tiles.map(one).join("")}</span>`,
    name: (name) => names[name],
  };
}
