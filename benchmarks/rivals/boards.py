"""The three kinds of boards as four whole numbers each, seen by the player to move.

| kind | first | second | third | fourth |
|---|---|---|---|---|
| PAWNS | empty cells | my cell | the enemy's cell | cells never blocked |
| KNIGHTS | empty cells, low part | high part | my cell or -1 | the enemy's cell or -1 |
| SLIDER | my pieces | the enemy's | blocked cells | side + 2 * passes in a row |

A move is one number: first cell + 128 * second cell. `setup` makes these of a Position of
isolation.rules, and the tables that go with its board; `read_move` turns a move back.
"""

import numpy as np

from benchmarks.rivals import jumps, slides, steps
from benchmarks.rivals.compiled import compiled

PAWNS, KNIGHTS, SLIDER = 0, 1, 2
GAMES = {"classic": steps, "isola": steps, "knights": jumps, "slider": slides}
KINDS = {steps: PAWNS, jumps: KNIGHTS, slides: SLIDER}
MOST_MOVES = 512
SECOND = 128


def setup(position):
    """The kind, the four numbers and the tables of a position."""
    game = GAMES[position.game]
    blocked = 0 if game is steps else position.blocked
    return KINDS[game], board_of(position), game.tables(position.grid, blocked)


def board_of(position):
    return [np.int64(number) for number in GAMES[position.game].board(position)]


def past_keys(position, past):
    """Keys of the positions before this one, in the game in which positions recur."""
    return [key_of(*board_of(earlier)) for earlier in past] if position.can_pass else []


def read_move(position, move):
    return GAMES[position.game].read_move(position, move % SECOND, move // SECOND)


@compiled
def after(kind, a, b, c, d, move):
    """The board that the other player sees after a move."""
    if kind == PAWNS:
        return steps.after(a, b, c, d, move)
    if kind == KNIGHTS:
        return jumps.after(a, b, c, d, move)
    return slides.after(a, b, c, d, move)


@compiled
def outcome(kind, a, b, c, d):
    """1, 0 or -1 where the game ended with the last move and the board shows it, or else 2.

    In the games without passes that's never so: there a player without moves has lost.
    """
    return slides.outcome(a, b, d) if kind == SLIDER else 2


@compiled
def wins_at_once(kind, a, b, c, d, tables):
    """A move that ends the game in my favour, where it's cheap to see, or -1."""
    return steps.wins_at_once(a, b, c, d, tables) if kind == PAWNS else -1


@compiled
def can_move(kind, a, b, c, d, tables):
    """Whether I have a move, in the games in which I lose without."""
    return steps.can_move(a, b, tables) if kind == PAWNS else jumps.can_move(a, b, c)


@compiled
def moves_of(kind, a, b, c, d, reach, tables, moves):
    """Write all moves, promising ones first, and return how many there are.

    `reach` is for pawns: 0 lists every block, another number those so near the enemy and one
    more, and HUG only those next to the enemy.
    """
    if kind == PAWNS:
        return steps.moves_of(a, b, c, d, reach, tables, moves)
    if kind == KNIGHTS:
        return jumps.moves_of(a, b, c, moves)
    return slides.moves_of(a, b, c, d, tables, moves)


@compiled
def evaluate(kind, a, b, c, d, tables):
    """How good it looks for the player to move, about 10 for a cell or a step."""
    if kind == PAWNS:
        return steps.evaluate(a, b, c, tables)
    if kind == KNIGHTS:
        return jumps.evaluate(a, b, c, d)
    return slides.evaluate(a, b, d, tables)


@compiled
def key_of(a, b, c, d):
    """A number that tells boards apart, 62 bits of it."""
    mask = np.int64(0x3FFFFFFFFFFFFFFF)
    key = (a * 0x1E3779B97F4A7C15 + b) & mask
    key ^= key >> 29
    key = (key * 0x3F58476D1CE4E5B9 + c) & mask
    key ^= key >> 31
    key = (key * 0x14D049BB133111EB + d) & mask
    return key ^ key >> 30
