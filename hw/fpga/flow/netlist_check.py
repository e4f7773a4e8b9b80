# SPDX-License-Identifier: Apache-2.0
"""What a mapped netlist must not have, whatever the design: two drivers of a net, inputs without a driver, latches, ports whose widths
yosys had to change, and block RAMs whose reads are undefined when both ports have the same address. In UG473, a read returns the old word
if the port that writes is READ_FIRST and both ports have one clock, and garbage otherwise."""
import re
import typing

from hw.fpga.flow import netlist

LATCHES = {"LDCE", "LDPE"}
# Warnings of yosys' log; the netlist does not show their causes.
WARNINGS = ("Resizing cell port", "multiple conflicting drivers", "has no driver", "implicitly declared", "Latch inferred",
            "Range select out of bounds")
UNUSED_DATA = re.compile(r"\(RAM\d+\w*\)\.DI")  # memories that a LUT RAM's other bits do not serve
CONSTANTS = {"0", "1", "x", "z"}


def _pins(module: netlist.Json) -> typing.Iterator[tuple[str, str, int | str]]:
    """(what, direction, net) of each bit of a pin or port. A port of the top drives its net if it is an input."""
    inverse = {"input": "output", "output": "input", "inout": "inout"}
    for name, port in module["ports"].items():
        for bit in port["bits"]:
            yield f"port {name}", inverse[port["direction"]], bit
    for name, cell in module["cells"].items():
        for port, bits in cell["connections"].items():
            for bit in bits:
                yield f"{name} ({cell['type']}).{port}", cell["port_directions"][port], bit


def _problems_of_nets(module: netlist.Json) -> typing.Iterator[str]:
    drivers: dict[int | str, str] = {}
    readers: dict[int | str, str] = {}
    both_ways = set()
    for what, direction, bit in _pins(module):
        if bit == "x" and direction == "input" and not UNUSED_DATA.search(what):
            yield f"{what} has no value"
        elif bit in CONSTANTS:
            continue
        elif direction == "inout":
            both_ways.add(bit)
        elif direction == "input":
            readers.setdefault(bit, what)
        elif bit in drivers:
            yield f"{drivers[bit]} and {what} drive one net"
        else:
            drivers[bit] = what
    for bit, what in readers.items():
        if bit not in drivers and bit not in both_ways:
            yield f"{what} has no driver"


BLOCK_RAMS = {"RAMB18E1", "RAMB36E1"}
# By port: its write enables, its clock, and the port that reads beside it.
RAM_PORTS = {"A": ("WEA", "CLKARDCLK", "B"), "B": ("WEBWE", "CLKBWRCLK", "A")}


def _problems_of_collisions(name: str, cell: netlist.Json) -> typing.Iterator[str]:
    """Collisions in one block RAM. In the mode SDP port A reads and port B writes."""
    parameters = {key: netlist.parameter(value) for key, value in cell["parameters"].items()}

    def is_used(way: str, port: str) -> bool:
        return int(parameters.get(f"{way}_WIDTH_{port}", 0)) > 0

    def writes(port: str) -> bool:
        return is_used("WRITE", port) and bool(set(cell["connections"].get(RAM_PORTS[port][0], ())) - {"0"})

    for port, (_, clock, partner) in RAM_PORTS.items():
        if not writes(port):
            continue
        mode = parameters.get(f"WRITE_MODE_{port}", "WRITE_FIRST")
        if is_used("READ", partner) and mode != "READ_FIRST":
            yield f"{name} ({cell['type']}): port {port} writes while port {partner} reads, and WRITE_MODE_{port} is {mode}, not READ_FIRST"
        is_active = is_used("READ", partner) or writes(partner)
        if is_active and cell["connections"].get(clock) != cell["connections"].get(RAM_PORTS[partner][1]):
            yield f"{name} ({cell['type']}): its ports have two clocks, so port {partner} may read a word while port {port} writes it"


def problems(module: netlist.Json, log: str) -> list[str]:
    """Lines that name what is wrong with a flat module of write_json; `log`: of the yosys run that made it."""
    found = [f"{name} is a latch ({cell['type']})" for name, cell in module["cells"].items()
             if cell["type"] in LATCHES or "latch" in cell["type"].lower()]
    cells = {name: cell for name, cell in module["cells"].items() if cell["type"] != "$scopeinfo"}
    found += _problems_of_nets(module | {"cells": cells})
    for name, cell in cells.items():
        found += _problems_of_collisions(name, cell) if cell["type"] in BLOCK_RAMS else ()
    return found + [line.strip() for line in log.splitlines() if "Warning:" in line and any(text in line for text in WARNINGS)]
