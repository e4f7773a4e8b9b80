# SPDX-License-Identifier: Apache-2.0
"""The bit database of Project X-Ray: where the configuration bits of a tile's features are.

Format: the files tilegrid.json, segbits_*.db and ppips_*.db as documented by Project X-Ray
(docs/dev_database). A bit is a triple (frame address, word of the frame, bit of the word).
"""
import functools
import json
import pathlib
import re
import typing

from hw.fpga.flow import Error
from hw.fpga.flow.netlist import Json

Bit = tuple[int, int, int]  # frame address, word, bit of the word

WORD_BITS = 32
INDEXED = re.compile(r"(.*)\[(\d+)\]$")


class DatabaseError(Error):
    """The database lacks a part, a tile or a feature."""


class TileType:
    """Features of one tile type. A feature's bits are (frame, bit, value), relative to its tile."""

    def __init__(self, folder: pathlib.Path, name: str) -> None:
        self.features: dict[str, dict[tuple[str, int | None], list[tuple[int, int, bool]]]] = {}  # block type -> feature -> [(frame, bit, value)]
        self.pseudo_pips: set[str] = set()
        for block, suffix in [("CLB_IO_CLK", ".db"), ("BLOCK_RAM", ".block_ram.db")]:
            file = folder / f"segbits_{name.lower()}{suffix}"
            if file.is_file():
                self.features[block] = dict(map(self._parse, file.read_text().splitlines()))
        file = folder / f"ppips_{name.lower()}.db"
        if file.is_file():
            self.pseudo_pips = {line.split()[0].partition(".")[2] for line in file.read_text().splitlines()}

    @staticmethod
    def _parse(line: str) -> tuple[tuple[str, int | None], list[tuple[int, int, bool]]]:
        feature, *bits = line.split()
        places = []
        for bit in bits:
            frame, _, index = bit.lstrip("!").partition("_")
            places.append((int(frame), int(index), not bit.startswith("!")))
        return TileType.key(feature.partition(".")[2]), places

    @staticmethod
    def key(feature: str) -> tuple[str, int | None]:
        """INIT[007] and INIT[7] are the same feature."""
        indexed = INDEXED.match(feature)
        return (indexed[1], int(indexed[2])) if indexed else (feature, None)


def device_of(part: str) -> str:
    """The part without package and speed grade: "xc7z020" of xc7z020clg400-1."""
    return re.sub(r"^(xc7[a-z]+\d+t?).*", r"\1", part)


class Part:
    """The tiles of one part, such as xc7z020clg400-1."""

    def __init__(self, root: pathlib.Path, name: str) -> None:
        families = [family for family in pathlib.Path(root).iterdir() if (family / name / "part.json").is_file()]
        if not families:
            raise DatabaseError(f"{root}: no part {name}")
        self.folder = families[0]
        self.name = name
        self.part_file = self.folder / name / "part.yaml"
        self.tiles = json.loads((self.folder / self._fabric() / "tilegrid.json").read_text())

    def _fabric(self) -> str:
        """The die of the part: several devices share one."""
        device = device_of(self.name)
        devices = (self.folder / "mapping/devices.yaml").read_text()
        found = re.search(rf"^\W*{device}\W*:\s*\n\s+fabric:\W*(\w+)", devices, re.MULTILINE)
        if not found:
            raise DatabaseError(f"{self.folder}/mapping/devices.yaml: no fabric of {device}")
        return found[1]

    def required_features(self) -> list[str]:
        """What every bitstream of the die sets; the database has it for some of the packages only. None outside the Zynq family."""
        files = sorted(self.folder.glob(f"{device_of(self.name)}*/required_features.fasm"))
        return files[0].read_text().splitlines() if files else []

    @functools.cache
    def tile_type(self, name: str) -> TileType:
        return TileType(self.folder, name)

    def bits(self, tile: str, feature: str, index: int | None = None) -> list[tuple[Bit, bool]]:
        """The bits ((frame address, word, bit), value) of one feature; none for a pseudo pip."""
        if tile not in self.tiles:
            raise DatabaseError(f"no tile {tile} in {self.name}")
        entry = self.tiles[tile]
        for block, place in entry["bits"].items():
            kind, name, skipped = self._aliased(entry["type"], feature, place)
            found = self.tile_type(kind).features.get(block, {}).get((name, index))
            if found is not None:
                return [(self._absolute(place, frame, bit - skipped), value) for frame, bit, value in found]
        if index is None and feature in self.tile_type(entry["type"]).pseudo_pips:
            return []
        name = feature if index is None else f"{feature}[{index}]"
        raise DatabaseError(f"tile {tile} of type {entry['type']} has no feature {name}")

    @staticmethod
    def _aliased(kind: str, feature: str, place: Json) -> tuple[str, str, int]:
        """A tile at the edge of a bank has half the bits of the tile type that describes it."""
        alias = place.get("alias")
        if alias is None:
            return kind, feature, 0
        site, dot, rest = feature.partition(".")
        return alias["type"], alias["sites"].get(site, site) + dot + rest, alias["start_offset"] * WORD_BITS

    @staticmethod
    def _absolute(place: Json, frame: int, bit: int) -> Bit:
        return (int(place["baseaddr"], 16) + frame, place["offset"] + bit // WORD_BITS, bit % WORD_BITS)

    def decode(self, is_set: typing.Callable[[Bit], bool]) -> typing.Iterator[tuple[str, str, int | None]]:
        """The features whose bits are all as the feature has them, as (tile, feature, index); `is_set` says of a bit
        whether it is set. Features without a set bit are left out."""
        for tile, entry in self.tiles.items():
            for block, place in entry["bits"].items():
                if "alias" in place:
                    continue
                for (feature, index), bits in self.tile_type(entry["type"]).features.get(block, {}).items():
                    if any(value for _, _, value in bits) and all(
                            is_set(self._absolute(place, frame, bit)) == value for frame, bit, value in bits):
                        yield tile, feature, index
