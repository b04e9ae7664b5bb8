"""An executed notebook as a page: its text, its cells and their outputs."""

import json
from pathlib import Path
from typing import Any


def markdown_of(path: Path) -> str:
    """The page; links are those of the notebook."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    parts = []
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "code":
            parts.append(fenced("python", text))
            parts += [shown(output) for output in cell["outputs"]]
        else:
            parts.append(text)
    return "\n\n".join(parts) + "\n"


def shown(output: dict[str, Any]) -> str:
    """An output in its best format."""
    if "text" in output:
        return fenced("text", "".join(output["text"]))
    data = {kind: "".join(text) for kind, text in output.get("data", {}).items()}
    if "text/html" in data or "image/svg+xml" in data:
        return raw(data.get("text/html") or data["image/svg+xml"])
    if "image/png" in data:
        return raw(f'<img alt="" src="data:image/png;base64,{"".join(data["image/png"].split())}">')
    return fenced("text", data["text/plain"])


def raw(html: str) -> str:
    """HTML that Markdown does not change."""
    return f'<div class="output">{html.strip()}</div>'


def fenced(language: str, text: str) -> str:
    """A block of code."""
    return f"```{language}\n{text.rstrip()}\n```"
