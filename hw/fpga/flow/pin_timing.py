# SPDX-License-Identifier: Apache-2.0
"""Timing of a cell as vta-place and vta-route have it. One time says when its outputs start paths. Each input has one delay of the logic
there, be it to the outputs or to the register that ends the path."""
import re
import typing

from hw.fpga.flow import cell_delays

Pin = cell_delays.Pin
LOGICAL_PORT = "X_ORIG_PORT_"  # attribute of a packed cell: the ports that a pin was before, such as "I0", or "I0 I3" for two
LUT_CELL = "SLICE_LUTX"
BIT = re.compile(r"(.+)\[(\d+)\]$")
CARRY_IN, CARRY_OUT = ("CI", 0), ("CO", 3)  # along a carry chain


def logical_pin(text: str) -> Pin:
    """(port, bit) of a port such as I0 or A[3]."""
    match = BIT.match(text)
    return (match[1], int(match[2])) if match else (text, 0)


def logical_pins(attributes: dict[str, str], cell_type: str, port: str) -> list[Pin]:
    """The pins before packing that a pin of a packed cell stands for. Empty for a pin that a LUT does not read."""
    texts = attributes.get(LOGICAL_PORT + port, "" if cell_type == LUT_CELL else port)
    return [logical_pin(text) for text in texts.split()]


class InputTiming(typing.NamedTuple):
    ns: float
    ends_paths: bool


class CellTiming(typing.NamedTuple):
    """`inputs`: those that have timing, by (port, bit). `launch_ns`: 0 if only logic drives the outputs."""

    launch_ns: float
    inputs: dict[Pin, InputTiming]


def _through(table: cell_delays.WayTimes, source: Pin, outputs: typing.Iterable[Pin]) -> float | None:
    """The longest delay from an input to the outputs; along a chain for a carry, which the longest paths take. None: no path."""
    ways = {to: cell_delays.of_way(table, source, to) for to in outputs}
    found = {to: ns for to, ns in ways.items() if ns is not None}
    if source == CARRY_IN and CARRY_OUT in found:
        return found[CARRY_OUT]
    return max(found.values(), default=None)


def timing_of(cell_type: str, parameters: cell_delays.Parameters, inputs: typing.Collection[Pin],
              outputs: typing.Collection[Pin]) -> CellTiming:
    """`inputs`, `outputs`: (port, bit) of the pins that have nets, with ports as before packing. A type without delays has none."""
    ports = {port: False for port, _ in inputs} | {port: True for port, _ in outputs}
    try:
        arcs = cell_delays.arcs_of(cell_type, parameters, ports)
    except cell_delays.UnknownCellError:
        return CellTiming(0.0, {})
    timed = {}
    for pin in inputs:
        through, setup = _through(arcs.through, pin, outputs), cell_delays.of_pin(arcs.setups, pin)
        if through is not None:
            timed[pin] = InputTiming(through, False)
        elif setup is not None:
            timed[pin] = InputTiming(setup, True)
    return CellTiming(max((cell_delays.of_pin(arcs.launches, pin) or 0.0 for pin in outputs), default=0.0), timed)
