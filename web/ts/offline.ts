/** The service worker: after the first visit the page works without a network. */

/** What is kept at the first visit. Everything else is kept when it is first used. */
const FILES = [
  "./", "index.html", "board.css", "style.css", "favicon.svg", "catalogue.json",
  "analysis.js", "app.js", "board.js", "catalogue.js", "dom.js", "engine.js", "link.js", "module.js", "parts.js", "position.js",
  "worker.js",
  "wasm/kalah.js", "wasm/kalah_bg.wasm",
];

const CACHE = "secateurs";

interface Worker extends EventTarget {
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
}

interface Lifetime extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetching extends Event {
  request: globalThis.Request;
  respondWith(response: Promise<Response>): void;
}

const worker = self as unknown as Worker;

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES);
  await worker.skipWaiting();
}

/** The network first, so that all files are of one version; without a network, what was kept. */
async function respond(request: globalThis.Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) {
      await cache.put(request, response.clone());
    }
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) {
      return kept;
    }
    throw error;
  }
}

worker.addEventListener("install", (event) => (event as Lifetime).waitUntil(install()));
worker.addEventListener("activate", (event) => (event as Lifetime).waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const { request } = event as Fetching;
  if (request.method === "GET" && new URL(request.url).origin === location.origin) {
    (event as Fetching).respondWith(respond(request));
  }
});
