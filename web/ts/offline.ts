/**
 * The service worker: after the first visit the page works without a network. The small files and Kalah are kept at once,
 * the modules and networks of the other games when the page has nothing else to do.
 */

/** With these headers a page may share memory between its threads: hosts of static files do not send them. */
const ISOLATION = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

const CACHE = "secateurs";

/** The list of the files with a hash of each; `make web` writes it. */
const LIST = "files.json";

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

/** Whether a file is fetched before the page is idle. */
function isEarly(file: string): boolean {
  return !/\.(wasm|net)$/.test(file) || file.endsWith("/kalah_bg.wasm");
}

/** Keeps those of the page's files that are not kept yet, or have changed; `which` selects some. */
async function keep(which: (file: string) => boolean): Promise<void> {
  const cache = await caches.open(CACHE);
  const files: Record<string, string> = await (await fetch(LIST, { cache: "no-cache" })).json();
  const kept: Record<string, string> = (await (await cache.match(LIST))?.json()) ?? {};
  for (const [file, hash] of Object.entries(files)) {
    if (which(file) && (kept[file] !== hash || !(await cache.match(file)))) {
      await cache.add(file);
      kept[file] = hash;
    }
  }
  await cache.put(LIST, new Response(JSON.stringify(kept)));
}

async function install(): Promise<void> {
  await keep(isEarly);
  await worker.skipWaiting();
}

function isolated({ body, status, statusText, headers }: Response): Response {
  return new Response(body, { status, statusText, headers: { ...Object.fromEntries(headers), ...ISOLATION } });
}

/** The network first, so that all files are of one version; without a network, what was kept. */
async function respond(request: globalThis.Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) {
      await cache.put(request, response.clone());
    }
    return response.ok ? isolated(response) : response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) {
      return isolated(kept);
    }
    throw error;
  }
}

worker.addEventListener("install", (event) => (event as Lifetime).waitUntil(install()));
worker.addEventListener("message", (event) => {
  if ((event as MessageEvent).data === "everything") {
    (event as unknown as Lifetime).waitUntil(keep(() => true));
  }
});
worker.addEventListener("activate", (event) => (event as Lifetime).waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const { request } = event as Fetching;
  if (request.method === "GET" && new URL(request.url).origin === location.origin) {
    (event as Fetching).respondWith(respond(request));
  }
});
