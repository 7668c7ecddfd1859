"""The rules of the five games, and nothing else: no clock, no random, no input or output."""

from isolation.rules.errors import IllegalMove, InvalidOption, InvalidPosition, InvalidRecord
from isolation.rules.perft import perft
from isolation.rules.position import PASS, Move, Outcome, Position, Reason
from isolation.rules.record import DISCARD, GameRecord
from isolation.rules.record_text import read_record, write_record
from isolation.rules.variants import VARIANTS, Fault, Variant, find_variant, position_from_dict

__all__ = [
    "DISCARD",
    "PASS",
    "VARIANTS",
    "Fault",
    "GameRecord",
    "IllegalMove",
    "InvalidOption",
    "InvalidPosition",
    "InvalidRecord",
    "Move",
    "Outcome",
    "Position",
    "Reason",
    "Variant",
    "find_variant",
    "perft",
    "position_from_dict",
    "read_record",
    "write_record",
]
