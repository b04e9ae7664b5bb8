"""The package as it is installed: names, version, types."""

import re
from importlib import metadata
from importlib.resources import files
from pathlib import Path

import pytest
import secateurs
from secateurs import _native

ROOT = Path(__file__).parent.parent


def test_the_version_is_cargos() -> None:
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    version = re.search(r'^version = "(.+)"$', manifest, re.MULTILINE)
    assert version is not None
    assert secateurs.__version__ == metadata.version("secateurs") == version[1]


def test_everything_native_is_exported() -> None:
    assert set(_native.__all__) <= set(secateurs.__all__)
    assert all(getattr(secateurs, name) is getattr(_native, name) for name in _native.__all__)
    types = [getattr(secateurs, name) for name in _native.__all__ if isinstance(getattr(secateurs, name), type)]
    assert {thing.__module__ for thing in types} == {"secateurs"}


def test_types_are_shipped() -> None:
    package = files(secateurs)
    assert (package / "py.typed").is_file()
    assert (package / "_native.pyi").is_file()


def test_the_extension_uses_the_stable_abi() -> None:
    assert "abi3" in Path(_native.__file__).name


@pytest.mark.parametrize("error", [secateurs.BadOption, secateurs.BadPosition, secateurs.IllegalMove])
def test_errors_are_value_errors(error: type[Exception]) -> None:
    assert issubclass(error, ValueError)


def test_results_are_made_by_the_engine_alone() -> None:
    with pytest.raises(TypeError):
        secateurs.Result()
