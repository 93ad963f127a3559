// Taking something of a game away: a link, or its log.

// Browsers give their clipboard to pages of secure addresses alone; a club's own network may be none.
export async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
  return undefined;
}

// Saves the log that a link leads to: an event a line, as it comes, or all of it as one JSON file.
export async function save(event) {
  event.preventDefault();
  const link = event.currentTarget;
  const { download } = link.dataset;
  const answer = await fetch(link.href, { headers: { Accept: "application/x-ndjson" } });
  const lines = await answer.text();
  const text = download.endsWith(".json") ? `[${lines.trim().replaceAll("\n", ",\n")}]\n` : lines;
  const saved = document.createElement("a");
  saved.href = URL.createObjectURL(new Blob([text]));
  saved.download = download;
  saved.click();
  URL.revokeObjectURL(saved.href);
}
