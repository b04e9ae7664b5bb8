"""What all tests need."""

import signal

# A shell starts background jobs with Ctrl-C ignored, and Python takes that over; the tests send it themselves.
signal.signal(signal.SIGINT, signal.default_int_handler)
