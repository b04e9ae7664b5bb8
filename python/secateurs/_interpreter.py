"""Refuses subinterpreters: the extension module belongs to one interpreter, and its threads end with it."""

try:
    import _interpreters  # type: ignore[import-not-found,unused-ignore]
except ImportError:
    # The name up to Python 3.12.
    import _xxsubinterpreters as _interpreters  # type: ignore[import-not-found,unused-ignore,no-redef]

if _interpreters.get_current() != _interpreters.get_main():
    raise ImportError("secateurs can be imported in the main interpreter of a process only, not in a subinterpreter")
