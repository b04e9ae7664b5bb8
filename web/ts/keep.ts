/** Visits without a network. */

/** Keeps the page for them: what it needs for any game, once it has nothing else to do. */
export async function keep(): Promise<void> {
  const { serviceWorker } = navigator;
  if (!serviceWorker) {
    return;
  }
  await serviceWorker.register("offline.js", { type: "module" });
  const { active } = await serviceWorker.ready;
  const rest = () => active?.postMessage("everything");
  if ("requestIdleCallback" in window) {
    requestIdleCallback(rest, { timeout: 10_000 });
  } else {
    setTimeout(rest, 3_000);
  }
}
