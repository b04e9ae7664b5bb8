"""Plots of comparisons with matplotlib."""

from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from secateurs._themed import themed

if TYPE_CHECKING:
    from secateurs._comparison.result import Comparison

# The axis labels of columns.
UNITS = {"time_us": "time, microseconds", "terminal": "terminal positions", "nodes": "nodes"}


def sums(comparison: "Comparison", column: str) -> dict[str, dict[int, float]]:
    """Returns the sums over the subjects for each procedure by depth, without the runs that were given up."""
    found: dict[str, dict[int, float]] = {}
    given_up = {(row["procedure"], row["depth"]) for row in comparison if row["given_up"] is not None}
    for row in comparison:
        number: Any = row.get(column)
        if isinstance(number, bool) or not isinstance(number, (int, float)):
            continue
        key = row["procedure"], row["depth"]
        if key not in given_up:
            depths = found.setdefault(row["procedure"], {})
            depths[row["depth"]] = depths.get(row["depth"], 0) + number
    if not found:
        raise ValueError(f"there are no numbers in the column {column!r}")
    return found


@themed
def figure(comparison: "Comparison", column: str) -> Figure:
    """Plots a bar for each procedure; with several depths, a line."""
    found = sums(comparison, column)
    depths = sorted({row["depth"] for row in comparison})
    tall = max(3.0, 0.27 * len(found) + 1.2)
    drawing = Figure(figsize=(7.5, tall if len(depths) == 1 else max(4.5, tall)), layout="constrained")
    axes = drawing.subplots()
    label = UNITS.get(column, column)
    subjects = {row["subject"] for row in comparison}
    subject = next(iter(subjects)) if len(subjects) == 1 else f"{len(subjects)} positions"
    trees = max(row["runs"] for row in comparison)
    subject += f", {trees} trees together" if trees > 1 else ""
    if len(depths) == 1:
        names = list(found)[::-1]
        values = [max(found[name][depths[0]], 1) for name in names]
        axes.barh(names, values, color=["C1" if name == "secateurs" else "C0" for name in names], alpha=0.8)
        for place, one in enumerate(values):
            axes.annotate(
                f"{one:,.0f}", (one, place), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8
            )
        axes.set_xscale("log")
        axes.set_xlim(max(min(values) / 4, 1), max(values) * 6)
        axes.set_ylim(-0.6, len(names) - 0.4)
        axes.set_xlabel(label)
        axes.tick_params(axis="y", labelsize=9)
        subject += f", depth {depths[0]}"
    else:
        styles = ("-", "--", ":")
        # Names are at the ends of the lines, the largest value first.
        order = sorted(found, key=lambda name: -max(found[name].items())[1])
        for number, name in enumerate(order):
            steps = sorted(found[name].items())
            axes.plot(
                [step[0] for step in steps],
                [max(step[1], 1) for step in steps],
                marker="o",
                markersize=3.5,
                color=f"C{number % 10}",
                linestyle=styles[number // 10 % 3],
                label=name,
            )
        axes.set_yscale("log")
        axes.set_ylabel(label)
        axes.set_xlabel("depth, plies")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    subject = subject if len(subject) <= 80 else f"{subject[:77]}..."
    axes.set_title(subject, loc="left", fontsize=9)
    axes.grid(alpha=0.25, axis="x" if len(depths) == 1 else "both")
    return drawing
