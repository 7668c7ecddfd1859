"""Several processes of one site, seen from outside: who they are, and whom they serve."""

from urllib.parse import urlsplit

import psutil

from tests.client import Client
from tests.server import Server


def children(pid: int, name: str = "app.py") -> set[int]:
    found = set()
    for child in psutil.Process(pid).children():
        try:
            if child.status() != psutil.STATUS_ZOMBIE and name in child.cmdline():
                found.add(child.pid)
        except psutil.NoSuchProcess:
            pass
    return found


def connections(pid: int, address: str) -> set[int]:
    """The ports of clients that a process serves; 0 is the listener itself."""
    port = urlsplit(address).port
    try:
        found = psutil.Process(pid).net_connections("tcp4")
    except psutil.NoSuchProcess:
        return set()
    ours = [one for one in found if one.laddr.port == port]
    return {one.raddr.port if one.raddr else 0 for one in ours}


def is_alive(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def holder(site: Server, port: int) -> int:
    """The process that serves a client."""
    holders = [pid for pid in children(site.pid) if port in connections(pid, site.address)]
    assert len(holders) == 1
    return holders[0]


def own_port(client: Client) -> int:
    return int(client.socket.eio.ws.sock.getsockname()[1])
