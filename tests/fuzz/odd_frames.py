"""Packets and frames that are odd, wrong or broken."""

import struct

from tests.attacks.attacker import frame


def _length(data: bytes, said: int, opcode: int = 1) -> bytes:
    """A frame that lies about its length."""
    return struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, said) + b"\0\0\0\0" + data


# Packets that the server refuses or ignores, and whose sender may stay.
PACKETS = (
    *(
        "2",
        "2probe",
        "3",
        "3probe",
        "5",
        "6",
        "0{}",
        "7",
        "8",
        "9",
        "4",
        "4²",
        "42",
        "42[",
        "42{}",
        "42[]",
    ),
    *("42[[]]", "42[null]", "421[1]", "42[NaN]", '42["*",{}]', '421["connect",{}]', "43", "43[]"),
    *(
        '42["disconnect"]',
        "430[]",
        "4399999999999999999999[1]",
        "44",
        '44{"message":1}',
        "45",
        "46",
    ),
    *(
        '42/x,["move",{}]',
        "42/,[]",
        "40/x,",
        "40/x,{}",
        '450-["x"]',
        '451-["x",{"_placeholder":true}]',
    ),
    *(
        '4599999-["x"]',
        '461-1[{"_placeholder":true,"num":0}]',
        "4null",
        "4true",
        "4NaN",
        "4[]",
        "4{}",
    ),
    *(
        '4[1,["x"]]',
        '4{"0":1}',
        '4"2"',
        "4 2[]",
        "4-1",
        "47",
        "4999",
        "4\u0662[]",
        "42\u0661[]",
        "4\x00",
    ),
    *(
        '42["move",{"game":"x","game":1}]',
        '42["lobby",{},{}]',
        '42["lobby"]',
        "40",
        "40[]",
        "401{}",
    ),
    *('42["\\ud800",{}]', '42["' + "n" * 300 + '"]', "42" + "9" * 120 + '["lobby",{}]', "4bAAA="),
    *('42["lobby",' + "[" * 900 + "]" * 900 + "]", "42" + '{"a":' * 300 + "1" + "}" * 300),
    *('42["rename",{"name":' + "9" * 4000 + "}]", '42["rename",{"name":' + "9" * 5000 + "}]"),
)
# What ends a connection, or ought to.
LAST = (
    *(frame(b""), frame(b"x"), frame(b" "), frame(b"1"), frame(b"b=") + frame(b"1")),
    *(
        frame(b"41") + frame(b'421["lobby",{}]') + frame(b"1"),
        frame(b"41") + frame(b"40") + frame(b"1"),
    ),
    *(frame("²".encode()), frame(b"\xff\xfe"), frame(b'42["\xed\xa0\x80"]'), frame(b"4\xc3")),
    *(frame(b"x" * 20_000), frame(b"4" + b"[" * 9000), frame(b"42" + b"[" * 15_000) + frame(b"1")),
    *(
        frame(b"4" + b'{"a":' * 3000),
        frame(b"b" + b"A" * 9001),
        frame(b"4" + b"9" * 9000) + frame(b"1"),
    ),
    *(frame(b"42[]", opcode) for opcode in (3, 4, 7, 11, 15, 0)),
    *(frame(b"4", opcode | 0x40) for opcode in (1, 2)),
    *(frame(b"4", opcode | 0x30) + frame(b"1") for opcode in (1, 2)),
    *(frame(b"", 9, is_final=False), frame(b"x" * 126, 9), frame(b"x" * 126, 8)),
    *(frame(b"4", is_final=False) + frame(b"4"), frame(b"4", 2, is_final=False) + frame(b"x")),
    *(frame(b"4", is_final=False) * 2, frame(b"4", is_final=False) + frame(b"\xff", 0)),
    *(_length(b"", 1 << 63), _length(b"42", (1 << 64) - 1), _length(b"", 16_001, 2)),
    *(b"\x81\x02hi", b"\x82\x7e\x00\x01x", b"\x00\x00", b"\xff\x00", b"GET / HTTP/1.1\r\n\r\n"),
    *(frame(data, 8) for data in (b"", b"x", b"\x03\xe8", b"\x03\xe8bye", b"\0\0", b"\x03\xed")),
    *(frame(data, 8) for data in (b"\x03\xe8\xff", b"\xff\xff", b"\x0f\xa0x", b"\x03\xea")),
)
# What leaves the server waiting for more: then we go.
HALVES = (b"\x81", b"\x81\xfe\x01", frame(b"42[]")[:-2], frame(b"4", is_final=False), b"\x81\x85\0")
