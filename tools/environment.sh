# The Python environment in .venv, for run.sh and test.sh. POSIX sh; source it from the root.
#   prepare NAME REQUIREMENTS [OTHER]   makes .venv and installs REQUIREMENTS; does nothing when
#                                       they, or those that OTHER stands for, are installed already

fail() {
    echo "isolation: $1" >&2
    exit 1
}

find_python() {
    for candidate in "${PYTHON:-}" python3 python python3.14 python3.13 python3.12 python3.11; do
        if [ -n "$candidate" ] && "$candidate" -c \
            'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            echo "$candidate"
            return
        fi
    done
    fail "Python 3.11 or newer is needed, and none was found. Set PYTHON to its path if you have it."
}

make_venv() {
    rm -rf .venv
    "$1" -m venv .venv >/dev/null 2>&1 && return
    rm -rf .venv
    # Debian ships Python without what venv needs.
    version=$("$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "Installing python$version-venv ..."
        apt-get update -qq >/dev/null 2>&1 || true
        apt-get install -y -qq "python$version-venv" >/dev/null 2>&1 || true
        "$1" -m venv .venv >/dev/null 2>&1 && return
        rm -rf .venv
    fi
    fail "Python can not make an environment. On Debian and Ubuntu: apt install python$version-venv"
}

prepare() {
    python=$(find_python) || exit 1
    wanted=$({ "$python" -c 'import sys; print(sys.version, sys.prefix)'; pwd; cat requirements*.txt; } | cksum)
    for name in "$1" "${3:-$1}"; do
        if [ "$(cat ".venv/installed-$name" 2>/dev/null)" = "$wanted" ]; then
            return
        fi
    done
    # The environment itself is kept while the same Python made it in the same place.
    made_by=$("$python" -c 'import sys; print(sys.version, sys.prefix)'; pwd)
    if [ "$(cat .venv/made-by 2>/dev/null)" != "$made_by" ]; then
        echo "Making the Python environment in .venv ..."
        make_venv "$python"
        echo "$made_by" >.venv/made-by
    fi
    echo "Installing $2 ..."
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -r "$2" ||
        fail "Installing $2 failed. Is the network there?"
    echo "$wanted" >".venv/installed-$1"
}
