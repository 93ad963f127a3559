// Follows a game that is still being played: calls back whenever there is something new.
//
// The stream tells that something happened, behind the event `seq`; the frames of it are asked for as
// always. A browser connects again by itself; where the stream is refused (too many from one address,
// a proxy that lets none through) the page asks now and then and tries the stream again.

const ASK_MS = 15000;

export function follow({ game, seq, onNews, onState }) {
  let stream, timer;
  let last = seq;

  function open() {
    stream = new EventSource(`/api/v1/games/${game}/stream?last_event_id=${last}`);
    stream.onopen = () => onState("live");
    stream.addEventListener("event", (event) => {
      last = event.lastEventId;
      onNews();
    });
    stream.addEventListener("end", () => {
      stop();
      onNews();
      onState("over");
    });
    stream.onerror = () => {
      onState("lost");
      if (stream.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(() => {
        onNews();
        open();
      }, ASK_MS);
    };
  }

  function stop() {
    clearTimeout(timer);
    stream.close();
  }

  open();
  return stop;
}
