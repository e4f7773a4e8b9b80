# SPDX-License-Identifier: Apache-2.0
"""Delays of nets before placement, in ns.

A net inside a slice or a column of cascades has wiring of its own. Any other is BASE_NS plus NS_PER_DOUBLING for each doubling
of its fan-out.
"""
import math

from scripts.fpga import cell_delays

BASE_NS = 0.35
NS_PER_DOUBLING = 0.13
# The registers, LUT RAMs and shift registers of a slice share a control pin.
SHARED_PORTS = {"CE", "R", "S", "CLR", "PRE", "WE"}
CELLS_PER_CONTROL = 4
LUTS = {f"LUT{i}" for i in range(1, 7)} | {"INV", "LUT6_2"}
FLIP_FLOPS = {"FDRE", "FDSE", "FDCE", "FDPE"}
CASCADES = {("PCOUT", "PCIN"), ("ACOUT", "ACIN"), ("BCOUT", "BCIN"), ("CARRYCASCOUT", "CARRYCASCIN"),
            ("CASCADEOUTA", "CASCADEINA"), ("CASCADEOUTB", "CASCADEINB"), ("Q31", "D")}


def fan_out(net):
    """Pins that the router must reach."""
    shared = sum(1 for cell, port, _ in net.sinks if port in SHARED_PORTS and cell.type in FLIP_FLOPS)
    return len(net.sinks) - shared + math.ceil(shared / CELLS_PER_CONTROL)


def _is_dedicated(driver, sink, sinks_alike):
    """Wiring of its own. `sinks_alike`: sinks of the net at the same port of the same cell type."""
    cell, port, _ = driver
    to, to_port, _ = sink
    if (port, to_port) in CASCADES or (cell.type == to.type == "CARRY4" and to_port == "CI"):
        return True
    if cell.type == "MUXF7" and to.type == "MUXF8" and to_port != "S":
        return True
    if sinks_alike > 1:
        return False
    if to.type in FLIP_FLOPS and to_port == "D":
        return cell.type in LUTS or cell.type in ("CARRY4", "MUXF7", "MUXF8")
    return cell.type in LUTS and (to.type, to_port) in (("CARRY4", "S"), ("MUXF7", "I0"), ("MUXF7", "I1"))


class Model:
    """`base_ns`, `ns_per_doubling`: the parameters of a routed net."""

    def __init__(self, base_ns=BASE_NS, ns_per_doubling=NS_PER_DOUBLING):
        self.base_ns = base_ns
        self.ns_per_doubling = ns_per_doubling

    def delays(self, net):
        """For each sink of the net (delay, is routed)."""
        routed = self.base_ns + self.ns_per_doubling * math.log2(max(1, fan_out(net)))
        alike = {}
        for cell, port, _ in net.sinks:
            alike[cell.type, port] = alike.get((cell.type, port), 0) + 1
        result = []
        for sink in net.sinks:
            cell, port, _ = sink
            if net.driver is not None and _is_dedicated(net.driver, sink, alike[cell.type, port]):
                result.append((0.0, False))
            else:
                result.append((routed + self._entry(net.driver, cell, port), True))
        return result

    @staticmethod
    def _entry(driver, cell, port):
        """A bypass pin on the way, or a LUT that passes a signal to a carry chain."""
        if cell.type in FLIP_FLOPS and port == "D":
            return cell_delays.BYPASS_NS
        if cell.type == "CARRY4" and port == "S" and (driver is None or driver[0].type not in LUTS):
            return cell_delays.LUT_NS
        return 0.0
