# SPDX-License-Identifier: Apache-2.0
"""Runs inside nextpnr before it routes (--pre-route), with its `ctx`: writes the placed design for vta-route, waits for the routes,
and binds them. nextpnr then routes what is left (clocks and resets on global buffers), checks that everything is legal, and reports
the timing. Its router1 does that: router2 takes wires that are bound for unreachable when it reserves wires for pins.

VTA_PLACED_DESIGN and VTA_ROUTES name the files (hw/router/design_file.h). nextpnr may run in a root of its own, where vta-route
does not; hence the files. An empty file of routes: vta-route has failed, and this ends nextpnr with status 1.
"""
import json
import os
import time

# Nets that begin in every tile of the interconnect, by their driver: constants and global buffers. Nets of buffers are
# routed to leave wires for them; nextpnr routes them itself, from the buffer.
CONSTANTS = {"PSEUDO_GND": "GND_WIRE", "PSEUDO_VCC": "VCC_WIRE"}
GLOBAL_BUFFER = "BUFGCTRL"
EVERYWHERE = CONSTANTS | {GLOBAL_BUFFER: "GCLK"}
POLL_SECONDS = 0.2


def wire_of(context, port):
    return context.getBelPinWire(port.cell.bel, port.port)


def net_of(context, name, net):
    """The net for vta-route, or None for one that it need not route."""
    if net.driver.cell is None:
        return None
    sinks = [wire for wire in (wire_of(context, user) for user in net.users) if wire is not None]
    if not sinks:
        return None
    wires = EVERYWHERE.get(net.driver.cell.type)
    driver = {"everywhere": wires} if wires else {"source": wire_of(context, net.driver)}
    return {"name": name, "sinks": sinks} | driver


def placed_design(context):
    cells = [{"bel": cell.bel, "is_memory": any(key == "X_LUT_AS_DRAM" for key, _ in cell.attrs)}
             for _, cell in context.cells if cell.bel is not None and cell.type not in CONSTANTS]
    nets = [net_of(context, str(name), net) for name, net in context.nets]
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


def main(context, strength):
    write_whole(os.environ["VTA_PLACED_DESIGN"], json.dumps(placed_design(context)))
    path = os.environ["VTA_ROUTES"]
    while not os.path.exists(path):
        time.sleep(POLL_SECONDS)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if not text:
        os._exit(1)
    bind(context, json.loads(text)["nets"], strength)


if "ctx" in globals():
    main(ctx, STRENGTH_LOCKED)  # noqa: F821: names of nextpnr
