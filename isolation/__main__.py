"""`python -m isolation`."""

import sys

from isolation.terminal.main import main

if __name__ == "__main__":
    sys.exit(main())
