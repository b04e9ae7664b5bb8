"""The files around a release agree with each other, and what the pages of the arenas configure exists."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def test_the_version_is_everywhere_the_same() -> None:
    manifest = re.search(r'^version = "(.*)"$', read("Cargo.toml"), re.MULTILINE)
    assert manifest
    version = manifest[1]
    assert f'name = "secateurs"\nversion = "{version}"\n' in read("Cargo.lock")
    assert f"\nversion: {version}\n" in read("CITATION.cff")
    assert re.search(rf"^## {re.escape(version)} \(", read("CHANGELOG.md"), re.MULTILINE)
    for page in ("README.md", "docs/index.md", "docs/quickstart.md", "CONTRIBUTING.md"):
        named = set(re.findall(r"\bv?(\d+\.\d+\.\d+)(?=-x86_64|\.tar|`| is not published)", read(page)))
        assert named == {version}, page


def features(*options: str) -> set[str]:
    """The packages that cargo builds, each with its features."""
    command = ["cargo", "tree", "--locked", "--prefix=none", "--no-dedupe", "--format={p} {f}", *options]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {re.sub(r" \((?:\*|proc-macro)\)", "", line) for line in shown.stdout.splitlines()}


def test_the_tests_and_the_extension_module_share_what_the_command_is_built_with() -> None:
    # Otherwise Cargo.toml lacks a feature that another package enables, and the core is compiled once more.
    command, module = features("--edges=normal,build"), features("--edges=normal,build", "--package=secateurs-python")
    assert command <= features("--workspace")
    common = {line.rpartition(" ")[0] for line in command}
    assert {line for line in module if line.rpartition(" ")[0] in common} <= command


def test_workflows_run_targets_of_the_makefile() -> None:
    makefile = read("Makefile")
    workflows = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob(".github/workflows/*.yml"))
    targets = set(" ".join(re.findall(r"\bmake ([a-z -]+)$", workflows, re.MULTILINE)).split())
    assert {"release", "package", "try-static", "site"} <= targets
    assert "run: .ci/run" in workflows
    for target in targets:
        assert re.search(rf"^{target}:.* ## ", makefile, re.MULTILINE), target


def test_openbench_builds_by_the_default_goal() -> None:
    # As from a shell: `make test` passes its own flags on, and a make in it prints its folder.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}

    def goal(*words: str) -> str:
        command = ["make", "-n", *words]
        return subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout

    assert goal("-j", "EXE=secateurs-1A2B").endswith("/secateurs secateurs-1A2B\n")
    assert "cargo build" not in goal()


def options() -> set[str]:
    """The names of the options of the engine after `uci`."""
    command = [sys.executable, "-m", "secateurs", "--game", "chess"]
    said = subprocess.run(command, input="uci\nquit\n", stdout=subprocess.PIPE, text=True, check=True).stdout
    return set(re.findall(r"^option name (.*?) type ", said, re.MULTILINE))


def test_the_bot_configures_options_that_exist() -> None:
    section = re.search(r"^  uci_options:\n((?:    .*\n)+)", read("examples/lichess-bot.yml"), re.MULTILINE)
    assert section
    named = re.findall(r"^    ([A-Z][\w ]*):", section[1], re.MULTILINE)
    assert len(named) >= 3
    assert set(named) <= options()


@pytest.mark.parametrize("page", ["docs/cutegames.md", "docs/openbench.md"])
def test_configurations_are_json(page: str) -> None:
    texts = re.findall(r"^( *)```json\n(.*?)^\1```$", read(page), re.MULTILINE | re.DOTALL)
    assert texts
    for _, text in texts:
        assert isinstance(json.loads(text), dict)
