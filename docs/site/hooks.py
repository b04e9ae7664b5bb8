"""What the site shows beside `docs/`: the pages at the top, notebooks, sources that pages link to, the references.

All of it is read when the site is built; nothing is copied into the repository. Pages write their links for GitHub, and
this module changes them to the places in the site.
"""

import re
import shutil
import sys
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).parent))

from cells import markdown_of
from reference import reference

ROOT = Path(__file__).parent.parent.parent
# The page for browsers, if `make web` has built it; its place in the site is `play/`.
WEB = ROOT / "target" / "web"
FRAME = (
    '<iframe src="play/index.html" title="Play against the engine" width="100%" height="640" loading="lazy"></iframe>'
)
DOCS = ROOT / "docs"

# Pages at the top, by their place in the site.
TOP = {"protocol.md": "protocol.md", "changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}

# Pages that are generated, by their place in the site.
GENERATED = {"reference.md": reference}

# The languages of the sources, for their colours.
LANGUAGES = {".rs": "rust", ".py": "python", ".toml": "toml", ".yml": "yaml"}

# Languages of blocks that the site names otherwise: a test reads the words after `dialogue`, and `pycon` has prompts.
COLOURS = [
    (re.compile(r"^```dialogue.*$", re.MULTILINE), "```text"),
    (re.compile(r"^```python\n(?=>>>)", re.MULTILINE), "```pycon\n"),
]

LINK = re.compile(r"(?<=\]\()(?!https?:|#)([^)#\s]+)(#[^)\s]*)?(?=\))")

log = get_plugin_logger("secateurs")

# The path in the repository of each page of the site, and the page of each path.
origin: dict[str, str] = {}
place: dict[str, str] = {}


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Adds the pages that are not in `docs/`."""
    origin.clear()
    place.clear()
    for file in files.documentation_pages():
        settle(file.src_uri, f"docs/{file.src_uri}")

    def add(uri: str, path: str, content: str) -> None:
        settle(uri, path)
        files.append(File.generated(config, uri, content=content))

    for uri, path in TOP.items():
        add(uri, path, (ROOT / path).read_text(encoding="utf-8"))
    for notebook in sorted((ROOT / "examples").glob("*.ipynb")):
        add(f"examples/{notebook.stem}.md", f"examples/{notebook.name}", markdown_of(notebook))
    add("decisions.md", "docs/decisions", decisions())
    for uri, page in GENERATED.items():
        add(uri, f"docs/{uri}", page())
    # The site has a home page of its own.
    place["README.md"] = "index.md"
    # Links in sources are not followed: the list grows by folders alone.
    for path in sorted({path for file in files.documentation_pages() for path in sources_of(file)}):
        for one in [path, *(entry for entry in entries(path) if entry not in place)]:
            if one not in place:
                add(f"sources/{one}.md", one, source(one))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Points links at the places of their targets in the site."""
    here = page.file.src_uri

    def mend(link: re.Match[str]) -> str:
        path, anchor = link[1], link[2] or ""
        target = place.get(target_of(here, path))
        return link[0] if target is None else relpath(target, PurePosixPath(here).parent) + anchor

    if here == "index.md" and WEB.is_dir():
        # Below the title and the first paragraph.
        title, first, rest = markdown.split("\n\n", 2)
        markdown = "\n\n".join((title, first, FRAME, rest))
    for what, colours in COLOURS:
        markdown = what.sub(colours, markdown)
    return LINK.sub(mend, markdown)


def on_post_build(*, config: MkDocsConfig) -> None:
    """Copies the page for browsers into the site."""
    if WEB.is_dir():
        shutil.copytree(WEB, Path(config.site_dir) / "play", dirs_exist_ok=True)


def settle(uri: str, path: str) -> None:
    """Records the path in the repository of a page of the site."""
    origin[uri], place[path] = path, uri


def target_of(uri: str, link: str) -> str:
    """The path in the repository that a link of a page points at."""
    return normpath(PurePosixPath(origin.get(uri, f"docs/{uri}")).parent / link)


def sources_of(file: File) -> set[str]:
    """The files and folders outside the site that a page links to."""
    targets = {target_of(file.src_uri, link[1]) for link in LINK.finditer(file.content_string)}
    return {target for target in targets if target not in place and not target.startswith(("..", "docs/"))}


def entries(path: str) -> list[str]:
    """The files in a folder that the site can show."""
    folder = ROOT / path
    listed = sorted(folder.iterdir()) if folder.is_dir() else []
    return [entry.relative_to(ROOT).as_posix() for entry in listed if entry.suffix in LANGUAGES]


def source(path: str) -> str:
    """A page for a file or a folder. A link to a missing file is a warning."""
    head = f"---\nsearch:\n  exclude: true\n---\n\n# {path}\n\n"
    if (ROOT / path).is_dir():
        folder = PurePosixPath(path).name
        return head + "".join(f"- [{Path(entry).name}]({folder}/{Path(entry).name})\n" for entry in entries(path))
    if not (ROOT / path).is_file():
        log.warning("%s is linked to and does not exist", path)
        return head
    return f"{head}````{LANGUAGES.get(Path(path).suffix, 'text')}\n{(ROOT / path).read_text(encoding='utf-8')}\n````\n"


def decisions() -> str:
    """The list of the decisions, by their titles."""
    lines = ["# Decisions\n\nEach page records one decision: its context, the decision and its consequences.\n"]
    for path in sorted((DOCS / "decisions").glob("[0-9]*.md")):
        title = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        lines.append(f"{int(path.stem[:4])}. [{title}](decisions/{path.name})")
    return "\n".join(lines) + "\n"
