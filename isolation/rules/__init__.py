"""The rules of the five games, and nothing else: no clock, no random, no input or output."""

from isolation.rules.endings import Outcome, Reason, ending_words, lost_by_fault, read_ending
from isolation.rules.errors import IllegalMove, InvalidOption, InvalidPosition, InvalidRecord
from isolation.rules.fen import read_fen, write_fen
from isolation.rules.perft import perft
from isolation.rules.position import PASS, Move, Position
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
    "ending_words",
    "find_variant",
    "lost_by_fault",
    "perft",
    "position_from_dict",
    "read_ending",
    "read_fen",
    "read_record",
    "write_fen",
    "write_record",
]
