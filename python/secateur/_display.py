"""What notebooks show of positions, results and running searches. Loaded when it is first asked for."""

import threading
import time
import weakref
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from secateur._native import Analysis, Position, Result, Solution
from secateur._pictures import svg

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# A cell of a table, whatever the notebook thinks of tables.
CELL = "text-align:left;padding:1px 10px 1px 0;vertical-align:top;background:none"

# A running search is shown again after so many seconds at the earliest.
PAUSE = 0.2


def draw(position: Position, best: str | None, theme: str) -> str:
    """A position as SVG."""
    return svg(position, best, theme)


def result_html(result: Result) -> str:
    """A result: the board with its best move, and the figures."""
    return page(result.position, result, f"depth {result.depth}")


def analysis_html(analysis: Analysis) -> str:
    """A search as it stands."""
    latest = analysis.latest
    state = "done" if analysis.done else "searching"
    return page(analysis.position, latest, state if latest is None else f"depth {latest.depth}, {state}")


def solution_html(solution: Solution) -> str:
    """A solution: the board with a best move, the value, what is known of the moves, and the line."""
    best = solution.best_moves
    known = solution.moves or dict.fromkeys(best, (solution.value, solution.value))
    rows = [(f"{move} \u2605" if move in best else move, span(*bounds)) for move, bounds in known.items()]
    value = f"value {span(solution.lower, solution.upper)}{distance(solution)}"
    value += ", proven" if solution.proven == "exact" else ""
    parts = [f"<b>{escape(value)}</b>", table(("move", "value"), rows)]
    if solution.pv:
        parts.append(f"<div>best play: {escape(' '.join(solution.pv))}</div>")
    nodes = f"{solution.nodes:,} node{'s' if solution.nodes != 1 else ''}"
    costs = f"{nodes}, {solution.time:.3f} s, table {solution.hashfull / 10:.1f} %"
    marked = next(iter(solution.pv or best), None)
    return beside(solution.position, marked, parts, costs)


def span(lower: int | None, upper: int | None) -> str:
    """What is known of a value."""
    if lower is not None and upper is not None:
        return str(lower) if lower == upper else f"from {lower} to {upper}"
    ends = (f"{sign}{end}" for sign, end in (("\u2265\u00a0", lower), ("\u2264\u00a0", upper)) if end is not None)
    return next(ends, "unknown")


def distance(solution: Solution) -> str:
    """How far the end of a game is that is won or lost."""
    score = solution.score
    if score is None or not score.distance or score.proven != "exact":
        return ""
    return f", {str(score).removesuffix(' proven')}"


def page(position: Position, result: Result | None, title: str) -> str:
    """The board, beside it a table of the lines and the costs."""
    parts, costs = [f"<b>{escape(title)}</b>"], ""
    if result is not None:
        sign = {"exact": "", "lower": "\u2265\u00a0", "upper": "\u2264\u00a0"}
        rows = [
            (line.best_move or "-", f"{sign[line.bound]}{line.score}", " ".join(line.pv)) for line in result.multipv
        ]
        parts.append(table(("move", "score", "line"), rows))
        costs = (
            f"{result.nodes:,} nodes, {result.time:.3f} s, {result.nps:,} nodes/s, table {result.hashfull / 10:.1f} %"
        )
    return beside(position, result.best_move if result else None, parts, costs)


def beside(position: Position, best: str | None, parts: Iterable[str], costs: str) -> str:
    """The board with a move marked; beside it what is known, and what it took."""
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start">'
        f"<div>{svg(position, best, 'auto')}</div>"
        f'<div style="flex:1;min-width:240px;max-width:640px">{"".join(parts)}'
        f'<div style="opacity:0.75">{escape(costs)}</div></div></div>'
    )


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table, if it has any rows."""
    if not rows:
        return ""
    lines = [("th", head), *(("td", row) for row in rows)]
    body = "".join(
        "<tr>" + "".join(f'<{kind} style="{CELL}">{escape(cell)}</{kind}>' for cell in cells) + "</tr>"
        for kind, cells in lines
    )
    return f'<table style="border-collapse:collapse;margin:6px 0">{body}</table>'


def show_live(analysis: Analysis) -> None:
    """Shows a search in the notebook, again after each iteration, until it is over."""
    from IPython.display import HTML, display

    def page_of(analysis: Analysis) -> object:
        return HTML(analysis_html(analysis))  # type: ignore[no-untyped-call]

    handle = display(page_of(analysis), display_id=True)  # type: ignore[no-untyped-call]
    if handle is None or analysis.done:
        return
    changed = threading.Event()
    analysis._listen(changed.set)
    # The search ends with the last reference to it: this is none.
    known = weakref.ref(analysis)
    del analysis

    def follow() -> None:
        while True:
            changed.wait()
            changed.clear()
            searched = known()
            if searched is None:
                return
            done = searched.done
            handle.update(page_of(searched))
            if done:
                return
            del searched
            time.sleep(PAUSE)

    threading.Thread(target=follow, name="secateur display", daemon=True).start()


def plot(result: Result) -> "Figure":
    """The value with its windows, and the nodes, by depth."""
    try:
        from secateur._plot import figure
    except ImportError as error:
        raise ImportError("plot needs matplotlib: pip install secateur[plot]") from error
    return figure(result)
