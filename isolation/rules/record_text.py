"""Game records as text in the manner of PGN: headers, numbered moves, result."""

import re
from textwrap import fill
from typing import Any

from isolation.rules.errors import InvalidOption, InvalidRecord
from isolation.rules.record import RESULTS, UNFINISHED, GameRecord
from isolation.rules.variants import Variant, find_variant
from isolation.rules.words import shown

_HEADER = re.compile(r'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]')
_COMMENT = re.compile(r"\{[^}]*(?:\}|\Z)|;[^\n]*")
_NUMBER = re.compile(r"^\d+\.+")
_WIDTH = 80
_UNBROKEN = "\xa0"  # a space at which no line is broken


def write_record(record: GameRecord) -> str:
    """A record as text; `read_record` gives the same record back."""
    headers = {"Game": record.variant.key}
    for option in record.variant.options:
        headers[option.name.capitalize()] = option.write(record.options[option.name])
    headers |= record.tags
    headers["Result"] = record.result
    if outcome := record.outcome:
        headers["Termination"] = str(outcome.reason)
    lines = [f'[{name} "{_escape(value)}"]' for name, value in headers.items()]
    return "\n".join([*lines, "", _movetext(record), ""])


def _movetext(record: GameRecord) -> str:
    words = []
    for ply, turn in enumerate(record.notation()):
        number = f"{ply // 2 + 1}.{_UNBROKEN}" if ply % 2 == 0 else ""
        words.append(number + turn)
    text = fill(" ".join([*words, record.result]), _WIDTH, break_on_hyphens=False)
    return text.replace(_UNBROKEN, " ")


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _unescape(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value)


def read_record(text: str) -> GameRecord:
    """The record that a text holds, every move checked, or InvalidRecord."""
    if not isinstance(text, str):
        raise InvalidRecord(f"a record is a text, not {shown(text)}")
    headers, movetext = _split(text)
    if "Game" not in headers:
        raise InvalidRecord('a record begins with its game, like [Game "classic"]')
    try:
        variant = find_variant(headers.pop("Game"))
        options = _options(variant, headers)
    except InvalidOption as error:
        raise InvalidRecord(str(error)) from None
    result = headers.pop("Result", UNFINISHED)
    termination = headers.pop("Termination", "")
    moves, closing = _moves(movetext)
    if UNFINISHED not in (result, closing) and result != closing:
        raise InvalidRecord(f"the result is {shown(result)} in the header and {closing} in the end")
    return GameRecord.from_dict(
        {
            "game": variant.key,
            "options": options,
            "moves": moves,
            "result": closing if result == UNFINISHED else result,
            "termination": termination,
            "tags": headers,
        }
    )


def _split(text: str) -> tuple[dict[str, str], str]:
    """The headers, and the text after them."""
    headers: dict[str, str] = {}
    lines = text.removeprefix("\ufeff").splitlines()
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        if not line.lstrip().startswith("["):
            return headers, "\n".join(lines[number:])
        match = _HEADER.fullmatch(line.strip())
        if not match:
            raise InvalidRecord(f'line {number + 1} is not a header like [Game "classic"]')
        if match[1] in headers:
            raise InvalidRecord(f"line {number + 1} gives {shown(match[1])} a second time")
        headers[match[1]] = _unescape(match[2])
    return headers, ""


def _options(variant: Variant, headers: dict[str, str]) -> dict[str, Any]:
    """The options among the headers, which lose them."""
    options = {}
    for option in variant.options:
        text = headers.pop(option.name.capitalize(), None)
        if text is not None:
            options[option.name] = option.read(text)
    return options


def _moves(movetext: str) -> tuple[list[str], str]:
    """The turns, and the result that closes them."""
    words = [_NUMBER.sub("", word) for word in _COMMENT.sub(" ", movetext).split()]
    words = [word for word in words if word]
    results = [*RESULTS.values(), UNFINISHED]
    for at, word in enumerate(words):
        if word in results:
            if words[at + 1 :]:
                raise InvalidRecord(f"{shown(words[at + 1])} comes after the result {word}")
            return words[:at], word
    return words, UNFINISHED
