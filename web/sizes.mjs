// Prints the size of what the page transfers, in bytes, with gzip -9 and with brotli -q 11: sizes.mjs FOLDER
import { readFile } from "node:fs/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";

const folder = process.argv[2] ?? "target/web";
const names = Object.keys(JSON.parse(await readFile(`${folder}/files.json`, "utf8"))).filter((name) => name !== "./");
let all = [0, 0, 0];
const isLarge = /\.(wasm|net)$/;
const rows = new Map();
const add = (row, sizes) => rows.set(row, sizes.map((size, index) => size + (rows.get(row)?.[index] ?? 0)));
for (const name of names.filter((name) => !name.startsWith("wasm/threads/"))) {
  const bytes = await readFile(`${folder}/${name}`);
  const sizes = [bytes, gzipSync(bytes, { level: 9 }), brotliCompressSync(bytes)].map(({ length }) => length);
  add(isLarge.test(name) ? name : "scripts, pages, styles", sizes);
  all = all.map((size, index) => size + sizes[index]);
}
for (const [row, sizes] of [...rows, ["in all", all]]) {
  console.log(row.padEnd(24), ...sizes.map((size) => size.toLocaleString("en").padStart(12)));
}
