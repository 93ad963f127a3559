// A hand as it comes from the server: its frames are made once, so that a step is an index.

export async function loadHand(page, hand) {
  const answer = await fetch(`${page}/hands/${hand}`, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`hand ${hand}: ${answer.status}`);
  const loaded = await answer.json();
  loaded.frames = framesOf(loaded.steps);
  return loaded;
}

export function framesOf(steps) {
  const frames = [];
  let frame = null;
  for (const step of steps) {
    for (const [path, value] of step.changes) frame = put(frame, path, 0, value);
    frames.push(frame);
  }
  return frames;
}

// The value with another one put at the path; what lies beside the path is shared, not copied.
function put(at, path, depth, value) {
  if (depth === path.length) return value;
  const copy = Array.isArray(at) ? at.slice() : { ...at };
  copy[path[depth]] = put(copy[path[depth]], path, depth + 1, value);
  return copy;
}
