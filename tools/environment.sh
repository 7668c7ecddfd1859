# The Python environment in .venv, for run.sh and test.sh. POSIX sh; source it from the root.
#   prepare NAME REQUIREMENTS [OTHER]   makes .venv and installs REQUIREMENTS; does nothing when
#                                       they, or those that OTHER stands for, are installed already

fail() {
    echo "isolation: $1" >&2
    exit 1
}

# The path of a Python that is new enough: the one that an environment is made with, even where
# another environment is active.
base_python() {
    "$1" -c 'import sys
if sys.version_info < (3, 11): sys.exit(1)
print(getattr(sys, "_base_executable", sys.executable))' 2>/dev/null
}

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        base_python "$PYTHON" || fail "PYTHON=$PYTHON is not a Python 3.11 or newer."
        return
    fi
    for candidate in python3 python python3.14 python3.13 python3.12 python3.11; do
        base_python "$candidate" && return
    done
    fail "Python 3.11 or newer is needed, and none was found. Set PYTHON to its path if you have it."
}

make_venv() {
    rm -rf .venv
    if ! "$1" -c 'import ensurepip' 2>/dev/null; then
        # Debian ships Python without what venv needs.
        package=$("$1" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
        if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
            echo "Installing the Debian package $package, which Python needs here ..."
            apt-get update -qq >/dev/null 2>&1 || true
            apt-get install -y -qq --no-upgrade "$package" >/dev/null 2>&1 || true
        fi
        "$1" -c 'import ensurepip' 2>/dev/null ||
            fail "This Python can not make an environment. On Debian and Ubuntu: apt install $package"
    fi
    "$1" -m venv .venv || fail "Python could not make the environment in $(pwd)/.venv."
}

prepare() {
    python=$(find_python) || exit 1
    made_by=$("$python" -c 'import sys; print(sys.version, sys.prefix)'; pwd)
    wanted=$({ echo "$made_by"; cat requirements*.txt; } | cksum)
    for name in "$1" "${3:-$1}"; do
        if [ "$(cat ".venv/installed-$name" 2>/dev/null)" = "$wanted" ]; then
            return
        fi
    done
    # One that somebody made by hand is taken as it is; one of ours is made anew for a new Python.
    if [ ! -d .venv ] || [ "$(cat .venv/made-by 2>/dev/null || echo "$made_by")" != "$made_by" ]; then
        echo "Making the Python environment in .venv ..."
        make_venv "$python"
        echo "$made_by" >.venv/made-by
    fi
    echo "Installing $2 ..."
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -r "$2" ||
        fail "Installing $2 failed. Is the network there?"
    echo "$wanted" >".venv/installed-$1"
}
