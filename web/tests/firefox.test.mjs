// The page in Firefox, where that is installed: `node --test web/tests/`, after `make web`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";
import { test } from "node:test";

const FOLDER = new URL("../../target/web/", import.meta.url);
const TYPES = { ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

/** Returns the path of Firefox, if it is installed. */
function firefox() {
  const found = (name) => {
    try {
      return execFileSync("which", [name], { encoding: "utf8", stdio: "pipe" }).trim();
    } catch {
      return undefined;
    }
  };
  return found("firefox-esr") ?? found("firefox");
}

/** Serves the folder. */
async function answer({ url }, response) {
  const name = new URL(url, "http://localhost").pathname.slice(1) || "index.html";
  const bytes = await readFile(new URL(name, FOLDER)).catch(() => undefined);
  response.writeHead(bytes ? 200 : 404, { "content-type": TYPES[extname(name)] ?? "application/octet-stream" }).end(bytes);
}

const executablePath = firefox();
const skip = !executablePath && "Firefox is not installed";

test("Firefox plays, analyses and takes a search apart", { skip }, async (context) => {
  const { launch } = await import("puppeteer-core");
  const server = createServer(answer).listen(0);
  context.after(() => server.close());
  const browser = await launch({ browser: "firefox", executablePath });
  context.after(() => browser.close());
  const page = await browser.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  const address = `http://localhost:${server.address().port}`;
  await page.goto(`${address}/#game=chess&play=first&level=1`);
  await (await page.waitForSelector('.places .open[aria-label^="e2"]')).click();
  await (await page.waitForSelector('.places .open[aria-label^="e4"]')).click();
  await page.waitForFunction(() => /moves=e2e4(,|%2C)/.test(location.hash));
  await page.click("#analyse");
  await page.waitForFunction(() => /depth \d/.test(document.querySelector("#figures").textContent));
  await page.goto(`${address}/see.html`);
  await page.waitForFunction(() => /alpha-beta3/.test(document.querySelector("main").textContent.replace(/\s/g, "")));
  assert.deepEqual(faults, []);
});
