# SPDX-License-Identifier: Apache-2.0
"""Runs inside nextpnr before it routes (--pre-route), with its `ctx`. Writes the placed netlist for vta-place, waits for the new places
and moves the cells there; then writes the placed design for vta-route, waits for the routes, and binds them. nextpnr then routes what is
left (clocks and resets on global buffers), checks that everything is legal, and reports the timing. Its router1 does that: router2
takes wires that are bound for unreachable when it reserves wires for pins.

VTA_PLACEMENT, VTA_PLACES (hw/fpga/placer/placement_file.h), VTA_PLACED_DESIGN and VTA_ROUTES (hw/fpga/router/design_file.h) name the files;
PYTHONPATH is the project's folder.
nextpnr may run in a root of its own, where the tools do not; hence the files. An empty file of places or routes: the tool has failed,
and this ends nextpnr with status 1.
"""
import json
import os
import time
import typing

from hw.fpga.flow import cell_delays, pin_timing, placed_cells
from hw.fpga.flow.netlist import Json

# Nets that begin in every tile of the interconnect, by their driver: constants and global buffers. Nets of buffers are
# routed to leave wires for them; nextpnr routes them itself, from the buffer.
CONSTANTS = {"PSEUDO_GND": "GND_WIRE", "PSEUDO_VCC": "VCC_WIRE"}
GLOBAL_BUFFER = "BUFGCTRL"
EVERYWHERE = CONSTANTS | {GLOBAL_BUFFER: "GCLK"}
# Endings of the names of LUTs that hw/fpga/flow/constant_pins.py makes: constants, whatever their input is.
CONSTANT_LUTS = ("_di0", "_di1", "_di2", "_di3")
CASCADES = ("PCOUT", "ACOUT", "BCOUT", "CARRYCASCOUT", "MULTSIGNOUT", "CASCADEOUT")  # outputs
CONFIGURED = ("DSP48E1", "RAMB18E1", "RAMB36E1")  # cells whose parameters decide their timing
POLL_SECONDS = 0.2


def is_memory(cell: typing.Any) -> bool:
    return any(key == "X_LUT_AS_DRAM" for key, _ in cell.attrs)


class Timing:
    """Timing of the cells of a context, constants left out."""

    def __init__(self, context: typing.Any) -> None:
        self._attributes = {str(cell.name): {key: str(value).strip() for key, value in cell.attrs} for _, cell in context.cells}
        cells = {}
        inputs: dict[str, set[cell_delays.Pin]] = {}
        outputs: dict[str, set[cell_delays.Pin]] = {}
        for _, net in context.nets:
            if net.driver.cell is None or net.driver.cell.type in CONSTANTS:
                continue
            for port, pins in [(net.driver, outputs)] + [(user, inputs) for user in net.users]:
                cells[str(port.cell.name)] = port.cell
                pins.setdefault(str(port.cell.name), set()).update(self._pins(port))
        self._timing = {name: self._timing_of(cell, inputs.get(name, set()), outputs.get(name, set())) for name, cell in cells.items()}

    def _pins(self, port: typing.Any) -> list[cell_delays.Pin]:
        return pin_timing.logical_pins(self._attributes[str(port.cell.name)], port.cell.type, str(port.port))

    def _timing_of(self, cell: typing.Any, inputs: set[cell_delays.Pin], outputs: set[cell_delays.Pin]) -> pin_timing.CellTiming:
        cell_type = self._attributes[str(cell.name)].get(placed_cells.ORIGINAL_TYPE, cell.type)
        parameters = {key: placed_cells.number(str(value)) for key, value in cell.params} if cell_type in CONFIGURED else {}
        return pin_timing.timing_of(cell_type, parameters, inputs, outputs)

    def port_name(self, port: typing.Any) -> str:
        """The name of a port before packing, such as "I0", or "I0 I3" for two."""
        return self._attributes[str(port.cell.name)].get(pin_timing.LOGICAL_PORT + str(port.port), str(port.port))

    def launch_ps(self, cell: typing.Any) -> int:
        timing = self._timing.get(str(cell.name))
        return round(timing.launch_ns * 1000) if timing else 0

    def load(self, port: typing.Any) -> tuple[int, bool]:
        """(ps, whether paths end there) of an input."""
        inputs = self._timing[str(port.cell.name)].inputs
        loads = [inputs[pin] for pin in self._pins(port) if pin in inputs]
        if not loads or str(port.cell.name).endswith(CONSTANT_LUTS):
            return 0, True
        slowest = max(loads)
        return round(slowest.ns * 1000), slowest.ends_paths


def written_cell(cell: typing.Any, timing: Timing) -> Json:
    return {"bel": cell.bel, "is_memory": is_memory(cell), "launch_ps": timing.launch_ps(cell)}


def controls(cells: list[typing.Any]) -> dict[str, int]:
    """The controls of flip-flops by the cell's name: equal numbers, equal clock, enable, reset and what is inverted."""
    numbers: dict[str, int] = {}
    control_of = {}
    for cell in cells:
        ports = {str(name): port.net.name if port.net is not None else None for name, port in cell.ports}
        if "CK" not in ports:
            continue
        inverted = sorted((str(key), str(value)) for key, value in cell.params if "INVERTED" in str(key))
        original = [str(value) for key, value in cell.attrs if key == placed_cells.ORIGINAL_TYPE]
        key = repr((original, inverted, *(str(ports.get(name)) for name in ("CK", "CE", "SR"))))
        control_of[cell.name] = numbers.setdefault(key, len(numbers))
    return control_of


def cascaded(context: typing.Any) -> set[str]:
    """The names of the DSPs and block RAMs that cascades connect to their neighbours."""
    return {port.cell.name for _, net in context.nets if net.driver.cell is not None and str(net.driver.port).startswith(CASCADES)
            and net.users for port in (net.driver, *net.users)}


def placement(context: typing.Any, timing: Timing) -> tuple[Json, list[typing.Any]]:
    """What vta-place reads, and the cells by number. Constants and global buffers pull at no cell."""
    cells = [cell for _, cell in context.cells if cell.bel is not None and cell.type not in EVERYWHERE]
    number = {cell.name: at for at, cell in enumerate(cells)}
    nets, carries = [], []
    for _, net in context.nets:
        if net.driver.cell is None or net.driver.cell.name not in number:
            continue
        driver = number[net.driver.cell.name]
        users = [(number[user.cell.name], user) for user in net.users if user.cell.name in number]
        if users:
            nets.append({"driver": driver, "sinks": [[sink, *timing.load(user)] for sink, user in users]})
        if net.driver.port == "CO3":
            carries += [[driver, sink] for sink, user in users if user.port == "CIN"]
    fixed = cascaded(context)
    control_of = controls(cells)
    written = [written_cell(cell, timing) | {"is_fixed": cell.name in fixed, "control": control_of.get(cell.name, -1)} for cell in cells]
    return {"cells": written, "nets": nets, "carries": carries}, cells


def move(context: typing.Any, cells: list[typing.Any], places: list[str], strength: typing.Any) -> None:
    """Puts cells into new bels. Ends nextpnr if that is not legal."""
    moved = [(cell, bel) for cell, bel in zip(cells, places) if cell.bel != bel]
    for cell, _ in moved:
        context.unbindBel(cell.bel)
    for cell, bel in moved:
        context.bindBel(bel, cell, strength)
    for cell, bel in moved:
        if not context.isBelLocationValid(bel, False):
            print(f"ERROR: {cell.name} cannot be at {bel}, where vta-place has put it", flush=True)  # os._exit() does not
            os._exit(1)


def wire_of(context: typing.Any, port: typing.Any) -> typing.Any:
    return context.getBelPinWire(port.cell.bel, port.port)


def net_of(context: typing.Any, name: str, net: typing.Any, timing: Timing, number: dict[str, int]) -> Json | None:
    """The net for vta-route, or None for one that it need not route. `number`: of a cell's name. Constants and global buffers have no
    timing."""
    if net.driver.cell is None:
        return None
    sinks = [(wire, user) for wire, user in ((wire_of(context, user), user) for user in net.users) if wire is not None]
    if not sinks:
        return None
    written = {"name": name, "sinks": [wire for wire, _ in sinks],
               "pins": [[str(user.cell.name), timing.port_name(user)] for _, user in sinks]}
    if net.driver.cell.type in EVERYWHERE:
        return written | {"everywhere": EVERYWHERE[net.driver.cell.type]}
    return written | {"source": wire_of(context, net.driver), "driver": number[net.driver.cell.name],
                      "loads": [[number[user.cell.name], *timing.load(user)] for _, user in sinks]}


def placed_design(context: typing.Any, timing: Timing) -> Json:
    cells = [cell for _, cell in context.cells if cell.bel is not None and cell.type not in CONSTANTS]
    number = {cell.name: at for at, cell in enumerate(cells)}
    nets = [net_of(context, str(name), net, timing, number) for name, net in context.nets]
    return {"cells": [written_cell(cell, timing) for cell in cells], "nets": [net for net in nets if net]}


def bind(context: typing.Any, routes: list[Json], strength: typing.Any) -> None:
    nets = {str(name): net for name, net in context.nets}
    for route in routes:
        if nets[route["name"]].driver.cell.type == GLOBAL_BUFFER:
            continue
        for source in route["sources"]:
            context.bindWire(source, nets[route["name"]], strength)
        for switch in route["switches"]:
            context.bindPip(switch, nets[route["name"]], strength)


def write_whole(path: str, text: str) -> None:
    with open(path + ".unfinished", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".unfinished", path)


def asked(request: str, question: Json, answer: str) -> Json:
    """Writes `question` to the file that the variable `request` names, and waits for that of `answer`."""
    write_whole(os.environ[request], json.dumps(question))
    path = os.environ[answer]
    while not os.path.exists(path):
        time.sleep(POLL_SECONDS)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if not text:
        os._exit(1)
    found: Json = json.loads(text)
    return found


def main(context: typing.Any, strength: typing.Any) -> None:
    timing = Timing(context)
    netlist, cells = placement(context, timing)
    move(context, cells, asked("VTA_PLACEMENT", netlist, "VTA_PLACES")["bels"], strength)
    bind(context, asked("VTA_PLACED_DESIGN", placed_design(context, timing), "VTA_ROUTES")["nets"], strength)


if "ctx" in globals():
    main(globals()["ctx"], globals()["STRENGTH_LOCKED"])  # of nextpnr
