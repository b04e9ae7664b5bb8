"""Tables for terminals and notebooks. Imported at the first use."""

from collections.abc import Collection, Sequence
from html import escape

# The style of a cell, independent of the notebook's own.
CELL = "padding:1px 10px 1px 0;vertical-align:top;background:none;text-align:"

Line = Sequence[str]


def text(lines: Sequence[Line], right: Collection[int]) -> list[str]:
    """Formats the lines of a table, its head included; a line without cells stands for omitted ones.

    :param right: the columns aligned at the right.
    """
    widths = [max(map(len, column)) for column in zip(*filter(None, lines), strict=True)]

    def padded(line: Line) -> str:
        cells = enumerate(zip(line, widths, strict=True))
        return "  ".join(
            cell.rjust(width) if at in right else cell.ljust(width) for at, (cell, width) in cells
        ).rstrip()

    return [padded(line) if line else "..." for line in lines]


def html(head: Line, lines: Sequence[Line], right: Collection[int] = ()) -> str:
    """Formats a table; a line without cells stands for omitted ones.

    :param right: the columns aligned at the right.
    """

    def row(line: Line, tag: str) -> str:
        cells = (
            f'<{tag} style="{CELL}{"right" if at in right else "left"}">{escape(cell)}' for at, cell in enumerate(line)
        )
        return f"<tr>{''.join(f'{cell}</{tag}>' for cell in cells)}</tr>"

    gap = f'<tr><td colspan="{len(head)}" style="{CELL}left">&#8943;</td></tr>'
    body = "".join(row(line, "td") if line else gap for line in lines)
    return f'<table style="border-collapse:collapse;margin:6px 0">{row(head, "th")}{body}</table>'
