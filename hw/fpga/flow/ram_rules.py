# SPDX-License-Identifier: Apache-2.0
"""Which features a block RAM has by its parameters: RAMB18E1 is one half of a tile, RAMB36E1 both.

Widths of a 36 Kbit RAM are those of its two halves side by side: 9 bits are two of 4 and one more bit, which
BRAM36_*_WIDTH_*_1 adds. A port that is not used has width 1. Wide ports (simple dual port) use both ports of a half.
"""
from hw.fpga.flow.fasm import Features
from hw.fpga.flow.placed_cells import PlacedCell

WIDTHS_OF_HALF = {0: 1, 1: 1, 2: 2, 4: 4, 9: 9, 18: 18}
WIDTHS_OF_WHOLE = {0: 1, 1: 1, 2: 1, 4: 2, 9: 4, 18: 9, 36: 18}
ODD_WIDTHS = (1, 9)  # of a whole RAM
PINS = ["CLKARDCLK", "CLKBWRCLK", "ENARDEN", "ENBWREN", "RSTRAMARSTRAM", "RSTRAMB", "RSTREGARSTREG", "RSTREGB"]
OUTPUT_BITS = 18  # of a port of a half


def _widths(cell: PlacedCell, whole: bool, read: list[int], write: list[int]) -> tuple[dict[str, int], bool, bool]:
    """Effective widths of the four ports of a half, and whether reads and writes are wide. A wide port takes both."""
    full, known = (72, WIDTHS_OF_WHOLE) if whole else (36, WIDTHS_OF_HALF)
    widths = {}
    for way in ("READ", "WRITE"):
        is_wide = full in (read if way == "READ" else write)
        for port, width in zip("AB", read if way == "READ" else write):
            if not is_wide and width not in known:
                raise ValueError(f"{cell.name}: a {cell.type} has no {way}_WIDTH_{port} of {width}")
            widths[f"{way}_WIDTH_{port}"] = 18 if is_wide else known[width]
    return widths, full in read, full in write


def _value_bits(cell: PlacedCell, name: str, whole: bool) -> set[int]:
    """INIT_* and SRVAL_*. How the two halves share those of a whole RAM is not documented: only 0 is known to be right."""
    value = cell.parameters.get(name, 0)
    if whole and value:
        raise ValueError(f"{cell.name}: {name} of a {cell.type} is {value:#x}, must be 0")
    return {bit for bit in range(OUTPUT_BITS) if value >> bit & 1}


def _features_of_half(cell: PlacedCell, whole: bool) -> Features:
    get = cell.parameters.get
    read = [get("READ_WIDTH_A", 0), get("READ_WIDTH_B", 0)]
    write = [get("WRITE_WIDTH_A", 0), get("WRITE_WIDTH_B", 0)]
    widths, reads_wide, writes_wide = _widths(cell, whole, read, write)
    features: Features = {("IN_USE", None): True}
    for name, width in widths.items():
        for known in (1, 2, 4, 9, 18):
            features[f"{name}_{known}", None] = known == width
    features["SDP_READ_WIDTH_36", None] = reads_wide
    features["SDP_WRITE_WIDTH_36", None] = writes_wide
    for port in "AB":
        mode = get(f"WRITE_MODE_{port}", "WRITE_FIRST")
        if mode == "WRITE_FIRST" and get("RAM_MODE", "TDP") == "SDP":
            mode = "NO_CHANGE"
        for other in ("READ_FIRST", "NO_CHANGE"):
            features[f"WRITE_MODE_{port}_{other}", None] = mode == other
        features[f"DO{port}_REG", None] = get(f"DO{port}_REG", 0) == 1
        features[f"RSTREG_PRIORITY_{port}_REGCE", None] = get(f"RSTREG_PRIORITY_{port}", "RSTREG") == "REGCE"
        for name in ("INIT", "SRVAL"):
            ones = _value_bits(cell, f"{name}_{port}", whole)
            for bit in range(OUTPUT_BITS):
                features[f"Z{name}_{port}", bit] = bit not in ones
    for pin in PINS:
        features[f"ZINV_{pin}", None] = get(f"IS_{pin}_INVERTED", 0) == 0
    # The clock of an output register is that of its port.
    features["ZINV_REGCLKARDRCLK", None] = get("DOA_REG", 0) == 1 and get("IS_CLKARDCLK_INVERTED", 0) == 0
    features["ZINV_REGCLKB", None] = get("DOB_REG", 0) == 1 and get("IS_CLKBWRCLK_INVERTED", 0) == 0
    features["RDADDR_COLLISION_HWCONFIG_PERFORMANCE", None] = get("RDADDR_COLLISION_HWCONFIG", "DELAYED_WRITE") == "PERFORMANCE"
    return features


def features(cell: PlacedCell) -> Features:
    """(feature, bit or None) -> whether it must be set. Errors: ValueError for parameters that no RAM has."""
    whole = cell.type == "RAMB36E1"
    found = {}
    for half in (0, 1) if whole else (cell.y % 2,):
        for (name, bit), value in _features_of_half(cell, whole).items():
            found[f"RAMB18_Y{half}.{name}", bit] = value
    if whole:
        get = cell.parameters.get
        for name in ("READ_WIDTH_A", "READ_WIDTH_B", "WRITE_WIDTH_A", "WRITE_WIDTH_B"):
            found[f"RAMB36.BRAM36_{name}_1", None] = get(name, 0) in ODD_WIDTHS
        for port in "AB":
            found[f"RAMB36.RAM_EXTENSION_{port}_LOWER", None] = get(f"RAM_EXTENSION_{port}", "NONE") == "LOWER"
        found["RAMB36.EN_ECC_READ", None] = get("EN_ECC_READ", "FALSE") == "TRUE"
        found["RAMB36.EN_ECC_WRITE", None] = get("EN_ECC_WRITE", "FALSE") == "TRUE"
    for port in ("ARD", "BWR"):  # the tile passes its address to the next: vta-route does not use this
        found[f"CASCOUT_{port}_ACTIVE", None] = False
    return found
