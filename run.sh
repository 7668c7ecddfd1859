#!/bin/sh
# Makes the environment on the first run, then serves the app on http://127.0.0.1:5000.
set -eu
CDPATH="" cd "$(dirname "$0")"
. tools/environment.sh
prepare run requirements.txt test
.venv/bin/python -m isolation.web.assets
exec .venv/bin/python app.py
