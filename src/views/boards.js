/* Boards as SVG, from the notation of their games; of other games the page has a text. */
const parsed = document.createElement("div");
parsed.innerHTML = "<svg></svg>";
const shape = (kind, attributes, text) => {
  const made = document.createElementNS(parsed.firstChild.namespaceURI, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
};
const picture = (width, height, shapes, title) => {
  const svg = shape("svg", { class: "board", viewBox: `0 0 ${width} ${height}`, width, height, role: "img" });
  svg.append(shape("title", {}, title), ...shapes);
  return svg;
};
const disc = (cx, cy, r, kind) => shape("circle", { cx, cy, r, class: kind });
const box = (x, y, width, height, rx, kind) => shape("rect", { x, y, width, height, rx, class: kind });
const word = (x, y, text, kind = "faint") => shape("text", { x, y, class: kind }, text);

/* So many seeds within an ellipse, as a sunflower has them. */
function seeds(x, y, width, height, count) {
  const shown = Math.min(count, 100), radius = Math.min(4.5, 0.66 * Math.sqrt(width * height / Math.max(shown, 1)));
  const places = Array.from({ length: shown }, (_, number) => {
    const far = Math.sqrt((number + 0.5) / Math.max(shown, 5)), turn = number * Math.PI * (3 - Math.sqrt(5));
    return [far * Math.cos(turn), far * Math.sin(turn)];
  });
  const middle = [0, 1].map(axis => places.reduce((sum, place) => sum + place[axis], 0) / Math.max(shown, 1));
  return places.map(([across, down]) =>
    disc(x + (width - radius) * (across - middle[0]), y + (height - radius) * (down - middle[1]), radius, "seed"));
}

/* North's houses above, from right to left; South's below, with numbers or letters. */
const kalah = (text, letters) => {
  const [houses, south, north, ...seedsOf] = text.match(/\d+/g).map(Number);
  const pitch = 46, store = 52, left = store + 12, width = 2 * left + houses * pitch;
  const shapes = [box(2, 24, width - 4, 142, 22, "wood")];
  for (const [x, count] of [[left / 2 + 2, north], [width - left / 2 - 2, south]])
    shapes.push(box(x - store / 2 + 4, 32, store - 8, 126, 20, "hollow"), ...seeds(x, 86, store / 2 - 8, 44, count), word(x, 152, count, "ink"));
  for (const player of [0, 1])
    for (let number = 0; number < houses; number++) {
      const x = left + pitch * (0.5 + (player === 0 ? number : houses - 1 - number)), y = player === 0 ? 137 : 53;
      const count = seedsOf[player * houses + number];
      shapes.push(disc(x, y, 19, "hollow"), ...seeds(x, y, 16, 16, count), word(x, player === 0 ? 112 : 87, count, "ink"), word(x, player === 0 ? 182 : 16, letters ? letters[player][number] : number + 1));
    }
  return picture(width, 190, shapes, text);
};

function nim(text) {
  const heaps = text.split(" ")[0].split(",").map(Number), line = 16, pitch = 17, shapes = [];
  const width = Math.max(180, 84 + Math.min(line, Math.max(...heaps)) * pitch);
  let y = 4;
  heaps.forEach((heap, number) => {
    const height = Math.max(1, Math.ceil(heap / line)) * pitch + 14;
    shapes.push(box(2, y, width - 4, height - 5, 9, "wood"), word(16, y + height / 2 + 1.5, number + 1), word(width - 18, y + height / 2 + 1.5, heap, "ink"));
    for (let index = 0; index < heap; index++)
      shapes.push(disc(38 + pitch * (index % line), y + 13 + pitch * Math.floor(index / line), 6, "seed"));
    y += height;
  });
  return picture(width, y + 2, shapes, text);
}

function connect4(text) {
  const squares = row => row.replace(/\d+/g, gap => ".".repeat(Number(gap))), pitch = 34;
  const rows = text.split(" ")[0].split("[")[0].split("/").map(squares), columns = rows[0].length;
  const shapes = [box(2, 2, columns * pitch + 10, rows.length * pitch + 10, 12, "frame")];
  rows.forEach((row, down) => [...row].forEach((square, across) =>
    shapes.push(disc(7 + pitch * (across + 0.5), 7 + pitch * (down + 0.5), 14, square === "." ? "vacant" : "xP".includes(square) ? "first" : "second"))));
  for (let across = 0; across < columns; across++)
    shapes.push(word(7 + pitch * (across + 0.5), rows.length * pitch + 28, across + 1));
  return picture(columns * pitch + 14, rows.length * pitch + 34, shapes, text);
}

/* White below; the pieces are characters of the font. */
function chess(text) {
  const pitch = 34, edge = 16, shapes = [], symbols = { p: "\u265f", n: "\u265e", b: "\u265d", r: "\u265c", q: "\u265b", k: "\u265a" };
  const rows = text.split(" ")[0].split("/").map(row => row.replace(/\d/g, gap => ".".repeat(Number(gap))));
  rows.forEach((row, down) => {
    shapes.push(word(edge / 2, 6 + pitch * (down + 0.5), 8 - down));
    [...row].forEach((square, across) => {
      const x = edge + pitch * across, y = 2 + pitch * down;
      shapes.push(box(x, y, pitch, pitch, 0, (across + down) % 2 ? "dark" : "light"));
      // The variation selector asks for text, not for an emoji.
      if (square !== ".")
        shapes.push(word(x + pitch / 2, y + 27, symbols[square.toLowerCase()] + "\ufe0e", square < "a" ? "white piece" : "black piece"));
    });
  });
  for (let across = 0; across < 8; across++) shapes.push(word(edge + pitch * (across + 0.5), 8 * pitch + 16, "abcdefgh"[across]));
  return picture(8 * pitch + edge + 2, 8 * pitch + 22, shapes, text);
}

/* Square 1 above; a king has a ring. */
const draughts = size => text => {
  const pitch = 34, half = size / 2, shapes = [];
  for (let down = 0; down < size; down++)
    for (let across = 0; across < size; across++)
      shapes.push(box(2 + pitch * across, 2 + pitch * down, pitch, pitch, 0, (across + down) % 2 ? "dark" : "light"));
  for (const [, side, pieces] of text.matchAll(/:([WB])([K\d,]*)/g))
    for (const [, king, number] of pieces.matchAll(/(K?)(\d+)/g)) {
      const down = Math.floor((number - 1) / half), across = 2 * ((number - 1) % half) + 1 - down % 2;
      const x = 2 + pitch * (across + 0.5), y = 2 + pitch * (down + 0.5), kind = side === "W" ? "white" : "black";
      shapes.push(disc(x, y, 13, kind), ...(king ? [disc(x, y, 8, kind === "white" ? "black" : "white"), disc(x, y, 4, kind)] : []));
    }
  return picture(size * pitch + 4, size * pitch + 4, shapes, text);
};

/* Red below; pieces are discs with the letters of the notation, on the crossings of lines. */
function xiangqi(text) {
  const pitch = 34, edge = 34, shapes = [box(16, 2, 9 * pitch + 2, 10 * pitch + 2, 0, "light")];
  const x = across => edge + pitch * across, y = down => 20 + pitch * down;
  for (let down = 0; down < 10; down++) shapes.push(box(x(0), y(down) - 0.5, 8 * pitch, 1, 0, "dark"), word(8, y(down) + 4, 10 - down));
  for (let across = 0; across < 9; across++) {
    const edges = across % 8 === 0 ? [[0, 9]] : [[0, 4], [5, 9]];
    for (const [from, to] of edges) shapes.push(box(x(across) - 0.5, y(from), 1, pitch * (to - from), 0, "dark"));
    shapes.push(word(x(across), y(9) + 32, "abcdefghi"[across]));
  }
  for (const down of [0, 7])
    for (const [from, to] of [[3, 5], [5, 3]])
      shapes.push(shape("line", { x1: x(from), y1: y(down), x2: x(to), y2: y(down + 2), class: "palace" }));
  const rows = text.split(" ")[0].split("/").map(row => row.replace(/\d/g, gap => ".".repeat(Number(gap))));
  rows.forEach((row, down) => [...row].forEach((piece, across) => {
    if (piece === ".") return;
    const side = piece < "a" ? "red" : "black", letter = { B: "E", N: "H" }[piece.toUpperCase()] ?? piece.toUpperCase();
    shapes.push(disc(x(across), y(down), 15, side), disc(x(across), y(down), 12.5, "white"), word(x(across), y(down) + 6, letter, `${side} letter`));
  }));
  return picture(9 * pitch + 20, 10 * pitch + 22, shapes, text);
}

const oware = text => kalah(text, ["ABCDEF", "abcdef"]);

/* Rows from the top; dots would need the moves, which a notation does not have. */
function othello(text) {
  const pitch = 34, edge = 16, squares = text.split(" ")[0], size = Math.round(Math.sqrt(squares.length)), shapes = [];
  [...squares].forEach((square, index) => {
    const across = index % size, down = Math.floor(index / size), x = edge + pitch * across, y = 2 + pitch * down;
    shapes.push(box(x + 0.5, y + 0.5, pitch - 1, pitch - 1, 0, "felt"));
    if (square !== "-") shapes.push(disc(x + pitch / 2, y + pitch / 2, 14, square === "X" ? "black" : "white"));
  });
  for (let number = 0; number < size; number++)
    shapes.push(word(edge / 2, 6 + pitch * (number + 0.5), number + 1), word(edge + pitch * (number + 0.5), size * pitch + 16, "abcdefgh"[number]));
  return picture(size * pitch + edge + 2, size * pitch + 22, shapes, text);
}

const DRAWINGS = { kalah, nim, connect4, cfour: connect4, chess, checkers: draughts(8), draughts: draughts(10), brazilian: draughts(8), xiangqi, oware, othello };

/* A board from its notation; of games without a drawing here, the text. */
function drawn(game, notation, text) {
  if (Object.hasOwn(DRAWINGS, game)) return DRAWINGS[game](notation);
  const pre = document.createElement("pre");
  pre.textContent = text;
  return pre;
}
