# SPDX-License-Identifier: Apache-2.0
"""Settings of block RAMs, DSPs and global buffers: as the bits have them, and as a placed cell's parameters ask for them (UG473, UG479, UG472).

A setting is a name with a number. Features that are set where the hardware's default is not are inverted in the database (Z...).
"""
import typing

from hw.fpga.readback import placed

Settings = dict[str, int]

WIDTHS = (1, 2, 4, 9, 18)
PORTS = [f"{way}_WIDTH_{port}" for way in ("READ", "WRITE") for port in "AB"]
INVERTED = ["CLKARDCLK", "CLKBWRCLK", "ENARDEN", "ENBWREN", "RSTRAMARSTRAM", "RSTRAMB", "RSTREGARSTREG", "RSTREGB"]
OUTPUT_BITS = 18
CONTENT_BITS = 256  # of each INIT_..
NUM_INIT, NUM_INITP = 64, 8  # of a half
WHOLE_WIDTHS = {0: 1, 1: 1, 2: 1, 4: 2, 9: 4, 18: 9, 36: 18, 72: 18}  # of a RAM of 36 Kbit -> of its halves
HALF_WIDTHS = {0: 1, 1: 1, 2: 2, 4: 4, 9: 9, 18: 18, 36: 18}


def _ones(bits: int) -> int:
    return (1 << bits) - 1


def ram_half(found: dict[str, int]) -> Settings:
    """The settings of half a block RAM. `found`: its features, without RAMB18_Yn."""
    settings: Settings = {"IN_USE": found.get("IN_USE", 0)}
    for port in PORTS:
        widths = [width for width in WIDTHS[1:] if f"{port}_{width}" in found]
        settings[port] = widths[0] if len(widths) == 1 else 1 if not widths else -1
    for way in ("READ", "WRITE"):
        settings[f"SDP_{way}_WIDTH_36"] = found.get(f"SDP_{way}_WIDTH_36", 0)
    for port in "AB":
        for mode in ("READ_FIRST", "NO_CHANGE"):
            settings[f"WRITE_MODE_{port}_{mode}"] = found.get(f"WRITE_MODE_{port}_{mode}", 0)
        settings[f"DO{port}_REG"] = found.get(f"DO{port}_REG", 0)
        settings[f"RSTREG_PRIORITY_{port}_REGCE"] = found.get(f"RSTREG_PRIORITY_{port}_REGCE", 0)
        for name in ("INIT", "SRVAL"):
            settings[f"{name}_{port}"] = _ones(OUTPUT_BITS) & ~found.get(f"Z{name}_{port}", 0)
    settings |= {f"IS_{pin}_INVERTED": 1 - found.get(f"ZINV_{pin}", 0) for pin in INVERTED}
    settings |= {f"ZINV_{pin}": found.get(f"ZINV_{pin}", 0) for pin in ("REGCLKARDRCLK", "REGCLKB")}
    settings["RDADDR_COLLISION_HWCONFIG_PERFORMANCE"] = found.get("RDADDR_COLLISION_HWCONFIG_PERFORMANCE", 0)
    settings["FIFO_MODE"] = found.get("FIFO_MODE", 0)
    for name, count in (("INIT", NUM_INIT), ("INITP", NUM_INITP)):
        settings[name] = sum(found.get(f"{name}_{index:02X}", 0) << CONTENT_BITS * index for index in range(count))
    return settings


def ram_whole(found: dict[str, int]) -> Settings:
    """Settings that the halves share. `found`: features of the tile."""
    names = [f"RAMB36.BRAM36_{port}_1" for port in PORTS]
    names += [f"RAMB36.{name}" for name in ("EN_ECC_READ", "EN_ECC_WRITE", "RAM_EXTENSION_A_LOWER", "RAM_EXTENSION_B_LOWER")]
    names += ["CASCOUT_ARD_ACTIVE", "CASCOUT_BWR_ACTIVE", "EN_SYN", "FIRST_WORD_FALL_THROUGH", "ZALMOST_EMPTY_OFFSET", "ZALMOST_FULL_OFFSET"]
    return {name: found.get(name, 0) for name in names}


def ram_whole_wanted(cell: typing.Optional[placed.Cell]) -> Settings:
    """The same by a placed RAMB36E1; None for halves of their own."""
    wanted = ram_whole({})
    if cell is not None:
        for port in PORTS:
            wanted[f"RAMB36.BRAM36_{port}_1"] = int(_number(cell, port) in (1, 9))
        for name in ("EN_ECC_READ", "EN_ECC_WRITE"):
            wanted[f"RAMB36.{name}"] = int(cell.parameters.get(name, "FALSE").strip() == "TRUE")
        for port in "AB":
            wanted[f"RAMB36.RAM_EXTENSION_{port}_LOWER"] = int(cell.parameters.get(f"RAM_EXTENSION_{port}", "NONE").strip() == "LOWER")
    return wanted


def _number(cell: placed.Cell, name: str, default: int = 0) -> int:
    return placed.value(cell.parameters[name]) if name in cell.parameters else default


def _text(cell: placed.Cell, name: str, default: str) -> str:
    return cell.parameters.get(name, default).strip()


def _contents(cell: placed.Cell, name: str) -> int:
    total = 0
    for key, text in cell.parameters.items():
        prefix, _, index = key.partition("_")
        if prefix == name and len(index) == 2:
            total |= placed.value(text) << CONTENT_BITS * int(index, 16)
    return total


def every_other(number: int, first: int) -> int:
    """The bits first, first + 2, ... of a number."""
    text = bin(number)[:1:-1]  # lowest bit first
    kept = text[first::2][::-1]
    return int(kept, 2) if kept else 0


def ram_half_wanted(cell: placed.Cell, half: int) -> Settings:
    """The settings of a half by a placed RAMB18E1, or by a RAMB36E1, whose even bits are in the lower half."""
    is_whole = cell.type == "RAMB36E1"
    known, full = (WHOLE_WIDTHS, 72) if is_whole else (HALF_WIDTHS, 36)
    wanted: Settings = {"IN_USE": 1, "FIFO_MODE": 0}
    for way in ("READ", "WRITE"):
        widths = {port: _number(cell, f"{way}_WIDTH_{port}") for port in "AB"}
        is_wide = full in widths.values()
        wanted[f"SDP_{way}_WIDTH_36"] = int(is_wide)
        for port, width in widths.items():
            wanted[f"{way}_WIDTH_{port}"] = 18 if is_wide else known.get(width, -2)
    for port in "AB":
        mode = _text(cell, f"WRITE_MODE_{port}", "WRITE_FIRST")
        if mode == "WRITE_FIRST" and _text(cell, "RAM_MODE", "TDP") == "SDP":
            mode = "NO_CHANGE"
        for other in ("READ_FIRST", "NO_CHANGE"):
            wanted[f"WRITE_MODE_{port}_{other}"] = int(mode == other)
        wanted[f"DO{port}_REG"] = _number(cell, f"DO{port}_REG")
        wanted[f"RSTREG_PRIORITY_{port}_REGCE"] = int(_text(cell, f"RSTREG_PRIORITY_{port}", "RSTREG") == "REGCE")
        for name in ("INIT", "SRVAL"):
            value = _number(cell, f"{name}_{port}")
            wanted[f"{name}_{port}"] = every_other(value, half) if is_whole else value
    wanted |= {f"IS_{pin}_INVERTED": _number(cell, f"IS_{pin}_INVERTED") for pin in INVERTED}
    # The clock of an output register is that of its port.
    for port, pin, clock in (("A", "REGCLKARDRCLK", "CLKARDCLK"), ("B", "REGCLKB", "CLKBWRCLK")):
        wanted[f"ZINV_{pin}"] = int(wanted[f"DO{port}_REG"] == 1 and not wanted[f"IS_{clock}_INVERTED"])
    wanted["RDADDR_COLLISION_HWCONFIG_PERFORMANCE"] = int(_text(cell, "RDADDR_COLLISION_HWCONFIG", "DELAYED_WRITE") == "PERFORMANCE")
    for name in ("INIT", "INITP"):
        contents = _contents(cell, name)
        wanted[name] = every_other(contents, half) if is_whole else contents
    return wanted


DSP_REGISTERS = ["ADREG", "ALUMODEREG", "CARRYINREG", "CARRYINSELREG", "CREG", "DREG", "INMODEREG", "MREG", "OPMODEREG", "PREG"]
DSP_BUSES = {"ALUMODE": 4, "INMODE": 5, "OPMODE": 7, "CLK": 0, "CARRYIN": 0}  # bits; 0: a pin


def dsp(found: dict[str, int]) -> Settings:
    """The settings of a DSP48E1. `found`: its features, without DSP48.DSP_n."""
    settings = {register: 1 - found.get(f"Z{register}", 0) for register in DSP_REGISTERS}
    for port in "AB":
        settings[f"{port}REG"] = 0 if f"{port}REG_0" in found else 2 if f"{port}REG_2" in found else 1
        settings[f"{port}CASCREG_DIFFERS"] = int(settings[f"{port}REG"] == 2 and f"Z{port}REG_2_{port}CASCREG_1" not in found)
        settings[f"{port}_INPUT"] = found.get(f"{port}_INPUT", 0)
    for bus, bits in DSP_BUSES.items():
        settings[f"IS_{bus}_INVERTED"] = _ones(bits or 1) & ~found.get(f"ZIS_{bus}_INVERTED", 0)
    settings["USE_DPORT"] = found.get("USE_DPORT", 0)
    for name in ("USE_SIMD_FOUR12", "USE_SIMD_FOUR12_TWO24", "SEL_MASK_C", "AUTORESET_PATDET_RESET", "AUTORESET_PATDET_RESET_NOT_MATCH"):
        settings[name] = found.get(name, 0)
    return settings


def _bus_inversion(cell: placed.Cell, bus: str, bits: int) -> int:
    value = _number(cell, f"IS_{bus}_INVERTED")
    for bit in range(bits):
        value |= _number(cell, f"IS_{bus}[{bit}]_INVERTED") << bit
    return value


def dsp_wanted(cell: placed.Cell) -> Settings:
    wanted = {register: _number(cell, register, 1) for register in DSP_REGISTERS}
    for port in "AB":
        stages = _number(cell, f"{port}REG", 1)
        wanted[f"{port}REG"] = stages
        wanted[f"{port}CASCREG_DIFFERS"] = int(stages == 2 and _number(cell, f"{port}CASCREG", 1) == 1)
        wanted[f"{port}_INPUT"] = int(_text(cell, f"{port}_INPUT", "DIRECT") == "CASCADE")
    for bus, bits in DSP_BUSES.items():
        wanted[f"IS_{bus}_INVERTED"] = _bus_inversion(cell, bus, bits)
    wanted["USE_DPORT"] = int(_text(cell, "USE_DPORT", "FALSE") == "TRUE")
    simd, reset = _text(cell, "USE_SIMD", "ONE48"), _text(cell, "AUTORESET_PATDET", "NO_RESET")
    wanted |= {"USE_SIMD_FOUR12": int(simd == "FOUR12"), "USE_SIMD_FOUR12_TWO24": int(simd != "ONE48"),
               "SEL_MASK_C": int(_text(cell, "SEL_MASK", "MASK") == "C"), "AUTORESET_PATDET_RESET": int(reset == "RESET_MATCH"),
               "AUTORESET_PATDET_RESET_NOT_MATCH": int(reset == "RESET_NOT_MATCH")}
    return wanted


BUFFER_FLAGS = ["IN_USE", "INIT_OUT", "IS_IGNORE0_INVERTED", "IS_IGNORE1_INVERTED", "PRESELECT_I1"]
BUFFER_INVERTED = ["CE0", "CE1", "S0", "S1"]


def buffer(found: dict[str, int]) -> Settings:
    """The settings of a BUFGCTRL. `found`: its features, without BUFGCTRL.BUFGCTRL_XnYn."""
    settings = {name: found.get(name, 0) for name in BUFFER_FLAGS}
    settings |= {f"IS_{pin}_INVERTED": 1 - found.get(f"ZINV_{pin}", 0) for pin in BUFFER_INVERTED}
    settings["PRESELECT_I0"] = 1 - found.get("ZPRESELECT_I0", 0)
    return settings


def buffer_wanted(cell: placed.Cell) -> Settings:
    wanted = {"IN_USE": 1, "INIT_OUT": _number(cell, "INIT_OUT")}
    for pin in ("IGNORE0", "IGNORE1", *BUFFER_INVERTED):
        wanted[f"IS_{pin}_INVERTED"] = _number(cell, f"IS_{pin}_INVERTED")
    for pin, default in (("I0", "TRUE"), ("I1", "FALSE")):  # a BUFG begins with I0
        wanted[f"PRESELECT_{pin}"] = int(_text(cell, f"PRESELECT_{pin}", default) == "TRUE")
    return wanted
