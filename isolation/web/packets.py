"""Packets off the wire: whatever is no event comes out as one that is refused like any other."""

from typing import Any

from socketio.packet import ACK, CONNECT, DISCONNECT, EVENT, Packet

MALFORMED = "malformed"
RESERVED = ("*", "connect", "disconnect", "connect_error")  # the library's own events


class CheckedPacket(Packet):  # type: ignore[misc]
    """A packet that can be decoded from anything. There is nothing binary in our protocol."""

    uses_binary_events = False

    def __init__(self, *arguments: Any, encoded_packet: Any = None, **more: Any) -> None:
        if encoded_packet is not None and not encoded_packet:
            encoded_packet = MALFORMED  # the library would not look at an empty one
        super().__init__(*arguments, encoded_packet=encoded_packet, **more)

    def decode(self, encoded_packet: Any) -> int:
        try:
            super().decode(encoded_packet)
        except (ValueError, TypeError, AttributeError, LookupError, RecursionError):
            # A LookupError: Engine.IO may hand over an object, and from Python 3.12 on, slices are
            # keys like any other.
            self.packet_type = None
        if not self._is_sound():
            self.packet_type, self.namespace, self.data = EVENT, None, [MALFORMED]
        return 0

    def _is_sound(self) -> bool:
        if self.namespace not in (None, "/"):
            return False
        if self.packet_type == EVENT:
            data = self.data
            is_named = isinstance(data, list) and data and isinstance(data[0], str)
            return bool(is_named) and data[0] not in RESERVED
        if self.packet_type == CONNECT:
            return self.data is None or isinstance(self.data, dict)
        if self.packet_type == ACK:
            return self.id is not None and isinstance(self.data, list)
        return bool(self.packet_type == DISCONNECT)
