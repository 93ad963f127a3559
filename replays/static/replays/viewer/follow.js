// Follows a game that is still being played: calls back whenever there is something new.
//
// The stream tells that something happened, behind the event `seq`; the frames of it are asked for as
// always. It needs a session: without one, or when it cannot be had, the page asks now and then.

const ASK_MS = 3000;

export function follow({ game, seq, member, onNews, onState }) {
  let timer = 0;
  function ask() {
    timer = setInterval(onNews, ASK_MS);
    onState("live");
  }
  if (!member || typeof EventSource === "undefined") {
    ask();
    return () => clearInterval(timer);
  }
  const stream = new EventSource(`/api/v1/games/${game}/stream?last_event_id=${seq}`);
  stream.onopen = () => onState("live");
  stream.addEventListener("event", onNews);
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
