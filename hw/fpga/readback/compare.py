# SPDX-License-Identifier: Apache-2.0
"""Compares the netlist in the bits with the placed one. Every net is one tree from its driver to exactly its pins, every cell has the
placed one's contents and settings, and nothing else is configured."""
import re
import typing

from hw.fpga.readback import blocks, features, netlist, placed, slices

LUT = re.compile(r"([A-D])([56])LUT$")
LUT_RAM = {"RAMD32": True, "RAMS32": True, "RAMD64E": False, "RAMS64E": False}  # has 32 bits
FLIP_FLOPS = {"FDRE": (0, True), "FDSE": (1, True), "FDCE": (0, False), "FDPE": (1, False)}  # value after reset, is it synchronous
UNCONNECTED = {"CE": "1", "SR": "0"}  # of flip-flops
# A switch that takes a clock needs a feature of its tile: (tile type, driving wire, features).
CLOCKS = [
    (re.compile(r"HCLK_[LR]$"), re.compile(r"(HCLK_CK_BUFHCLK\d+)$"), ["ENABLE_BUFFER.{}"]),
    (re.compile(r"CLK_HROW_\w+$"), re.compile(r"(CLK_HROW_R_CK_GCLK\d+|CLK_HROW_CK_IN_[LR]\d+|CLK_HROW_CK_BUFRCLK_[LR]\d+)$"),
     ["{}_ACTIVE"]),
    (re.compile(r"CLK_BUFG_REBUF$"), re.compile(r"CLK_BUFG_REBUF_R_CK_(GCLK\d+)_(?:TOP|BOT)$"), ["{}_ENABLE_ABOVE", "{}_ENABLE_BELOW"]),
]
ROW_END = re.compile(r"HCLK_CMT_CK_(BUFHCLK\d+)_USED$")
CLOCK_NAME = re.compile(r"(GCLK\d+)_ENABLE_(?:ABOVE|BELOW)$")


class Counts(typing.NamedTuple):
    """What was compared."""

    cells: int
    nets: int
    pins: int


class Index:
    """Placed cells by their places."""

    def __init__(self, cells: list[placed.Cell]) -> None:
        self.cells = cells
        self.luts = {f"{cell.tile}/{cell.site}.{cell.bel}" for cell in cells if LUT.match(cell.bel)}
        self.at = {(cell.tile, cell.site, cell.bel): cell for cell in cells}


class Comparison:
    """`problems`: what differs, one line each."""

    def __init__(self, found: netlist.Netlist, index: Index) -> None:
        self._netlist = found
        self._cells = index.cells
        self._luts = index.luts
        self._at = index.at
        self._drivers: set[str] = set()
        self._pins = 0
        self._needed: set[tuple[str, str]] = set()  # by clocks: tile, feature
        self._upper_halves: list[tuple[netlist.Place, str, int]] = []  # of LUT6s whose lower half alone has a cell: letter, contents
        self.problems: list[str] = []

    def check_tiles(self, tiles: typing.Container[str]) -> None:
        """The cells of some tiles only: finds some of the problems of run()."""
        near = [cell for cell in self._cells if cell.tile in tiles]
        for cell in near:
            self._cell(cell)
        self._rams(near)
        self.problems += self._netlist.problems + self._netlist.routing.problems

    def changed(self, other: "Comparison", tiles: typing.Iterable[str]) -> list[str]:
        """What some tiles do in the nets, here (after run()) and in another comparison, which needs not have run. A used node has another
        source there, a switch leads to a node that no pin uses, a clock lacks a feature, or a feature is set that no cell has asked for
        here."""
        problems = [problem for tile in tiles for problem in (*self._changed_switches(other, tile), *self._changed_features(other, tile))]
        return problems + other._netlist.routing.problems

    def _changed_switches(self, other: "Comparison", tile: str) -> typing.Iterator[str]:
        here, there, name_of = self._netlist.routing, other._netlist.routing, self._netlist.chip.name_of
        before, after = (set(routing.switches([tile])) for routing in (here, there))
        for driven, driving in sorted(before ^ after):
            if here.node(driven).is_used and here.source(driven) != there.source(driven):
                yield f"net: {name_of(driven)} is driven by {there.source(driven)}, expected {here.source(driven)}"
            elif (driven, driving) in after and not here.node(driven).is_used:
                yield f"antenna: {name_of(driven)} is driven by {name_of(driving)} and leads to no pin"

    def _changed_features(self, other: "Comparison", tile: str) -> typing.Iterator[str]:
        before, after = (found.tiles.get(tile, features.TileFeatures()) for found in (self._netlist, other._netlist))
        switches = self._netlist.chip.tile_type(self._netlist.chip.grid[tile]["type"]).switches
        yield from (f"clock row: {tile}.{flag} is not set, and a clock passes there"
                    for flag in sorted(before.flags - after.flags) if (tile, flag) in self._needed)
        taken = self._netlist.taken.get(tile, set())
        yield from (f"clock buffer: {tile}.{flag} is {flag in after.flags:d}, and a clock passes there" for flag in sorted(before.flags ^ after.flags)
                    if flag.startswith("BUFHCE.") and flag in taken)
        new = (after.flags | after.vectors.keys()) - before.flags - before.vectors.keys() - switches.keys()
        yield from (f"unused: {tile}.{name} is set, and no cell uses it" for name in sorted(new - taken)
                    if not CLOCK_NAME.match(name) and not ROW_END.match(name))

    def counts(self) -> Counts:
        return Counts(len(self._cells), len(self._drivers), self._pins)

    def run(self, required: typing.Iterable[str]) -> Counts:
        """Everything. `required`: features that the part always needs, as TILE.FEATURE."""
        for cell in self._cells:
            self._cell(cell)
        self._check_upper_halves()
        self._rams(self._cells)
        self._clocks()
        self.problems += self._netlist.problems + self._netlist.routing.problems + self._netlist.routing.antennas()
        self._leftovers(set(required))
        return self.counts()

    def _cell(self, cell: placed.Cell) -> None:
        place = netlist.Place(cell.tile, cell.site)
        if LUT.match(cell.bel):
            if cell.type in LUT_RAM:
                self._lut_ram(place, cell)
            else:
                self._lut(place, cell)
        elif cell.bel.endswith("FF"):
            self._flip_flop(place, cell)
        elif cell.type == "CARRY4":
            self._carry(place, cell)
        elif cell.site.startswith("SLICE"):
            self._check_pins(cell, self._netlist.inputs(place, cell.bel))
        elif cell.bel in placed.RAMS:
            self._ram_pins(cell)
        else:
            self._block(place, cell)

    def _carry(self, place: netlist.Place, cell: placed.Cell) -> None:
        """A chain begins with a carry or with a constant, also where the placed cell leaves its start open."""
        sources = self._sources(place, cell.bel, cell.inputs.keys() | {"CIN", "CYINIT"})
        self._check_pins(cell, sources)
        for pin in ("CIN", "CYINIT"):
            if pin not in cell.inputs and sources[pin] not in ("0", "1"):
                self.problems.append(f"carry: {pin} of {cell.name} at {place.tile}/{place.site} has no net and no constant, its source is {sources[pin]}")

    def _check_pins(self, cell: placed.Cell, sources: dict[str, typing.Optional[str]],
                    skipped: typing.Container[str] = ()) -> None:
        for pin, wanted in cell.inputs.items():
            if pin in skipped:
                continue
            if pin not in sources:
                self.problems.append(f"{cell.name}: the {cell.type} in the bits has no pin {pin}")
                continue
            self._check_source(cell, pin, sources[pin], wanted)

    def _check_source(self, cell: placed.Cell, pin: str, source: typing.Optional[str], wanted: str) -> None:
        self._pins += 1
        self._drivers.add(wanted)
        found = source
        seen: set[typing.Optional[str]] = set()
        while found != wanted:
            seen.add(found)
            passed = self._passed(found)
            if passed is None or passed in seen:  # tables that pass each other are a ring without a driver
                name = "floats" if source is None else f"is driven by {source}"
                self.problems.append(f"net: pin {pin} of {cell.name} at {cell.tile}/{cell.site} {name}, expected {wanted}")
                return
            found = passed

    def _passed(self, source: typing.Optional[str]) -> typing.Optional[str]:
        """What a look-up table passes that only the route uses; None for placed cells and others."""
        match = None if source is None else netlist.CELL_PIN.match(source)
        if match is None or not LUT.match(match[3]) or match[4] not in ("O5", "O6") or f"{match[1]}/{match[2]}.{match[3]}" in self._luts:
            return None
        return self._netlist.pass_through(netlist.Place(match[1], match[2]), match[3],
                                          f"{match[1]}/{match[2]}.{match[3][0]}5LUT" in self._luts)

    def _lut(self, place: netlist.Place, cell: placed.Cell) -> None:
        letter, size = cell.bel[0], int(cell.bel[1])
        found = self._netlist.slice_at(place)
        read = {pin: wanted for pin, wanted in cell.inputs.items() if cell.ports.get(pin)}
        self._check_pins(cell._replace(inputs=read), self._sources(place, cell.bel, read))
        contents, other = found.contents(letter), self._at.get((cell.tile, cell.site, f"{letter}{11 - size}LUT"))
        part = contents >> 32 if size == 6 and other else contents & 0xFFFFFFFF if size == 5 else contents
        bits = 64 if size == 6 and not other else 32
        wanted = self._lut_wanted(cell, bits)
        if part != wanted:
            self.problems.append(f"contents: {cell.bel} of {place.tile}/{place.site} ({cell.name}) is {part:#x}, expected {wanted:#x}")
        if size == 5 and other is None and contents >> 32 not in (0, wanted):
            self._upper_halves.append((place, letter, contents >> 32))
        if found.is_ram(letter):
            self.problems.append(f"contents: {cell.bel} of {place.tile}/{place.site} ({cell.name}) is a RAM, expected a table")

    def _check_upper_halves(self) -> None:
        """After all pins: a table without a cell may pass a net, which the check of that net looks at."""
        for place, letter, contents in self._upper_halves:
            if f"{place.tile}/{place.site}.{letter}6LUT" not in self._netlist.passing:
                self.problems.append(f"contents: the upper half of {letter}6LUT of {place.tile}/{place.site} is {contents:#x}, expected 0")

    @staticmethod
    def _lut_wanted(cell: placed.Cell, bits: int) -> int:
        """The contents by physical pins: the same for both values of a pin that the cell does not read."""
        init = placed.value(cell.parameters["INIT"])
        ports = [(int(pin[1]) - 1, [int(port[1]) for port in names]) for pin, names in cell.ports.items() if re.match(r"A\d$", pin)]
        result = 0
        for address in range(bits):
            index = sum((address >> pin & 1) << port for pin, names in ports for port in names)
            result |= (init >> index & 1) << address
        return result

    def _sources(self, place: netlist.Place, bel: str, pins: typing.Iterable[str]) -> dict[str, typing.Optional[str]]:
        """Those of the pins that are asked for: others must stay unused, so that switches that lead to them are noticed."""
        inputs = self._netlist.slice_at(place).inputs(bel)
        found: dict[str, typing.Optional[str]] = {}
        for pin in pins:
            source = inputs.get(pin)
            if isinstance(source, slices.Pin):
                found[pin] = self._netlist.pin_source(place, source.name)
            elif pin in inputs:
                found[pin] = source if source in (None, "0", "1") else f"{place.tile}/{place.site}.{source}"
        return found

    def _lut_ram(self, place: netlist.Place, cell: placed.Cell) -> None:
        letter, is_small = cell.bel[0], LUT_RAM[cell.type]
        found = self._netlist.slice_at(place)
        modes = {name: found.flag(f"{letter}LUT.{name}") for name in ("RAM", "SMALL", "SRL")}
        if modes != {"RAM": True, "SMALL": is_small, "SRL": False}:
            self.problems.append(f"LUT RAM: {cell.bel} of {place.tile}/{place.site} ({cell.name}, {cell.type}) has {modes}")
        if found.flag("CLKINV") != bool(placed.value(cell.parameters.get("IS_WCLK_INVERTED", "0"))):
            self.problems.append(f"LUT RAM: the clock of {place.tile}/{place.site} ({cell.name}) is inverted")
        contents = found.contents(letter)
        if contents != 0:
            self.problems.append(f"contents: the RAM {letter} of {place.tile}/{place.site} ({cell.name}) is {contents:#x}, expected 0")
        self._check_pins(cell, self._sources(place, cell.bel, cell.inputs))

    def _flip_flop(self, place: netlist.Place, cell: placed.Cell) -> None:
        found = self._netlist.slice_at(place)
        reset, is_synchronous = FLIP_FLOPS[cell.type]
        init = cell.parameters.get("INIT", str(reset)).strip()
        wanted = {f"{cell.bel}.ZINI": init.endswith("1") is False, f"{cell.bel}.ZRST": reset == 0, "FFSYNC": is_synchronous, "LATCH": False,
                  "CLKINV": bool(placed.value(cell.parameters.get("IS_C_INVERTED", "0")))}
        for name, value in wanted.items():
            if found.flag(name) != value:
                self.problems.append(f"flip-flop: {name} of {place.tile}/{place.site} ({cell.name}, {cell.type}) is {not value:d}, expected {value:d}")
        found.flag("NOCLKINV")
        self._check_pins(cell._replace(inputs=UNCONNECTED | cell.inputs), self._netlist.inputs(place, cell.bel))

    def _block(self, place: netlist.Place, cell: placed.Cell) -> None:
        self._check_pins(cell, {pin: self._netlist.pin_source(place, pin) for pin in cell.inputs})
        tile = self._netlist.tiles.get(place.tile, features.TileFeatures())
        if cell.type == "DSP48E1":
            prefix = f"DSP48.DSP_{place.site[-1]}."
            self._settings(place, cell.name, prefix, blocks.dsp(tile.prefixed(prefix)), blocks.dsp_wanted(cell))
        elif cell.type == "BUFGCTRL":
            prefix = f"BUFGCTRL.BUFGCTRL_X0Y{int(place.site.rpartition('Y')[2]) % 16}."
            self._settings(place, cell.name, prefix, blocks.buffer(tile.prefixed(prefix)), blocks.buffer_wanted(cell))

    def _settings(self, place: netlist.Place, name: str, prefix: str, found: blocks.Settings, wanted: blocks.Settings) -> None:
        """Compares settings; all features of the prefix are then accounted for."""
        for key in sorted(found.keys() | wanted.keys()):
            if found.get(key) != wanted.get(key):
                self.problems.append(f"setting: {key} of {place.tile}/{place.site} ({name}) is {_short(found.get(key))}, "
                                     f"expected {_short(wanted.get(key))}")
        tile = self._netlist.tiles.get(place.tile, features.TileFeatures())
        taken = self._netlist.taken.setdefault(place.tile, set())
        taken.update(full for full in tile.flags | tile.vectors.keys() if full.startswith(prefix))

    def _ram_pins(self, cell: placed.Cell) -> None:
        sources: dict[str, typing.Optional[str]] = {}
        pins = self._netlist.ram_wires(cell.tile, cell.site)
        for pin in cell.inputs:
            wire = pins.get("RSTRAMARSTRAMLRST" if pin == "RSTRAMARSTRAML" else pin)
            if wire is not None:
                sources[pin] = self._netlist.wire_source(cell.tile, wire)
        self._check_pins(cell, sources)

    def _rams(self, checked: list[placed.Cell]) -> None:
        """The settings of block RAMs, tile by tile: a RAMB36E1 is two halves."""
        by_tile: dict[str, list[placed.Cell]] = {}
        for cell in checked:
            if cell.bel in placed.RAMS:
                by_tile.setdefault(cell.tile, []).append(cell)
        for tile, cells in by_tile.items():
            whole = next((cell for cell in cells if cell.type == "RAMB36E1"), None)
            found = self._netlist.tiles.get(tile, features.TileFeatures())
            for cell in cells:
                for half in (0, 1) if whole else (int(cell.site[-1]) % 2,):
                    prefix = f"RAMB18_Y{half}."
                    place = netlist.Place(tile, f"RAMB18_X0Y{half}")
                    self._settings(place, cell.name, prefix, blocks.ram_half(found.prefixed(prefix)), blocks.ram_half_wanted(cell, half))
            self._settings(netlist.Place(tile, "RAMB36_X0Y0"), cells[0].name, "RAMB36.", blocks.ram_whole(found.prefixed("")),
                           blocks.ram_whole_wanted(whole))

    def _clocks(self) -> None:
        """What switches need that take clocks. Buffers between rows may be enabled wherever the clock's number is in use; a clock may be
        marked as used at either end of its row."""
        whole = self._netlist.chip
        used: set[str] = set()
        for place, name in self._netlist.clock_wires():
            kind = whole.grid[place]["type"]
            used.update(re.findall(r"GCLK\d+", name))
            used.update(f"{_row(place)} {clock}" for clock in re.findall(r"BUFHCLK\d+", name))
            for tile_type, wire, names in CLOCKS:
                match = wire.match(name) if tile_type.match(kind) else None
                for pattern in names if match else ():
                    self._need(place, pattern.format(match[1] if match else ""))
        for tile, found in self._netlist.tiles.items():
            for flag in found.flags:
                between, ends = CLOCK_NAME.match(flag), ROW_END.match(flag)
                if between and between[1] in used or ends and f"{_row(tile)} {ends[1]}" in used:
                    self._netlist.taken.setdefault(tile, set()).add(flag)

    def _need(self, tile: str, flag: str) -> None:
        described = self._netlist.chip.tile_type(self._netlist.chip.grid[tile]["type"])
        if all(feature.name != flag for feature in described.features["CLB_IO_CLK"]):
            return
        self._netlist.taken.setdefault(tile, set()).add(flag)
        self._needed.add((tile, flag))
        if flag not in self._netlist.tiles[tile].flags:
            self.problems.append(f"clock row: {tile}.{flag} is not set, and a clock passes there")

    def _leftovers(self, required: set[str]) -> None:
        """Features that nothing has asked for."""
        present = {f"{tile}.{flag}" for tile, found in self._netlist.tiles.items() for flag in found.flags}
        self.problems += [f"required: {name} is not set" for name in sorted(required - present)]
        for tile, found in self._netlist.tiles.items():
            switches = self._netlist.chip.tile_type(self._netlist.chip.grid[tile]["type"]).switches
            rest = (found.flags | found.vectors.keys()) - switches.keys() - self._netlist.taken.get(tile, set())
            self.problems += [f"unused: {tile}.{name} is set, and no cell uses it" for name in sorted(rest) if f"{tile}.{name}" not in required]


def _row(tile: str) -> str:
    """The row of a tile in a row of clocks."""
    return tile.rpartition("Y")[2]


def _short(value: typing.Optional[int]) -> str:
    text = "absent" if value is None else f"{value:#x}"
    return text if len(text) < 40 else f"{text[:20]}... of {len(text) - 2} digits"
