"""The command line: ``secateurs`` on the PATH or ``python -m secateurs``. Without a subcommand, the line protocol."""

import logging
import os
import signal
import sys
from typing import NoReturn

from secateurs import _native

LEVELS = {"error": 40, "warn": 30, "info": 20, "debug": 10, "trace": 5, "off": 100}


def main() -> NoReturn:
    """Runs the command line and ends the process."""
    # No Python code remains to be interrupted: the command handles Ctrl-C itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    level = LEVELS.get(os.environ.get("SECATEURS_LOG", "").lower(), LEVELS["warn"])
    logging.basicConfig(level=level, format="[%(levelname)s %(name)s] %(message)s")
    code = _native._main(["secateurs", *sys.argv[1:]])
    sys.stdout.flush()
    # Exit without waiting for threads that still search or read.
    os._exit(code)


if __name__ == "__main__":
    main()
