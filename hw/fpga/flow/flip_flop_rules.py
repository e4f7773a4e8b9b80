# SPDX-License-Identifier: Apache-2.0
"""Which features a flip-flop has. Clock edge, synchronous reset, clock enable and reset belong to all flip-flops of a slice."""
from hw.fpga.flow.fasm import Features
from hw.fpga.flow.placed_cells import PlacedCell

TYPES = {  # cell: value after reset, is the reset synchronous, is it a falling edge
    "FDRE": (0, True, False), "FDSE": (1, True, False), "FDCE": (0, False, False), "FDPE": (1, False, False),
    "FDRE_1": (0, True, True), "FDSE_1": (1, True, True), "FDCE_1": (0, False, True), "FDPE_1": (1, False, True)}


def features(cell: PlacedCell, kind: str) -> Features:
    """(feature, bit or None) -> whether it must be set. `kind`: type of the tile. Errors: ValueError for an inverted pin that
    a slice has no bit for."""
    reset_value, is_synchronous, is_falling = TYPES[cell.type]
    get = cell.parameters.get
    for pin in "DRS":
        if get(f"IS_{pin}_INVERTED", 0):
            raise ValueError(f"{cell.name}: a {cell.type} of a slice has no inverter at {pin}")
    clock_is_inverted = is_falling != (get("IS_C_INVERTED", 0) == 1)
    slice_ = ("SLICEM" if kind.startswith("CLBLM") and cell.x == 0 else "SLICEL") + f"_X{cell.x}"
    found = {(f"{cell.bel}.ZINI", None): get("INIT", reset_value if cell.type.startswith(("FDS", "FDP")) else 0) == 0,
             (f"{cell.bel}.ZRST", None): reset_value == 0,
             ("FFSYNC", None): is_synchronous, ("CLKINV", None): clock_is_inverted, ("LATCH", None): False,
             ("CEUSEDMUX", None): not cell.pins.get("CE", True), ("SRUSEDMUX", None): not cell.pins.get("SR", True)}
    return {(f"{slice_}.{name}", bit): value for (name, bit), value in found.items()}
