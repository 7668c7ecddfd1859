#!/bin/sh
# Installs what the tests need on the first run, then runs all of them. Arguments go to pytest.
set -eu
CDPATH="" cd "$(dirname "$0")"
. tools/environment.sh
prepare test requirements-dev.txt
.venv/bin/python -m isolation.web.assets --tools
# Once, before several processes would do it at the same time.
.venv/bin/python -m isolation warmup
.venv/bin/python -m tests.chromium
# Most tests wait most of the time. A file stays in one process: its tests share a server.
exec .venv/bin/python -m pytest -n 4 --dist=loadfile --no-loadscope-reorder "$@"
