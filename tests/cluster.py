"""A site of several processes on one PostgreSQL and one Redis, for tests over real connections."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.postgres import PostgresServer, postgres_server
from tests.redis_server import RedisServer, redis_server
from tests.server import Server

KEY = "a key that all processes of a test share"


class Cluster:
    """Servers that can be killed one by one, and what they share."""

    def __init__(self, servers: list[Server], database: PostgresServer, redis: RedisServer) -> None:
        self.servers = servers
        self.database = database
        self.redis = redis

    def __getitem__(self, number: int) -> str:
        """The address of one of the processes."""
        return self.servers[number].address

    def complaints(self) -> str:
        return "".join(server.errors.read_text() for server in self.servers)


@contextmanager
def cluster(folder: Path, processes: int, **environment: str) -> Iterator[Cluster]:
    with ExitStack() as stack:
        database = stack.enter_context(postgres_server())
        redis = stack.enter_context(redis_server())
        servers = []
        for number in range(processes):
            own = folder / str(number)
            own.mkdir()
            settings: dict[str, Any] = {
                "DATABASE_URL": database.address,
                "REDIS_URL": redis.address,
                "SECRET_KEY": KEY,
                "ENGINES": "1",
            }
            servers.append(Server(own, **{**settings, **environment}))
        for server in servers:
            stack.enter_context(server)
        yield Cluster(servers, database, redis)
