"""What notebooks show of positions, results and running searches. Loaded when it is first asked for."""

import threading
import time
import weakref
from html import escape
from typing import TYPE_CHECKING

from secateur._native import Analysis, Position, Result
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


def page(position: Position, result: Result | None, title: str) -> str:
    """The board, beside it a table of the lines and the costs."""
    best = result.best_move if result else None
    rows: list[tuple[object, ...]] = []
    costs = ""
    if result is not None:
        sign = {"exact": "", "lower": "\u2265 ", "upper": "\u2264 "}
        rows = [(line.best_move or "-", f"{sign[line.bound]}{line.score}", " ".join(line.pv)) for line in result.lines]
        costs = (
            f"{result.nodes:,} nodes, {result.time:.3f} s, {result.nps:,} nodes/s, table {result.hashfull / 10:.1f} %"
        )
        if len(result.ties) > 1:
            costs += f"; as good as the best: {', '.join(result.ties)}"
    head = "".join(f'<th style="{CELL}">{word}</th>' for word in ("move", "score", "line"))
    body = "".join(
        "<tr>" + "".join(f'<td style="{CELL}">{escape(str(cell))}</td>' for cell in row) + "</tr>" for row in rows
    )
    table = f'<table style="border-collapse:collapse;margin:6px 0">{f"<tr>{head}</tr>{body}" if rows else ""}</table>'
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start">'
        f"<div>{svg(position, best, 'auto')}</div>"
        f'<div style="flex:1;min-width:240px;max-width:640px"><b>{escape(title)}</b>{table}'
        f'<div style="opacity:0.75">{escape(costs)}</div></div></div>'
    )


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
