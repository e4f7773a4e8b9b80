# SPDX-License-Identifier: Apache-2.0
"""FASM, the text form of an FPGA configuration: one feature a line, `TILE.FEATURE` or
`TILE.FEATURE[63:0] = 64'b0101...` (the specification: fasm.readthedocs.io). Annotations are skipped."""
import re
import typing

from hw.fpga.flow import Error

Place = tuple[str, str, int | None]  # tile, feature, bit of a vector
Features = dict[tuple[str, int | None], bool]  # (feature, bit) -> whether it must be set

LINE = re.compile(r"(?P<tile>\w+)\.(?P<feature>[\w.]+)(?:\[(?P<high>\d+)(?::(?P<low>\d+))?\])?"
                  r"(?:\s*=\s*(?:(?P<width>\d+)'(?P<base>[bhd]))?(?P<value>[0-9a-fA-F_]+))?$")
BASES = {"b": 2, "h": 16, "d": 10, None: 10}


class FasmError(Error):
    """A line that is not FASM."""


def parse_line(line: str) -> list[Place]:
    """The set features of a line as (tile, feature, index); index: bit of a vector, or None."""
    text = re.sub(r"\{.*?\}|#.*", "", line).strip()
    if not text:
        return []
    match = LINE.match(text)
    if not match:
        raise FasmError(f"expected TILE.FEATURE or TILE.FEATURE[HIGH:LOW] = VALUE, got '{text}'")
    value = 1 if match["value"] is None else int(match["value"], BASES[match["base"]])
    if match["high"] is None:
        if value not in (0, 1):
            raise FasmError(f"value {value} of a feature of one bit: '{text}'")
        return [(match["tile"], match["feature"], None)] if value else []
    high = int(match["high"])
    low = high if match["low"] is None else int(match["low"])
    if low > high or value >> (high - low + 1):
        raise FasmError(f"{value} does not fit [{high}:{low}]: '{text}'")
    return [(match["tile"], match["feature"], low + bit) for bit in range(high - low + 1) if value >> bit & 1]


def parse(lines: typing.Iterable[str], name: object) -> typing.Iterator[tuple[str, str, str, int | None]]:
    """All set features with their places: (place, tile, feature, index)."""
    for number, line in enumerate(lines, 1):
        try:
            for feature in parse_line(line):
                yield f"{name}:{number}", *feature
        except FasmError as error:
            raise FasmError(f"{name}:{number}: {error}") from None


def text(tile: str, feature: str, index: int | None = None) -> str:
    return f"{tile}.{feature}" if index is None else f"{tile}.{feature}[{index}]"
