"""What an attacker uses: sockets that say anything, and frames that no library would send."""

import os
import socket
import struct
from contextlib import suppress
from urllib.parse import urlsplit

SECONDS = 60.0  # far more than a busy machine needs


def connect(address: str, source: str = "127.0.0.1") -> socket.socket:
    """A TCP connection to the server, from an address of this machine."""
    where = urlsplit(address)
    return socket.create_connection(
        (where.hostname, where.port), timeout=SECONDS, source_address=(source, 0)
    )


def request(path: str, *headers: str, method: str = "GET", body: bytes = b"") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def upgraded(address: str, cookie: str, *headers: str, source: str = "127.0.0.1") -> socket.socket:
    """A WebSocket, past the handshake of HTTP."""
    made = connect(address, source)
    made.sendall(
        request(
            "/socket.io/?EIO=4&transport=websocket",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            f"Cookie: visitor={cookie}",
            *headers,
        )
    )
    head = b""
    while b"\r\n\r\n" not in head:
        piece = made.recv(1)
        assert piece, head
        head += piece
    assert b" 101 " in head.split(b"\r\n")[0], head
    return made


def joined(address: str, cookie: str, source: str = "127.0.0.1") -> socket.socket:
    """A WebSocket whose visitor is known, and may send events."""
    made = upgraded(address, cookie, source=source)
    made.sendall(frame(b"40"))
    return made


def frame(data: bytes, opcode: int = 1, is_final: bool = True) -> bytes:
    """A masked frame; the mask is zero, so that the data can be read in a capture."""
    head = struct.pack("!B", opcode | (0x80 if is_final else 0))
    if len(data) < 126:
        head += struct.pack("!B", 0x80 | len(data))
    else:
        head += struct.pack("!BH", 0x80 | 126, len(data))
    return head + b"\0\0\0\0" + data


def pour(made: socket.socket, data: bytes, most: int) -> None:
    """Send the same again and again, as fast as it's taken. OSError if the server hangs up."""
    piece = data * (8192 // len(data) + 1)
    made.settimeout(SECONDS)
    for _ in range(0, most, len(piece)):
        made.sendall(piece)


def flood(made: socket.socket, data: bytes, most: int) -> bool:
    """The same; whether the server hung up, now or in the end."""
    try:
        pour(made, data, most)
    except TimeoutError:
        return False
    except OSError:
        return True
    return is_closed(made)


def is_closed(made: socket.socket) -> bool:
    """Whether the server ends the connection, now or soon."""
    made.settimeout(SECONDS)
    with suppress(ConnectionError):
        try:
            while made.recv(65536):
                pass
        except TimeoutError:
            return False
    return True


def descriptors(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))
