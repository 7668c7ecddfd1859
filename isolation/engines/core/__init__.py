"""The compiled search cores. Numba gives their functions types when it compiles them."""

import numba

from isolation.engines.cache import cache_folder

numba.config.CACHE_DIR = str(cache_folder())
