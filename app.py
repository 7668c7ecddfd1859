"""Starts the web app: `python app.py`. HOST and PORT in the environment say where it listens."""

import os
import sys
import warnings

if sys.version_info < (3, 11):
    sys.exit("Isolation needs Python 3.11 or newer")

from isolation.web.settings import InvalidSetting, is_supervisor, read_settings


def main() -> int:
    """Serve until interrupted; the result is the exit code."""
    try:
        settings = read_settings(os.environ)
    except InvalidSetting as error:
        print(f"isolation: {error}", file=sys.stderr)
        return 1
    if is_supervisor(settings, os.environ):
        from isolation.web.supervisor import supervise

        return supervise(settings)
    patch()
    from isolation.web.server import serve

    return serve(settings)


def patch() -> None:
    """Make everything green, before anything that blocks is imported."""
    # Green DNS costs 50 ms on first requests; that eventlet is in bug-fix mode is known.
    os.environ.setdefault("EVENTLET_NO_GREENDNS", "yes")
    warnings.filterwarnings("ignore", message=r"\s*Eventlet is deprecated")
    import eventlet

    eventlet.monkey_patch()


if __name__ == "__main__":
    sys.exit(main())
