# SPDX-License-Identifier: Apache-2.0
"""What a mapped netlist must not have, whatever the design: two drivers of a net, inputs without a driver, latches, and ports
whose widths yosys had to change."""
import re

LATCHES = {"LDCE", "LDPE"}
# Of yosys' log; the netlist no longer shows them.
WARNINGS = ("Resizing cell port", "multiple conflicting drivers", "has no driver", "implicitly declared", "Latch inferred",
            "Range select out of bounds")
UNUSED_DATA = re.compile(r"\(RAM\d+\w*\)\.DI")  # memories that a LUT RAM's other bits do not serve
CONSTANTS = {"0", "1", "x", "z"}


def _pins(module):
    """(what, direction, net) of each bit of a pin or port. A port of the top drives its net if it is an input."""
    inverse = {"input": "output", "output": "input", "inout": "inout"}
    for name, port in module["ports"].items():
        for bit in port["bits"]:
            yield f"port {name}", inverse[port["direction"]], bit
    for name, cell in module["cells"].items():
        for port, bits in cell["connections"].items():
            for bit in bits:
                yield f"{name} ({cell['type']}).{port}", cell["port_directions"][port], bit


def _problems_of_nets(module):
    drivers, readers, both_ways = {}, {}, set()
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


def problems(module, log):
    """Lines that name what is wrong with a flat module of write_json; `log`: of the yosys run that made it."""
    found = [f"{name} is a latch ({cell['type']})" for name, cell in module["cells"].items()
             if cell["type"] in LATCHES or "latch" in cell["type"].lower()]
    cells = {name: cell for name, cell in module["cells"].items() if cell["type"] != "$scopeinfo"}
    found += _problems_of_nets(module | {"cells": cells})
    return found + [line.strip() for line in log.splitlines() if "Warning:" in line and any(text in line for text in WARNINGS)]
