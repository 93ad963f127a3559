// Keeps the scorekeeper's pages on the phone, so that they open without a connection. What is
// recorded is not its business: the page keeps that itself until it has been sent.
const CACHE = "paipu-record-1";
const FILES = [{% for file in files %}"{{ file|escapejs }}",{% endfor %}];

addEventListener("install", (event) => {
  const keep = async () => {
    const cache = await caches.open(CACHE);
    await Promise.all(FILES.map((file) => cache.add(file).catch(() => {})));
    await skipWaiting();
  };
  event.waitUntil(keep());
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  const isPage = request.mode === "navigate" && /^\/record(\/[0-9a-f-]{36})?$/.test(address.pathname);
  if (isPage || FILES.includes(address.pathname)) event.respondWith(answer(request, address.pathname, isPage));
});

// From the network where there is one, else as it was kept.
async function answer(request, path, isPage) {
  const cache = await caches.open(CACHE);
  try {
    const fresh = await fetch(request);
    // Who has been signed out leaves nothing behind on the phone but what is not sent yet.
    if (isPage && (fresh.redirected || fresh.type === "opaqueredirect")) await forgetPages(cache);
    else if (fresh.ok) await cache.put(path, fresh.clone());
    return fresh;
  } catch (error) {
    const kept = await cache.match(path);
    if (kept) return kept;
    throw error;
  }
}

async function forgetPages(cache) {
  for (const request of await cache.keys()) {
    if (new URL(request.url).pathname.startsWith("/record")) await cache.delete(request);
  }
}
