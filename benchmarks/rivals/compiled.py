"""How the rivals are compiled: once, kept in instance/rivals, in a folder named after the sources.

Import this before numba. Numba looks only at the file of a function to see whether its code is
stale, so the folder's name covers all of them. All boards are non-negative 64-bit integers, because
numba makes a float of an unsigned and a signed one.
"""

import hashlib
import os
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def _cache_folder() -> Path:
    digest = hashlib.sha256(version("numba").encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return ROOT / "instance" / "rivals" / digest.hexdigest()[:16]


os.environ["NUMBA_CACHE_DIR"] = str(_cache_folder())

import numba  # noqa: E402
from numba import njit, types  # noqa: E402
from numba.extending import intrinsic  # noqa: E402

compiled = njit(cache=True, nogil=True)

if numba.config.DISABLE_JIT:  # the tests do, to save the time that compiling takes

    def count(mask):
        return int(mask).bit_count()

    def lowest(mask):
        return (int(mask) & -int(mask)).bit_length() - 1

else:

    @intrinsic
    def count(context, mask):
        """How many bits are set."""

        def code(context, builder, signature, arguments):
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), code

    @intrinsic
    def lowest(context, mask):
        """The number of the lowest bit set."""

        def code(context, builder, signature, arguments):
            return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

        return types.int64(types.int64), code
