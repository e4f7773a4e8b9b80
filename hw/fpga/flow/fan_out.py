# SPDX-License-Identifier: Apache-2.0
"""Splits nets with many sinks: each copy of their driver takes the sinks that belong together.

A register that selects in all lanes of a vector has hundreds of sinks over the whole chip, and the wires to the last of them take most of a
clock period. yosys and nextpnr do not replicate drivers. A copy with a share of the sinks can be placed among them. The path to it has a
stage of its own if the driver is a register; if it is a LUT, one more net that is as long as before.

Which sinks belong together is not known before placement. Block RAMs and DSPs are the fixed points of a datapath: sinks that lead to the
same one in the fewest steps are in the same lane.
"""
import math
import re

from hw.fpga.flow import global_resets, net_delays, netlist, replication

MAX_SINKS = 64  # of a driver
SINKS_OF_A_COPY = 48
MAX_STEPS = 8  # from a sink to its block RAM or DSP
WIDE = 24  # sinks of a net that leads everywhere: steps are along nets with fewer
# A block is as high as several slices: as many wires lead past it.
SINKS_OF_A_BLOCK = {"RAMB36E1": 4, "RAMB18E1": 4, "DSP48E1": 2}
_BLOCKS = ("RAMB", "DSP")


def _natural(name: str) -> list[int | str]:
    """For sorting names by their numbers."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def _neighbours(loaded: netlist.Netlist, outputs: bool) -> dict[str, set[str]]:
    """Cells that a cell drives (outputs) or is driven by, over nets with few sinks: {cell: names}."""
    found: dict[str, set[str]] = {cell.name: set() for cell in loaded.cells}
    for net in loaded.nets.values():
        if net.driver is None or len(net.sinks) > WIDE:
            continue
        for cell, _, _ in net.sinks:
            first, second = (net.driver[0].name, cell.name) if outputs else (cell.name, net.driver[0].name)
            found[first].add(second)
    return found


class _Lanes:
    """The nearest block of each cell."""

    def __init__(self, loaded: netlist.Netlist) -> None:
        self.order: dict[str, int] = {}  # of the blocks' names
        for cell in sorted((cell for cell in loaded.cells if cell.type.startswith(_BLOCKS)), key=lambda cell: _natural(cell.name)):
            self.order[cell.name] = len(self.order)
        # What a sink leads to tells more than what leads to it.
        self.nearest = self._nearest(_neighbours(loaded, False))
        for name, block in self._nearest(_neighbours(loaded, True)).items():
            self.nearest.setdefault(name, block)

    def _nearest(self, towards: dict[str, set[str]]) -> dict[str, int]:
        """By steps from all blocks at once, against the direction in question: {cell: number of the block}."""
        nearest = dict(self.order)
        front = list(self.order)
        for _ in range(MAX_STEPS):
            reached: dict[str, int] = {}
            for name in front:
                for neighbour in towards[name]:
                    if neighbour not in nearest:
                        reached[neighbour] = min(nearest[name], reached.get(neighbour, len(self.order)))
            nearest.update(reached)
            front = list(reached)
        return nearest

    def key(self, sink: netlist.CellPin) -> tuple[int, list[int | str], str, int]:
        cell, port, bit = sink
        return self.nearest.get(cell.name, len(self.order)), _natural(cell.name), port, bit


def _weight(sinks: list[netlist.CellPin]) -> int:
    blocks = {cell.name: SINKS_OF_A_BLOCK[cell.type] for cell, _, _ in sinks if cell.type in SINKS_OF_A_BLOCK}
    return sum(blocks.values()) + sum(1 for cell, _, _ in sinks if cell.name not in blocks)


def _is_reset(net: netlist.Net) -> bool:
    """Resets of many registers are on global buffers."""
    return 2 * sum(1 for cell, port, _ in net.sinks if global_resets.RESETS.get(cell.type) == port) > len(net.sinks)


def _is_split(net: netlist.Net) -> bool:
    if net.driver is None or net.port is not None or _is_reset(net):
        return False
    cell = net.driver[0]
    return cell.type in net_delays.LUTS | net_delays.FLIP_FLOPS and len(cell.outputs) == 1 and _weight(net.sinks) > MAX_SINKS


def _groups(sinks: list[netlist.CellPin], lanes: _Lanes) -> list[list[netlist.CellPin]]:
    """Sinks in lane order, in groups of about the same weight; pins of a cell stay together."""
    ordered = sorted(sinks, key=lanes.key)
    share = _weight(ordered) / math.ceil(_weight(ordered) / SINKS_OF_A_COPY)
    groups: list[list[netlist.CellPin]] = [[]]
    for at, sink in enumerate(ordered):
        is_same_cell = at > 0 and ordered[at - 1][0].name == sink[0].name
        if not is_same_cell and _weight(groups[-1]) >= share:
            groups.append([])
        groups[-1].append(sink)
    return groups


def split(document: netlist.Json, top: str) -> int:
    """Changes a netlist of yosys (its JSON). Returns the number of copies."""
    module = document["modules"][top]
    loaded = netlist.Netlist(top, module)
    lanes = _Lanes(loaded)
    next_bit = 1 + max(loaded.nets, default=1)
    made = 0
    for number in sorted(loaded.nets):
        net = loaded.nets[number]
        if net.driver is None or not _is_split(net):
            continue
        for sinks in _groups(net.sinks, lanes)[1:]:
            replication.add_copy(module, net.driver, f"part{next_bit + made}", next_bit + made, sinks)
            made += 1
    return made
