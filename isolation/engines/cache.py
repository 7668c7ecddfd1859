"""Where the compiled search cores are kept, found without loading what compiles them.

The folder is named after all the sources they are made of, and the compiler: numba looks only at
the file that defines a function, and would keep code that a change in another file made stale.
"""

import hashlib
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def has_compiler() -> bool:
    """Whether numba is here, which compiles the cores."""
    return find_spec("numba") is not None


def cache_folder() -> Path:
    digest = hashlib.sha256(version("numba").encode())
    here = Path(__file__).parent
    for source in (here / "scores.py", *sorted((here / "core").glob("*.py"))):
        digest.update(source.read_bytes())
    return ROOT / "instance" / "kernels" / digest.hexdigest()[:16]


def is_warm() -> bool:
    """Whether a game can begin without anything being compiled."""
    return not has_compiler() or ready_mark().exists()


def ready_mark() -> Path:
    """The file that says that all cores are compiled."""
    return cache_folder() / "ready"
