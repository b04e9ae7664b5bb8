/* A position as SVG from the numbers of its shapes. The remainder of a number by 4 is its layer; the first layer is the size. */
function drawn(frames, numbers) {
  const layers = [[], [], [], []];
  for (const number of numbers) layers[number % 4].push(frames.shapes[number % 4][Math.floor(number / 4)]);
  const made = document.createElement("div"), [size, ...shapes] = layers;
  const body = shapes.flat().join("").replace(/<(\d+)>/g, (_, part) => frames.parts[part]);
  made.innerHTML = `<svg class="board secateurs-auto" viewBox="0 0 ${size}" width="${size[0].split(" ")[0]}" role="img" aria-label="the board"><style>${frames.style}</style>${body}</svg>`;
  return made.firstChild;
}
