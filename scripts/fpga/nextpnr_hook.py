# SPDX-License-Identifier: Apache-2.0
"""Runs inside nextpnr before it routes (--pre-route), with its `ctx`. Writes the placed netlist for vta-place, waits for the new places
and moves the cells there; then writes the placed design for vta-route, waits for the routes, and binds them. nextpnr then routes what is
left (clocks and resets on global buffers), checks that everything is legal, and reports the timing. Its router1 does that: router2
takes wires that are bound for unreachable when it reserves wires for pins.

VTA_PLACEMENT, VTA_PLACES (hw/placer/placement_file.h), VTA_PLACED_DESIGN and VTA_ROUTES (hw/router/design_file.h) name the files.
nextpnr may run in a root of its own, where the tools do not; hence the files. An empty file of places or routes: the tool has failed,
and this ends nextpnr with status 1.
"""
import json
import os
import time

# Nets that begin in every tile of the interconnect, by their driver: constants and global buffers. Nets of buffers are
# routed to leave wires for them; nextpnr routes them itself, from the buffer.
CONSTANTS = {"PSEUDO_GND": "GND_WIRE", "PSEUDO_VCC": "VCC_WIRE"}
GLOBAL_BUFFER = "BUFGCTRL"
EVERYWHERE = CONSTANTS | {GLOBAL_BUFFER: "GCLK"}
LOGICAL_PORT = "X_ORIG_PORT_"  # attribute of a cell: the port that a pin was before packing
REGISTERS = {"SLICE_FFX", "DSP48E1_DSP48E1", "RAMB18E1_RAMB18E1", "RAMB36E1_RAMB36E1", "PS7_PS7"}
# Endings of the names of LUTs that scripts/fpga/constant_pins.py makes: constants, whatever their input is.
CONSTANT_LUTS = ("_di0", "_di1", "_di2", "_di3")
POLL_SECONDS = 0.2


def is_memory(cell):
    return any(key == "X_LUT_AS_DRAM" for key, _ in cell.attrs)


def ends_paths(user, memories):
    """Whether paths end at a pin: of a register, of a memory unless it is a read address, of a constant. `memories`: their names."""
    if user.cell.type in REGISTERS or user.cell.name.endswith(CONSTANT_LUTS):
        return True
    return user.cell.name in memories and not user.port.startswith("A")


def placement(context):
    """What vta-place reads, and the cells by number. Constants and global buffers pull at no cell."""
    cells = [cell for _, cell in context.cells if cell.bel is not None and cell.type not in EVERYWHERE]
    number = {cell.name: at for at, cell in enumerate(cells)}
    memories = {cell.name for cell in cells if is_memory(cell)}
    nets, carries = [], []
    for _, net in context.nets:
        if net.driver.cell is None or net.driver.cell.name not in number:
            continue
        driver = number[net.driver.cell.name]
        users = [(number[user.cell.name], user) for user in net.users if user.cell.name in number]
        if users:
            nets.append({"driver": driver, "sinks": [], "ends": []})
            for sink, user in users:
                nets[-1]["ends" if ends_paths(user, memories) else "sinks"].append(sink)
        if net.driver.port == "CO3":
            carries += [[driver, sink] for sink, user in users if user.port == "CIN"]
    written = [{"bel": cell.bel, "is_memory": cell.name in memories} for cell in cells]
    return {"cells": written, "nets": nets, "carries": carries}, cells


def move(context, cells, places, strength):
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


def wire_of(context, port):
    return context.getBelPinWire(port.cell.bel, port.port)


def logical_ports(cell):
    """Attributes of a cell that name its ports before packing."""
    return {key: str(value).strip() for key, value in cell.attrs if key.startswith(LOGICAL_PORT)}


def net_of(context, name, net, ports):
    """The net for vta-route, or None for one that it need not route. `ports`: name of a cell -> logical_ports()."""
    if net.driver.cell is None:
        return None
    sinks = [(wire, user) for wire, user in ((wire_of(context, user), user) for user in net.users) if wire is not None]
    if not sinks:
        return None
    wires = EVERYWHERE.get(net.driver.cell.type)
    driver = {"everywhere": wires} if wires else {"source": wire_of(context, net.driver)}
    pins = [[str(user.cell.name), ports[user.cell.name].get(LOGICAL_PORT + str(user.port), str(user.port))] for _, user in sinks]
    return {"name": name, "sinks": [wire for wire, _ in sinks], "pins": pins} | driver


def placed_design(context):
    ports = {cell.name: logical_ports(cell) for _, cell in context.cells}
    cells = [{"bel": cell.bel, "is_memory": is_memory(cell)}
             for _, cell in context.cells if cell.bel is not None and cell.type not in CONSTANTS]
    nets = [net_of(context, str(name), net, ports) for name, net in context.nets]
    return {"cells": cells, "nets": [net for net in nets if net]}


def bind(context, routes, strength):
    nets = {str(name): net for name, net in context.nets}
    for route in routes:
        if nets[route["name"]].driver.cell.type == GLOBAL_BUFFER:
            continue
        for source in route["sources"]:
            context.bindWire(source, nets[route["name"]], strength)
        for switch in route["switches"]:
            context.bindPip(switch, nets[route["name"]], strength)


def write_whole(path, text):
    with open(path + ".unfinished", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".unfinished", path)


def asked(request, question, answer):
    """Writes `question` to the file that the variable `request` names, and waits for that of `answer`."""
    write_whole(os.environ[request], json.dumps(question))
    path = os.environ[answer]
    while not os.path.exists(path):
        time.sleep(POLL_SECONDS)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if not text:
        os._exit(1)
    return json.loads(text)


def main(context, strength):
    netlist, cells = placement(context)
    move(context, cells, asked("VTA_PLACEMENT", netlist, "VTA_PLACES")["bels"], strength)
    bind(context, asked("VTA_PLACED_DESIGN", placed_design(context), "VTA_ROUTES")["nets"], strength)


if "ctx" in globals():
    main(ctx, STRENGTH_LOCKED)  # noqa: F821: names of nextpnr
