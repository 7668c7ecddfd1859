"""What goes wrong in requests, as the log gets it: all of it, but nothing that's no trouble."""

import logging
import sys
from typing import Any

logger = logging.getLogger(__name__)


class _Complaints:
    """What is written as errors of a request, without what is none."""

    def write(self, text: str) -> None:
        # So says eventlet of a socket whose client has gone first.
        if "socket shutdown error" not in text:
            sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def calm(app: Any) -> Any:
    """The app, with a log that says what fails."""

    def answer(environ: dict[str, Any], start_response: Any) -> Any:
        environ["wsgi.errors"] = _Complaints()
        try:
            return app(environ, start_response)
        except OSError:  # somebody hung up
            raise
        except Exception:
            # Flask logs its own. What fails outside it would be a 500 that nobody hears of.
            logger.exception("request for %.80r", environ.get("PATH_INFO"))
            raise

    return answer
