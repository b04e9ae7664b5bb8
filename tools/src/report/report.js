const place = id => document.getElementById(id);
const lines = place("data").textContent.trim().split("\n");
const head = JSON.parse(lines[0]), frames = JSON.parse(lines[lines.length - 1]);
const table = place("games").tBodies[0], rows = [...table.rows];
/* The side with the filled mark: black where it moves first, otherwise the second. */
const FILLED = head.sides[0].toLowerCase() === "black" ? "1" : "2";
document.documentElement.className = "script";

/* Games by the number of their row; each is read when it is first shown. */
const read = new Map();
function game(at) {
  if (!read.has(at)) {
    const found = JSON.parse(lines[1 + at]);
    read.set(at, { ...found, scores: found.scores.split(",") });
  }
  return read.get(at);
}
const byId = new Map(rows.map((row, at) => [row.id, at]));

/* The list: filters and the order. */
const player = place("player"), result = place("result"), reason = place("reason");
function options() {
  const chosen = result.value, own = player.value !== "";
  const names = own ? [["won", "won"], ["drawn", "drawn"], ["lost", "lost"]] : [["1-0", "1-0"], ["1/2-1/2", "1/2-1/2"], ["0-1", "0-1"]];
  result.replaceChildren(...[["", "all"], ...names].map(([value, text]) => new Option(text, value)));
  result.value = names.some(([value]) => value === chosen) ? chosen : "";
}
function matches(row) {
  const players = row.dataset.p.split(" "), score = row.cells[4].textContent, at = players.indexOf(player.value);
  const own = score === "1/2-1/2" ? "drawn" : (score === "1-0") === (at === 0) ? "won" : "lost";
  return (player.value === "" || at >= 0) && (result.value === "" || result.value === (player.value === "" ? score : own))
    && (reason.value === "" || reason.value === row.cells[5].textContent);
}
function filter() {
  let shown = 0;
  for (const row of rows) shown += !(row.hidden = !matches(row));
  place("count").textContent = `${shown} of ${rows.length}`;
}
place("filter").hidden = false;
place("filter").addEventListener("submit", event => event.preventDefault());
player.addEventListener("change", () => { options(); filter(); });
for (const choice of [result, reason]) choice.addEventListener("change", filter);
options();
filter();

let sorted = 0, downwards = false;
[...place("games").tHead.rows[0].cells].forEach((cell, column) => {
  const sort = () => {
    downwards = sorted === column && !downwards;
    sorted = column;
    const key = row => row.cells[column].textContent, numeric = cell.className === "n";
    const order = (a, b) => numeric ? key(a) - key(b) : key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
    table.append(...[...rows].sort((a, b) => downwards ? order(b, a) : order(a, b)));
    for (const other of place("games").tHead.rows[0].cells) other.removeAttribute("aria-sort");
    cell.setAttribute("aria-sort", downwards ? "descending" : "ascending");
  };
  cell.replaceChildren(button(cell.textContent, sort, { title: "Sort by this column" }));
});

const viewer = place("viewer"), view = new GameView(place("board"), place("steps"), frames, show);
/* The game that is shown. */
let current = null;
const time = milliseconds => milliseconds >= 1000 ? `${(milliseconds / 1000).toFixed(2)} s` : `${milliseconds} ms`;
const cell = (row, text, kind) => {
  const made = create("td", text, { class: kind });
  row.append(made);
  return made;
};
function fill(found) {
  const body = place("moves");
  body.replaceChildren();
  found.moves.forEach((move, at) => {
    const row = body.insertRow(), played = at - found.opening, book = played < 0;
    row.className = book ? "book" : "";
    row.tabIndex = -1;
    cell(row, at + 1, "n");
    const mark = document.createElement("i");
    mark.className = found.turns[at] === FILLED ? "side two" : "side";
    cell(row, move, "").prepend(mark);
    cell(row, book ? "opening" : found.scores[played] ?? "", "n");
    cell(row, book ? "" : found.depths[played] || "", "n");
    cell(row, book ? "" : time(found.times[played]), "n");
    row.addEventListener("click", () => view.go(at + 1));
  });
  if (found.rejected) {
    const row = body.insertRow();
    row.className = "rejected";
    cell(row, found.moves.length + 1, "n");
    cell(row, `${found.rejected[0]} (not played)`, "").colSpan = 3;
    cell(row, time(found.rejected[1]), "n");
  }
}
function show(ply) {
  const found = game(current), body = place("moves");
  const before = ply === 0 ? "start" : `${ply}. ${head.sides[found.turns[ply - 1] - 1]}: ${found.moves[ply - 1]}`;
  const played = ply - 1 - found.opening, score = played < 0 ? "" : found.scores[played];
  place("now").textContent = before + (score ? `, ${score}` : "");
  for (const row of body.querySelectorAll(".here")) row.classList.remove("here");
  const list = body.closest(".record"), row = ply > 0 ? body.rows[ply - 1] : null;
  row?.classList.add("here");
  // The row is shown without scrolling the page.
  const top = row ? row.offsetTop : 0, above = list.querySelector("thead").offsetHeight;
  if (top - above < list.scrollTop) list.scrollTop = top - above;
  else if (top + row.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + row.offsetHeight - list.clientHeight;
}
function open(at) {
  const [number, round, one, two, score, why] = [...rows[at].cells].map(cell => cell.textContent);
  current = at;
  place("which").textContent = `Game ${number}: ${one} – ${two} ${score}`;
  const detail = rows[at].cells[5].title;
  place("about").textContent = `Round ${round}, ${why}${detail ? `: ${detail}` : ""}. ${head.sides[0]}: ${one}, ${head.sides[1]}: ${two}`;
  const found = game(at);
  fill(found);
  view.open(found, found.opening);
  const shown = visible(), index = shown.indexOf(at);
  place("previous-game").disabled = index <= 0;
  place("next-game").disabled = index < 0 || index === shown.length - 1;
  if (!viewer.open) viewer.showModal();
}
const visible = () => [...table.rows].filter(row => !row.hidden).map(row => byId.get(row.id));
function other(step) {
  const shown = visible(), to = shown[shown.indexOf(current) + step];
  if (to !== undefined) location.replace(`#${rows[to].id}`);
}
/* The address names the game, so that a game can be linked. */
function follow() {
  const at = byId.get(location.hash.slice(1));
  if (at !== undefined) open(at);
  else if (viewer.open) viewer.close();
}
addEventListener("hashchange", follow);
table.addEventListener("click", event => {
  const row = event.target.closest("tr");
  if (event.target.closest("a") && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
  event.preventDefault();
  if (location.hash === `#${row.id}`) follow();
  else location.hash = row.id;
});
viewer.addEventListener("close", () => {
  if (byId.has(location.hash.slice(1))) history.replaceState(null, "", location.pathname + location.search);
  rows[current]?.querySelector("a").focus({ preventScroll: true });
});
viewer.addEventListener("click", event => { if (event.target === viewer) viewer.close(); });
for (const [id, act] of Object.entries({
  close: () => viewer.close(), "previous-game": () => other(-1), "next-game": () => other(1),
})) place(id).addEventListener("click", act);
const KEYS = {
  ArrowUp: () => view.go(view.ply - 1), ArrowDown: () => view.go(view.ply + 1), PageUp: () => other(-1), PageDown: () => other(1),
};
viewer.addEventListener("keydown", event => {
  view.key(event);
  if (!Object.hasOwn(KEYS, event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  KEYS[event.key]();
});
follow();
