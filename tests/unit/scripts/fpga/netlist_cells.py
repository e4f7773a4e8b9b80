# SPDX-License-Identifier: Apache-2.0
"""Cells of netlists made by hand, in the form of yosys's JSON."""


def cell(kind, outputs, parameters=None, source="", **connections):
    """`outputs`: the names of output pins; `connections`: a bit, or a list of bits, for each pin."""
    return {"type": kind, "parameters": parameters or {}, "attributes": {"src": source} if source else {},
            "port_directions": {port: "output" if port in outputs else "input" for port in connections},
            "connections": {port: bits if isinstance(bits, list) else [bits] for port, bits in connections.items()}}


def flip_flop(clock, enable, data, held, **changes):
    """An FDRE that starts with anything and has no reset."""
    return cell("FDRE", "Q", {"INIT": "x"}, **({"C": clock, "CE": enable, "D": data, "Q": held, "R": "0"} | changes))
