"""Game records as text in the manner of PGN: headers, numbered moves, result."""

import re
from collections.abc import Iterator
from typing import Any

from isolation.rules.endings import ending_words
from isolation.rules.errors import InvalidOption, InvalidPosition, InvalidRecord
from isolation.rules.fen import fen_data, write_fen
from isolation.rules.record import RESULTS, UNFINISHED, GameRecord
from isolation.rules.variants import Variant, find_variant
from isolation.rules.words import shown

_HEADER = re.compile(r'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]')
_COMMENT = re.compile(r"\{[^}]*(?:\}|\Z)|;[^\n]*")
_NUMBER = re.compile(r"^\d+\.+")
_WIDTH = 80


def write_record(record: GameRecord) -> str:
    """A record as text; `read_record` gives the same record back."""
    headers = {"Game": record.variant.key}
    for option in record.variant.options:
        headers[option.name.capitalize()] = option.write(record.options[option.name])
    if record.start:
        headers["Position"] = write_fen(record.start)
    headers |= record.tags
    headers["Result"] = record.result
    if outcome := record.outcome:
        headers["Termination"] = ending_words(outcome)
    lines = [f'[{name} "{_escape(value)}"]' for name, value in headers.items()]
    return "\n".join([*lines, "", _movetext(record), ""])


def _movetext(record: GameRecord) -> str:
    words = []
    for ply, turn in enumerate(record.notation()):
        words.append(f"{ply // 2 + 1}. {turn}" if ply % 2 == 0 else turn)
    return "\n".join(_lines([*words, record.result]))


def _lines(words: list[str]) -> Iterator[str]:
    """Lines as long as they may be. (textwrap takes fifty times as long, and others wait.)"""
    line = words[0]
    for word in words[1:]:
        if len(line) + 1 + len(word) <= _WIDTH:
            line = f"{line} {word}"
        else:
            yield line
            line = word
    yield line


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
        line = headers.pop("Position", None)
        position = None if line is None else fen_data(variant, line)
    except (InvalidOption, InvalidPosition) as error:
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
            "position": position,
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
