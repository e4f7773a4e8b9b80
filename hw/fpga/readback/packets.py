# SPDX-License-Identifier: Apache-2.0
"""The frames of a .bit file of the 7 series: header, packets, frame addresses (UG470)."""
import struct
import typing

FRAME_WORDS = 101
PAD_FRAMES = 2  # after each row of each block type
SYNC = 0xAA995566
FAR, FDRI, LOUT, MFWR, IDCODE = 1, 2, 8, 10, 12  # registers
WRITE = 2
NAMES = {0: "CLB_IO_CLK", 1: "BLOCK_RAM"}

Frames = dict[int, tuple[int, ...]]


class BitError(Exception):
    """A file that is not a bitstream of the part."""


class Bitstream(typing.NamedTuple):
    """`frames`: frame address -> its 101 words. `idcode`: of the device, or None."""

    frames: Frames
    idcode: typing.Optional[int]


def configuration_words(data: bytes) -> tuple[int, ...]:
    """The configuration words after the synchronization word. Errors: BitError."""
    at = data.find(struct.pack(">I", SYNC))
    if at < 0:
        raise BitError("the file has no synchronization word 0xaa995566")
    count = (len(data) - at - 4) // 4
    return struct.unpack_from(f">{count}I", data, at + 4)


def addresses(part: dict[str, typing.Any]) -> list[int]:
    """Every frame address of a part in the order of configuration. `part`: part.json of the database."""
    found = []
    for half_index, half in enumerate(("top", "bottom")):
        for row, contents in part["global_clock_regions"][half]["rows"].items():
            for block, name in NAMES.items():
                columns = contents["configuration_buses"].get(name, {"configuration_columns": {}})["configuration_columns"]
                for column, size in columns.items():
                    base = block << 23 | half_index << 22 | int(row) << 17 | int(column) << 7
                    found += [base | minor for minor in range(size["frame_count"])]
    return sorted(found)


class _Reader:
    """Executes the packets that write frames. A packet of many frames begins at the address in FAR and goes on by itself. A packet
    of one frame leaves it in the frame buffer: the next frame pushes it to the address that FAR has then; in a debug bitstream
    LOUT names its address."""

    def __init__(self, order: list[int]) -> None:
        self._next = {address: order[index + 1] for index, address in enumerate(order[:-1])}
        self._known = set(order)
        self.frames: Frames = {}
        self.idcode: typing.Optional[int] = None
        self._address: typing.Optional[int] = None
        self._buffer: typing.Optional[tuple[int, ...]] = None

    def write(self, register: int, words: tuple[int, ...]) -> None:
        if register == IDCODE and words:
            self.idcode = words[-1]
        elif register == MFWR:
            raise BitError("one frame is written to several addresses: compressed bitstreams are not supported; make it without compression")
        elif register == FAR and words:
            self._address = words[-1]
        elif register == LOUT and words and self._buffer is not None:
            self._store(words[-1], self._buffer)
            self._buffer = None
        elif register == FDRI and len(words) == FRAME_WORDS:
            if self._buffer is not None and self._address is not None:
                self._store(self._address, self._buffer)
            self._buffer = words
        elif register == FDRI:
            self._write_many(words)

    def _store(self, address: int, words: tuple[int, ...]) -> None:
        if address not in self._known:
            raise BitError(f"frame address 0x{address:08x}: the part has no such frame")
        self.frames[address] = words

    def _write_many(self, words: tuple[int, ...]) -> None:
        at = 0
        while at + FRAME_WORDS <= len(words) and self._address is not None:
            self._store(self._address, words[at:at + FRAME_WORDS])
            following = self._next.get(self._address)
            is_end_of_row = following is not None and following >> 17 != self._address >> 17
            at += FRAME_WORDS * (1 + PAD_FRAMES if is_end_of_row else 1)
            self._address = following


def read(data: bytes, part: dict[str, typing.Any]) -> Bitstream:
    """The frames of a .bit file. Errors: BitError."""
    words = configuration_words(data)
    reader = _Reader(addresses(part))
    at, register = 0, 0
    while at < len(words):
        header = words[at]
        kind, operation = header >> 29, header >> 27 & 3
        if kind == 1:
            register, count = header >> 13 & 0x1F, header & 0x7FF
        elif kind == 2:
            count = header & 0x7FFFFFF
        else:
            count = 0  # padding
        if kind in (1, 2) and operation == WRITE:
            if at + 1 + count > len(words):
                raise BitError(f"word {at} after synchronization: a packet of {count} words, the file has {len(words) - at - 1} more")
            reader.write(register, words[at + 1:at + 1 + count])
        elif operation != WRITE:
            count = 0
        at += 1 + count
    if not reader.frames:
        raise BitError("the file writes no frames")
    return Bitstream(reader.frames, reader.idcode)
