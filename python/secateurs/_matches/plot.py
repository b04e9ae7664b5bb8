"""The figure of ``Match.plot``, drawn by matplotlib."""

from math import isfinite
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from secateurs import _native
from secateurs._themed import FAINT, themed

if TYPE_CHECKING:
    from secateurs._matches.result import Match

# The maximum number of points on the curve.
POINTS = 200


@themed
def figure(match: "Match") -> Figure:
    """Plots the Elo difference of two players, with its 95 % interval, after every pair; or the ratings of more."""
    drawing = Figure(figsize=(7.5, 4.0), layout="constrained")
    axes = drawing.subplots()
    if len(match.names) == 2:
        records = match._records
        steps = sorted({max(2, round(number * len(records) / POINTS)) for number in range(1, POINTS + 1)})
        found = []
        for step in steps if len(records) > 1 else []:
            one = _native._standings(match.names, records[:step], None)["cells"][0][1][1]
            if one is not None:
                found.append((step, *one))
        # While one player has all the points, the difference is infinite: at the edge, beyond all finite values.
        edge = 2 * max([100.0, *(abs(end) for step in found for end in step[1:] if isfinite(end))])
        found = [(step, *(min(max(end, -edge), edge) for end in one)) for step, *one in found]
        played = [step[0] for step in found]
        axes.fill_between(
            played,
            [step[2] for step in found],
            [step[3] for step in found],
            color="C0",
            alpha=0.2,
            linewidth=0,
            label="95 %",
        )
        axes.plot(played, [step[1] for step in found], color="C0", label=f"{match.names[0]} against {match.names[1]}")
        if (test := match.sprt) is not None:
            for difference, label in zip(test.elo, ("H0", "H1"), strict=True):
                axes.axhline(difference, color="C3", linewidth=1, linestyle="--")
                axes.annotate(label, (1.0, difference), xycoords=("axes fraction", "data"), fontsize=8, color="C3")
        axes.set_xlabel("games")
        axes.set_ylabel("Elo difference")
        axes.legend(frameon=False, fontsize=8)
    else:
        rows = match.standings[::-1]
        places = range(len(rows))
        axes.errorbar(
            [row.rating[0] for row in rows],
            places,
            xerr=[row.rating[1] for row in rows],
            fmt="o",
            color="C0",
            capsize=4,
        )
        axes.set_yticks(places, [row.name for row in rows])
        axes.margins(y=0.2)
        axes.set_xlabel("rating, Elo around 0, with 95 % intervals")
    (axes.axhline if len(match.names) == 2 else axes.axvline)(0.0, color=FAINT, linewidth=0.8)
    players = " - ".join(match.names) if len(match.names) == 2 else f"{len(match.names)} players"
    axes.set_title(f"{players}: {match.played} games", loc="left", fontsize=10)
    axes.grid(alpha=0.25)
    return drawing
