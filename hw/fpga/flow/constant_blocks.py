# SPDX-License-Identifier: Apache-2.0
"""Pins of DSPs and block RAMs that are 0 become 1. The interconnect gives 1 to any pin, but 0 only by a detour through its local
wires, and a DSP48E1 of yosys has up to 60 pins of 0, a block RAM 50.

- Pins without effect: enables and resets of bypassed registers (nextpnr makes those that are not connected 0), C and the upper bits
  of A where no multiplexer selects them, the data of a port that never writes.
- Pins that the block can invert (UG473, UG479): OPMODE, ALUMODE and CARRYIN of a DSP, the resets of a RAM's outputs.
"""
import typing

from hw.fpga.flow import netlist

# The registers of a DSP48E1 that a pin belongs to. A parameter that is missing has the value 1.
DSP_REGISTERS = {
    "CEA1": ("AREG",), "CEA2": ("AREG",), "RSTA": ("AREG",), "CEB1": ("BREG",), "CEB2": ("BREG",), "RSTB": ("BREG",),
    "CEC": ("CREG",), "RSTC": ("CREG",), "CED": ("DREG",), "CEAD": ("ADREG",), "RSTD": ("DREG", "ADREG"),
    "CEM": ("MREG",), "RSTM": ("MREG",), "CEP": ("PREG",), "RSTP": ("PREG",),
    "CEINMODE": ("INMODEREG",), "RSTINMODE": ("INMODEREG",), "CEALUMODE": ("ALUMODEREG",), "RSTALUMODE": ("ALUMODEREG",),
    "CECTRL": ("OPMODEREG", "CARRYINSELREG"), "RSTCTRL": ("OPMODEREG", "CARRYINSELREG"),
    "CECARRYIN": ("CARRYINREG",), "RSTALLCARRYIN": ("CARRYINREG",),
}
DSP_INVERTIBLE = {"OPMODE": 7, "ALUMODE": 4, "CARRYIN": 1}
MULTIPLIED_BITS_OF_A = 25
SELECTS_C = {"Y": ("1", "1"), "Z": ("1", "1", "0")}  # OPMODE[3:2] and OPMODE[6:4], lowest bit first
SELECTS_AB = ("1", "1")                              # OPMODE[1:0]

RAM_OUTPUT_REGISTERS = {"REGCEAREGCE": "DOA_REG", "RSTREGARSTREG": "DOA_REG", "REGCEB": "DOB_REG", "RSTREGB": "DOB_REG"}
RAM_INVERTIBLE = ("RSTRAMARSTRAM", "RSTRAMB")
RAM_DATA = {"WEA": ("DIADI", "DIPADIP"), "WEBWE": ("DIBDI", "DIPBDIP")}  # by the enables of the port


def _value(cell: netlist.Json, name: str, missing: int) -> typing.Any:
    return netlist.parameter(cell["parameters"].get(name, missing))


def _raise(cell: netlist.Json, port: str, first: int = 0) -> None:
    bits = cell["connections"].get(port, [])
    bits[first:] = ["1" if bit == "0" else bit for bit in bits[first:]]


def _tie_unused_of_dsp(cell: netlist.Json) -> None:
    for port, registers in DSP_REGISTERS.items():
        if cell["connections"].get(port, ["0"]) == ["0"] and all(_value(cell, name, 1) == 0 for name in registers):
            cell["connections"][port] = ["1"]
            cell["port_directions"][port] = "input"


def _invert(cell: netlist.Json, port: str, width: int) -> None:
    """Inverts the bits that are 0. Other bits keep their inversion."""
    bits = cell["connections"].get(port, [])
    zeros = sum(1 << at for at, bit in enumerate(bits) if bit == "0")
    name = f"IS_{port}_INVERTED"
    if zeros:
        cell["parameters"][name] = f"{_value(cell, name, 0) ^ zeros:0{width}b}"
        _raise(cell, port)


def _may_select(bits: netlist.Bits, selection: tuple[str, ...]) -> bool:
    """Whether the bits can have these values: signals can."""
    return all(bit not in ("0", "1") or bit == wanted for bit, wanted in zip(bits, selection))


def _raise_dsp(cell: netlist.Json) -> None:
    _tie_unused_of_dsp(cell)
    mode = cell["connections"].get("OPMODE", [])
    if len(mode) == DSP_INVERTIBLE["OPMODE"] and _value(cell, "IS_OPMODE_INVERTED", 0) == 0:
        if not _may_select(mode[2:4], SELECTS_C["Y"]) and not _may_select(mode[4:7], SELECTS_C["Z"]):
            _raise(cell, "C")
        if not _may_select(mode[0:2], SELECTS_AB) and not cell["connections"].get("ACOUT"):
            _raise(cell, "A", MULTIPLIED_BITS_OF_A)
    for port, width in DSP_INVERTIBLE.items():
        _invert(cell, port, width)


def _raise_ram(cell: netlist.Json) -> None:
    for port, register in RAM_OUTPUT_REGISTERS.items():
        if _value(cell, register, 0) == 0:
            _raise(cell, port)
    for port in RAM_INVERTIBLE:
        _invert(cell, port, 1)
    if str(cell["parameters"].get("RAM_MODE", "TDP")).strip() == "TDP":
        for enables, data in RAM_DATA.items():
            if set(cell["connections"].get(enables, [None])) == {"0"}:
                for port in data:
                    _raise(cell, port)


def to_ones(module: netlist.Json) -> None:
    """Changes a module of yosys' JSON."""
    for cell in module["cells"].values():
        if cell["type"] == "DSP48E1":
            _raise_dsp(cell)
        elif cell["type"] in ("RAMB18E1", "RAMB36E1"):
            _raise_ram(cell)
