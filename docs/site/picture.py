"""Draws the picture of the front page: a position, its game tree to five plies, and the part that a search enters.

``python docs/site/picture.py`` writes ``docs/pictures/tree-light.svg`` and ``docs/pictures/tree-dark.svg``.
"""

from collections.abc import Iterator
from math import cos, pi, sin
from pathlib import Path

from secateurs import Engine, Node, Position, Result
from secateurs._pictures import kalah
from secateurs._pictures.canvas import Canvas

PICTURES = Path(__file__).parent.parent / "pictures"
DEPTH = 5
WIDTH, HEIGHT = 880, 440
CENTRE, RING = (660, 220), 41

# A position of the tree, by the moves that lead to it.
Line = tuple[str, ...]


def draw(theme: str) -> str:
    """The picture, for a light or a dark page."""
    start = Position("kalah", houses=4, seeds=3)
    result = Engine(hash=16).analyse(start, depth=DEPTH, tree=True)
    angles, edges = layout(start)
    entered = set(searched(result))
    variation = {tuple(result.pv[:ply]) for ply in range(DEPTH + 1)}
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.box(0, 0, WIDTH, HEIGHT, 8, "paper")
    for parts, kind, width in (
        ([edge for edge in edges if edge not in entered], "wood", 0.6),
        ([edge for edge in edges if edge in entered - variation], "ink", 1.1),
        ([edge for edge in edges if edge in variation], "mark", 3),
    ):
        steps = "".join(f"M{point(angles, edge[:-1])}L{point(angles, edge)}" for edge in parts)
        canvas.shapes.append(f'<path class="{kind}-line" d="{steps}" fill="none" stroke-width="{width}"/>')
    canvas.disc(*CENTRE, 5, "mark")
    board = kalah.draw(start, result.best_move)
    canvas.shapes.append(f'<g transform="translate(14 52)">{"".join(board.shapes)}</g>')
    legend(canvas, result, len(edges), len(entered & set(edges)))
    return canvas.svg(theme, f"Kalah(4, 3): the game tree to {DEPTH} plies and the part that alpha-beta enters") + "\n"


def layout(start: Position) -> tuple[dict[Line, float], list[Line]]:
    """The angle of every position, and all lines of one move or more. Leaves are spread evenly."""
    lines = list(expand(start, ()))
    inner = {line[:-1] for line in lines if line}
    leaves = [line for line in lines if line not in inner]
    angles = {leaf: 2 * pi * number / len(leaves) for number, leaf in enumerate(leaves)}
    for line in reversed(lines):
        if line in inner:
            below = [angles[child] for child in lines if child[:-1] == line and child]
            angles[line] = (below[0] + below[-1]) / 2
    return angles, [line for line in lines if line]


def expand(position: Position, line: Line) -> Iterator[Line]:
    """All lines of the full tree, each before those that go on from it."""
    yield line
    if len(line) < DEPTH:
        for move in position.legal_moves:
            yield from expand(position.play(move), (*line, move))


def searched(result: Result) -> Iterator[Line]:
    """The lines that the last iteration entered, in any of its windows."""

    def below(node: Node, line: Line) -> Iterator[Line]:
        for child in node.children:
            assert child.move is not None
            yield (*line, child.move)
            yield from below(child, (*line, child.move))

    for root in result.tree().roots:
        yield from below(root, ())


def point(angles: dict[Line, float], line: Line) -> str:
    """The place of a position."""
    angle, far = angles[line], RING * len(line)
    return f"{CENTRE[0] + far * cos(angle):.1f} {CENTRE[1] + far * sin(angle):.1f}"


def legend(canvas: Canvas, result: Result, full: int, entered: int) -> None:
    """What the picture shows."""
    canvas.word(28, 40, "Kalah(4, 3), South to move", "ink", 17, "start")
    rows = (
        ("mark", f"best line {' '.join(result.pv)}, score {result.score}"),
        ("ink", f"{entered} positions that alpha-beta enters"),
        ("wood", f"{full - entered} positions that it prunes"),
    )
    for number, (kind, text) in enumerate(rows):
        y = 330 + 28 * number
        canvas.box(28, y - 7, 22, 4, 2, kind)
        canvas.word(62, y, text, "ink", 15, "start")


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for theme in ("light", "dark"):
        (PICTURES / f"tree-{theme}.svg").write_text(draw(theme), encoding="utf-8")
