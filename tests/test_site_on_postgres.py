"""The whole site on a real PostgreSQL, where every call to the store lets others run."""

from pathlib import Path

from isolation.rules import GameRecord
from tests.client import Client, new_cookie
from tests.postgres import postgres
from tests.server import Server
from tests.test_hostile import raw
from tests.waiting import wait_until


def test_a_game_on_postgres_survives_a_kill_and_leaves_no_ghosts(tmp_path: Path) -> None:
    with (
        postgres() as address,
        Server(tmp_path, ENGINES="0", RATE_LIMITS="off", DATABASE_URL=address) as server,
    ):
        ann, bob = Client(server.address, "Ann"), Client(server.address, "Bob")
        made = ann.do("create", variant="classic", side=1)
        ann.do("enter", room=made["room"])
        bob.do("join", room=made["room"])
        record = GameRecord.begin("classic")
        for ply in range(10):
            if ply == 5:
                server.kill()
                server.start()
                for client in (ann, bob):
                    wait_until(lambda client=client: client.socket.connected)  # type: ignore[misc]
                    client.do("enter", room=made["room"])
            to = record.position.next_cells()[0]
            text = record.position.notate((to, record.position.next_cells((to,))[0]))
            assert (ann, bob)[ply % 2].move(made["game"], ply, text)["ok"]
            record = record.replay([text])
        # Visitors who are gone before they have been answered.
        cookies = [new_cookie(server.address) for _ in range(40)]
        for cookie in cookies:
            socket = raw(server.address, cookie)
            socket.send(f'421["enter",{{"room":"{made["room"]}"}}]')
            socket.close(timeout=0)
        told = len(ann.told)
        eve = Client(server.address, "Eve")
        eve.do("enter", room=made["room"])
        eve.close()

        def nobody_watches() -> bool:
            snapshot = bob.do("enter", room=made["room"])["snapshot"]
            return bool(snapshot["presence"]["watchers"] == 0) and len(ann.told) > told

        wait_until(nobody_watches)
        assert bob.do("enter", room=made["room"])["snapshot"]["moves"].split() == record.notation()
        for client in (ann, bob):
            client.close()
    assert "Traceback" not in server.errors.read_text()
