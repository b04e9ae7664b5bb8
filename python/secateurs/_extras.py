"""Packages that Secateurs needs for some of its parts only."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needed(by: str, extra: str) -> Iterator[None]:
    """Makes the error for a missing package name the extra that installs it.

    >>> with needed("the example", "chess"):
    ...     import no_such_package
    Traceback (most recent call last):
      ...
    ModuleNotFoundError: the example needs the package no_such_package: pip install 'secateurs[chess]'

    :param by: what needs the packages that are imported inside.
    :param extra: the extra of ``pyproject.toml`` that has them.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or extra).partition(".")[0]
        message = f"{by} needs the package {package}: pip install 'secateurs[{extra}]'"
        raise ModuleNotFoundError(message, name=package) from None
