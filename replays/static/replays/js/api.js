// Asking the REST API from a page, with the session's cookie. Refusals are values, never exceptions.

// One key for one thing that is wanted: keep it while it is tried again, so that it is done once.
export function freshKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // A page without TLS has no randomUUID.
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// → {ok, status, body, etag, after}. `body` is the answer or its problem+json; without a connection
// `status` is 0. `after` is how many seconds the server asks to wait.
export async function call(method, path, body, { key, ifMatch, signal } = {}) {
  const headers = { Accept: "application/json", "Accept-Language": document.documentElement.lang };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  if (ifMatch) headers["If-Match"] = ifMatch;
  try {
    if (method !== "GET") headers["X-CSRFToken"] = await csrfToken();
    const answer = await fetch(path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
      cache: "no-store",
      signal,
    });
    const text = await answer.text();
    const isJson = (answer.headers.get("Content-Type") ?? "").includes("json");
    return {
      ok: answer.ok,
      status: answer.status,
      body: isJson && text ? JSON.parse(text) : null,
      etag: answer.headers.get("ETag"),
      after: Number(answer.headers.get("Retry-After")) || 0,
    };
  } catch (error) {
    return { ok: false, status: 0, body: null, etag: null, after: 0, aborted: error.name === "AbortError" };
  }
}

// The token that every write with the cookie needs. A cookie has it once a page or the API gave one.
export async function csrfToken() {
  const held = document.cookie.split("; ").find((each) => each.startsWith("csrftoken="));
  if (held) return decodeURIComponent(held.slice("csrftoken=".length));
  const answer = await fetch("/api/v1/session", { credentials: "same-origin", cache: "no-store" });
  return (await answer.json()).csrf_token;
}
