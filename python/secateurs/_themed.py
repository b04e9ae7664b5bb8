"""``@themed``: matplotlib figures that follow the light or dark theme of the page."""

import re
from collections.abc import Callable
from functools import partial, wraps
from io import BytesIO, StringIO
from typing import Any, ParamSpec

import matplotlib
from matplotlib.figure import Figure

from secateurs import _native

P = ParamSpec("P")

COLOURS = _native._colours()

# The colours of text and background in the light theme.
INK, PAPER, FAINT = (COLOURS[kind][0] for kind in ("ink", "paper", "faint"))

# The colours of lines in the light theme (matplotlib's own) and in the dark theme.
LINES = (
    ("#1f77b4", "#62aee6"),
    ("#ff7f0e", "#ffa04d"),
    ("#2ca02c", "#5fd068"),
    ("#d62728", "#ff7b72"),
    ("#9467bd", "#bf9be8"),
    ("#8c564b", "#c99a8c"),
    ("#e377c2", "#f29fd5"),
    ("#7f7f7f", "#a5a5a5"),
    ("#bcbd22", "#d9da5a"),
    ("#17becf", "#55dbe8"),
)

STYLE: Any = {
    "axes.edgecolor": INK,
    "axes.facecolor": PAPER,
    "axes.labelcolor": INK,
    "axes.prop_cycle": matplotlib.cycler(color=[day for day, _ in LINES]),  # type: ignore[attr-defined]
    "figure.facecolor": PAPER,
    "grid.color": FAINT,
    "savefig.facecolor": "auto",
    "text.color": INK,
    "xtick.color": INK,
    "xtick.labelcolor": INK,
    "ytick.color": INK,
    "ytick.labelcolor": INK,
}

# For each colour of the light theme, its name and its counterpart in the dark theme.
NAMED = {
    INK: ("ink", COLOURS["ink"][1]),
    PAPER: ("paper", COLOURS["paper"][1]),
    FAINT: ("faint", COLOURS["faint"][1]),
    **{day: (f"c{number}", night) for number, (day, night) in enumerate(LINES)},
}


def themed(draw: Callable[P, Figure]) -> Callable[P, Figure]:
    """Decorates a plot so that its figure follows the theme and notebooks show it with any backend."""

    @wraps(draw)
    def drawn(*arguments: P.args, **keywords: P.kwargs) -> Figure:
        with matplotlib.rc_context(STYLE):
            drawing = draw(*arguments, **keywords)
        vars(drawing)["_repr_png_"] = partial(png, drawing)
        vars(drawing)["_repr_html_"] = partial(html, drawing)
        return drawing

    return drawn


def png(drawing: Figure) -> bytes:
    """Returns the figure in the light theme as PNG."""
    picture = BytesIO()
    drawing.savefig(picture, format="png", dpi=110)
    return picture.getvalue()


def html(drawing: Figure) -> str:
    """Returns the figure as SVG that follows the theme of the page."""
    picture = StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "secateurs"}):
        drawing.savefig(picture, format="svg", metadata={"Date": None, "Creator": None})
    text = picture.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    text = re.sub("#[0-9a-f]{6}", lambda found: variable(found.group()), text)
    day, night = (
        "".join(f"--secateurs-{name}:{(day, night)[late]};" for day, (name, night) in NAMED.items()) for late in (0, 1)
    )
    style = _native._themed("secateurs-plot", day, night)
    root = '<svg class="secateurs-plot" style="max-width:100%;height:auto" role="img" '
    return text.replace("<svg ", root, 1).replace(">", f"><style>{style}</style>", 1)


def variable(colour: str) -> str:
    """Returns the variable of a colour that has a name, otherwise the colour."""
    return f"var(--secateurs-{NAMED[colour][0]})" if colour in NAMED else colour
