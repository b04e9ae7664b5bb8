"""Displays of positions, results and running searches in notebooks. Imported at the first use."""

import html
import re
import threading
import time
import weakref
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from secateurs._extras import needed
from secateurs._native import Analysis, Position, Result, _readable
from secateurs._results import Solution
from secateurs._tables import html as html_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The characters that XML does not allow, not even as references (XML 1.0, section 2.2).
NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# The minimum time between two updates of a running search, seconds.
PAUSE = 0.2


def escape(text: str) -> str:
    """Returns a text for XML; a character that XML does not allow becomes the replacement character."""
    return html.escape(NOT_XML.sub("\ufffd", text))


def result_html(result: Result[Any]) -> str:
    """Formats a result: the board with the best move, and the figures."""
    return page(result.position, result, f"depth {result.depth}")


def analysis_html(analysis: Analysis[Any]) -> str:
    """Formats the current state of a search."""
    latest = analysis.latest
    state = "done" if analysis.done else "searching"
    return page(analysis.position, latest, state if latest is None else f"depth {latest.depth}, {state}")


def solution_html(solution: Solution[Any]) -> str:
    """Formats a solution: the board with a best move, the value, the values of the moves, and the line."""
    best = solution.best_moves
    known = solution.moves or dict.fromkeys(best, (solution.value, solution.value))
    shown = {move: _readable(solution.position, [move])[0] for move in known}
    rows = [(shown[move] + (" \u2605" if move in best else ""), span(*bounds)) for move, bounds in known.items()]
    value = f"value {span(solution.lower, solution.upper)}{distance(solution)}"
    if solution.proven == "exact":
        value += ", proven" if solution.complete else ", proven, moves or line incomplete"
    parts = [f"<b>{escape(value)}</b>", html_table(("move", "value"), rows) if rows else ""]
    if solution.pv:
        line = _readable(solution.position, solution.pv)
        parts.append(f"<div>best play: {escape(' '.join(line))}</div>")
    nodes = f"{solution.nodes:,} node{'s' if solution.nodes != 1 else ''}"
    costs = f"{nodes}, {solution.time:.3f} s, table {solution.hashfull / 10:.1f} %"
    return beside(drawn(solution, known), parts, costs)


def drawn(solution: Solution[Any], known: dict[Any, Any]) -> str:
    """Draws the board with the values of moves where they lead; a game that draws itself has the best move marked."""
    position = solution.position
    best = next(iter(solution.pv or solution.best_moves), None)
    if hasattr(position.state, "svg"):
        return position.svg(best)
    order = sorted(known, key=lambda move: move not in solution.best_moves)
    values = {move: short(*known[move]) for move in order if known[move] != (None, None)}
    return position.svg(best, values=values)


def short(lower: int | None, upper: int | None) -> str:
    """Formats the bounds of a value for the board."""
    if lower is not None and upper is not None:
        return str(lower) if lower == upper else f"{lower}..{upper}"
    return f"\u2265{lower}" if lower is not None else f"\u2264{upper}"


def span(lower: int | None, upper: int | None) -> str:
    """Formats the bounds of a value."""
    if lower is not None and upper is not None:
        return str(lower) if lower == upper else f"from {lower} to {upper}"
    ends = (f"{sign}{end}" for sign, end in (("\u2265\u00a0", lower), ("\u2264\u00a0", upper)) if end is not None)
    return next(ends, "unknown")


def distance(solution: Solution[Any]) -> str:
    """Formats the distance to the end of a won or lost game."""
    score = solution.score
    if score is None or not score.distance or score.proven != "exact":
        return ""
    return f", {str(score).removesuffix(' proven')}"


def lines_html(lines: list[Any]) -> str:
    """Formats the lines of a search as a table."""
    if not lines:
        return "<div>no lines</div>"
    first = lines[0]
    costs = f"depth {first.depth}, {first.nodes:,} nodes, {first.time:.3f} s"
    return f'{lines_table(lines)}<div style="opacity:0.75">{escape(costs)}</div>'


def lines_table(lines: Iterable[Result[Any]]) -> str:
    """Formats lines as the rows of a table."""
    sign = {"exact": "", "lower": "\u2265\u00a0", "upper": "\u2264\u00a0"}
    rows = []
    for line in lines:
        moves = _readable(line.position, line.pv)
        score = "-" if line.bound is None else f"{sign[line.bound]}{line.score}"
        rows.append((moves[0] if moves else "-", score, " ".join(moves)))
    return html_table(("move", "score", "line"), rows)


def page(position: Position, result: Result[Any] | None, title: str) -> str:
    """Formats the board next to a table of the lines and the costs."""
    parts, costs = [f"<b>{escape(title)}</b>"], ""
    if result is not None:
        parts.append(lines_table(result.multipv))
        costs = (
            f"{result.nodes:,} nodes, {result.time:.3f} s, {result.nps:,} nodes/s, table {result.hashfull / 10:.1f} %"
        )
    return beside(position.svg(result.best_move if result else None), parts, costs)


def beside(board: str, parts: Iterable[str], costs: str) -> str:
    """Formats a drawing of the board next to results and costs."""
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start">'
        f"<div>{board}</div>"
        f'<div style="flex:1;min-width:240px;max-width:640px">{"".join(parts)}'
        f'<div style="opacity:0.75">{escape(costs)}</div></div></div>'
    )


def show_live(analysis: Analysis[Any]) -> None:
    """Displays a search in the notebook and updates it after each iteration until the end."""
    from IPython.display import HTML, display

    def page_of(analysis: Analysis[Any]) -> object:
        return HTML(analysis_html(analysis))  # type: ignore[no-untyped-call]

    handle = display(page_of(analysis), display_id=True)  # type: ignore[no-untyped-call]
    if handle is not None and not analysis.done:
        follow(analysis, lambda analysis: handle.update(page_of(analysis)))


def follow(analysis: Analysis[Any], show: Callable[[Analysis[Any]], object]) -> None:
    """Calls a function with a search after each iteration and at the end, in another thread."""
    changed = threading.Event()
    analysis._listen(changed.set)
    if analysis.done:
        changed.set()
    # The search ends with the last strong reference.
    known = weakref.ref(analysis)
    del analysis

    def run() -> None:
        while True:
            changed.wait()
            changed.clear()
            searched = known()
            if searched is None:
                return
            done = searched.done
            try:
                show(searched)
            except RuntimeError:
                # A search that begins while Python exits is refused.
                if threading.main_thread().is_alive():
                    raise
                return
            if done:
                return
            del searched
            time.sleep(PAUSE)

    threading.Thread(target=run, name="secateurs display", daemon=True).start()


def plot(result: Result[Any]) -> "Figure":
    """Plots the value with its windows, and the nodes, by depth."""
    with needed("plot", "plot"):
        from secateurs._plot import figure
    return figure(result)
