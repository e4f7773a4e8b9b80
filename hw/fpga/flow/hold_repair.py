# SPDX-License-Identifier: Apache-2.0
"""Which connections must be longer so that no data arrive before the hold time of a register has passed.

The connection into the register is made longer, or, if it is within a slice, those before it on each path that is too early. The time that
is missing at the slow corner is made up for at the fast one, where wires take less: what is added at the fast corner is added at the slow one.
"""
from hw.fpga.flow import netlist, pin_timing, sdf, sign_off

MARGIN_NS = 0.01


class _Repair:
    def __init__(self, checked: sign_off.SignOff) -> None:
        self._checked = checked
        self.missing: dict[sign_off.CellPin, float] = {}  # ns

    def add(self, mode: sign_off.Mode, endpoint: sign_off.Endpoint, region: int, missing: float) -> None:
        """`missing`: ns by which paths from a region are too early at an endpoint."""
        self._lengthen(mode, endpoint.cell, endpoint.pin, endpoint.times, endpoint.net, region, missing)

    def _lengthen(self, mode: sign_off.Mode, cell: str, pin: sign_off.Pin, times: sdf.Times, net: int, region: int,
                  missing: float) -> None:
        if times.slow_max > 0:
            self.missing[cell, pin] = max(self.missing.get((cell, pin), 0.0), missing + MARGIN_NS)
            return
        arrivals = self._checked.arrivals(mode)
        limit = arrivals[net][region][0] + missing
        for way in self._checked.ways(net):
            before = arrivals[way.net].get(region)
            if before is None:
                continue
            early = limit - before[0] - mode.data_of(way.net_times) - mode.data_of(way.cell_times)
            if early > 0:
                self._lengthen(mode, *way.pin, way.net_times, way.net, region, early)


def missing_ns(checked: sign_off.SignOff) -> dict[sign_off.CellPin, float]:
    """(cell, pin) -> ns that its connection must take longer. `checked`: sign_off.SignOff."""
    repair = _Repair(checked)
    for mode in sign_off.HOLDS:
        arrivals = checked.arrivals(mode)
        for end in checked.endpoints:
            for region in arrivals[end.net]:
                slack = checked.hold_slack_ns(mode, end, region)
                if slack < 0:
                    repair.add(mode, end, region, -slack)
    return repair.missing


def longer_sinks(missing: dict[sign_off.CellPin, float], design: netlist.Json) -> netlist.Json:
    """What vta-route --longer reads (hw/fpga/router/design_file.h)."""
    wanted: dict[tuple[str, str], int] = {}
    for net in design["nets"]:
        for wire, (cell, ports) in zip(net["sinks"], net["pins"]):
            for pin in map(pin_timing.logical_pin, ports.split()):
                if (cell, pin) in missing:
                    key = net["name"], wire
                    wanted[key] = max(wanted.get(key, 0), round(missing[cell, pin] * 1000))
    return {"sinks": [[name, wire, ps] for (name, wire), ps in wanted.items()]}
