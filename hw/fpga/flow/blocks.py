# SPDX-License-Identifier: Apache-2.0
"""Which cells of a flat netlist belong together: the processes, queues and RAMs of the design, which a placer keeps in one place
each. Registers and memories have the names of their instances; a LUT belongs to the block that most of its sinks are in."""
import collections
import math

from hw.fpga.flow.netlist import Cell, Netlist

SMALL_BLOCK = 1000  # cells
MAX_PASSES = 50


def _of_name(name: str) -> str:
    """The process instance of a hierarchical name, or its whole instance."""
    parts = name.split(".")[:-1]
    process = next((index for index, part in enumerate(parts) if part.startswith("i_")), len(parts) - 1)
    return ".".join(parts[:process + 1])


def _of_outputs(netlist: Netlist, cell: Cell) -> str | None:
    names = [netlist.nets[number].name() for _, _, number in cell.outputs]
    return next((_of_name(name) for name in names if name is not None), None)


def blocks(netlist: Netlist) -> dict[str, str]:
    """Name of a cell -> its block."""
    found = {cell.name: _of_outputs(netlist, cell) for cell in netlist.cells}
    open_cells = [cell for cell in netlist.cells if found[cell.name] is None]
    for _ in range(MAX_PASSES):
        still_open = []
        for cell in open_cells:
            sinks = (found[sink.name] for _, _, number in cell.outputs for sink, _, _ in netlist.nets[number].sinks)
            votes = collections.Counter(block for block in sinks if block is not None)
            if votes:
                found[cell.name] = min(votes, key=lambda block: (-votes[block], block))
            else:
                still_open.append(cell)
        if len(still_open) in (0, len(open_cells)):
            break
        open_cells = still_open
    return {name: block or "" for name, block in found.items()}


def sizes(netlist: Netlist) -> dict[str, float]:
    """Name of a cell -> doublings of the number of cells of its block: the larger a block, the longer its wires."""
    of_cell = blocks(netlist)
    cells = collections.Counter(of_cell.values())
    return {name: math.log2(max(1.0, cells[block] / SMALL_BLOCK)) for name, block in of_cell.items()}
