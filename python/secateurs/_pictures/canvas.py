"""SVG drawings in light and dark colours, for the pictures of games and matches and for ``_themed``."""

import html
import re
from collections.abc import Callable
from math import cos, hypot, pi, sin, sqrt

# The characters that XML does not allow, not even as references (XML 1.0, section 2.2).
NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# CSS class: its colours in the light and the dark theme.
COLOURS = {
    "paper": ("#ffffff", "#16181d"),
    "ink": ("#2b2a27", "#e8e6e1"),
    "faint": ("#77736b", "#98948b"),
    "wood": ("#e3c08d", "#6b4a2b"),
    "hollow": ("#c2935a", "#46301b"),
    "felt": ("#4f9a6b", "#2f6b47"),
    "seed": ("#5a3519", "#e2b878"),
    "frame": ("#2f62b0", "#27508f"),
    "first": ("#d63c3c", "#ef5b5b"),
    "second": ("#f1bf2c", "#f4cd55"),
    "stripe": ("#f3f0ea", "#20232a"),
    "mark": ("#0b8a5f", "#43e0a0"),
    "square-light": ("#eee3cf", "#a89878"),
    "square-dark": ("#b99a70", "#6f5c41"),
    "square-last": ("#d9cf6f", "#8f8a3c"),
    "piece-white": ("#fffdf8", "#fffdf8"),
    "piece-black": ("#2b2722", "#211e1a"),
    "piece-red": ("#b3261e", "#b3261e"),
}

# The selectors by which notebooks and sites mark their theme; without one the browser decides.
NIGHT = (
    '[data-jp-theme-light="false"]',
    ".vscode-dark",
    ".theme-dark",
    '[data-theme="dark"]',
    '[data-md-color-scheme="slate"]',
)
DAY = (
    '[data-jp-theme-light="true"]',
    ".vscode-light",
    ".theme-light",
    '[data-theme="light"]',
    '[data-md-color-scheme="default"]',
)


def escape(text: str) -> str:
    """Returns a text for XML; a character that XML does not allow becomes the replacement character."""
    return html.escape(NOT_XML.sub("\ufffd", text))


class Canvas:
    """A drawing. Lengths are pixels from the upper left corner."""

    def __init__(self, width: float, height: float) -> None:
        """Creates an empty drawing."""
        self.width, self.height = width, height
        self.shapes: list[str] = []

    def disc(self, x: float, y: float, radius: float, kind: str) -> None:
        """Draws a filled circle."""
        self.shapes.append(f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>')

    def ring(self, x: float, y: float, radius: float, kind: str, width: float = 3) -> None:
        """Draws a circle."""
        self.shapes.append(
            f'<circle class="{kind}-line" cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="none" stroke-width="{width:g}"/>'
        )

    def box(self, x: float, y: float, width: float, height: float, round: float, kind: str) -> None:
        """Draws a filled rectangle with round corners."""
        size = f'width="{width:g}" height="{height:g}" rx="{round:g}"'
        self.shapes.append(f'<rect class="{kind}" x="{x:g}" y="{y:g}" {size}/>')

    def outline(self, x: float, y: float, path: str, kind: str) -> None:
        """Draws a filled shape with a thin line around it; its path begins at a point."""
        place = f'transform="translate({x:g} {y:g})"'
        self.shapes.append(f'<path class="{kind}" {place} d="{path}" stroke="#4a443b" stroke-width="1.2"/>')

    def arrow(self, x: float, y: float, to_x: float, to_y: float, kind: str) -> None:
        """Draws an arrow from a point to another."""
        far = hypot(to_x - x, to_y - y)
        across, down = (to_x - x) / far, (to_y - y) / far
        end_x, end_y = to_x - 14 * across, to_y - 14 * down
        self.shapes.append(
            f'<line class="{kind}-line" x1="{x:g}" y1="{y:g}" x2="{end_x:.4g}" y2="{end_y:.4g}" stroke-width="6" '
            'stroke-linecap="round" opacity="0.8"/>'
        )
        corners = [(to_x, to_y), *((end_x + side * down, end_y - side * across) for side in (-9, 9))]
        points = " ".join(f"{a:.5g},{b:.5g}" for a, b in corners)
        self.shapes.append(f'<polygon class="{kind}" points="{points}" opacity="0.8"/>')

    def word(
        self, x: float, y: float, text: object, kind: str = "ink", size: float = 13, anchor: str = "middle"
    ) -> None:
        """Draws a text around, from or up to a point on its base line."""
        place = f'x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}"'
        bold = ' font-weight="bold"' if kind == "mark" else ""
        self.shapes.append(f'<text class="{kind}" {place}{bold}>{escape(str(text))}</text>')

    def lines(self, x: float, y: float, text: str, size: float = 13) -> None:
        """Draws lines of monospaced text."""
        for number, line in enumerate(text.splitlines()):
            place = f'x="{x:g}" y="{y + number * size * 1.3:g}" font-size="{size:g}" xml:space="preserve"'
            self.shapes.append(f'<text class="ink mono" {place}>{escape(line)}</text>')

    def seeds(self, x: float, y: float, width: float, height: float, count: int) -> None:
        """Draws up to 100 seeds within an ellipse with these half-axes, in the pattern of a sunflower."""
        shown = min(count, 100)
        # Many seeds fill the ellipse, small enough not to overlap; few stay in its middle.
        radius = min(5.0, 0.66 * sqrt(width * height / max(shown, 1)))
        spread = [sqrt((number + 0.5) / max(shown, 5)) for number in range(shown)]
        turns = [number * pi * (3 - sqrt(5)) for number in range(shown)]
        places = [(far * cos(turn), far * sin(turn)) for far, turn in zip(spread, turns, strict=True)]
        middle = [sum(axis) / shown for axis in zip(*places, strict=True)]
        for across, down in places:
            self.disc(
                round(x + (width - radius) * (across - middle[0]), 2),
                round(y + (height - radius) * (down - middle[1]), 2),
                round(radius, 2),
                "seed",
            )

    def svg(self, theme: str, title: str) -> str:
        """Returns the drawing in a theme: light, dark or auto."""
        name = f"secateurs-{theme}"
        style = themes(name, rules) if theme == "auto" else "".join(rules(name, int(theme == "dark")))
        size = f'width="{self.width:g}" height="{self.height:g}" viewBox="0 0 {self.width:g} {self.height:g}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{name}" {size} role="img" '
            'font-family="system-ui,Helvetica,Arial,sans-serif">'
            f"<title>{escape(title)}</title><style>{style}</style>"
            f'<rect class="paper" width="{self.width:g}" height="{self.height:g}" rx="8"/>{"".join(self.shapes)}</svg>'
        )


def themes(name: str, rules: Callable[[str, int], list[str]]) -> str:
    """Returns the rules of a class for both themes, chosen by the page or else by the browser."""
    style = "".join(rules(name, 0))
    style += "@media (prefers-color-scheme:dark){" + "".join(rules(name, 1)) + "}"
    style += "".join(rule for place in DAY for rule in rules(f"{place} .{name}", 0))
    return style + "".join(rule for place in NIGHT for rule in rules(f"{place} .{name}", 1))


def rules(place: str, night: int) -> list[str]:
    """Returns the colours of all kinds within a selector."""
    within = place if place.startswith((".", "[")) else f".{place}"
    filled = [f"{within} .{kind}{{fill:{colours[night]}}}" for kind, colours in COLOURS.items()]
    stroked = [f"{within} .{kind}-line{{stroke:{colours[night]}}}" for kind, colours in COLOURS.items()]
    return [*filled, *stroked, f"{within} .mono{{font-family:ui-monospace,Consolas,monospace}}"]
