# SPDX-License-Identifier: Apache-2.0
"""Replicates drivers of nets with many sinks, where the clock needs it.

yosys maps for depth and knows no fan-out, so a LUT that is part of a critical path may also drive a
thousand enables. Place and route for open FPGA flows does not replicate either. Each copy of a LUT or
register takes the sinks with the least slack, so that the path to them is a net with few neighbours.
"""
import copy
import typing

from hw.fpga.flow import net_delays, netlist, static_timing

Slacks = dict[tuple[str, str, int], float]  # of pins, in ns

MAX_FAN_OUT = 8  # of a driver on a critical path
SINKS_OF_A_COPY = 6
MAX_ROUNDS = 6
_LOGIC = net_delays.LUTS | {"CARRY4", "MUXF7", "MUXF8"}


def sink_slacks(timing: static_timing.Timing, period_ns: float) -> Slacks:
    """Slack of each pin that a net drives: {(cell, port, bit): ns}; pins without a way to an endpoint are left out."""
    required: dict[int, float] = {}
    slacks: Slacks = {}
    for end in timing.endpoints:
        latest = period_ns - end.setup_ns - end.net_ns
        required[end.net] = min(required.get(end.net, latest), latest)
        if end.cell is not None:
            pin = (end.cell.name, end.port, end.bit)
            slacks[pin] = min(slacks.get(pin, period_ns), period_ns - end.required_ns)
    for number in sorted(timing.arrival, key=timing.arrival.__getitem__, reverse=True):
        for (cell, port, bit), (net_ns, _) in zip(timing.netlist.nets[number].sinks, timing.net_delays(number)):
            after = [required[to] - ns for to, ns in timing.through.get((cell.name, port, bit), ()) if to in required]
            if not after:
                continue
            latest = min(after) - net_ns
            required[number] = min(required.get(number, latest), latest)
            slacks[cell.name, port, bit] = latest - timing.arrival[number]
    return slacks


def _critical_sinks(net: netlist.Net, slacks: Slacks) -> list[netlist.CellPin]:
    """Those that a copy takes: logic first, because it is on the way to more endpoints than a register."""
    late = sorted((slack, index) for index, (cell, port, bit) in enumerate(net.sinks)
                  if (slack := slacks.get((cell.name, port, bit), 0.0)) < 0)
    sinks = [net.sinks[index] for _, index in late]
    logic = [sink for sink in sinks if sink[0].type in _LOGIC]
    return (logic or sinks)[:SINKS_OF_A_COPY]


def add_copy(module: netlist.Json, driver: netlist.CellPin, suffix: str, bit: int, sinks: list[netlist.CellPin]) -> None:
    """A copy of a driver, (cell, port, bit), drives the new net `bit` and takes the sinks."""
    cell, port, _ = driver
    twin = copy.deepcopy(module["cells"][cell.name])
    twin["connections"][port] = [bit]
    module["cells"][f"{cell.name}_{suffix}"] = twin
    for sink, sink_port, sink_bit in sinks:
        module["cells"][sink.name]["connections"][sink_port][sink_bit] = bit


def _replicate_once(module: netlist.Json, timing: static_timing.Timing, period_ns: float, first_bit: int) -> int:
    """One copy of each critical driver. Returns their number; the new nets are first_bit and the following."""
    slacks = sink_slacks(timing, period_ns)
    made = 0
    for net in timing.netlist.nets.values():
        if net.driver is None or net_delays.fan_out(net) <= MAX_FAN_OUT:
            continue
        cell = net.driver[0]
        if cell.type not in net_delays.LUTS | net_delays.FLIP_FLOPS or len(cell.outputs) != 1:
            continue
        sinks = _critical_sinks(net, slacks)
        if not sinks or len(sinks) == len(net.sinks):
            continue
        add_copy(module, net.driver, f"copy{first_bit + made}", first_bit + made, sinks)
        made += 1
    return made


def replicate(document: netlist.Json, top: str, model_of: typing.Callable[[netlist.Netlist], static_timing.Model],
              period_ns: float) -> int:
    """Changes a netlist of yosys (its JSON) until no path is longer than the period, for MAX_ROUNDS at most. `model_of`: the
    net_delays.Model of a netlist. Returns the number of copies."""
    module = document["modules"][top]
    total = 0
    for _ in range(MAX_ROUNDS):
        loaded = netlist.Netlist(top, module)
        timing = static_timing.Timing(loaded, model_of(loaded))
        if timing.endpoints[0].required_ns <= period_ns:
            break
        bits = (bit for cell in module["cells"].values() for bits in cell["connections"].values() for bit in bits)
        made = _replicate_once(module, timing, period_ns, 1 + max(bit for bit in bits if isinstance(bit, int)))
        total += made
        if made == 0:
            break
    return total
