# SPDX-License-Identifier: Apache-2.0
"""The netlist of a bitstream: cells at their sites, and the pin that drives each of their pins.

A pin is TILE/SITE.CELL.PIN in a slice and TILE/SITE.PIN elsewhere; constants are 0 and 1.
"""
import re
import typing

from hw.fpga.readback import chip, features, routing, slices

SLICE_OUTPUT = re.compile(r"(.+)/(SLICE_X(\d)Y0)\.(\w+)$")
CLOCK_OUTPUT = re.compile(r"(.+)/(BUFHCE_X\d+Y\d+)\.O$")
CELL_PIN = re.compile(r"(.+)/(SLICE_X\dY0)\.(\w+)\.(\w+)$")


class Place(typing.NamedTuple):
    tile: str
    site: str


class Netlist:
    """`taken`: features by tile that cells have asked for. `problems`: clock buffers that are not configured as buffers."""

    def __init__(self, whole: chip.Chip, decoded: features.Decoded) -> None:
        self.chip = whole
        self.tiles = decoded.tiles
        self.routing = routing.Routing(whole, decoded.tiles)
        self.taken: dict[str, set[str]] = {}
        self.problems: list[str] = []
        self.passing: set[str] = set()  # look-up tables without a cell that a net passes
        self._slices: dict[Place, slices.Slice] = {}
        self._pins: dict[Place, dict[str, str]] = {}
        self._clock_buffers: dict[str, typing.Optional[str]] = {}

    def slice_at(self, place: Place) -> slices.Slice:
        found = self._slices.get(place)
        if found is None:
            kind = self.chip.grid[place.tile]["type"]
            site = next(site for site in self.chip.tile_type(kind).sites if site.name == place.site)
            x = place.site.removeprefix("SLICE_X").partition("Y")[0]
            found = self._slices[place] = slices.Slice(self.tiles.get(place.tile, features.TileFeatures()), f"{site.type}_X{x}.")
            found.taken = self.taken.setdefault(place.tile, set())
        return found

    def _site_pins(self, place: Place) -> dict[str, str]:
        """Pin -> wire. Halves of a block RAM are sites of their own, with the wires of both sizes."""
        found = self._pins.get(place)
        if found is None:
            sites = self.chip.tile_type(self.chip.grid[place.tile]["type"]).sites
            found = self._pins[place] = next((site.pins for site in sites if site.name == place.site), {})
        return found

    def pin_source(self, place: Place, pin: str) -> typing.Optional[str]:
        """The pin or constant that drives an input pin of a site; None if it floats."""
        wire = self._site_pins(place).get(pin)
        return None if wire is None else self.wire_source(place.tile, wire)

    def wire_source(self, tile: str, wire: str) -> typing.Optional[str]:
        root = self.routing.source(self.chip.wire(tile, wire))
        return root if root is None or root in ("0", "1") else self._cell_pin(root)

    def _cell_pin(self, root: str) -> typing.Optional[str]:
        """The pin of a cell that an output pin of a site has."""
        match = SLICE_OUTPUT.match(root)
        if match:
            source = self.slice_at(Place(match[1], match[2])).output(match[4])
            return None if source is None else f"{match[1]}/{match[2]}.{source}"
        if CLOCK_OUTPUT.match(root):
            return self._through_clock_buffer(root)
        return root

    def _through_clock_buffer(self, root: str) -> typing.Optional[str]:
        """The source of a BUFHCE, which every clock of a row passes. Its enable must be a constant 1."""
        if root in self._clock_buffers:
            return self._clock_buffers[root]
        self._clock_buffers[root] = None
        match = CLOCK_OUTPUT.match(root)
        assert match is not None
        place = Place(match[1], match[2])
        found = self.tiles.get(place.tile, features.TileFeatures()).flags
        prefix = f"BUFHCE.{place.site}."
        self.taken.setdefault(place.tile, set()).update(prefix + name for name in ("IN_USE", "ZINV_CE"))
        enable = self.pin_source(place, "CE")
        if prefix + "IN_USE" not in found:
            self.problems.append(f"clock buffer: {place.tile}/{place.site} passes a clock and is not in use")
        if enable is None or (enable == "1") != (prefix + "ZINV_CE" in found) or enable not in ("0", "1"):
            self.problems.append(f"clock buffer: CE of {place.tile}/{place.site} is not a constant 1, its source is {enable}")
        self._clock_buffers[root] = self.pin_source(place, "I")
        return self._clock_buffers[root]

    def inputs(self, place: Place, cell: str) -> dict[str, typing.Optional[str]]:
        """Input pin of a cell of a slice -> the pin or constant that drives it."""
        found: dict[str, typing.Optional[str]] = {}
        for pin, source in self.slice_at(place).inputs(cell).items():
            if isinstance(source, slices.Pin):
                found[pin] = self.pin_source(place, source.name)
            else:
                found[pin] = source if source in (None, "0", "1") else f"{place.tile}/{place.site}.{source}"
        return found

    def pass_through(self, place: Place, cell: str, is_half: bool) -> typing.Optional[str]:
        """The input that a table without a cell passes, or a constant; None for other tables. `is_half`: a cell has the lower half."""
        self.passing.add(f"{place.tile}/{place.site}.{cell}")
        contents = self.slice_at(place).contents(cell[0])
        contents, size = (contents >> 32, 5) if cell[1] == "6" and is_half else (contents & 0xFFFFFFFF, 5) if cell[1] == "5" else (contents, 6)
        if self.slice_at(place).is_ram(cell[0]):
            return None
        live = [bit for bit in range(size) if depends(contents, size, bit)]
        if not live:
            return str(contents & 1)
        if len(live) == 1 and not contents & 1:
            return self.pin_source(place, f"{cell[0]}{live[0] + 1}")
        return None

    def ram_wires(self, tile: str, site: str) -> dict[str, str]:
        """Pin -> wire of a block RAM as placed; the lower RAMB18 has the wires of a FIFO18."""
        found = self._site_pins(Place(tile, site))
        if site.startswith("RAMB36"):
            return found
        return {half[1]: wire for wire in found.values() for half in [routing.ram_pin(wire)] if half}

    def clock_wires(self) -> typing.Iterator[tuple[str, str]]:
        """(tile, driving wire) of the switches in use, and of those without bits that lead to them in the rows of clocks."""
        mask = (1 << chip.WIRE_BITS) - 1
        for _, driving in self.routing.used_switches():
            yield self.chip.tile_at[driving >> chip.WIRE_BITS], self.chip.wire_names[driving & mask]
            for driver in self.routing.node(driving).drivers:
                if driver.root is None and not driver.has_bits:
                    yield self.chip.tile_at[driver.driving >> chip.WIRE_BITS], self.chip.wire_names[driver.driving & mask]


def depends(contents: int, size: int, bit: int) -> bool:
    """Whether a look-up table's output depends on an input."""
    return restricted(contents, size, bit, 0) != restricted(contents, size, bit, 1)


# For each input, the entries of a table of 64 in which it is 0.
LOW_ENTRIES = [sum(1 << entry for entry in range(64) if not entry >> bit & 1) for bit in range(6)]


def restricted(contents: int, size: int, bit: int, value: int) -> int:
    """The table with an input tied to a value; it has the same size, and no longer depends on the input."""
    mask, step = LOW_ENTRIES[bit] & (1 << (1 << size)) - 1, 1 << bit
    half = (contents >> step if value else contents) & mask
    return half | half << step

