# SPDX-License-Identifier: Apache-2.0
"""Nets of a decoded bitstream: from a wire back through the switches that are on to the pin or constant that drives it."""
import json
import re
import typing

from hw.fpga.readback import chip, features

# Pins of a block RAM of 36 Kbit are pins of its halves: lower L, upper U.
RAM_WIRE = re.compile(r"BRAM_(FIFO36|FIFO18|RAMB18)_(\w+?)$")
WHOLE_PIN = re.compile(r"(\w+?)(LRST|[LU])(\d*)$")
RAM_OUTPUT = re.compile(r"(DO[AB]DO|DOP[AB]DOP|CASCADEOUT)")


class Driver(typing.NamedTuple):
    """What drives a node: `root` (a pin of a site, or a constant 0 or 1), or the wire `driving` through a switch that drives `driven`.
    `has_bits`: of the switch."""

    root: typing.Optional[str]
    driving: int
    driven: int
    has_bits: bool


class Node:
    """`drivers`: none for a node that floats."""

    def __init__(self, number: int, drivers: list[Driver]) -> None:
        self.number = number
        self.drivers = drivers
        self.is_used = False


def ram_pin(wire: str) -> typing.Optional[tuple[int, str]]:
    """(half, pin of a RAMB18) of a wire of a block RAM's pin."""
    match = RAM_WIRE.match(wire)
    if match is None:
        return None
    if match[1] != "FIFO36":
        return (0 if match[1] == "FIFO18" else 1), match[2]
    pin = WHOLE_PIN.match(match[2])
    if pin is None:
        return 0, match[2]
    return (1 if pin[2] == "U" else 0), pin[1] + pin[3]


class Routing:
    """`problems`: nodes with two drivers that were reached."""

    def __init__(self, whole: chip.Chip, tiles: dict[str, features.TileFeatures]) -> None:
        self._chip = whole
        self._tiles = tiles
        self._outputs: dict[str, dict[str, str]] = {}
        self._switches: dict[str, dict[str, list[str]]] = {}  # of a tile: driven wire -> driving wires
        self._node_of: dict[int, Node] = {}
        self._nodes = 0
        self._sources: dict[int, typing.Optional[str]] = {}  # by number of a node
        self.problems: list[str] = []

    def switches_of(self, tile: str) -> dict[str, list[str]]:
        """The switches of a tile that are on: driven wire -> driving wires."""
        found = self._switches.get(tile)
        if found is None:
            found = self._switches[tile] = {}
            known = self._chip.tile_type(self._chip.grid[tile]["type"]).switches
            for flag in self._tiles[tile].flags if tile in self._tiles else ():
                if flag in known:
                    driven, driving = known[flag]
                    found.setdefault(driven, []).append(driving)
        return found

    def _output_wires(self, kind: str) -> dict[str, str]:
        """Wire of an output pin -> name of the pin in its tile."""
        found = self._outputs.get(kind)
        if found is None:
            found = self._outputs[kind] = {}
            for site in self._chip.tile_type(kind).sites:
                contents = json.loads((self._chip.folder / f"site_type_{site.type}.json").read_text())
                outputs = {pin for pin, place in contents["site_pins"].items() if place["direction"] != "IN"}
                for pin, wire in site.pins.items():
                    if pin in outputs:
                        self._add_output(found, site, pin, wire)
        return found

    def output_pins(self, kind: str, site: str) -> set[str]:
        """The output pins of a site of a tile type."""
        return {name.partition(".")[2] for name in self._output_wires(kind).values() if name.startswith(f"{site}.")}

    @staticmethod
    def _add_output(found: dict[str, str], site: chip.Site, pin: str, wire: str) -> None:
        half = ram_pin(wire)
        if half is None:
            found[wire] = f"{site.name}.{pin}"
        elif RAM_OUTPUT.match(half[1]):  # others are those of a FIFO
            found[wire] = f"RAMB18_X0Y{half[0]}.{half[1]}"

    def node(self, wire: int) -> Node:
        """The node of a wire, with its drivers."""
        found = self._node_of.get(wire)
        if found is None:
            wires = self._chip.node(wire)
            found = Node(self._nodes, self._drivers(wires))
            self._nodes += 1
            for member in wires:
                self._node_of[member] = found
        return found

    def _drivers(self, wires: list[int]) -> list[Driver]:
        drivers: list[Driver] = []
        defaults: list[Driver] = []
        for wire in wires:
            tile = self._chip.tile_at[wire >> chip.WIRE_BITS]
            kind = self._chip.type_at[wire >> chip.WIRE_BITS]
            name = self._chip.wire_names[wire & (1 << chip.WIRE_BITS) - 1]
            constant = chip.CONSTANTS.get(name)
            if constant is not None:
                return [Driver(constant, 0, wire, False)]
            drivers += [Driver(None, self._chip.wire(tile, driving), wire, True) for driving in self.switches_of(tile).get(name, ())]
            output = self._output_wires(kind).get(name)
            if output is not None:
                drivers.append(Driver(f"{tile}/{output}", 0, wire, False))
            described = self._chip.tile_type(kind)
            drivers += [Driver(None, self._chip.wire(tile, driving), wire, False) for driving in described.always.get(name, ())]
            defaults += [Driver(None, self._chip.wire(tile, driving), wire, False) for driving in described.default.get(name, ())]
        return drivers or defaults

    def source(self, wire: int) -> typing.Optional[str]:
        """The pin or constant that drives a wire; None if it floats, or after a problem. Marks the nodes on the way as used."""
        path: list[Node] = []
        result: typing.Optional[str] = None
        while True:
            node = self.node(wire)
            if node.number in self._sources:
                result = self._sources[node.number]
                break
            path.append(node)
            self._sources[node.number] = None  # a loop of switches has no source
            node.is_used = True
            if not node.drivers:
                break
            driver = node.drivers[0] if len(node.drivers) == 1 else self._one_driver(node)
            if driver is None:
                break
            if driver.root is not None:
                result = driver.root
                break
            wire = driver.driving
        for node in path:
            self._sources[node.number] = result
        return result

    def _one_driver(self, node: Node) -> typing.Optional[Driver]:
        """The only driver of several that drives: pins of a block RAM have a wire for each size of the RAM."""
        roots: dict[typing.Optional[str], Driver] = {}
        for driver in node.drivers:
            root = driver.root
            if root is None and not driver.has_bits:
                previous = self.node(driver.driving).drivers
                if not previous:
                    continue  # an output that this mode does not have
                root = previous[0].root
            roots.setdefault(root or f"switch {driver.driving}", driver)
        if len(roots) == 1:
            return next(iter(roots.values()))
        names = ", ".join(sorted(self._chip.name_of(driver.driving or driver.driven) for driver in roots.values()))
        if roots:
            self.problems.append(f"two drivers: {self._chip.name_of(node.drivers[0].driven)} is driven by {names}")
        return None

    def switches(self, tiles: typing.Iterable[str]) -> typing.Iterator[tuple[int, int]]:
        """(driven, driving) wires of the switches of some tiles that are on."""
        for tile in tiles:
            for driven, sources in self.switches_of(tile).items():
                yield from ((self._chip.wire(tile, driven), self._chip.wire(tile, driving)) for driving in sources)

    def used_switches(self) -> typing.Iterator[tuple[int, int]]:
        """Those that lead to a pin that was asked for."""
        return ((driven, driving) for driven, driving in self.switches(self._tiles) if self.node(driven).is_used)

    def antennas(self) -> list[str]:
        """Switches that are on and lead to no pin that was asked for."""
        return [f"antenna: {self._chip.name_of(driven)} is driven by {self._chip.name_of(driving)} and leads to no pin"
                for driven, driving in self.switches(self._tiles) if not self.node(driven).is_used]
