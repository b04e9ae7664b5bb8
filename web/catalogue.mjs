// Writes the table of the games, so that a page can list them before it loads their modules: catalogue.mjs FOLDER
import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const folder = resolve(process.argv[2] ?? ".");
const { MODULES, load, tables } = await import(pathToFileURL(`${folder}/module.js`).href);
const modules = [];
for (const name of MODULES) {
  await load(name);
  modules.push({ module: name, ...tables(name) });
}
const { levels, version } = modules[0];
const games = modules.flatMap(({ module, games }) => games.map((game) => ({ ...game, module })));
await writeFile(`${folder}/catalogue.json`, JSON.stringify({ version, levels, games }));
