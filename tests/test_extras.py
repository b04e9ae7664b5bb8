"""Errors for missing packages name the extra that installs them."""

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import secateurs
from secateurs import Engine, Position
from secateurs._extras import needed

EXTRAS = (Path(__file__).parent.parent / "pyproject.toml").read_text()

NIM = Position("nim")


def played() -> secateurs.Match:
    players = {"one": Engine(hash=1), "two": Engine(hash=1)}
    return secateurs.match(players, NIM, secateurs.Limit(depth=1), rounds=1, progress=False)


# What needs a package, and the extra that has it.
CALLS: list[tuple[str, str, str, Callable[[], Any]]] = [
    ("chess", "secateurs.chess", "chess", lambda: importlib.import_module("secateurs.chess")),
    ("distributed", "secateurs.dask", "dask", lambda: importlib.import_module("secateurs.dask")),
    ("pyspiel", "secateurs.openspiel", "openspiel", lambda: importlib.import_module("secateurs.openspiel")),
    (
        "pyspiel",
        "an open_spiel environment",
        "kaggle",
        lambda: importlib.import_module("secateurs.kaggle").state_from(""),
    ),
    ("pettingzoo", "secateurs.env", "pettingzoo", lambda: secateurs.env("nim")),
    ("numpy", "secateurs.env", "pettingzoo", lambda: secateurs.env("nim")),
    ("gymnasium", "secateurs.env", "pettingzoo", lambda: secateurs.env("nim")),
    ("matplotlib", "plot", "plot", lambda: Engine(hash=1).analyse(NIM, depth=2).plot()),
    ("matplotlib", "plot", "plot", lambda: secateurs.compare(NIM, 1, procedures="minimax").plot()),
    ("matplotlib", "plot", "plot", lambda: played().plot()),
    ("torch", "secateurs.torch", "torch", lambda: importlib.import_module("secateurs.torch")),
    ("anywidget", "BoardWidget", "widget", lambda: secateurs.BoardWidget()),
    ("pandas", "to_pandas", "pandas", lambda: secateurs.analyse_many([NIM], depth=1).to_pandas()),
    ("pyarrow", "to_pandas", "pandas", lambda: secateurs.analyse_many([NIM], depth=1).to_pandas()),
    ("pandas", "to_pandas", "pandas", lambda: secateurs.compare(NIM, 1, procedures="minimax").to_pandas()),
    ("pandas", "to_pandas", "pandas", lambda: played().to_pandas()),
]


@pytest.mark.parametrize(("package", "by", "extra", "call"), CALLS)
def test_a_missing_package_names_its_extra(
    package: str, by: str, extra: str, call: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    # What imports the package is imported again.
    modules = "chess dask openspiel pettingzoo kaggle torch widget _spaces _spaces_chess _plot _themed"
    again = f"{modules} _comparison.plot _matches.plot"
    for name in list(sys.modules):
        if name.split(".")[0] == package:
            monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, package, None)
    for name in again.split():
        monkeypatch.delitem(sys.modules, f"secateurs.{name}", raising=False)
    with pytest.raises(ModuleNotFoundError) as raised:
        call()
    assert str(raised.value) == f"{by} needs the package {package}: pip install 'secateurs[{extra}]'"
    assert raised.value.name == package
    assert raised.value.__suppress_context__
    assert f"\n{extra} = [" in EXTRAS


def test_other_errors_of_an_import_stay() -> None:
    with pytest.raises(ImportError, match="broken"), needed("a part", "chess"):
        raise ImportError("broken")
