"""The commands that save a whole site to a file, and make a site of such a file again.

They read the settings that the server reads. What they need is imported when they run: other
commands do without Flask and SQLAlchemy.
"""

import os
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isolation.terminal.screen import Screen

if TYPE_CHECKING:
    from isolation.store.backups import Header

CONTENTS = ("room", "game", "event")


class CommandFailed(Exception):
    """Something that the person at the keyboard has to see to; the text says what."""


class BackupCommand:
    """save all games of a site to a file, while the site runs"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="a file that isn't there yet")

    def run(self, arguments: Namespace, screen: Screen) -> None:
        from isolation.store import StoreError
        from isolation.store.backups import BackupError
        from isolation.store.dumping import dump
        from isolation.web.identity import stored_key
        from isolation.web.settings import database_address

        settings = _settings()
        key = stored_key(settings["INSTANCE"])
        try:
            header = dump(database_address(settings), arguments.file, key)
        except (BackupError, StoreError) as error:
            raise CommandFailed(str(error)) from None
        size = arguments.file.stat().st_size
        screen.say(f"Saved {_contents(header)} to {arguments.file} ({size:,} bytes).")
        if key:
            screen.say("The site's secret key is in it: keep it where nobody else can read it.")


class RestoreCommand:
    """fill an empty database from a backup"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="what `backup` wrote")
        parser.add_argument(
            "--replace", action="store_true", help="delete whatever is in the database now"
        )

    def run(self, arguments: Namespace, screen: Screen) -> None:
        from isolation.store import StoreError
        from isolation.store.backups import BackupError
        from isolation.store.restoring import restore
        from isolation.web.settings import database_address

        settings = _settings()
        try:
            header = restore(arguments.file, database_address(settings), arguments.replace)
        except (BackupError, StoreError) as error:
            raise CommandFailed(str(error)) from None
        screen.say(f"Restored {_contents(header)}, as of {header.created}.")
        if header.secret_key:
            _restore_key(header.secret_key, settings, screen)


def _settings() -> dict[str, Any]:
    from isolation.web.settings import InvalidSetting, read_settings

    try:
        return read_settings(os.environ)
    except InvalidSetting as error:
        raise CommandFailed(str(error)) from None


def _contents(header: "Header") -> str:
    rooms, games, events = (_counted(header.count(f"{one}s"), one) for one in CONTENTS)
    return f"{rooms}, {games} and {events}"


def _counted(number: int, one: str) -> str:
    return f"{number:,} {one}{'s' * (number != 1)}"


def _restore_key(key: str, settings: dict[str, Any], screen: Screen) -> None:
    """Without the key, visitors would come back as strangers, and lose their seats."""
    from isolation.web.identity import keep_key, stored_key

    folder = settings["INSTANCE"]
    keep_key(folder, key)
    used = (settings["SECRET_KEY"] or stored_key(folder), *settings["SECRET_KEY_FALLBACKS"])
    if key not in used:
        screen.say(
            "This site signs cookies with another key than the backup's, so visitors won't be "
            "recognised. docs/deploy.md says how to change that."
        )
