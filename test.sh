#!/bin/sh
# Installs what the tests need on the first run, then runs all of them. Arguments go to pytest.
set -eu
CDPATH="" cd "$(dirname "$0")"
. tools/environment.sh
prepare test requirements-dev.txt
.venv/bin/python -m isolation.web.assets --tools
exec .venv/bin/python -m pytest "$@"
