"""What thousands of idle visitors cost: memory, CPU, and how long somebody's moves take meanwhile.

    python -m benchmarks.idle [--connections N]

Each has a cookie and a WebSocket of its own, has joined, and answers the server's pings. They come
from many loopback addresses, with the server's limits on.
"""

import argparse
import asyncio
import multiprocessing
import os
import resource
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from urllib.parse import urlsplit

import psutil

from benchmarks.attacks import Player
from benchmarks.load import cpu
from tests.attacks.attacker import descriptors, frame, request
from tests.fuzz.frames import handshake
from tests.server import Server

PER_ADDRESS = 10
AT_ONCE = 40
WATCHED_S = 10.0
PING, PONG = b"\x81\x012", frame(b"3")


class Crowd:
    """Idle visitors, in a process of their own."""

    def __init__(self, address: str, size: int) -> None:
        self._where = urlsplit(address)
        self._size = size
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._joined = 0
        self._listeners: set[asyncio.Task[None]] = set()

    async def arrive(self) -> int:
        """Let all of them in; how many are there."""
        await asyncio.gather(*(self._join(number) for number in range(self._size)))
        return self._joined

    def count(self) -> int:
        return sum(not listener.done() for listener in self._listeners)

    async def _join(self, number: int) -> None:
        source = f"127.0.{1 + number // PER_ADDRESS // 250}.{1 + number // PER_ADDRESS % 250}"
        async with self._gate:
            with suppress(OSError, asyncio.IncompleteReadError, IndexError):
                reader, writer = await self._open(source)
                self._joined += 1
                listener = asyncio.create_task(_answer_pings(reader, writer))
                self._listeners.add(listener)

    async def _open(self, source: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        cookie = await self._new_cookie(source)
        reader, writer = await self._connect(source)
        writer.write(handshake(cookie))
        await reader.readuntil(b"\r\n\r\n")
        await reader.readuntil(b"}")  # the server's hello
        writer.write(frame(b"40"))
        await reader.readuntil(b"40{")
        await reader.readuntil(b"}")
        return reader, writer

    async def _new_cookie(self, source: str) -> str:
        reader, writer = await self._connect(source)
        writer.write(request("/about", "Connection: close"))
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.read()
        writer.close()
        return head.split(b"visitor=")[1].split(b";")[0].decode()

    async def _connect(self, source: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        where = self._where
        return await asyncio.open_connection(
            where.hostname, where.port, local_addr=(source, 0), limit=4096
        )


async def _answer_pings(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Until the server hangs up."""
    with suppress(OSError):
        while data := await reader.read(4096):
            if PING in data:
                writer.write(PONG)


def crowd(address: str, size: int, line: Connection) -> None:
    """A process: tells how many have come, and in the end how many are still there."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, size + 500)), hard))

    async def live() -> None:
        people = Crowd(address, size)
        begun = time.monotonic()
        line.send((await people.arrive(), time.monotonic() - begun))
        while not line.poll():
            await asyncio.sleep(0.1)
        line.send((people.count(), 0.0))

    asyncio.run(live())
    os._exit(0)  # thousands of connections at once, as when a network fails


def show_moves(label: str, times: list[float]) -> None:
    times.sort()
    p50, p99 = times[len(times) // 2], times[int(len(times) * 0.99)]
    print(
        f"{label}: {len(times)} moves acknowledged in p50 {p50 * 1000:.1f} ms,"
        f" p99 {p99 * 1000:.1f} ms, {times[-1] * 1000:.1f} ms at worst",
        flush=True,
    )


def wait_until(is_true: Callable[[], bool], seconds: float) -> float:
    begun = time.monotonic()
    while not is_true() and time.monotonic() < begun + seconds:
        time.sleep(0.1)
    return time.monotonic() - begun


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--connections", type=int, default=5000)
    size = parser.parse_args().connections
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), ENGINES="0") as server:
        process = psutil.Process(server.pid)
        player = Player(server.address)
        show_moves("alone", player.play(WATCHED_S))
        memory, open_before = process.memory_info().rss, descriptors(server.pid)
        line, other = multiprocessing.Pipe()
        visitors = multiprocessing.Process(target=crowd, args=(server.address, size, other))
        visitors.start()
        joined, seconds = line.recv()
        print(f"{joined} of {size} joined in {seconds:.1f} s", flush=True)
        grown = process.memory_info().rss - memory
        print(f"{grown / 1e6:.0f} MB more, {grown / max(1, joined) / 1000:.1f} kB each")
        begun = cpu(server.pid)
        time.sleep(WATCHED_S)
        print(f"{(cpu(server.pid) - begun) / WATCHED_S:.1%} of a core when idle", flush=True)
        show_moves("among them", player.play(WATCHED_S))
        line.send("leave")
        print(f"{line.recv()[0]} are still there")
        visitors.join()
        took = wait_until(lambda: descriptors(server.pid) <= open_before, 60)
        left = descriptors(server.pid) - open_before
        print(f"{left} descriptors left {took:.1f} s after they hung up, all at once")
        player.close()
        log = server.errors.read_text()
        if "Traceback" in log:
            raise SystemExit(log[-2000:])


if __name__ == "__main__":
    main()
