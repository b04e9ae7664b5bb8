"""Plots of a search by depth with matplotlib."""

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from secateurs._native import Result
from secateurs._themed import themed


@themed
def figure(result: Result) -> Figure:
    """Plots the value with its search windows and the failed windows, and below them the nodes of each depth."""
    steps = result.iterations
    exact = [step for step in steps if step.bound == "exact"]
    drawing = Figure(figsize=(7.5, 5.0), layout="constrained")
    value, nodes = drawing.subplots(2, 1, sharex=True, height_ratios=[3, 2])
    depths = [step.depth for step in exact]
    units = [step.score.cp / 100 for step in exact]
    reach = [unit for step in steps for unit in (step.score.units,) if unit is not None] or [0.0]
    low, high = min(reach) - 1.0, max(reach) + 1.0
    windows = [
        tuple(end / 100 if end is not None else open for end, open in zip(step.window, (low, high), strict=True))
        for step in exact
    ]
    value.vlines(
        depths, [w[0] for w in windows], [w[1] for w in windows], color="C0", alpha=0.25, linewidth=7, label="window"
    )
    value.plot(depths, [min(max(unit, low), high) for unit in units], "o-", color="C0", markersize=4, label="value")
    for bound, marker, label in (("lower", "^", "failed high"), ("upper", "v", "failed low")):
        failed = [step for step in steps if step.bound == bound]
        if failed:
            value.plot(
                [step.depth for step in failed],
                [step.score.cp / 100 for step in failed],
                marker,
                color="C3",
                markersize=6,
                linestyle="none",
                label=label,
            )
    value.set_ylabel("value, units")
    value.set_title(
        f"{result.position.game}: {result.best_move or 'no move'}, {result.score or 'no score'}",
        loc="left",
        fontsize=10,
    )
    value.legend(frameon=False, fontsize=8, ncols=4, loc="lower right", bbox_to_anchor=(1.0, 1.0))
    value.grid(alpha=0.25)
    nodes.bar(depths, [max(step.nodes, 1) for step in exact], color="C0", alpha=0.7)
    nodes.set_yscale("log")
    nodes.set_ylabel("nodes so far")
    nodes.set_xlabel("depth, plies")
    nodes.xaxis.set_major_locator(MaxNLocator(integer=True))
    nodes.grid(alpha=0.25, axis="y")
    return drawing
