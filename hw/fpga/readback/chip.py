# SPDX-License-Identifier: Apache-2.0
"""The chip by Project X-Ray's database: tiles, their configuration bits, wires, switches and sites.

Files: tilegrid.json, segbits_*.db, ppips_*.db, tile_type_*.json, tileconn.json (prjxray.readthedocs.io, dev_database). A wire
of a tile is an integer: position of the tile << WIRE_BITS | number of the wire's name.
"""
import functools
import json
import pathlib
import re
import typing

WIRE_BITS = 20
BIT_BITS = 12  # a bit of a tile: frame << BIT_BITS | bit of the tile's words
SUFFIXES = {"CLB_IO_CLK": "", "BLOCK_RAM": ".block_ram"}
INDEXED = re.compile(r"(.*)\[(\d+)\]$")
CONSTANTS = {"VCC_WIRE": "1", "GND_WIRE": "0", "DSP_VCC_L": "1", "DSP_GND_L": "0", "DSP_VCC_R": "1", "DSP_GND_R": "0"}


class ChipError(Exception):
    """A database without the part, or with a line that is not understood."""


class Feature(typing.NamedTuple):
    """`number`: bit of a vector, or None. `ones`, `zeros`: bits that must be set and clear."""

    name: str
    number: typing.Optional[int]
    ones: tuple[int, ...]
    zeros: tuple[int, ...]


class Region(typing.NamedTuple):
    """The bits of a tile in one block of frames. `skipped`: words of the tile type's description that this tile lacks."""

    tile: str
    kind: str  # the tile type that describes the bits
    block: str
    base: int
    frames: int
    offset: int
    words: int
    skipped: int
    sites: dict[str, str]  # site of the description -> site of this tile


class Site(typing.NamedTuple):
    """A site of a tile type: `pins`: pin -> wire."""

    name: str
    type: str
    pins: dict[str, str]


def parse_feature(line: str) -> Feature:
    """A line of segbits_*.db. The name has no tile type."""
    name, *bits = line.split()
    ones: list[int] = []
    zeros: list[int] = []
    for bit in bits:
        frame, _, index = bit.lstrip("!").partition("_")
        (zeros if bit.startswith("!") else ones).append(int(frame) << BIT_BITS | int(index))
    indexed = INDEXED.match(name.partition(".")[2])
    if indexed:
        return Feature(indexed[1], int(indexed[2]), tuple(ones), tuple(zeros))
    return Feature(name.partition(".")[2], None, tuple(ones), tuple(zeros))


class TileType:
    """`switches`: feature -> (driven wire, driving wire). `always`: driven wire -> driving wires of switches without bits;
    `default`: the same for switches that are on if no other drives the wire."""

    def __init__(self, folder: pathlib.Path, name: str) -> None:
        self.name = name
        self.features = {block: self._features(folder, name, suffix) for block, suffix in SUFFIXES.items()}
        self.by_bit = {block: self._by_bit(features) for block, features in self.features.items()}
        file = folder / f"tile_type_{name}.json"
        contents = json.loads(file.read_text()) if file.is_file() else {"pips": {}, "sites": [], "wires": {}}
        self.sites = [Site(f"{site['prefix']}_{site['name']}", site["type"],
                           {pin: place["wire"] for pin, place in site["site_pins"].items() if place}) for site in contents["sites"]]
        self.switches = {f"{pip['dst_wire']}.{pip['src_wire']}": (pip["dst_wire"], pip["src_wire"]) for pip in contents["pips"].values()}
        self.switches |= {f"{pip['src_wire']}.{pip['dst_wire']}": (pip["src_wire"], pip["dst_wire"])
                          for pip in contents["pips"].values() if pip["is_directional"] == "0"}
        self.always: dict[str, list[str]] = {}
        self.default: dict[str, list[str]] = {}
        self._add_pseudo_switches(folder / f"ppips_{name.lower()}.db")
        self._add_unlisted_switches()

    @staticmethod
    def _features(folder: pathlib.Path, name: str, suffix: str) -> list[Feature]:
        file = folder / f"segbits_{name.lower()}{suffix}.db"
        return [parse_feature(line) for line in file.read_text().splitlines()] if file.is_file() else []

    @staticmethod
    def _by_bit(features: list[Feature]) -> dict[int, list[Feature]]:
        found: dict[int, list[Feature]] = {}
        for feature in features:
            for bit in feature.ones:
                found.setdefault(bit, []).append(feature)
        return found

    def _add_pseudo_switches(self, file: pathlib.Path) -> None:
        """Those into a pin of a site pass through the site, which its own cells decide."""
        outputs = {wire for site in self.sites for wire in site.pins.values()}
        for line in file.read_text().splitlines() if file.is_file() else []:
            name, kind = line.split()
            _, driven, driving = name.split(".")
            passes = driven in outputs and driving in outputs
            if kind != "hint" and not passes:
                (self.always if kind == "always" else self.default).setdefault(driven, []).append(driving)
        for feature in self.features["CLB_IO_CLK"]:
            if not feature.ones and feature.name in self.switches:
                driven, driving = self.switches[feature.name]
                self.default.setdefault(driven, []).append(driving)


    def _add_unlisted_switches(self) -> None:
        """A multiplexer whose other inputs have bits takes its one input without bits if none of them is set."""
        listed = {feature.name for feature in self.features["CLB_IO_CLK"]}
        with_bits = {self.switches[name][0] for name in listed if name in self.switches}
        unlisted: dict[str, list[str]] = {}
        for name, (driven, driving) in self.switches.items():
            is_known = name in listed or driving in self.always.get(driven, ()) or driving in self.default.get(driven, ())
            if driven in with_bits and not is_known:
                unlisted.setdefault(driven, []).append(driving)
        for driven, candidates in unlisted.items():
            if len(candidates) == 1 and driven not in self.default and driven not in self.always:
                self.default[driven] = candidates


class Chip:
    """One part, such as xc7z020clg400-1."""

    def __init__(self, root: pathlib.Path, name: str) -> None:
        families = [family for family in root.iterdir() if (family / name / "part.json").is_file()]
        if not families:
            raise ChipError(f"{root}: no part {name}")
        self.folder = families[0]
        self.name = name
        self.part = json.loads((self.folder / name / "part.json").read_text())
        fabric = self.folder / self._fabric()
        self.grid: dict[str, dict[str, typing.Any]] = json.loads((fabric / "tilegrid.json").read_text())
        self._width: int = 2 * max(entry["grid_x"] for entry in self.grid.values()) + 2  # no neighbor is beyond an edge
        self.position: dict[str, int] = {tile: entry["grid_y"] * self._width + entry["grid_x"] for tile, entry in self.grid.items()}
        self.tile_at = {place: tile for tile, place in self.position.items()}
        self.type_at = {place: self.grid[tile]["type"] for place, tile in self.tile_at.items()}
        self._numbers: dict[str, int] = {}
        self.wire_names: list[str] = []
        self._connections = self._load_connections(json.loads((fabric / "tileconn.json").read_text()))

    def _fabric(self) -> str:
        """The die of the part: several devices share one."""
        device = re.match(r"xc7[a-z]+\d+t?", self.name)
        found = re.search(rf"^\W*{device[0] if device else ''}\W*:\s*\n\s+fabric:\W*(\w+)",
                          (self.folder / "mapping/devices.yaml").read_text(), re.MULTILINE)
        if not found:
            raise ChipError(f"{self.folder}/mapping/devices.yaml: no fabric of {self.name}")
        return found[1]

    def position_of(self, x: int, y: int) -> int:
        """The position of the tile at a place of the grid."""
        return y * self._width + x

    def number(self, wire: str) -> int:
        """The number of a wire's name."""
        found = self._numbers.get(wire)
        if found is None:
            found = self._numbers[wire] = len(self.wire_names)
            self.wire_names.append(wire)
        return found

    def _load_connections(self, entries: list[dict[str, typing.Any]]) -> dict[tuple[str, int], list[tuple[int, str, int]]]:
        """(tile type, wire) -> wires of neighbors: (distance of positions, tile type, wire)."""
        found: dict[tuple[str, int], list[tuple[int, str, int]]] = {}
        for entry in entries:
            dx, dy = entry["grid_deltas"]
            one, other = entry["tile_types"]
            distance = dy * self._width + dx
            for wire, far in entry["wire_pairs"]:
                found.setdefault((one, self.number(wire)), []).append((distance, other, self.number(far)))
                found.setdefault((other, self.number(far)), []).append((-distance, one, self.number(wire)))
        return found

    @functools.cache
    def tile_type(self, name: str) -> TileType:
        return TileType(self.folder, name)

    def wire(self, tile: str, name: str) -> int:
        return self.position[tile] << WIRE_BITS | self.number(name)

    def name_of(self, wire: int) -> str:
        return f"{self.tile_at[wire >> WIRE_BITS]}/{self.wire_names[wire & (1 << WIRE_BITS) - 1]}"

    def node(self, start: int) -> list[int]:
        """All wires of the node: those that metal connects over the borders of tiles."""
        found, mask = [start], (1 << WIRE_BITS) - 1
        seen = {start}
        for wire in found:
            place = wire >> WIRE_BITS
            for distance, kind, number in self._connections.get((self.type_at[place], wire & mask), ()):
                if self.type_at.get(place + distance) == kind:
                    other = (place + distance) << WIRE_BITS | number
                    if other not in seen:
                        seen.add(other)
                        found.append(other)
        return found

    def regions(self) -> list[Region]:
        """The bits of all tiles."""
        found = []
        for tile, entry in self.grid.items():
            for block, place in entry["bits"].items():
                alias = place.get("alias")
                found.append(Region(tile, alias["type"] if alias else entry["type"], block, int(place["baseaddr"], 16), place["frames"],
                                    place["offset"], place["words"], alias["start_offset"] if alias else 0,
                                    {described: own for own, described in alias["sites"].items()} if alias else {}))
        return found
