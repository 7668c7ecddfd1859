"""Writes what is made from the table of commands: `python -m tools.wire`.

These are tables in docs/protocol.md and docs/bot-api.md, between two marks, and the types that the
pages' calls are checked against. A test fails when one of them isn't up to date.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from isolation.web.commands import EVENTS, REQUESTS, Command, Http
from isolation.web.fields import Schema, schema_of

ROOT = Path(__file__).parents[1]
BEGIN, END = "<!-- commands -->\n", "<!-- end of commands -->\n"
TYPES = """\
// The fields of each event that a page can send. Made by `python -m tools.wire` from the table in
// isolation/web/commands.py: change that, not this.

export interface Commands {
EVENTS}
"""
_NAMES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}


def events_table() -> Iterator[str]:
    yield _row("event", "fields", "what it does", "what the answer has")
    yield "|---|---|---|---|"
    for command in EVENTS.values():
        fields = _fields(schema_of(command.fields))
        yield _row(f"`{command.name}`", fields, command.summary, command.answer)


def requests_table() -> Iterator[str]:
    yield _row("request", "fields", "what it does", "what the answer has")
    yield "|---|---|---|---|"
    for request in REQUESTS:
        http = request.http
        fields = f"`?{http.query}`" if http.query else _fields(request.body)
        does = f"{request.summary}{_door(http)}"
        yield _row(f"`{http.method} {http.address}`", fields, does, request.answer)


def _door(http: Http) -> str:
    if http.is_open:
        return ". No token needed"
    return ". The site's cookie will do, too" if http.takes_cookie else ""


def _row(*cells: str) -> str:
    return f"|{'|'.join(f' {cell} ' if cell else ' ' for cell in cells)}|"


def _fields(schema: Schema) -> str:
    """Those that are needed, then those that aren't."""
    needed = [_field(name, schema) for name in schema["required"]]
    others = [
        _field(name, schema) for name in schema["properties"] if name not in schema["required"]
    ]
    optional = f"optional: {', '.join(others)}" if others else ""
    return "; ".join(filter(None, (", ".join(needed), optional)))


def _field(name: str, schema: Schema) -> str:
    values = schema["properties"][name].get("enum", ())
    words = ", ".join(f"`{json.dumps(value)}`" for value in values).replace('"', "")
    return f"`{name}` ({words})" if values else f"`{name}`"


def types() -> str:
    """The fields of each event, in TypeScript."""
    events = "".join(f"  {command.name}: {_fields_type(command)};\n" for command in EVENTS.values())
    return TYPES.replace("EVENTS", events)


def _fields_type(command: Command) -> str:
    rows = _rows(schema_of(command.fields))
    lines = "".join(f"    {row};\n" for row in rows)
    return f"{{\n{lines}  }}" if rows else "Record<string, never>"


def _type(schema: Schema) -> str:
    """A JSON Schema in TypeScript."""
    if "enum" in schema or "const" in schema:
        values = schema.get("enum") or [schema["const"]]
        return " | ".join(json.dumps(value) for value in values)
    if either := schema.get("anyOf") or schema.get("oneOf"):
        return " | ".join(_type(one) for one in either)
    kinds = schema.get("type", ())
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return " | ".join(_simple(kind, schema) for kind in kinds) or "unknown"


def _simple(kind: str, schema: Schema) -> str:
    if kind == "array":
        return f"Array<{_type(schema['items'])}>"
    if kind == "object" and "properties" in schema:
        return f"{{ {'; '.join(_rows(schema))} }}"
    return _NAMES.get(kind, kind)


def _rows(schema: Schema) -> list[str]:
    needed = schema.get("required", ())
    return [
        f"{name}{'' if name in needed else '?'}: {_type(about)}"
        for name, about in schema["properties"].items()
    ]


def _with_table(page: str, table: Iterator[str]) -> str:
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    rows = "".join(f"{row}\n" for row in table)
    return f"{before}{BEGIN}\n{rows}\n{END}{after}"


Make = Callable[[str], str]
FILES: dict[Path, Make] = {
    ROOT / "docs" / "protocol.md": lambda page: _with_table(page, events_table()),
    ROOT / "docs" / "bot-api.md": lambda page: _with_table(page, requests_table()),
    ROOT / "static" / "js" / "commands.d.ts": lambda _: types(),
}


def outdated() -> dict[Path, str]:
    """The files that aren't as the table says, and how they should be."""
    now = {path: path.read_text(encoding="utf-8") if path.exists() else "" for path in FILES}
    made = {path: make(now[path]) for path, make in FILES.items()}
    return {path: text for path, text in made.items() if text != now[path]}


def main() -> None:
    for path, text in outdated().items():
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
