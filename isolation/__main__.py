"""`python -m isolation`."""

import sys

if sys.version_info < (3, 11):
    sys.exit("Isolation needs Python 3.11 or newer")

from isolation.terminal.main import main

if __name__ == "__main__":
    sys.exit(main())
