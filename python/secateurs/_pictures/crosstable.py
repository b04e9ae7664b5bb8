"""The crosstable of a match: for each player a row with its results against each of the others and its strength."""

from typing import TYPE_CHECKING

from secateurs._arguments import theme as check
from secateurs._pictures.canvas import Canvas

if TYPE_CHECKING:
    from secateurs._matches.result import Match, Standing

# Pixels: the height of a row, the width of a letter, the minimum width of a column, the width of the strength axis.
ROW, LETTER, COLUMN, AXIS = 36, 7.4, 92, 150

# The maximum length of a name as the head of a column; longer names are replaced by numbers.
HEAD = 12


def svg(match: "Match", theme: str) -> str:
    """Draws the crosstable."""
    check(theme)
    rows = match.standings
    two = len(rows) == 2
    left = 52 + max(56, LETTER * min(max(len(row.name) for row in rows), 28))
    column_width = max(COLUMN, 16 + LETTER * max(len(counts_text(counts)) for counts in match.crosstable.values()))
    points = left + column_width * len(rows) + max(70, LETTER * max(len(points_of(row)) for row in rows))
    axis = points + 22
    canvas = Canvas(axis + AXIS + 152, 96 + ROW * len(rows))
    named = all(len(row.name) <= HEAD for row in rows)
    for number, row in enumerate(rows):
        head = short(row.name, HEAD) if named else number + 1
        canvas.word(left + column_width * (number + 0.5), 28, head, "faint", 12)
    canvas.word(points, 28, "points", "faint", 12, "end")
    canvas.word(axis + AXIS / 2, 28, "Elo difference" if two else "rating", "faint", 12)
    strengths = strengths_of(match)
    ends = [abs(end) for strength in strengths for end in strength[1:] if abs(end) < 2_000]
    reach = rounded(max([100.0, *(abs(strength[0]) for strength in strengths if abs(strength[0]) < 2_000), *ends]))
    for number, row in enumerate(rows):
        y = 40 + ROW * number
        if number % 2 == 0:
            canvas.box(8, y, canvas.width - 16, ROW, 6, "stripe")
        base = y + ROW / 2 + 4
        canvas.word(32, base, number + 1, "faint", 12, "end")
        canvas.word(42, base, short(row.name, 28), "ink", 13, "start")
        for column, other in enumerate(rows):
            middle = left + column_width * (column + 0.5)
            if other.name == row.name:
                canvas.word(middle, base, "\u00b7", "faint", 16)
            else:
                meeting(canvas, middle, y, match.crosstable[row.name, other.name])
        canvas.word(points, base, points_of(row), "ink", 13, "end")
        if number < len(strengths):
            interval(canvas, axis, y + ROW / 2, strengths[number], reach)
    if strengths:
        scale(canvas, axis, 40 + ROW * len(rows), reach)
    done, planned = match.played, match.planned
    caption = f"{done} games" if match.finished else f"{done} of {planned} games"
    wins = "wins \u2013 draws \u2013 losses of the row's player"
    canvas.word(42, canvas.height - 14, f"{caption}; {wins}, below them the share of the points", "faint", 12, "start")
    return canvas.svg(theme, f"{caption} between {', '.join(short(row.name, 60) for row in rows)}")


def strengths_of(match: "Match") -> list[tuple[float, float, float]]:
    """Returns the value and interval of each row: for two players the difference, for more the ratings."""
    if len(match.names) == 2:
        return [] if match.elo is None else [match.elo]
    ratings = [row.rating for row in match.standings]
    return [(rating, rating - margin, rating + margin) for rating, margin in ratings]


def counts_text(counts: tuple[int, int, int]) -> str:
    """Formats the games of two players."""
    return " \u2013 ".join(map(str, counts))


def points_of(row: "Standing") -> str:
    """Formats a player's points and games."""
    return f"{row.points:.10g} / {row.games}"


def meeting(canvas: Canvas, x: float, y: float, counts: tuple[int, int, int]) -> None:
    """Draws the games of two players with a bar of the points."""
    wins, draws, losses = counts
    played = wins + draws + losses
    if played == 0:
        canvas.word(x, y + ROW / 2 + 4, "\u2013", "faint", 13)
        return
    canvas.word(x, y + ROW / 2 + 2, counts_text(counts), "ink", 13)
    width = COLUMN - 24
    canvas.box(x - width / 2, y + ROW - 9, width, 3, 1.5, "hollow")
    if wins + draws:
        canvas.box(x - width / 2, y + ROW - 9, width * (wins + draws / 2) / played, 3, 1.5, "mark")


def interval(canvas: Canvas, x: float, y: float, strength: tuple[float, float, float], reach: float) -> None:
    """Draws a value with its interval on an axis around 0; parts beyond the axis are cut off."""
    value, low, high = strength
    place = [x + AXIS / 2 * (1 + max(-1.0, min(1.0, end / reach))) for end in (value, low, high)]
    canvas.box(x + AXIS / 2 - 0.5, y - ROW / 2 + 3, 1, ROW - 6, 0, "faint")
    canvas.box(place[1], y - 2.5, max(place[2] - place[1], 2), 5, 2.5, "frame")
    canvas.disc(place[0], y, 4.5, "ink")
    canvas.word(x + AXIS + 12, y + 4, f"{elo(value)} [{elo(low)}, {elo(high)}]", "ink", 12, "start")


def rounded(reach: float) -> float:
    """Returns the end of the scale: the next of 100, 200, 400, 600, 1000, 2000."""
    return next((end for end in (100.0, 200.0, 400.0, 600.0, 1000.0) if reach <= end), 2000.0)


def scale(canvas: Canvas, x: float, y: float, reach: float) -> None:
    """Draws the scale below the rows: a line with marks at its ends, halfway and at 0."""
    canvas.box(x, y, AXIS, 1, 0, "faint")
    for part in (-1.0, -0.5, 0.0, 0.5, 1.0):
        place = x + AXIS / 2 * (1 + part)
        canvas.box(place - 0.5, y, 1, 5, 0, "faint")
        if part in (-1.0, 0.0, 1.0):
            canvas.word(place, y + 17, elo(part * reach) if part else "0", "faint", 10)


def elo(value: float) -> str:
    """Formats an Elo difference."""
    if abs(value) == float("inf"):
        return "\u221e" if value > 0 else "\u2212\u221e"
    return f"{value:+.0f}".replace("-", "\u2212")


def short(text: str, most: int) -> str:
    """Shortens a text; characters that XML cannot contain become blanks."""
    text = "".join(letter if letter.isprintable() else " " for letter in text)
    return text if len(text) <= most else text[: most - 1] + "\u2026"
