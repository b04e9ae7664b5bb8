"""Draws the picture of the front page: a position, its game tree to five plies, and the part that a search enters.

``python docs/site/picture.py`` writes ``docs/pictures/tree-light.svg`` and ``docs/pictures/tree-dark.svg``.
"""

from collections.abc import Iterator
from math import cos, pi, sin
from pathlib import Path
from typing import Literal, get_args

from secateurs import Engine, Node, Position, Result
from secateurs._native import _colours

# A light or a dark page.
Theme = Literal["light", "dark"]

PICTURES = Path(__file__).parent.parent / "pictures"
DEPTH = 5
WIDTH, HEIGHT = 880, 440
CENTRE, RING = (660, 220), 41

# A position of the tree, by the moves that lead to it.
Line = tuple[str, ...]


def draw(theme: Theme) -> str:
    """The picture."""
    start = Position("kalah", houses=4, seeds=3)
    result = Engine(hash=16).analyse(start, depth=DEPTH, tree=True)
    angles, edges = layout(start)
    entered = set(searched(result))
    variation = {tuple(result.pv[:ply]) for ply in range(DEPTH + 1)}
    colours = {name: by_theme[theme == "dark"] for name, by_theme in _colours().items()}
    shapes = [f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="{colours["paper"]}"/>']
    for parts, kind, width in (
        ([edge for edge in edges if edge not in entered], "wood", 0.6),
        ([edge for edge in edges if edge in entered - variation], "ink", 1.1),
        ([edge for edge in edges if edge in variation], "mark", 3),
    ):
        steps = "".join(f"M{point(angles, edge[:-1])}L{point(angles, edge)}" for edge in parts)
        shapes.append(f'<path d="{steps}" fill="none" stroke="{colours[kind]}" stroke-width="{width}"/>')
    x, y = CENTRE
    shapes.append(f'<circle cx="{x}" cy="{y}" r="5" fill="{colours["mark"]}"/>')
    shapes.append(start.svg(result.best_move, theme=theme).replace("<svg ", '<svg x="14" y="52" ', 1))
    shapes += legend(colours, result, len(edges), len(entered & set(edges)))
    title = f"Kalah(4, 3): the game tree to {DEPTH} plies and the part that alpha-beta enters"
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    font = 'role="img" font-family="system-ui,Helvetica,Arial,sans-serif"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}><title>{title}</title>'
    return f"{head}{''.join(shapes)}</svg>\n"


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


def legend(colours: dict[str, str], result: Result, full: int, entered: int) -> Iterator[str]:
    """What the picture shows."""

    def word(x: int, y: int, text: str, size: int) -> str:
        return f'<text x="{x}" y="{y}" font-size="{size}" fill="{colours["ink"]}">{text}</text>'

    yield word(28, 40, "Kalah(4, 3)", 17)
    rows = (
        ("mark", f"best line {' '.join(result.pv)}, score {result.score}"),
        ("ink", f"{entered} positions that alpha-beta enters"),
        ("wood", f"{full - entered} positions that it prunes"),
    )
    for number, (kind, text) in enumerate(rows):
        y = 330 + 28 * number
        yield f'<rect x="28" y="{y - 7}" width="22" height="4" rx="2" fill="{colours[kind]}"/>'
        yield word(62, y, text, 15)


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for theme in get_args(Theme):
        (PICTURES / f"tree-{theme}.svg").write_text(draw(theme), encoding="utf-8")
