// Writes the table of the games, so that a page can list them before it loads their modules, and the list of the files that
// the page needs without a network, with a hash of each: catalogue.mjs FOLDER
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const folder = resolve(process.argv[2] ?? ".");
const { MODULES, load, tables } = await import(pathToFileURL(`${folder}/module.js`).href);
const rules = JSON.parse(await readFile(new URL("rules.json", import.meta.url), "utf8"));
await load();
const modules = MODULES.map((name) => ({ module: name, ...tables(name) }));
const { levels, version } = modules[0];
const games = modules.flatMap(({ module, games }) => games.map((game) => ({ ...game, ...rules[game.name], module })));
const untold = games.filter(({ rules }) => !rules).map(({ name }) => name);
if (untold.length > 0) {
  throw new Error(`web/rules.json does not have ${untold.join(", ")}`);
}
await writeFile(`${folder}/catalogue.json`, JSON.stringify({ version, levels, games, threads: existsSync(`${folder}/wasm/threads`) }));

// Programs that use the package have types and the line protocol; a page has neither.
const isForPrograms = /\.d\.ts$|^package\.json$|^index\.js$|^uci|^files\.json$|^offline\.js$/;
const found = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
const names = found.map(({ parentPath, name }) => `${parentPath}/${name}`.slice(folder.length + 1));
const files = {};
for (const name of names.filter((name) => !isForPrograms.test(name)).sort()) {
  files[name] = createHash("sha256").update(await readFile(`${folder}/${name}`)).digest("hex").slice(0, 16);
}
await writeFile(`${folder}/files.json`, JSON.stringify({ "./": files["index.html"], ...files }));
