# SPDX-License-Identifier: Apache-2.0
"""The netlist of a bitstream as Verilog, for simulation with the models of tests/fpga/placed/cells. No placed netlist is needed.

It has everything that leads to an input of the processing system, whose pins are the ports of the module, in the other direction. Look-up tables
are expressions, other cells are instances. A block RAM whose halves have one mode and the same controls is a RAMB36E1.
"""
import re
import typing

from hw.fpga.readback import blocks, features, netlist

SYSTEM = "PS7"
SLICE_CELL = re.compile(r"(.+)/(SLICE_X\dY0)\.(\w+)\.(\w+)$")
BLOCK_PIN = re.compile(r"(.+)/([A-Z0-9]+?_X\d+Y\d+)\.(\w+)$")
INDEXED = re.compile(r"(.*?)(\d+)$")
CARRY_OUTPUTS = [f"{kind}{bit}" for bit in range(4) for kind in ("CO", "O")]
RAM_PINS = ["CLKARDCLK", "CLKBWRCLK", "ENARDEN", "ENBWREN", "REGCEAREGCE", "REGCEB", "RSTRAMARSTRAM", "RSTRAMB", "RSTREGARSTREG", "RSTREGB"]
DSP_PINS = {"A": 30, "B": 18, "C": 48, "D": 25, "ALUMODE": 4, "INMODE": 5, "OPMODE": 7, "CARRYINSEL": 3}
DSP_CONTROLS = ["CLK", "CARRYIN", "CEA1", "CEA2", "CEAD", "CEALUMODE", "CEB1", "CEB2", "CEC", "CECARRYIN", "CECTRL", "CED", "CEINMODE", "CEM", "CEP",
                "RSTA", "RSTALLCARRYIN", "RSTALUMODE", "RSTB", "RSTC", "RSTCTRL", "RSTD", "RSTINMODE", "RSTM", "RSTP"]
WHOLE_WIDTHS = {(1, 1): 1, (1, 0): 2, (2, 0): 4, (4, 1): 9, (9, 0): 18, (18, 0): 36}  # of a half, odd bit -> of a RAM of 36 Kbit
Source = typing.Optional[str]


class VerilogError(Exception):
    """A configuration that the models of cells lack."""


def joined(even: int, odd: int, bits: int) -> int:
    """A number with these even and odd bits."""
    one, other = f"{even:0{bits}b}", f"{odd:0{bits}b}"
    return int("".join(high + low for high, low in zip(other, one)), 2)


class Writer:
    def __init__(self, found: netlist.Netlist) -> None:
        self._netlist = found
        self._names: dict[str, str] = {}
        self._waiting: list[str] = []
        self._done: set[str] = set()
        self.lines: list[str] = []

    def net(self, source: Source, where: str) -> str:
        """The net of a pin that drives others. Errors: VerilogError for `where` if there is none."""
        if source is None:
            raise VerilogError(f"{where}: the input floats")
        if source in ("0", "1"):
            return f"1'b{source}"
        if source not in self._names:
            self._names[source] = f"n{len(self._names)}"
            self._waiting.append(source)
        return self._names[source]

    def _output(self, pin: str) -> str:
        """The net of an output pin, which need not lead anywhere."""
        return self._names.setdefault(pin, f"n{len(self._names)}")

    def run(self) -> None:
        """Adds the cells that lead to the nets so far."""
        while self._waiting:
            source = self._waiting.pop()
            match = SLICE_CELL.match(source)
            if match:
                self._slice_cell(netlist.Place(match[1], match[2]), match[3], match[4])
                continue
            block = BLOCK_PIN.match(source)
            if block is None:
                raise VerilogError(f"{source}: no cell has this pin")
            self._block(netlist.Place(block[1], block[2]), block[3], source)

    def wires(self) -> list[str]:
        return [f"  wire {name};" for name in self._names.values()]

    def system_pin(self, pin: str) -> Source:
        """The net of an output pin of the processing system that the netlist reads."""
        return self._names.get(pin)

    def _is_new(self, cell: str) -> bool:
        if cell in self._done:
            return False
        self._done.add(cell)
        return True

    def _instance(self, kind: str, parameters: dict[str, str], ports: dict[str, str]) -> None:
        settings = ", ".join(f".{name}({value})" for name, value in parameters.items())
        pins = ", ".join(f".{name}({net})" for name, net in ports.items())
        self.lines.append(f"  {kind} {f'#({settings}) ' if settings else ''}c{len(self.lines)} ({pins});")

    def _slice_cell(self, place: netlist.Place, cell: str, pin: str) -> None:
        name = f"{place.tile}/{place.site}.{cell}"
        if cell.endswith("LUT"):
            if self._netlist.slice_at(place).is_ram(cell[0]):
                self._lut_ram(place, cell, pin)
            else:
                self._lut(place, cell, pin)
        elif self._is_new(name):
            inputs = self._netlist.inputs(place, cell)
            if cell.endswith("FF"):
                self._flip_flop(place, cell, inputs)
            elif cell == "CARRY4":
                ports = {("CI" if port == "CIN" else port): self.net(source, f"{name}.{port}") for port, source in inputs.items()}
                self._instance("CARRY4", {}, ports | {output: self._output(f"{name}.{output}") for output in CARRY_OUTPUTS})
            else:
                nets = [self.net(inputs[port], f"{name}.{port}") for port in ("0", "1", "S0")]
                self._instance("MUXF8" if cell == "F8MUX" else "MUXF7", {}, dict(zip(("I0", "I1", "S"), nets)) | {"O": self._output(f"{name}.OUT")})

    def _lut(self, place: netlist.Place, cell: str, pin: str) -> None:
        """An expression of the inputs that have an effect."""
        contents, size = self._netlist.slice_at(place).contents(cell[0]), int(cell[1])
        if size == 5:
            contents &= 0xFFFFFFFF
        nets = []
        for bit in range(size - 1, -1, -1):
            if not netlist.depends(contents, size, bit):
                continue
            net = self.net(self._netlist.pin_source(place, f"{cell[0]}{bit + 1}"), f"{place.tile}/{place.site}.{cell}")
            if net in ("1'b0", "1'b1"):
                contents = netlist.restricted(contents, size, bit, int(net[-1]))
            else:
                nets.append((bit, net))
        nets = [(bit, net) for bit, net in nets if netlist.depends(contents, size, bit)]
        table = 0
        for index in range(1 << len(nets)):
            address = sum((index >> len(nets) - 1 - at & 1) << bit for at, (bit, _) in enumerate(nets))
            table |= (contents >> address & 1) << index
        value = f"1'b{table}" if not nets else f"{1 << len(nets)}'h{table:x} >> {{{', '.join(net for _, net in nets)}}}"
        self.lines.append(f"  assign {self._output(f'{place.tile}/{place.site}.{cell}.{pin}')} = {value};")

    def _lut_ram(self, place: netlist.Place, cell: str, pin: str) -> None:
        found = self._netlist.slice_at(place)
        name = f"{place.tile}/{place.site}.{cell}"
        is_small = found.flag(f"{cell[0]}LUT.SMALL")
        if found.contents(cell[0]) != 0 or found.flag("CLKINV") or found.flag(f"{cell[0]}LUT.SRL"):
            raise VerilogError(f"{name}: a LUT RAM with contents, an inverted clock, or that shifts")
        inputs = self._netlist.inputs(place, cell)
        bits = 5 if is_small else 6
        pins = {"CLK": "CLK", "WE": "WE", "I": "DI2" if is_small and cell[1] == "6" else "DI1"}
        pins |= {f"WADR{bit}": f"WA{bit + 1}" for bit in range(bits if is_small else 8)} | {f"RADR{bit}": f"A{bit + 1}" for bit in range(bits)}
        ports = {port: self.net(inputs[source], f"{name}.{source}") for port, source in pins.items()}
        self._instance("RAMD32" if is_small else "RAMD64E", {}, ports | {"O": self._output(f"{name}.{pin}")})

    def _flip_flop(self, place: netlist.Place, cell: str, inputs: dict[str, Source]) -> None:
        found, name = self._netlist.slice_at(place), f"{place.tile}/{place.site}.{cell}"
        if not found.flag("FFSYNC") or found.flag("CLKINV") or found.flag("LATCH"):
            raise VerilogError(f"{name}: a latch, a falling clock edge or an asynchronous reset")
        resets_to_0 = found.flag(f"{cell}.ZRST")
        ports = {"C": "CK", "CE": "CE", "D": "D", "R" if resets_to_0 else "S": "SR"}
        nets = {port: self.net(inputs[pin], f"{name}.{pin}") for port, pin in ports.items()}
        init = "1'b0" if found.flag(f"{cell}.ZINI") else "1'b1"
        self._instance("FDRE" if resets_to_0 else "FDSE", {"INIT": init}, nets | {"Q": self._output(f"{name}.Q")})

    def _block(self, place: netlist.Place, pin: str, source: str) -> None:
        if place.site.startswith(SYSTEM):
            return
        if place.site.startswith("RAMB18"):
            self._ram(place.tile, int(place.site[-1]))
        elif place.site.startswith("DSP48"):
            if self._is_new(f"{place.tile}/{place.site}"):
                self._dsp(place)
        elif place.site.startswith("BUFGCTRL"):
            if self._is_new(f"{place.tile}/{place.site}"):
                self._buffer(place, source)
        else:
            raise VerilogError(f"{place.tile}/{place.site}: no model of this site, whose pin {pin} is used")

    def _pins(self, place: netlist.Place, names: typing.Iterable[str]) -> dict[str, str]:
        return {name: self.net(self._netlist.pin_source(place, name), f"{place.tile}/{place.site}.{name}") for name in names}

    def _buffer(self, place: netlist.Place, source: str) -> None:
        prefix = f"BUFGCTRL.BUFGCTRL_X0Y{int(place.site.rpartition('Y')[2]) % 16}."
        settings = blocks.buffer(self._features(place.tile).prefixed(prefix))
        if not settings["IN_USE"] or any(settings[f"IS_{pin}_INVERTED"] for pin in ("CE0", "S0", "IGNORE0")):
            raise VerilogError(f"{place.tile}/{place.site}: a global buffer that is not in use, or of another input than I0")
        parameters = {f"IS_{pin}_INVERTED": str(settings[f"IS_{pin}_INVERTED"]) for pin in ("IGNORE1", "CE1", "S1")}
        pins = self._pins(place, ["I0", "S0", "S1", "CE0", "CE1", "IGNORE0", "IGNORE1"])
        self._instance("BUFGCTRL", parameters, pins | {"O": self._output(source)})

    def _features(self, tile: str) -> features.TileFeatures:
        return self._netlist.tiles.get(tile, features.TileFeatures())

    def _dsp(self, place: netlist.Place) -> None:
        settings = blocks.dsp(self._features(place.tile).prefixed(f"DSP48.DSP_{place.site[-1]}."))
        parameters = {name: str(settings[name]) for name in (*blocks.DSP_REGISTERS, "AREG", "BREG")}
        parameters |= {f"IS_{bus}_INVERTED": f"{bits or 1}'d{settings[f'IS_{bus}_INVERTED']}" for bus, bits in blocks.DSP_BUSES.items()}
        parameters["USE_DPORT"] = '"TRUE"' if settings["USE_DPORT"] else '"FALSE"'
        for port in "AB":
            parameters[f"{port}_INPUT"] = '"CASCADE"' if settings[f"{port}_INPUT"] else '"DIRECT"'
        if settings["USE_SIMD_FOUR12_TWO24"]:
            parameters["USE_SIMD"] = '"FOUR12"' if settings["USE_SIMD_FOUR12"] else '"TWO24"'
        ports = self._pins(place, DSP_CONTROLS)
        for bus, bits in DSP_PINS.items():
            nets = self._pins(place, [f"{bus}{bit}" for bit in range(bits)])
            ports[bus] = _bus(list(nets.values()))
        ports["P"] = _bus([self._output(f"{place.tile}/{place.site}.P{bit}") for bit in range(48)])
        self._instance("DSP48E1", parameters, ports)

    def _half_pin(self, tile: str, half: int, pin: str) -> Source:
        return self._netlist.wire_source(tile, f"BRAM_{'RAMB18' if half else 'FIFO18'}_{pin}")

    def _is_whole(self, tile: str, settings: list[blocks.Settings]) -> bool:
        """Whether the halves have one mode and the same controls."""
        modes = [{name: value for name, value in half.items() if name not in ("INIT", "INITP")} for half in settings]
        controls = [*RAM_PINS, *(f"{bus}{bit}" for bus, bits in (("ADDRARDADDR", 14), ("ADDRBWRADDR", 14), ("WEA", 4), ("WEBWE", 8)) for bit in range(bits))]
        return modes[0] == modes[1] and settings[0]["IN_USE"] == 1 and all(
            self._half_pin(tile, 0, pin) == self._half_pin(tile, 1, pin) for pin in controls)

    def _ram(self, tile: str, half: int) -> None:
        found = self._features(tile)
        settings = [blocks.ram_half(found.prefixed(f"RAMB18_Y{index}.")) for index in (0, 1)]
        if self._is_whole(tile, settings):
            if self._is_new(f"{tile}/RAMB36"):
                self._whole_ram(tile, settings, blocks.ram_whole(found.prefixed("")))
        elif self._is_new(f"{tile}/RAMB18_{half}"):
            self._half_ram(tile, half, settings[half])

    def _ram_parameters(self, settings: blocks.Settings, widths: dict[str, int], full: int) -> dict[str, str]:
        """Parameters but the contents. A port of width 0 or 1, beside wider ones, is not used. Errors: VerilogError for other widths that differ,
        which the model does not have."""
        largest = max(widths.values())
        used = {port: width if width == largest else 0 for port, width in widths.items()}
        if settings["SDP_READ_WIDTH_36"] or settings["SDP_WRITE_WIDTH_36"]:
            used = {"READ_WIDTH_A": full, "READ_WIDTH_B": 0, "WRITE_WIDTH_A": 0, "WRITE_WIDTH_B": full}
        elif odd := [f"{port} {width}" for port, width in widths.items() if width not in (0, 1, largest)]:
            raise VerilogError(f"a block RAM of ports of several widths ({', '.join(odd)}, others {largest}): the model has one width")
        parameters = {port: str(width) for port, width in used.items()}
        parameters["RAM_MODE"] = '"SDP"' if settings["SDP_READ_WIDTH_36"] else '"TDP"'
        for port in "AB":
            is_first, no_change = (settings[f"WRITE_MODE_{port}_{mode}"] for mode in ("READ_FIRST", "NO_CHANGE"))
            parameters[f"WRITE_MODE_{port}"] = '"READ_FIRST"' if is_first else '"NO_CHANGE"' if no_change else '"WRITE_FIRST"'
            parameters |= {name: str(settings[name]) for name in (f"DO{port}_REG", f"INIT_{port}", f"SRVAL_{port}")}
        return parameters | {f"IS_{pin}_INVERTED": str(settings[f"IS_{pin}_INVERTED"]) for pin in blocks.INVERTED}

    def _half_ram(self, tile: str, half: int, settings: blocks.Settings) -> None:
        parameters = self._ram_parameters(settings, {port: settings[port] for port in blocks.PORTS}, 36)
        parameters |= _contents(settings["INIT"], settings["INITP"])
        ports = {pin: self.net(self._half_pin(tile, half, pin), f"{tile} half {half} {pin}") for pin in RAM_PINS}
        # A write enable of a byte has two pins.
        for bus, pins in (("WEA", range(0, 4, 2)), ("WEBWE", range(0, 8, 2)), ("ADDRARDADDR", range(14)), ("ADDRBWRADDR", range(14)),
                          *((f"DI{port}", range(bits)) for port, bits in (("ADI", 16), ("BDI", 16), ("PADIP", 2), ("PBDIP", 2)))):
            ports[bus] = _bus([self.net(self._half_pin(tile, half, f"{bus}{pin}"), f"{tile} half {half} {bus}{pin}") for pin in pins])
        for bus, bits in (("DOADO", 16), ("DOBDO", 16), ("DOPADOP", 2), ("DOPBDOP", 2)):
            ports[bus] = _bus([self._output(f"{tile}/RAMB18_X0Y{half}.{bus}{bit}") for bit in range(bits)])
        self._instance("RAMB18E1", parameters, ports)

    def _whole_ram(self, tile: str, halves: list[blocks.Settings], shared: blocks.Settings) -> None:
        widths = {}
        for port in blocks.PORTS:
            key = halves[0][port], shared[f"RAMB36.BRAM36_{port}_1"]
            if key not in WHOLE_WIDTHS:
                raise VerilogError(f"{tile}: {port} of the halves is {key[0]}, with odd bit {key[1]}")
            widths[port] = WHOLE_WIDTHS[key]
        if max(widths.values()) > 2:  # halves of ports that are not used have 1 bit
            widths = {port: 0 if width <= 2 else width for port, width in widths.items()}
        parameters = self._ram_parameters(halves[0], widths, 72)
        parameters |= _contents(joined(halves[0]["INIT"], halves[1]["INIT"], 16384), joined(halves[0]["INITP"], halves[1]["INITP"], 2048))
        ports = {pin: self.net(self._half_pin(tile, 0, pin), f"{tile} {pin}") for pin in RAM_PINS}
        for bus, name, bits in (("ADDRARDADDR", "ADDRARDADDRL", 15), ("ADDRBWRADDR", "ADDRBWRADDRL", 15), ("WEA", "WEAL", 4), ("WEBWE", "WEBWEL", 8)):
            sources = [self._netlist.wire_source(tile, f"BRAM_FIFO36_{name}{bit}") for bit in range(bits)]
            ports[bus] = _bus([self.net(source, f"{tile} {bus}{bit}") for bit, source in enumerate(sources)])
        for bus, bits in (("DIADI", 16), ("DIBDI", 16), ("DIPADIP", 2), ("DIPBDIP", 2)):
            nets = [self.net(self._half_pin(tile, half, f"{bus}{bit}"), f"{tile} {bus}{bit}") for bit in range(bits) for half in (0, 1)]
            ports[bus] = _bus(nets)
        for bus, bits in (("DOADO", 16), ("DOBDO", 16), ("DOPADOP", 2), ("DOPBDOP", 2)):
            ports[bus] = _bus([self._output(f"{tile}/RAMB18_X0Y{half}.{bus}{bit}") for bit in range(bits) for half in (0, 1)])
        self._instance("RAMB36E1", parameters, ports)


def _bus(nets: list[str]) -> str:
    """A concatenation of nets, lowest bit first."""
    return f"{{{', '.join(reversed(nets))}}}"


def _contents(data: int, parity: int) -> dict[str, str]:
    return {name: f"{value.bit_length()}'h{value:x}" for name, value in (("CONTENTS", data), ("PARITY", parity)) if value}


def _grouped(pins: typing.Iterable[str]) -> dict[str, int]:
    """Port -> bits of pins such as DATA0, DATA1; a pin of one bit has no number unless pin 0 has one."""
    names = set(pins)
    found: dict[str, int] = {}
    for pin in sorted(names):
        port, bit = _port(pin, names)
        found[port] = max(found.get(port, 0), bit + 1)
    return found


def _port(pin: str, names: set[str]) -> tuple[str, int]:
    match = INDEXED.match(pin)
    return (match[1], int(match[2])) if match and f"{match[1]}0" in names else (pin, 0)


def verilog(name: str, found: netlist.Netlist) -> str:
    """The Verilog text of a module. Errors: VerilogError."""
    place, inputs, outputs = _system(found)
    writer = Writer(found)
    driven: list[str] = []
    names = set(inputs)
    for pin in inputs:
        source = found.pin_source(place, pin)
        if source is not None:
            port, bit = _port(pin, names)
            driven.append(f"  assign {port}[{bit}] = {writer.net(source, pin)};")
    writer.run()
    names = set(outputs)
    for pin in outputs:
        net = writer.system_pin(f"{place.tile}/{place.site}.{pin}")
        if net:
            port, bit = _port(pin, names)
            driven.append(f"  assign {net} = {port}[{bit}];")
    ports = [f"  output wire [{bits - 1}:0] {port}" for port, bits in _grouped(inputs).items()]
    ports += [f"  input wire [{bits - 1}:0] {port}" for port, bits in _grouped(outputs).items()]
    body = "\n".join([*writer.wires(), *writer.lines, *driven])
    joined_ports = ",\n".join(ports)
    return f"module {name} (\n{joined_ports}\n);\n{body}\nendmodule\n"


def _system(found: netlist.Netlist) -> tuple[netlist.Place, list[str], list[str]]:
    """The place of the processing system, and its input and output pins that a wire of the fabric has."""
    for tile, entry in found.chip.grid.items():
        for site in found.chip.tile_type(entry["type"]).sites if any(kind == SYSTEM for kind in entry["sites"].values()) else ():
            if site.type == SYSTEM:
                outputs = found.routing.output_pins(entry["type"], site.name)
                return netlist.Place(tile, site.name), sorted(site.pins.keys() - outputs), sorted(outputs)
    raise VerilogError(f"{found.chip.name} has no processing system")
