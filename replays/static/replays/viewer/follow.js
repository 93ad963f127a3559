// Follows a game that is still being played: calls back whenever there is something new.
//
// The stream needs a session; without one, or when it cannot be had, the page asks now and then.

const ASK_MS = 3000;

export function follow({ game, member, onNews, onState }) {
  let timer = 0;
  function ask() {
    timer = setInterval(onNews, ASK_MS);
    onState("live");
  }
  if (!member || typeof EventSource === "undefined") {
    ask();
    return () => clearInterval(timer);
  }
  const stream = new EventSource(`/api/v1/games/${game}/stream`);
  stream.onopen = () => onState("live");
  for (const kind of ["event", "message"]) stream.addEventListener(kind, () => onNews());
  stream.addEventListener("end", () => {
    stream.close();
    onNews();
    onState("over");
  });
  stream.onerror = () => {
    onState("lost");
    if (stream.readyState === EventSource.CLOSED && !timer) ask();
  };
  return () => {
    stream.close();
    clearInterval(timer);
  };
}
