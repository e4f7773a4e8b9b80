# SPDX-License-Identifier: Apache-2.0
"""Delays of nets before placement, in ns.

A net inside a slice or a column of cascades has wiring of its own. The delay of any other is a sum of terms, whose values are in
hw/fpga/boards/timing/net_delays.json. There is a base, and a part for each doubling of the fan-out and of the size of the block (process)
that the net is in. Drivers and sinks that tend to be far away add a part. `hw/fpga/timing --fit` computes them from routed designs of
nextpnr.
"""
import json
import math
import pathlib

from hw.fpga.flow import cell_delays
from hw.fpga.flow.netlist import Cell, CellPin, Net

TABLE = pathlib.Path(__file__).resolve().parents[3] / "hw/fpga/boards/timing/net_delays.json"
# Registers of a slice share a control pin.
SHARED_PORTS = {"CE", "R", "S", "CLR", "PRE"}
CELLS_PER_CONTROL = 4
SMALL_LUTS = {f"LUT{i}" for i in range(1, 5)} | {"INV"}
LUTS = SMALL_LUTS | {"LUT5", "LUT6", "LUT6_2"}
FLIP_FLOPS = {"FDRE", "FDSE", "FDCE", "FDPE"}
CASCADES = {("PCOUT", "PCIN"), ("ACOUT", "ACIN"), ("BCOUT", "BCIN"), ("CARRYCASCOUT", "CARRYCASCIN"),
            ("CASCADEOUTA", "CASCADEINA"), ("CASCADEOUTB", "CASCADEINB"), ("Q31", "D")}
DEDICATED_NS = {"CARRY4": 0.06, "other": 0.02}
# The terms of a routed net.
TERMS = ["base", "doubling", "size", "from CARRY4", "from DSP48E1", "from RAMB", "from other", "to control", "to CARRY4", "to DSP48E1", "to RAMB"]


def fan_out(net: Net) -> int:
    """Places that the router must reach: all pins of a DSP or block RAM are one."""
    shared = sum(1 for cell, port, _ in net.sinks if port in SHARED_PORTS and cell.type in FLIP_FLOPS)
    blocks = [cell.name for cell, _, _ in net.sinks if cell.type.startswith(("DSP", "RAMB"))]
    return len(net.sinks) - shared + math.ceil(shared / CELLS_PER_CONTROL) - len(blocks) + len(set(blocks))


def _is_dedicated(driver: CellPin, sink: CellPin, sinks: list[CellPin]) -> bool:
    """Wiring of its own. nextpnr puts a LUT in front of a carry chain into the chain's slice if the LUT has no other sink
    and leaves the slice's fifth output free."""
    cell, port, _ = driver
    to, to_port, _ = sink
    if (port, to_port) in CASCADES or (cell.type == to.type == "CARRY4" and to_port == "CI"):
        return True
    if cell.type == "MUXF7" and to.type == "MUXF8" and to_port != "S":
        return True
    if to.type in FLIP_FLOPS and to_port == "D":
        alike = sum(1 for other, other_port, _ in sinks if other_port == "D" and other.type in FLIP_FLOPS)
        return alike == 1 and (cell.type in LUTS or cell.type in ("CARRY4", "MUXF7", "MUXF8") and len(sinks) <= 2)
    if len(sinks) > 1:
        return False
    if to.type == "CARRY4":
        return cell.type in SMALL_LUTS and to_port in ("S", "DI")
    return cell.type in LUTS and to.type == "MUXF7" and to_port != "S"


def _from_term(driver: CellPin | None) -> str | None:
    if driver is None or driver[0].type in LUTS or driver[0].type in FLIP_FLOPS:
        return None
    kind = driver[0].type
    return f"from {kind}" if kind in ("CARRY4", "DSP48E1") else "from RAMB" if kind.startswith("RAMB") else "from other"


def _to_term(cell: Cell, port: str) -> str | None:
    if cell.type in FLIP_FLOPS:
        return "to control" if port in SHARED_PORTS else None
    return f"to {cell.type}" if cell.type in ("CARRY4", "DSP48E1") else "to RAMB" if cell.type.startswith("RAMB") else None


def terms(net: Net, sink: CellPin, sizes: dict[str, float], doublings: float | None = None) -> dict[str, float]:
    """{term: factor} of a routed net's delay to one sink. `sizes`: as of blocks.sizes()."""
    size = max(sizes.get(cell.name, 0.0) for cell in (sink[0], net.driver[0] if net.driver else sink[0]))
    found = {"base": 1.0, "size": size, "doubling": math.log2(max(1, fan_out(net))) if doublings is None else doublings}
    for term in (_from_term(net.driver), _to_term(*sink[:2])):
        if term is not None:
            found[term] = 1.0
    return found


def entry_ns(driver: CellPin | None, cell: Cell, port: str) -> float:
    """Cells on the way that are not in the netlist: a slice's bypass pin, a LUT that passes a signal to a carry chain."""
    if cell.type in FLIP_FLOPS and port == "D":
        return cell_delays.BYPASS_NS
    return cell_delays.LUT_NS if cell.type == "CARRY4" and port == "S" else 0.0


class Model:
    """`sizes`: blocks.sizes() of the netlist; `values`: term -> ns, if None those of the table."""

    def __init__(self, sizes: dict[str, float], values: dict[str, float] | None = None) -> None:
        self.sizes = sizes
        self.values = dict.fromkeys(TERMS, 0.0) | (json.loads(TABLE.read_text())["ns"] if values is None else values)

    def delays(self, net: Net) -> list[tuple[float, bool]]:
        """For each sink of the net (delay, is routed)."""
        doublings = math.log2(max(1, fan_out(net)))
        result = []
        for sink in net.sinks:
            if net.driver is not None and _is_dedicated(net.driver, sink, net.sinks):
                chain = net.driver[0].type == sink[0].type == "CARRY4"
                result.append((DEDICATED_NS["CARRY4" if chain else "other"], False))
                continue
            ns = sum(self.values[term] * factor for term, factor in terms(net, sink, self.sizes, doublings).items())
            result.append((ns + entry_ns(net.driver, *sink[:2]), True))
        return result
