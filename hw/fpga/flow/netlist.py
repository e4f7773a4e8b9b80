# SPDX-License-Identifier: Apache-2.0
"""A mapped netlist in the JSON form of yosys (write_json): cells, nets and their names."""
import json
import os
import typing

from hw.fpga.flow import Error

Json = dict[str, typing.Any]  # an object of JSON: a document, a module or a cell
Bits = list[typing.Any]  # of a port: numbers of nets, or CONSTANTS
CONSTANTS = {"0", "1", "x", "z"}


class NetlistError(Error):
    """A file that is not a netlist, or a netlist that is not mapped."""


class Cell(typing.NamedTuple):
    """`inputs`, `outputs`: [(port, bit of the port, net)]; constants are left out."""

    name: str
    type: str
    parameters: dict[str, typing.Any]
    source: str  # file:line of the Verilog
    inputs: list[tuple[str, int, int]]
    outputs: list[tuple[str, int, int]]


CellPin = tuple[Cell, str, int]  # cell, port, bit of the port


class Net:
    """A wire of one bit. `driver`: (cell, port, bit) or None for an input of the top; `sinks`: [(cell, port, bit)]."""

    __slots__ = ("driver", "sinks", "names", "port")

    def __init__(self) -> None:
        self.driver: CellPin | None = None
        self.sinks: list[CellPin] = []
        self.names: list[tuple[str, int, int, str]] = []  # [(name, bit, its width, file:line of its declaration)]
        self.port: str | None = None  # "input" or "output" of the top, or None

    def name(self) -> str | None:
        """The name that comes closest to the source: deepest in the hierarchy, then the shortest."""
        if not self.names:
            return None
        name, bit, width, _ = min(self.names, key=lambda entry: (-entry[0].count("."), len(entry[0]), entry[0]))
        return name if width == 1 else f"{name}[{bit}]"


def parameter(value: typing.Any) -> typing.Any:
    """yosys writes integers as strings of bits."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    return int(text, 2) if text and set(text) <= {"0", "1"} else text


def _line(attributes: dict[str, str]) -> str:
    """The first place in the Verilog, not in the library of yosys: file:line."""
    for place in attributes.get("src", "").split("|"):
        if place and "/share/yosys/" not in place:
            file, _, rest = place.rpartition(":")
            return f"{file}:{rest.partition('.')[0]}"
    return ""


class Netlist:
    """The cells and nets of one flat module."""

    def __init__(self, name: str, module: Json) -> None:
        self.name = name
        self.cells: list[Cell] = []
        self.nets: dict[int, Net] = {}  # number of the bit -> Net
        for cell_name, cell in module["cells"].items():
            if cell["type"] != "$scopeinfo":  # a flattened module
                self._add_cell(cell_name, cell)
        for port in module["ports"].values():
            for bit in port["bits"]:
                if bit not in CONSTANTS:
                    self._net(bit).port = port["direction"]
        for net_name, entry in module["netnames"].items():
            if not entry.get("hide_name"):
                self._add_name(net_name, entry)

    def _net(self, number: int) -> Net:
        net = self.nets.get(number)
        if net is None:
            net = self.nets[number] = Net()
        return net

    def _add_cell(self, name: str, entry: Json) -> None:
        if entry["type"].startswith("$") or "port_directions" not in entry:
            raise NetlistError(f"{self.name}: cell {name} of type {entry['type']} is not mapped to the FPGA")
        cell = Cell(name, entry["type"], {key: parameter(value) for key, value in entry["parameters"].items()},
                    _line(entry["attributes"]), [], [])
        for port, bits in entry["connections"].items():
            is_output = entry["port_directions"][port] == "output"
            for index, bit in enumerate(bits):
                if bit not in CONSTANTS:
                    self._connect(cell, port, index, bit, is_output)
        self.cells.append(cell)

    def _connect(self, cell: Cell, port: str, index: int, number: int, is_output: bool) -> None:
        net = self._net(number)
        if not is_output:
            cell.inputs.append((port, index, number))
            net.sinks.append((cell, port, index))
            return
        if net.driver is not None:
            raise NetlistError(f"{self.name}: {net.driver[0].name} and {cell.name} drive one net")
        cell.outputs.append((port, index, number))
        net.driver = (cell, port, index)

    def _add_name(self, name: str, entry: Json) -> None:
        line = _line(entry["attributes"])
        for bit, number in enumerate(entry["bits"]):
            if number in self.nets:
                self.nets[number].names.append((name, bit + entry.get("offset", 0), len(entry["bits"]), line))


def load(path: str | os.PathLike[str], top: str | None = None) -> Netlist:
    """The module `top` of a file; without it the one that is marked as top. Errors: NetlistError."""
    with open(path) as file:
        try:
            modules = json.load(file)["modules"]
        except (ValueError, KeyError, TypeError):
            raise NetlistError(f"{path}: not a netlist of yosys") from None
    names = [top] if top else [name for name, module in modules.items() if int(str(module["attributes"].get("top", 0)), 2)]
    if len(names) != 1 or names[0] not in modules:
        raise NetlistError(f"{path}: no module {top or 'marked as top'}: {', '.join(modules)}")
    return Netlist(names[0], modules[names[0]])
