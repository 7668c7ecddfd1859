"""Starts the web app: `python app.py`. HOST and PORT in the environment say where it listens."""

import os
import sys
import warnings

if sys.version_info < (3, 11):
    sys.exit("Isolation needs Python 3.11 or newer")

# Green DNS costs 50 ms on first requests; eventlet's notice that it is in bug-fix mode is known.
os.environ.setdefault("EVENTLET_NO_GREENDNS", "yes")
warnings.filterwarnings("ignore", message=r"\s*Eventlet is deprecated")

import eventlet

eventlet.monkey_patch()  # before anything that blocks is imported

from isolation.web.server import main

if __name__ == "__main__":
    sys.exit(main())
