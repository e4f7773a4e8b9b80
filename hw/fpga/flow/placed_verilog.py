# SPDX-License-Identifier: Apache-2.0
"""The netlist of a bitstream as Verilog, for simulation: the cells and nets that nextpnr has placed (--write), with the contents of
LUTs from the FASM text that becomes the bitstream.

A LUT is an expression of its physical pins, after packing and the permutation of pins. Other cells are instances with their names
and ports before packing, for models such as those of tests/fpga/placed/cells. The processing system is left out: its connected
pins are the ports of the module, in the other direction.
"""
import re

from hw.fpga.flow import Error, database, netlist, pin_timing, placed_cells

Ports = dict[str, dict[int, tuple[str | None, str]]]  # port -> bit -> net and direction
LUT_PINS = ["A6", "A5", "A4", "A3", "A2", "A1"]
LUT_BEL = re.compile(r"([A-D])([56])LUT$")
LUT_INIT = re.compile(r"^(\w+)\.SLICE[LM]_X(\d)\.([A-D])LUT\.INIT\[63:0\] = 64'b([01]{64})$", re.MULTILINE)
CONSTANTS = {"PSEUDO_GND": "1'b0", "PSEUDO_VCC": "1'b1"}
SYSTEM = "PS7"
# Every bit is a port, such as S0: bits of an input may depend on lower bits of an output, which is a loop of the whole ports.
SCALARS = {"CARRY4"}
# Inputs that are not connected are 0, except pins of LUTs (1) and these.
UNCONNECTED = {"FDRE": {"CE": "1'b1", "R": "1'b0"}, "FDSE": {"CE": "1'b1", "S": "1'b0"}}
DSP_TIED_ONES = "DSP_VCC_PINS"  # attribute: pins that a switch of the tile ties to 1
# Contents of RAMs are joined: INIT_00, INIT_01, ... to CONTENTS, INITP_00, ... to PARITY.
CONTENTS = re.compile(r"(INITP?)_([0-9A-F]{2})$")
NAMES_OF_CONTENTS = {"INIT": "CONTENTS", "INITP": "PARITY"}
BITS_OF_CONTENTS = 256
TEXTS = re.compile(r"[A-Z0-9_]+$")


class PlacedVerilogError(Error):
    """A placed netlist and FASM text that do not fit together, or a cell that cannot be written."""


def lut_contents(fasm: str) -> dict[tuple[str, int, str], str]:
    """(tile, x of the slice, letter) -> 64 bits as text, highest first."""
    return {(tile, int(x), letter): bits for tile, x, letter, bits in LUT_INIT.findall(fasm)}


def _parameter(value: int | str) -> str:
    """A parameter's value in Verilog; x is 0, as in the bitstream."""
    if not isinstance(value, str):
        return str(value)
    text = value.strip().replace("x", "0")
    if text and set(text) <= {"0", "1"}:
        return f"{len(text)}'b{text}"
    if TEXTS.match(text):
        return f'"{text}"'
    raise PlacedVerilogError(f"a parameter is '{value}'")


def _parameters(cell: netlist.Json) -> dict[str, str]:
    """Names and values in Verilog. Contents that are 0 are left out."""
    found: dict[str, str] = {}
    contents: dict[str, int] = {}
    for name, value in cell["parameters"].items():
        match = CONTENTS.match(name)
        if match:
            number = netlist.parameter(value.replace("x", "0"))
            total = contents.get(match[1], 0)
            contents[match[1]] = total | number << int(match[2], 16) * BITS_OF_CONTENTS
        else:
            found[name] = _parameter(value)
    for name, number in contents.items():
        if number:
            found[NAMES_OF_CONTENTS[name]] = f"{number.bit_length()}'h{number:x}"
    # IS_INMODE[0]_INVERTED and the like, of single bits of a port
    joined: dict[str, int] = {}
    for name in [name for name in found if "[" in name]:
        port, _, rest = name.partition("[")
        bit, _, end = rest.partition("]")
        if netlist.parameter(cell["parameters"][name]):
            joined[port + end] = joined.get(port + end, 0) | 1 << int(bit)
        del found[name]
    return found | {name: str(value) for name, value in joined.items()}


def _cofactors(content: str, pin: int) -> tuple[str, str]:
    """The contents, highest bit first, of a LUT without its pin at `pin` (0: the highest address bit): where that is 1, and 0."""
    half = len(content) >> pin + 1
    parts = [content[at:at + half] for at in range(0, len(content), half)]
    return "".join(parts[0::2]), "".join(parts[1::2])


def lut_expression(content: str, nets: list[str]) -> str:
    """A LUT of its nets (highest address bit first), which may be constants. Pins without effect are left out: both LUTs of a
    pair have the pins of either, also when one drives a pin of the other."""
    kept: list[str] = []
    for net in nets:
        if_1, if_0 = _cofactors(content, len(kept))
        if net in ("1'b1", "1'b0") or if_1 == if_0:
            content = if_0 if net == "1'b0" else if_1
        else:
            kept.append(net)
    if not kept:
        return f"1'b{content}"
    return f"{len(content)}'h{int(content, 2):x} >> {{{', '.join(kept)}}}"


class _Writer:
    def __init__(self, module: netlist.Json, contents: dict[tuple[str, int, str], str],
                 tile_at: dict[tuple[int, int], str]) -> None:
        self._cells = module["cells"]
        self._contents = contents
        self._tile_at = tile_at
        self._read = {bits[0] for cell in self._cells.values() for pin, bits in cell["connections"].items()
                      if bits and cell["port_directions"][pin] == "input"}
        self._constants = {self._net(cell["connections"]["Y"]): CONSTANTS[cell["type"]] for cell in self._cells.values()
                           if cell["type"] in CONSTANTS}
        self._wires: set[str] = set()
        self.lines: list[str] = []
        self.ports: list[str] = []

    def _net(self, bits: list[int] | None) -> str | None:
        """The name of a net, or None for a pin without one. A net that no pin reads is none."""
        return f"n{bits[0]}" if bits and bits[0] in self._read else None

    def _logical_pins(self, name: str, cell: netlist.Json) -> Ports:
        """port -> {bit: (net or None, direction)}. Errors: PlacedVerilogError if two pins of one port have different nets."""
        ports: Ports = {}
        for pin, bits in cell["connections"].items():
            text = cell["attributes"].get(pin_timing.LOGICAL_PORT + pin)
            if text is None:
                continue  # a pin that packing has added
            port, bit = pin_timing.logical_pin(text.strip())
            if placed_cells.original_type(cell) in SCALARS and pin_timing.BIT.match(text.strip()):
                port, bit = f"{port}{bit}", 0
            found = (self._net(bits), cell["port_directions"][pin])
            known = ports.setdefault(port, {}).setdefault(bit, found)
            if known != found and None not in (known[0], found[0]):
                raise PlacedVerilogError(f"{name}: the pins of {port}[{bit}] have different nets")
            if known[0] is None:
                ports[port][bit] = found
        return ports

    def _unconnected(self, cell: netlist.Json, port: str, bit: int) -> str:
        tied = cell["attributes"].get(DSP_TIED_ONES, "").split()
        if port in tied or f"{port}{bit}" in tied:
            return "1'b1"
        return UNCONNECTED.get(placed_cells.original_type(cell), {}).get(port, "1'b0")

    def _connection(self, cell: netlist.Json, port: str, bits: dict[int, tuple[str | None, str]]) -> str:
        """What a port of an instance is connected to. Outputs need a net for every bit."""
        is_output = any(direction == "output" for _, direction in bits.values())
        nets = []
        for bit in range(max(bits), -1, -1):
            net, _ = bits.get(bit, (None, None))
            if net is None and is_output:
                net = f"u{len(self._wires)}"
                self._wires.add(net)
            nets.append(net or self._unconnected(cell, port, bit))
        return f".{port}({{{', '.join(nets)}}})"

    def _add_instance(self, index: int, name: str, cell: netlist.Json, kind: str) -> None:
        parameters = ", ".join(f".{key}({value})" for key, value in sorted(_parameters(cell).items()))
        ports: Ports = {port: {0: (None, "input")} for port in UNCONNECTED.get(kind, ())}
        ports |= self._logical_pins(name, cell)
        used = [(port, bits) for port, bits in sorted(ports.items())
                if any(net or direction == "input" for net, direction in bits.values())]
        connections = ", ".join(self._connection(cell, port, bits) for port, bits in used)
        self.lines.append(f"  {kind} {f'#({parameters}) ' if parameters else ''}c{index} ({connections});")

    def _pin_of_lut(self, cell: netlist.Json, pin: str) -> str:
        net = self._net(cell["connections"].get(pin))
        return self._constants.get(net, net or "1'b1")

    def _add_lut(self, name: str, cell: netlist.Json) -> None:
        match = placed_cells.BEL.match(cell["attributes"]["NEXTPNR_BEL"])
        bel = LUT_BEL.match(match[6]) if match else None
        if not match or not bel:
            raise PlacedVerilogError(f"{name}: '{cell['attributes']['NEXTPNR_BEL']}' is not a LUT of a slice")
        tile = self._tile_at[int(match[1]), int(match[2])]
        site = (tile, int(match[4]), bel[1])
        if site not in self._contents:
            raise PlacedVerilogError(f"{name}: the FASM text has no contents for LUT {bel[1]} of slice {match[4]} in {tile}")
        is_whole = bel[2] == "6"
        init = self._contents[site] if is_whole else self._contents[site][32:]
        output = self._net(cell["connections"]["O6" if is_whole else "O5"])
        if output is None:
            return
        pins = LUT_PINS if is_whole else LUT_PINS[1:]
        self.lines.append(f"  assign {output} = {lut_expression(init, [self._pin_of_lut(cell, pin) for pin in pins])};")

    def _add_system(self, name: str, cell: netlist.Json) -> None:
        for port, bits in sorted(self._logical_pins(name, cell).items()):
            is_output = any(direction == "output" for _, direction in bits.values())
            self.ports.append(f"  {'input' if is_output else 'output'} wire [{max(bits)}:0] {port}")
            for bit, (net, _) in sorted(bits.items()):
                if net:
                    self.lines.append(f"  assign {net} = {port}[{bit}];" if is_output else f"  assign {port}[{bit}] = {net};")

    def add_cells(self) -> None:
        for index, (name, cell) in enumerate(self._cells.items()):
            kind = placed_cells.original_type(cell)
            if kind in CONSTANTS:
                self.lines.append(f"  assign {self._net(cell['connections']['Y'])} = {CONSTANTS[kind]};")
            elif kind == SYSTEM:
                self._add_system(name, cell)
            elif cell["type"] == pin_timing.LUT_CELL and "X_LUT_AS_DRAM" not in cell["attributes"]:
                self._add_lut(name, cell)
            else:
                self._add_instance(index, name, cell, kind)

    def wires(self) -> list[str]:
        nets = {self._net(bits) for cell in self._cells.values() for bits in cell["connections"].values()}
        return sorted(self._wires | {net for net in nets if net})


def verilog(name: str, module: netlist.Json, fasm: str, part: database.Part) -> str:
    """The Verilog text of a module of nextpnr's JSON. `fasm`: text of the same run; `part`: a database.Part. Errors: PlacedVerilogError."""
    tile_at = {(tile["grid_x"], tile["grid_y"]): tile_name for tile_name, tile in part.tiles.items()}
    writer = _Writer(module, lut_contents(fasm), tile_at)
    writer.add_cells()
    ports = ",\n".join(writer.ports)
    wires = "\n".join(f"  wire {net};" for net in writer.wires())
    body = "\n".join(writer.lines)
    return f"module {name} (\n{ports}\n);\n{wires}\n{body}\nendmodule\n"
