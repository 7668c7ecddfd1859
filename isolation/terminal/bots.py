"""The commands around bots: the arena, and the ladder."""

import os
import re
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from pathlib import Path
from random import Random

from isolation.bots import client
from isolation.bots.arena import Arena, Pairing, Standing, pairings
from isolation.bots.faults import BotFault
from isolation.bots.game import Played
from isolation.bots.ladder import Ladder, Match, ranking
from isolation.bots.player import Engines, Player, find_player, look_at
from isolation.rules import InvalidOption, find_variant, write_record
from isolation.terminal.options import add_game, read_options
from isolation.terminal.screen import Screen

BAR = 30
MAX_NAME = 24  # on a site
LADDER = Path("instance") / "ladder"


class ArenaCommand:
    """let bots and AIs play each other, and count"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "players",
            nargs="+",
            metavar="PLAYER",
            help="a .py or .js file, a program that speaks the engine protocol, a level of the "
            "computer (a number), random or greedy",
        )
        add_game(parser, allows_random=True, name="--game")
        add_rounds(parser, "--rounds", 2, "games between each two; seats alternate")
        parser.add_argument("--fair", action="store_true", help="play each opening from both sides")
        add_limits(parser)
        parser.add_argument("--save", type=Path, metavar="FOLDER", help="write the records there")

    def run(self, arguments: Namespace, screen: Screen) -> None:
        if len(arguments.players) < 2:
            raise InvalidOption("an arena needs two players or more")
        variant, lot = find_variant(arguments.game), Random(arguments.seed)
        options = read_options(variant, arguments)
        variant.draw(options, lot)  # what is wrong with them is told before anybody plays
        players: list[Player] = []
        try:
            with Engines() as engines:
                for given in arguments.players:
                    found = _find(given, variant.key, engines, lot, arguments.ms)
                    players.append(found)
                arena = Arena(variant.key, players, arguments.rounds)
                self._play(arguments, arena, options, lot, screen)
        finally:
            for player in players:
                player.close()

    def _play(
        self,
        arguments: Namespace,
        arena: Arena,
        options: dict[str, object],
        lot: Random,
        screen: Screen,
    ) -> None:
        count = len(arguments.players)
        games = list(
            pairings(count, arguments.game, options, arguments.rounds, arguments.fair, lot)
        )
        progress = Progress(len(games))
        for pairing in games:
            played = arena.play(pairing)
            if arguments.save:
                _save(arguments.save, pairing, played)
            progress.step()
        progress.end()
        screen.say(table(arena.ranking()))
        for standing in arena.ranking():
            for fault in sorted(set(standing.faults))[:3]:
                screen.say(f"{standing.name}: {fault}")


class Progress:
    """A bar on a terminal, nothing elsewhere."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._is_shown = sys.stderr.isatty()

    def step(self) -> None:
        self._done += 1
        if self._is_shown:
            full = BAR * self._done // self._total
            bar = "#" * full + "." * (BAR - full)
            print(f"\r[{bar}] {self._done}/{self._total}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._is_shown:
            print("\r" + " " * (BAR + 20) + "\r", end="", file=sys.stderr, flush=True)


def table(standings: list[Standing]) -> str:
    """The standings as lines of text."""
    width = max(len(standing.name) for standing in standings)
    lines = [f"{'':{width}}   won drawn  lost   points  95 % interval     ns a call  faults"]
    for one in standings:
        low, high = one.share
        share = one.points / one.games if one.games else 0.0
        lines.append(
            f"{one.name:{width}} {one.wins:5} {one.draws:5} {one.losses:5} {share:8.1%}"
            f"  {low:6.1%} to {high:6.1%} {one.average_ns:11,.0f} {len(one.faults):7}"
        )
    return "\n".join(lines)


def _save(folder: Path, pairing: Pairing, played: Played) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{pairing.number:04}.txt"
    path.write_text(write_record(played.record), encoding="utf-8")


class BotCommand:
    """let a bot of any API play on a site, in a room or whenever it is asked"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a bot, as for `arena`")
        where = parser.add_mutually_exclusive_group(required=True)
        where.add_argument("--room", metavar="URL", help="play one game in this room")
        where.add_argument("--serve", metavar="URL", help="accept games on this site until stopped")
        parser.add_argument(
            "--games", type=_count, default=4, metavar="N", help="so many at a time (default: 4)"
        )
        parser.add_argument("--name", help="what it is called there (default: its own name)")
        parser.add_argument("--token", help="who it is there (default: $ISOLATION_TOKEN, or new)")
        add_limits(parser)

    def run(self, arguments: Namespace, screen: Screen) -> None:
        lot = Random(arguments.seed)
        with Engines() as engines:

            def make(variant: str) -> Player:
                return find_player(arguments.file, variant, engines, lot, arguments.ms)

            try:
                self._play(arguments, make, screen)
            except (BotFault, client.Refusal, client.Lost) as error:
                raise InvalidOption(str(error)) from None

    def _play(self, arguments: Namespace, make: Callable[[str], Player], screen: Screen) -> None:
        name, games = look_at(arguments.file)
        token = arguments.token or os.environ.get("ISOLATION_TOKEN")
        address = arguments.room or arguments.serve
        site = client.Site(address, token, arguments.name or name[:MAX_NAME])
        if arguments.serve:
            screen.say(f"{site.name} waits for games of {', '.join(games)} on {site.address}.")
            client.serve(site, games, arguments.games, make, screen.say)
        found = re.search(r"/room/([\w-]+)", address)
        if not found:
            raise InvalidOption(f"{address!r:.80} is no link to a room")
        screen.say(client.play_in_room(site, found[1], make, screen.say))


class LadderCommand:
    """the isola competition: submit a bot, run the ladder, show it"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--folder", type=Path, default=LADDER, help="where the ladder is kept")
        verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
        submit = verbs.add_parser("submit", help="check a bot, and enter it")
        submit.add_argument("file", metavar="FILE", help="a .py or .js file; or a level, or random")
        submit.add_argument("--name", required=True, help='who wrote it: "Full Name"')
        run = verbs.add_parser("run", help="play, unattended, until the order is settled")
        add_rounds(run, "--sweeps", None, "times over the ladder at the most (default: its rungs)")
        add_limits(run)
        verbs.add_parser("show", help="the ranking")

    def run(self, arguments: Namespace, screen: Screen) -> None:
        getattr(self, f"_{arguments.verb}")(Ladder(arguments.folder), arguments, screen)

    def _submit(self, ladder: Ladder, arguments: Namespace, screen: Screen) -> None:
        try:
            entry = ladder.submit(arguments.file, arguments.name)
        except BotFault as fault:
            raise InvalidOption(f"{arguments.file} is not entered: {fault}") from None
        screen.say(f"{entry.name} by {entry.author} is entered.")

    def _run(self, ladder: Ladder, arguments: Namespace, screen: Screen) -> None:
        if len(ladder.entries) < 2:
            raise InvalidOption("a ladder needs two entries: enter them with `ladder submit`")
        sweeps = arguments.sweeps or len(ladder.entries)

        def tell(match: Match) -> None:
            screen.say(
                f"{match.sweep}. {match.challenger} against {match.defender}, {match.size} x "
                f"{match.size}: {match.winner} wins by {match.by}"
            )
            for name, reasons in match.reasons.items():
                for reason in reasons:
                    screen.say(f"   {name}: {reason}")

        ladder.run(sweeps, arguments.ms, Random(arguments.seed), tell)
        self._show(ladder, arguments, screen)

    def _show(self, ladder: Ladder, arguments: Namespace, screen: Screen) -> None:
        rows = ranking(ladder)
        if not rows:
            screen.say("Nobody is on the ladder yet.")
            return
        width = max(len(row["name"]) for row in rows)
        screen.say(f"     {'':{width}}  played  won  Glicko-2      ns a call  faults  by")
        for row in rows:
            screen.say(
                f"{row['rung']:3}. {row['name']:{width}} {row['played']:7} {row['won']:4}"
                f"  {row['rating']:4} ±{row['deviation']:3} {row['average_ns']:13,}"
                f" {row['faults']:7}  {row['author']}"
            )


def add_rounds(parser: ArgumentParser, name: str, default: int | None, words: str) -> None:
    parser.add_argument(name, type=_count, default=default, metavar="N", help=words)


def add_limits(parser: ArgumentParser) -> None:
    parser.add_argument("--ms", type=_count, metavar="N", help="milliseconds a call may take")
    parser.add_argument("--seed", type=int, help="a number that makes the lots repeatable")


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 6 and int(text) >= 1):
        raise ArgumentTypeError(f"{text!r:.30} is not a number from 1 to 999999")
    return int(text)


def _find(given: str, game: str, engines: Engines, lot: Random, ms: float | None) -> Player:
    try:
        return find_player(given, game, engines, lot, ms)
    except BotFault as fault:
        raise InvalidOption(f"{given}: {fault}") from None
