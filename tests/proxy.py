"""A TCP proxy that can be cut: one process loses a server which the others still reach."""

import socket
import threading
from contextlib import suppress
from urllib.parse import urlsplit


class Proxy:
    """Passes on to a server what comes in, until it's cut."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._target = (parts.hostname, parts.port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._is_cut = False
        port = self._listener.getsockname()[1]
        self.address = f"{parts.scheme}://127.0.0.1:{port}{parts.path}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self._is_cut = True
        self._end()

    def mend(self) -> None:
        self._is_cut = False

    def close(self) -> None:
        self.cut()
        self._listener.close()

    def _end(self) -> None:
        ends, self._open = self._open, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self._is_cut:
                    client.close()
                    continue
                server = socket.create_connection(self._target)
                self._open += [client, server]
                for ends in ((client, server), (server, client)):
                    threading.Thread(target=_pass_on, args=ends, daemon=True).start()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
