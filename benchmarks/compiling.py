"""C compiled on the spot, as something to measure against."""

import shutil
import subprocess
from pathlib import Path


def compile_c(source: Path, program: Path) -> bool:
    """Whether there is a compiler, and has made a program of the source."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler:
        options = ["-O3", "-march=native", "-std=gnu11"]
        subprocess.run([compiler, *options, source, "-o", program], check=True)
    return bool(compiler)
