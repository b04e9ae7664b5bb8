"""The exceptions, which the native module raises."""


class BadFile(ValueError):
    """A file of another format, a damaged file, or one that was made for other rules or by another version."""


class BadOption(ValueError):
    """An unknown game or option, a value that the option does not take, or options that cannot be combined."""


class BadPosition(ValueError):
    """A position that cannot be parsed, or that is not valid in its game."""


class EngineError(RuntimeError):
    """An engine process cannot be started, has crashed, does not answer, or violates the protocol or the rules.

    The message has its command and its last output.
    """


class IllegalMove(ValueError):
    """A move that is not legal in its position."""


# The public names.
for error in (BadFile, BadOption, BadPosition, EngineError, IllegalMove):
    error.__module__ = "secateurs"
