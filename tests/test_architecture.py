"""Imports point down only, and the rules stay pure (ARCHITECTURE.md, Layers)."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "isolation"

# From the bottom up. A layer may import itself and those before it.
LAYERS = ["rules", "engines", "bots", "rooms", "store", "cluster", "web", "terminal"]

# Modules that stand outside the folders of the layers, and the layer they belong to.
LONE = {"isolation": "rules", "__main__": "terminal", "__init__": "rules"}

# What only one layer may know.
PRIVATE = {
    "flask": "web",
    "flask_socketio": "web",
    "jinja2": "web",
    "werkzeug": "web",
    "eventlet": "web",
    "sqlalchemy": "store",
    "alembic": "store",
    "redis": "cluster",
    "limits": "cluster",
}

# The rules have no clock, no random, no input and no output.
PURE = {
    "abc",
    "bisect",
    "collections",
    "dataclasses",
    "enum",
    "functools",
    "re",
    "textwrap",
    "typing",
}


# What starts processes, talks to them or compiles: none of it is the rooms' affair.
MACHINERY = {"subprocess", "multiprocessing", "socket", "signal", "numba"}


def layer_of(module: str) -> str:
    parts = module.split(".")
    name = parts[1] if len(parts) > 1 else "__init__"
    return LONE.get(name, name)


def modules() -> list[tuple[str, Path]]:
    return [
        (".".join(path.relative_to(ROOT).with_suffix("").parts), path)
        for path in sorted(PACKAGE.rglob("*.py"))
    ]


def imports(module: str, path: Path) -> set[str]:
    """Everything that a file imports at any depth, but for type checkers only."""
    found: set[str] = set()
    pending: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            pending += node.orelse
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= imported_from(module, node)
        pending += ast.iter_child_nodes(node)
    return found


def imported_from(module: str, node: ast.ImportFrom) -> set[str]:
    assert node.level == 0, f"{module} imports relatively: say the whole name"
    source = node.module or ""
    return {f"{source}.{alias.name}" for alias in node.names}  # a module, or a name in one


@pytest.mark.parametrize(("module", "path"), modules(), ids=lambda value: str(value)[-40:])
def test_imports_point_down(module: str, path: Path) -> None:
    here = layer_of(module)
    assert here in LAYERS, f"{module} belongs to no layer"
    for imported in imports(module, path):
        top = imported.split(".")[0]
        if top == "isolation":
            there = layer_of(imported)
            assert LAYERS.index(there) <= LAYERS.index(here), f"{module} imports {imported}"
        assert PRIVATE.get(top, here) == here, f"{module} imports {imported}"


def executed(module: str, path: Path) -> set[str]:
    """What a file imports, and the packages around each, whose `__init__` is executed first."""
    return {
        whole
        for name in imports(module, path)
        for whole in accumulate(name.split("."), "{}.{}".format)
    }


def test_rooms_start_no_processes() -> None:
    """Nor does anything that they import, however many modules lie between."""
    files = {name.removesuffix(".__init__"): path for name, path in modules()}
    ways = {name: name for name in files if name.startswith("isolation.rooms")}
    pending = list(ways)
    while pending:
        module = pending.pop()
        for name in executed(module, files[module]):
            assert name not in MACHINERY, f"{ways[module]} imports {name}"
            if name in files and name not in ways:
                ways[name] = f"{ways[module]} > {name}"
                pending.append(name)


@pytest.mark.parametrize(("module", "path"), modules(), ids=lambda value: str(value)[-40:])
def test_rules_are_pure(module: str, path: Path) -> None:
    if module.startswith("isolation.rules"):
        outside = {name.split(".")[0] for name in imports(module, path)} - {"isolation"}
        assert outside <= PURE
        called = {
            node.func.id
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not called & {"open", "print", "input", "exec", "eval", "__import__"}


def test_importing_the_rules_imports_nothing_above_them() -> None:
    program = (
        "import sys, isolation.rules, isolation.isolation\n"
        "print(*[m for m in sys.modules if m.startswith('isolation.')])\n"
        "print('multiprocessing' in sys.modules, 'random' in sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    names, others = run.stdout.splitlines()
    assert {layer_of(name) for name in names.split()} == {"rules"}
    assert others == "False False"


def test_only_the_rules_decide_when_a_player_must_pass() -> None:
    """`GameRecord.must_pass` says so; above the rules nobody combines `can_pass` with the moves."""
    for module, path in modules():
        if layer_of(module) != "rules":
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                is_asked = isinstance(node, ast.Attribute) and node.attr == "can_pass"
                assert not is_asked, f"{module} line {getattr(node, 'lineno', 0)}"


def test_no_module_asks_which_game_it_is() -> None:
    """Dispatch is by table: no comparison with the key of a game, outside the table itself."""
    keys = {"classic", "knights", "isola", "slider", "linear"}
    for module, path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare):
                compared = [node.left, *node.comparators]
                constants = {part.value for part in compared if isinstance(part, ast.Constant)}
                assert not constants & keys, f"{module} line {node.lineno}"


def test_no_module_asks_which_kind_of_room_it_is() -> None:
    """What's allowed in a room is data: rooms/kinds.py. (Seats of computers are another thing.)"""
    kinds = {"friend", "local", "computers", "contest"}
    names = {kind.upper() for kind in kinds}
    for module, path in modules():
        if module == "isolation.rooms.kinds":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare):
                compared = [node.left, *node.comparators]
                constants = {part.value for part in compared if isinstance(part, ast.Constant)}
                called = {part.id for part in compared if isinstance(part, ast.Name)}
                assert not constants & kinds, f"{module} line {node.lineno}"
                assert not called & names, f"{module} line {node.lineno}"


@pytest.mark.parametrize(("module", "path"), modules(), ids=lambda value: str(value)[-40:])
def test_no_module_is_too_long(module: str, path: Path) -> None:
    if not module.startswith("isolation.engines.core"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


# What is told to clients, by the names of the functions that tell it.
TELLING = {"tell", "tell_players", "tell_stands", "tell_lobby", "tell_watching", "put", "line"}
NO_ANSWERS = {
    "isolation.rooms.clock",  # as it's stored
    "isolation.rooms.moving",  # drafts of events
    "isolation.rooms.timing",
    "isolation.web.refusals",  # errors
    "isolation.web.health",  # for monitors
    "isolation.web.metrics",
    "isolation.web.fields",  # JSON Schema
    "isolation.web.openapi",
}


def is_shape(node: ast.expr | None) -> bool:
    """A dict with two names or more, or with one and another dict in it; maybe one of two."""
    if isinstance(node, ast.IfExp):
        return is_shape(node.body) or is_shape(node.orelse)
    if isinstance(node, (ast.Tuple, ast.List)):
        return any(map(is_shape, node.elts))
    if isinstance(node, ast.ListComp):
        return is_shape(node.elt)
    if not isinstance(node, ast.Dict):
        return False
    names = [key for key in node.keys if isinstance(key, ast.Constant)]
    return len(names) > 1 or any(map(is_shape, node.values))


def shapes(tree: ast.AST) -> Iterator[int]:
    """The lines in which something that is returned, or told, is put together."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Return, ast.Yield)) and is_shape(node.value):
            yield node.lineno
        if isinstance(node, ast.Call):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else ast.unparse(called)
            if name in TELLING and any(map(is_shape, node.args)):
                yield node.lineno
            if name == "jsonify" and len([one for one in node.keywords if one.arg]) > 1:
                yield node.lineno


@pytest.mark.parametrize(("module", "path"), modules(), ids=lambda value: str(value)[-40:])
def test_only_views_make_the_shapes_that_leave_the_server(module: str, path: Path) -> None:
    is_view = module.startswith("isolation.rooms.views") or module in NO_ANSWERS
    if layer_of(module) in ("rooms", "web") and not is_view:
        lines = list(shapes(ast.parse(path.read_text(encoding="utf-8"))))
        assert not lines, f"{module} lines {lines}: put it into rooms/views"
