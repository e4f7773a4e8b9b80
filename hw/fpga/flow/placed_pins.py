# SPDX-License-Identifier: Apache-2.0
"""The connected pins of a placed and routed design as sign_off.py needs them: with their places, and the delays of their nets at both
corners as vta-route has measured them."""
import re
import typing

from hw.fpga.flow import Error, cell_delays, cell_times, database, netlist, pin_timing, placed_cells, routed_timing, sdf

OfPlace = typing.Callable[[re.Match[str]], str]  # the kind of a slice

NOT_TIMED = routed_timing.NOT_TIMED - {"BUFGCTRL"}


class PlacedPinsError(Error):
    """Files of a routed design that do not fit together."""


class Cell(typing.NamedTuple):
    """`inputs`, `outputs`: pin (port, bit) before packing -> net. `names`: pin -> names after packing."""

    name: str
    type: str
    parameters: dict[str, typing.Any]
    place: cell_times.Place
    inputs: dict[cell_delays.Pin, int]
    outputs: dict[cell_delays.Pin, int]
    names: dict[cell_delays.Pin, list[str]]


class Sink(typing.NamedTuple):
    """`times`: of the net from the output of its driver's site; `branches`: of the tree of a global buffer's net, otherwise empty; `exit`: the
    multiplexer by which the net leaves the slice of its driver, such as AMUX, or ""."""

    times: sdf.Times
    branches: tuple[int, ...]
    exit: str = ""


def _place(cell: netlist.Json, part: OfPlace) -> cell_times.Place:
    match = placed_cells.BEL.match(cell["attributes"].get("NEXTPNR_BEL", ""))
    if match is None:
        return cell_times.Place("", "")
    site = match[3]
    return cell_times.Place(site if not site.startswith("SLICE") else part(match), match[6])


def slice_type(part: database.Part) -> OfPlace:
    """How to find out whether a slice has memory: SLICEM is the first one of a tile CLBLM. `part`: database.Part."""
    tile_at = {(tile["grid_x"], tile["grid_y"]): tile["type"] for tile in part.tiles.values()}

    def of_place(match: re.Match[str]) -> str:
        is_memory = tile_at[int(match[1]), int(match[2])].startswith("CLBLM") and int(match[4]) % 2 == 0
        return "SLICEM" if is_memory else "SLICEL"

    return of_place


def cells(module: netlist.Json, of_place: OfPlace) -> list[Cell]:
    """The timed cells of a module that nextpnr has written. Inputs at nets without a timed driver are constant and left out, and so are outputs that
    no cell reads."""
    timed = {name: cell for name, cell in module["cells"].items() if cell["type"] not in NOT_TIMED and not routed_timing.is_constant(cell)}
    driven, read = ({bits[0] for cell in timed.values() for port, bits in cell["connections"].items()
                     if bits and cell["port_directions"][port] == direction} for direction in ("output", "input"))
    connected = driven & read
    found = []
    for name, cell in timed.items():
        made = Cell(name, placed_cells.original_type(cell), {key: placed_cells.number(value) for key, value in cell["parameters"].items()},
                    _place(cell, of_place), {}, {}, {})
        for physical, bits in cell["connections"].items():
            if not bits or bits[0] not in connected:
                continue
            is_output = cell["port_directions"][physical] == "output"
            for pin in pin_timing.logical_pins(cell["attributes"], cell["type"], physical):
                (made.outputs if is_output else made.inputs)[pin] = bits[0]
                made.names.setdefault(pin, []).append(physical)
        found.append(made)
    return found


class Nets:
    """`design`: what nextpnr_hook.py has written for vta-route; `measured`: what vta-route --routes has; `exits`: name of a net -> the
    multiplexer by which it leaves its slice."""

    def __init__(self, design: netlist.Json, measured: netlist.Json, exits: dict[str, str]) -> None:
        self._exits = exits
        self._sinks: dict[tuple[str, cell_delays.Pin], Sink] = {}
        self.branches: dict[str, list[tuple[int, sdf.Times]]] = {}  # name of a global buffer's net -> [(driver, Times)]
        self.net_of: dict[tuple[str, cell_delays.Pin], str] = {}  # clock pin (cell, pin) -> name of such a net
        by_name = {net["name"]: net for net in measured["nets"]}
        for net in design["nets"]:
            found = by_name.get(net["name"])
            if found is not None:
                self._add(net, found)

    def _add(self, net: netlist.Json, found: netlist.Json) -> None:
        branches = [(driver, sdf.Times(*(ps / 1000 for ps in times))) for driver, *times in found["branches"]]
        branch_of: dict[str, int] = dict(found["sinks"])
        is_tree = "everywhere" in net
        if is_tree:
            self.branches[net["name"]] = branches
        for wire, (cell, ports) in zip(net["sinks"], net["pins"]):
            branch = branch_of[wire]
            times = branches[branch][1] if branch >= 0 else sdf.NO_TIME
            for port in ports.split():
                key = cell, pin_timing.logical_pin(port)
                known = self._sinks.get(key)
                self._sinks[key] = Sink(sdf.hull([times, known.times]) if known else times,
                                        (*(known.branches if known else ()), branch) if is_tree else (),
                                        self._exits.get(net["name"], "") if times.slow_max > 0 else "")
                if is_tree:
                    self.net_of[key] = net["name"]

    def sink(self, cell: str, pin: cell_delays.Pin) -> Sink:
        """The Sink of an input pin. Errors: PlacedPinsError."""
        found = self._sinks.get((cell, pin))
        if found is None:
            raise PlacedPinsError(f"{cell}: no route leads to its pin {pin[0]}[{pin[1]}]")
        return found
