# SPDX-License-Identifier: Apache-2.0
"""Delays of routed nets, from the SDF file of nextpnr (--sdf), for the netlist of yosys that it was given."""
import re

from scripts.fpga import cell_delays

INTERCONNECT = re.compile(r"\(INTERCONNECT (\S+)/(\w+) (\S+)/(\w+) \(([\d.]+):([\d.]+):([\d.]+)\)")
PICOSECONDS = re.compile(r"\(TIMESCALE\s+1\s*ps\)")
PACKED = re.compile(r"\$split\$.*|\$PACKED_CARRY4\$$")  # a CARRY4 that nextpnr has split or rebuilt


class SdfError(Exception):
    """A file that is not an SDF file of nextpnr."""


def _name(text):
    """A cell's name without backslashes: SDF escapes with them, and nextpnr does not escape those of a name."""
    return PACKED.sub("", text.replace("\\", ""))


def _connections(path):
    """Driver -> [(sink, ns)] by names of cells."""
    found = {}
    is_sdf = False
    with open(path) as file:
        for line in file:
            match = INTERCONNECT.search(line)
            if match:
                found.setdefault(_name(match[1]), []).append((_name(match[3]), float(match[7]) / 1000))
            is_sdf = is_sdf or PICOSECONDS.search(line) is not None
    if not is_sdf or not found:
        raise SdfError(f"{path}: not an SDF file of nextpnr with net delays in ps")
    return found


class Model:
    """A model of nets (as net_delays.Model) with the delays of a routed design. `other`: the model of nets that are missing."""

    def __init__(self, path, netlist, other):
        self._other = other
        self.missing = 0
        connections = _connections(path)
        known = {_name(cell.name) for cell in netlist.cells}
        self._delay = {}  # (driver, sink) -> ns
        for driver in connections.keys() & known:
            self._follow(connections, known, driver, driver, 0.0, 0)

    def _follow(self, connections, known, driver, at, ns, depth):
        """LUTs that nextpnr inserts on the way belong to the net."""
        for sink, net_ns in connections.get(at, ()):
            if sink in known:
                key = (driver, sink)
                self._delay[key] = max(self._delay.get(key, 0.0), ns + net_ns)
            elif depth < 3:
                self._follow(connections, known, driver, sink, ns + net_ns + cell_delays.LUT_NS, depth + 1)

    def delays(self, net):
        other = self._other.delays(net)
        if net.driver is None:
            return other
        result = []
        for (cell, _, _), (ns, is_routed) in zip(net.sinks, other):
            routed = self._delay.get((_name(net.driver[0].name), _name(cell.name)))
            self.missing += routed is None and is_routed
            result.append((ns, is_routed) if routed is None else (routed, is_routed))
        return result
