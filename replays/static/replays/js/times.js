// Moments in the reader's own time zone. Without this script they are in UTC, and say so.

const written = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
for (const time of document.querySelectorAll("time[data-local]")) {
  time.textContent = written.format(new Date(time.dateTime));
}
