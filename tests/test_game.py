"""The fold of a game's log: seats, moves, clocks, offers, endings, and what is refused."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolation.rooms.clock import TimeControl, grace
from isolation.rooms.errors import Refused
from isolation.rooms.expiry import DAY, HOUR
from isolation.rooms.fold import InvalidEvent, fold, follow
from isolation.rooms.game import COMPUTER, Game, GameStart, Seat
from isolation.rooms.log import Event
from isolation.rules import GameRecord, Outcome, Reason, ending_words

ANN, BOB = "identity of ann", "identity of bob"


def start(
    variant: str = "slider", clock: Mapping[str, float] | None = None, **options: Any
) -> GameStart:
    control = TimeControl.from_dict(clock)
    return GameStart("game", "room", 1, variant, options, control, (Seat(), Seat()), 0, 1000.0)


class Table:
    """A game to which things happen, at a time that the test says."""

    def __init__(self, given: GameStart, is_seated: bool = True) -> None:
        self.game = Game.begin(given)
        self.log: list[Event] = []
        if is_seated:
            self.add("seat", 1000, seat=0, identity=ANN, name="Ann")
            self.add("seat", 1000, seat=1, identity=BOB, name="Bob")

    def add(self, kind: str, at: float = 1000, **data: Any) -> Game:
        event = Event(self.game.v + 1, kind, data, at)
        self.game = follow(self.game, event)
        self.log.append(event)
        return self.game

    def move(self, text: str, at: float = 1000, **data: Any) -> Game:
        return self.add("move", at, move=text, id=f"{self.game.v}", **data)

    def refuses(self, code: str, kind: str, **data: Any) -> None:
        before = self.game
        with pytest.raises(Refused) as caught:
            self.add(kind, **data)
        assert caught.value.code == code
        assert self.game is before


def test_a_game_begins_when_both_seats_are_taken() -> None:
    table = Table(start(), is_seated=False)
    table.add("seat", seat=0, identity=ANN, name="Ann")
    assert not table.game.is_on
    table.refuses("waiting", "move", move="a2-b2", id="1")
    table.refuses("waiting", "resign", player=0)
    table.refuses("taken", "seat", seat=0, identity=BOB, name="Bob")
    assert table.add("seat", seat=1, identity=BOB, name="Bob").is_on
    assert table.game.players_of(ANN) == [0]
    assert table.game.players_of("somebody else") == []


def test_moves_are_checked_by_the_rules() -> None:
    table = Table(start())
    table.refuses("illegal", "move", move="a2-a9", id="1")
    table.refuses("illegal", "move", move="junk", id="1")
    assert table.move("a2-b2").ply == 1
    assert table.game.to_move == 1


def test_events_follow_each_other_without_gaps() -> None:
    table = Table(start())
    for seq in (table.game.v, table.game.v + 2):
        with pytest.raises(InvalidEvent, match="can't follow"):
            follow(table.game, Event(seq, "resign", {"player": 0}, 1000))


@pytest.mark.parametrize(
    ("kind", "data", "winner", "reason"),
    [
        ("resign", {"player": 0}, 1, "Player 1 resigned"),
        ("resign", {"player": 1}, 0, "Player 2 resigned"),
        ("flag", {"player": 1}, 0, "Player 2 ran out of time"),
        ("claim", {"player": 0, "result": "win"}, 0, "Player 2 left the game"),
        ("claim", {"player": 1, "result": "draw"}, None, "Player 1 left the game"),
        ("abort", {"player": 1}, None, "aborted"),
    ],
)
def test_endings(kind: str, data: dict[str, Any], winner: int | None, reason: str) -> None:
    table = Table(start())
    game = table.add(kind, **data)
    assert game.outcome is not None
    assert (game.outcome.winner, ending_words(game.outcome)) == (winner, reason)
    assert game.is_aborted == (kind == "abort")
    for refused in ("resign", "flag", "abort", "draw_offered", "takeback_proposed"):
        table.refuses("over", refused, player=0)
    table.refuses("over", "move", move="a2-b2", id="9")


def test_a_game_is_aborted_before_the_second_ply_only() -> None:
    table = Table(start())
    table.move("a2-b2")
    table.move("c1-c2")
    table.refuses("too_late", "abort", player=0)


def test_a_draw_is_offered_and_agreed_where_the_game_has_draws() -> None:
    table = Table(start())
    table.refuses("no_offer", "draw_agreed", player=1)
    assert table.add("draw_offered", player=0).draw_offer == 0
    table.refuses("offered", "draw_offered", player=1)
    table.refuses("no_offer", "draw_agreed", player=0)
    assert table.add("draw_declined", player=1).draw_offer is None
    table.add("draw_offered", player=1)
    assert table.add("draw_agreed", player=0).outcome is not None
    assert table.game.record.result == "1/2-1/2"
    Table(start("classic")).refuses("no_draws", "draw_offered", player=0)


def test_a_draw_offer_is_declined_by_moving_on() -> None:
    table = Table(start())
    table.add("draw_offered", player=0)
    assert table.move("a2-b2").draw_offer == 0  # the one who offers may move meanwhile
    assert table.move("c1-c2").draw_offer is None


def test_a_takeback_takes_back_the_last_move_of_who_proposed_it() -> None:
    table = Table(start())
    table.refuses("nothing", "takeback_proposed", player=0)
    table.move("a2-b2")
    table.refuses("nothing", "takeback_proposed", player=1)
    table.add("takeback_proposed", player=0)
    table.refuses("no_offer", "takeback_agreed", player=0)
    assert table.add("takeback_agreed", player=1).ply == 0
    table.move("a2-b2")
    table.move("c1-c2")
    table.move("a3-b3")
    table.add("takeback_proposed", player=1)
    game = table.add("takeback_agreed", player=0)
    assert (game.ply, game.to_move) == (1, 1)
    assert game.record.notation() == ["a2-b2"]
    table.move("c1-c2")
    table.add("takeback_proposed", player=0)
    assert table.add("takeback_declined", player=1).takeback_offer is None
    assert table.game.ply == 2


def test_the_id_of_a_move_is_remembered_after_it_is_taken_back() -> None:
    table = Table(start())
    table.add("move", move="a2-b2", id="first")
    table.add("takeback_proposed", player=0)
    table.add("takeback_agreed", player=1)
    assert "first" in table.game.moves_made


def test_clocks_run_from_the_third_ply_with_increment() -> None:
    table = Table(start(clock={"minutes": 1, "increment": 5}))
    assert not table.move("a2-b2", at=1100).is_clock_running
    game = table.move("c1-c2", at=1200)
    assert game.is_clock_running
    assert game.deadline == 1260
    assert game.time_left(1210) == (50, 60)
    assert game.time_left(1300) == (0, 60)
    game = table.move("a3-b3", at=1220)
    assert game.left == (45, 60)  # twenty seconds gone, five given
    assert game.deadline == 1280
    game = table.add("flag", at=1280, player=1)
    assert game.left == (45, 0)
    assert game.deadline is None


def test_in_correspondence_every_turn_has_its_days() -> None:
    table = Table(start(clock={"days": 1}))
    table.move("a2-b2", at=1000)
    table.move("c1-c2", at=1000)
    game = table.move("a3-b3", at=50_000)
    assert game.left == (86400, 86400)
    assert game.deadline == 50_000 + 86400


def test_a_takeback_gives_back_no_increment() -> None:
    table = Table(start(clock={"minutes": 1, "increment": 10}))
    for at, text in enumerate(["a2-b2", "c1-c2", "a3-b3"]):
        table.move(text, at=1000 + at)
    assert table.game.left == (69, 60)
    table.add("takeback_proposed", at=1003, player=0)
    assert table.add("takeback_agreed", at=1004, player=1).left == (59, 58)


def test_after_a_takeback_in_correspondence_the_turn_has_its_days() -> None:
    table = Table(start(clock={"days": 1}))
    for at, text in enumerate(["a2-b2", "c1-c2", "a3-b3"]):
        table.move(text, at=1000 + 20_000 * at)
    table.add("takeback_proposed", at=70_000, player=0)
    assert table.add("takeback_agreed", at=80_000, player=1).left == (86400, 86400)


def test_a_computer_is_charged_what_it_spent_itself() -> None:
    table = Table(start(clock={"minutes": 1}))
    table.move("a2-b2", at=1000)
    table.move("c1-c2", at=1000)
    assert table.move("a3-b3", at=1030, spent=2.0).left == (58, 60)


def test_an_outage_is_charged_to_nobody() -> None:
    table = Table(start(clock={"minutes": 1}))
    table.move("a2-b2", at=1000)
    table.move("c1-c2", at=1000)
    game = table.add("resume", at=5000, gap=3990)
    assert game.time_left(5000) == (50, 60)
    assert game.deadline == 5050


class Timed(Table):
    """A game of one minute each, in which Player 1's clock has run since 1000."""

    def __init__(self, minutes: float = 1) -> None:
        super().__init__(start(clock={"minutes": minutes}))
        self.move("a2-b2", at=1000)
        self.move("c1-c2", at=1000)

    def denies(self, kind: str, at: float, **data: Any) -> None:
        before = self.game
        with pytest.raises(InvalidEvent):
            self.add(kind, at, **data)
        assert self.game is before


def test_a_flag_needs_evidence_that_the_time_is_up() -> None:
    table = Timed()
    table.denies("flag", 1059.9, player=0, deadline=1060)  # it isn't yet
    table.denies("flag", 1061, player=1, deadline=1060)  # the other one's clock runs
    table.denies("flag", 1061, player=0, deadline=1059)  # of an older turn
    assert table.add("flag", 1060, player=0, deadline=1060).outcome


def test_a_flag_from_before_there_was_evidence_counts() -> None:
    assert Timed().add("flag", 1001, player=0).outcome


def test_a_computer_is_never_flagged() -> None:
    seats = (Seat(COMPUTER, 3), Seat())
    clock = TimeControl.from_dict({"minutes": 1})
    table = Table(GameStart("game", "room", 1, "slider", {}, clock, seats, 0, 1000.0), False)
    table.add("seat", 1000, seat=1, identity=BOB, name="Bob")
    table.move("a2-b2")
    table.move("c1-c2")
    with pytest.raises(InvalidEvent):
        table.add("flag", 2000, player=0, deadline=table.game.deadline)


def test_a_claim_needs_evidence_that_somebody_was_gone() -> None:
    table = Timed()  # the grace is 30 s
    table.denies("claim", 1029, player=1, result="win", gone=900)  # not in this turn
    table.denies("claim", 1040, player=1, result="win", gone=1020)
    assert table.add("claim", 1050, player=1, result="win", gone=1020).outcome
    early = Table(start())
    with pytest.raises(InvalidEvent):
        early.add("claim", 9999, player=1, result="win", gone=1000)
    alone = Table(start(), is_seated=False)
    for seat in (0, 1):
        alone.add("seat", seat=seat, identity=ANN, name="Ann")
    alone.move("a2-b2")
    alone.move("c1-c2")
    with pytest.raises(InvalidEvent):
        alone.add("claim", 9999, player=1, result="win", gone=1000)


def test_only_a_win_or_a_draw_can_be_claimed() -> None:
    table = Timed()
    table.denies("claim", 1050, player=1, result="banana", gone=1020)
    table.denies("claim", 1050, player=1, result="banana")


def test_a_claim_from_before_there_was_evidence_counts() -> None:
    assert Timed().add("claim", 1001, player=1, result="draw").outcome


def test_each_outage_is_given_back_once() -> None:
    table = Timed()
    game = table.add("resume", 5000, gap=3990, **{"from": 1010, "to": 5000})
    assert game.time_left(5000) == (50, 60)
    table.denies("resume", 5000, gap=3990, **{"from": 1010, "to": 5000})  # again
    table.denies("resume", 5010, gap=500, **{"from": 5005, "to": 5010})  # more than it was
    table.denies("resume", 5010, gap=500, **{"from": 5005, "to": 5505})  # not over yet
    table.denies("resume", 5020, gap=-5, **{"from": 5015, "to": 5010})  # back in time
    game = table.add("resume", 5020, gap=10, **{"from": 5010, "to": 5020})
    assert game.time_left(5020) == (40, 60)
    # A turn that began in the middle of what counts as an outage loses nothing either.
    table.move("a3-b3", at=5021)
    game = table.add("resume", 5040, gap=19, **{"from": 5015, "to": 5040})
    assert game.time_left(5040) == (39, 60)


def test_a_game_that_everybody_has_left_expires() -> None:
    waiting = Table(start(), is_seated=False)
    with pytest.raises(InvalidEvent):
        waiting.add("expired", 1000 + 6 * DAY, player=None)
    assert waiting.add("expired", 1000 + 7 * DAY, player=None).is_aborted
    unstarted = Table(start(clock={"minutes": 3}))
    with pytest.raises(InvalidEvent):
        unstarted.add("expired", 1000 + HOUR - 1, player=None)
    assert unstarted.add("expired", 1000 + HOUR, player=None).is_aborted
    left = Table(start())
    left.move("a2-b2")
    left.move("c1-c2")
    with pytest.raises(InvalidEvent):
        left.add("expired", 1000 + 30 * DAY, player=1)  # who isn't to move
    game = left.add("expired", 1000 + 30 * DAY, player=0)
    assert game.outcome == Outcome(1, Reason.ABANDONED, 0)


def test_rematches_are_offered_once_the_game_is_over() -> None:
    table = Table(start())
    table.refuses("not_over", "rematch_offered", player=0)
    table.add("resign", player=0)
    assert table.add("rematch_offered", player=0).rematch_offer == 0
    assert table.add("succeeded", game="next").successor == "next"
    table.refuses("over", "rematch_offered", player=1)
    table.refuses("over", "succeeded", game="another")


def test_a_question_counts_for_one_turn() -> None:
    table = Table(start())
    assert table.add("asked", 1001, ply=0).asked == 0
    table.refuses("stale", "asked", ply=1)
    assert table.move("a2-b2").asked is None


def test_a_game_may_begin_anywhere() -> None:
    position = GameRecord.begin("slider").play((6, 7)).position.to_dict()
    given = replace(start(), position=position)
    table = Table(given)
    assert table.game.to_move == 1
    assert table.move("c1-c2").record.start is not None


def test_a_computer_needs_nobody_to_sit_down() -> None:
    seats = (Seat(COMPUTER, 3), Seat(COMPUTER, 5))
    given = GameStart("game", "room", 1, "classic", {}, None, seats, 0, 1000.0)
    assert Game.begin(given).is_on


@given(st.floats(0.25, 180), st.floats(0, 180))
def test_clocks_survive_being_stored(minutes: float, increment: float) -> None:
    control = TimeControl.from_dict({"minutes": minutes, "increment": increment})
    assert control is not None
    again = TimeControl.from_dict(control.to_dict())
    assert again is not None
    assert abs(again.initial - control.initial) < 1e-6
    assert again.increment == control.increment


def test_the_grace_of_an_absent_player_grows_with_the_clock() -> None:
    minutes = [grace(TimeControl.from_dict({"minutes": n})) for n in (1, 10, 60)]
    assert minutes == [30, 60, 360]
    assert grace(None) == 60
    assert grace(TimeControl.from_dict({"days": 1})) is None  # there the clock decides


def test_any_log_folds_to_the_same_game_again() -> None:
    table = Table(start(clock={"minutes": 3, "increment": 2}))
    table.move("a2-b2", at=1010)
    table.move("c1-c2", at=1020)
    table.add("draw_offered", at=1021, player=0)
    table.add("takeback_proposed", at=1022, player=1)
    table.add("takeback_agreed", at=1023, player=0)
    table.move("d1-d2", at=1030)
    table.add("resume", at=1040, gap=5.0)
    table.add("resign", at=1050, player=1)
    assert fold(table.game.start, table.log) == table.game


def details(table: Table, kind: str, **data: Any) -> dict[str, Any]:
    with pytest.raises(Refused) as caught:
        table.add(kind, **data)
    return caught.value.details


def test_refusals_are_told_apart_by_codes() -> None:
    table = Table(start())
    assert details(table, "draw_agreed", player=1)["kind"] == "draw"
    assert details(table, "takeback_declined", player=1)["kind"] == "takeback"
    table.add("draw_offered", player=0)
    assert details(table, "draw_offered", player=1)["kind"] == "draw"
    assert details(table, "move", move="hello", id="1")["why"] == "unreadable"
    assert details(table, "move", move="a2-d5", id="1")["why"] == "forbidden"
