# SPDX-License-Identifier: Apache-2.0
"""Puts resets of many flip-flops on global buffers. A net of a thousand sinks all over the chip costs the router minutes in each iteration,
and its wires are missing elsewhere. The clock network has its own and reaches the resets of all slices."""
import collections

from hw.fpga.flow.netlist import Json

MIN_FLIP_FLOPS = 500
MAX_BUFFERS = 8  # of 32; the clock has one
RESETS = {"FDRE": "R", "FDSE": "S", "FDCE": "CLR", "FDPE": "PRE"}


def _buffer(before: int, after: int) -> Json:
    return {"hide_name": 1, "type": "BUFG", "parameters": {}, "attributes": {},
            "port_directions": {"I": "input", "O": "output"}, "connections": {"I": [before], "O": [after]}}


def buffer(module: Json) -> int:
    """Changes a module of yosys' JSON. Sinks that are not resets of flip-flops stay on the net. Returns the number of buffers."""
    cells = module["cells"]
    resets = collections.defaultdict(list)
    for cell in cells.values():
        port = RESETS.get(cell["type"].removesuffix("_1"))
        if port in cell["connections"] and isinstance(cell["connections"][port][0], int):
            resets[cell["connections"][port][0]].append((cell, port))
    next_bit = 1 + max((bit for cell in cells.values() for bits in cell["connections"].values() for bit in bits
                        if isinstance(bit, int)), default=1)
    large = sorted(((len(sinks), net) for net, sinks in resets.items() if len(sinks) >= MIN_FLIP_FLOPS), reverse=True)[:MAX_BUFFERS]
    for at, (_, net) in enumerate(large):
        cells[f"reset_buffer_{at}"] = _buffer(net, next_bit + at)
        for cell, port in resets[net]:
            cell["connections"][port] = [next_bit + at]
    return len(large)
