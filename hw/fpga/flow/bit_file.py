# SPDX-License-Identifier: Apache-2.0
"""The header of a .bit file: design, part, date and time, then the length of the configuration data. Fields 'a' to 'd' are
zero-terminated text with a 16-bit length, 'e' has a 32-bit length; all lengths are big-endian."""
import datetime
import struct

from hw.fpga.flow import Error

MAGIC = bytes.fromhex("00090ff00ff00ff00ff0000001")


class BitFileError(Error):
    """A file that is not a .bit file."""


def _header_end(data: bytes) -> tuple[int, int]:
    """The offset of the configuration data and its length."""
    if not data.startswith(MAGIC):
        raise BitFileError("the file does not begin as a .bit file")
    offset = len(MAGIC)
    for letter in b"abcd":
        if data[offset:offset + 1] != bytes([letter]) or offset + 3 > len(data):
            raise BitFileError(f"byte {offset}: expected field '{chr(letter)}'")
        offset += 3 + struct.unpack_from(">H", data, offset + 1)[0]
    if data[offset:offset + 1] != b"e" or offset + 5 > len(data):
        raise BitFileError(f"byte {offset}: expected field 'e'")
    return offset + 5, struct.unpack_from(">I", data, offset + 1)[0]


def configuration(data: bytes) -> bytes:
    """The configuration data of a .bit file. Errors: BitFileError."""
    offset, length = _header_end(data)
    if len(data) - offset != length:
        raise BitFileError(f"expected {length} bytes of configuration after byte {offset}, got {len(data) - offset}")
    return data[offset:]


def with_header(words: bytes, design: str, part: str, moment: datetime.datetime) -> bytes:
    """A .bit file. `part` as configs/boards names it, `moment`: a datetime; nothing else of the header depends on when
    or where it was made. The header's part lacks the family's `xc` and the speed grade, as Vivado writes it."""
    fields = [("a", design), ("b", part.removeprefix("xc").partition("-")[0]), ("c", moment.strftime("%Y/%m/%d")),
              ("d", moment.strftime("%H:%M:%S"))]
    header = b"".join(letter.encode() + struct.pack(">H", len(text) + 1) + text.encode() + b"\0" for letter, text in fields)
    return MAGIC + header + b"e" + struct.pack(">I", len(words)) + words
