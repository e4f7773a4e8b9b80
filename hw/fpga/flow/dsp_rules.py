# SPDX-License-Identifier: Apache-2.0
"""Which features a DSP48E1 has by its parameters. A parameter that is missing has the value of the primitive (UG479)."""
from hw.fpga.flow.fasm import Features
from hw.fpga.flow.placed_cells import PlacedCell

REGISTERS = ["ADREG", "ALUMODEREG", "CARRYINREG", "CARRYINSELREG", "CREG", "DREG", "INMODEREG", "MREG", "OPMODEREG", "PREG"]
BUSES = {"ALUMODE": 4, "INMODE": 5, "OPMODE": 7}
PATTERN_BITS, MASK_BITS = 48, 46  # the database lacks the highest two of MASK


def _inverted(cell: PlacedCell, bus: str, bit: int) -> bool:
    get = cell.parameters.get
    return bool((get(f"IS_{bus}_INVERTED", 0) >> bit | get(f"IS_{bus}[{bit}]_INVERTED", 0)) & 1)


def features(cell: PlacedCell) -> Features:
    """(feature, bit or None) -> whether it must be set."""
    get = cell.parameters.get
    found: Features = {}
    for register in REGISTERS:
        found[f"Z{register}", 0] = get(register, 1) == 0
    for input_ in "AB":
        stages = get(f"{input_}REG", 1)
        found[f"{input_}REG_0", None] = stages == 0
        found[f"{input_}REG_2", None] = stages == 2
        if stages == 2:
            found[f"Z{input_}REG_2_{input_}CASCREG_1", None] = get(f"{input_}CASCREG", 1) != 1
        found[f"{input_}_INPUT", 0] = get(f"{input_}_INPUT", "DIRECT") == "CASCADE"
    found["USE_DPORT", 0] = get("USE_DPORT", "FALSE") == "TRUE"
    simd = get("USE_SIMD", "ONE48")
    found["USE_SIMD_FOUR12_TWO24", None] = simd in ("TWO24", "FOUR12")
    found["USE_SIMD_FOUR12", None] = simd == "FOUR12"
    found["SEL_MASK_C", None] = get("SEL_MASK", "MASK") == "C"
    reset = get("AUTORESET_PATDET", "NO_RESET")
    found["AUTORESET_PATDET_RESET_NOT_MATCH", None] = reset == "RESET_NOT_MATCH"
    found["AUTORESET_PATDET_RESET", None] = reset == "RESET_MATCH"
    for bus, width in BUSES.items():
        for bit in range(width):
            found[f"ZIS_{bus}_INVERTED", bit] = not _inverted(cell, bus, bit)
    for pin in ("CLK", "CARRYIN"):
        found[f"ZIS_{pin}_INVERTED", None] = get(f"IS_{pin}_INVERTED", 0) == 0
    if get("USE_PATTERN_DETECT", "NO_PATDET") == "PATDET":
        for bit in range(PATTERN_BITS):
            found["PATTERN", bit] = get("PATTERN", 0) >> bit & 1 == 1
        for bit in range(MASK_BITS):
            found["MASK", bit] = get("MASK", (1 << MASK_BITS) - 1) >> bit & 1 == 1
    return {(f"DSP48.DSP_{cell.y % 2}.{name}", bit): value for (name, bit), value in found.items()}


# Pins that a switch of the tile ties to a constant if they are not routed.
TIED_PINS = ["CEAD", "CEALUMODE", "CED", "CEINMODE", "RSTD", "ALUMODE2", "ALUMODE3", "CARRYINSEL2", "OPMODE6",
             *(f"INMODE{bit}" for bit in range(5)), *(f"D{bit}" for bit in range(25))]


def ties(cell: PlacedCell, kind: str) -> list[list[tuple[str, int | None]]]:
    """For each pin without a net, the features of which one must be set. `kind`: type of the tile."""
    side = kind.rpartition("_")[2]
    return [[(f"DSP_{cell.y % 2}_{pin}.DSP_{value}_{side}", None) for value in ("GND", "VCC")]
            for pin in TIED_PINS if pin not in cell.pins]
