# SPDX-License-Identifier: Apache-2.0
"""Constant address bits of memories become 1. A memory that is less deep than its RAM has address bits of 0. The interconnect gives 1
to any pin, but 0 only by a detour through its local wires, of which a tile has few. Twelve address pins of a LUT RAM that are 0 leave too
few for the signals beside them. The memory then lies at the end of the RAM instead of the beginning."""
import typing

from hw.fpga.flow import netlist

LUT_RAMS = {"RAM32M": ("ADDRA", "ADDRB", "ADDRC", "ADDRD"), "RAM64M": ("ADDRA", "ADDRB", "ADDRC", "ADDRD")}
BLOCK_RAMS = {"RAMB18E1": ("ADDRARDADDR", "ADDRBWRADDR"), "RAMB36E1": ("ADDRARDADDR", "ADDRBWRADDR")}
CASCADE_BIT = 15  # of a RAMB36E1's address
WIDTHS = ("READ_WIDTH_A", "READ_WIDTH_B", "WRITE_WIDTH_A", "WRITE_WIDTH_B")


def _has_contents(cell: netlist.Json) -> bool:
    return any(name.startswith(("INIT_", "INITP_")) and "1" in str(value) for name, value in cell["parameters"].items())


def _word_bits(cell: netlist.Json) -> list[int]:
    """The address bits within a word, by port of the RAM: those that the port ignores."""
    widths = [netlist.parameter(cell["parameters"].get(name, 0)) for name in WIDTHS]
    return [(width * 8 // 9 if width >= 9 else width).bit_length() - 1 for width in widths if width > 0]


def _is_same_word(bit: int, ignored: list[int]) -> bool:
    """Whether all ports ignore the bit, or none does. A narrow port would otherwise have another part of a wide port's word."""
    return all(bit < count for count in ignored) or all(bit >= count for count in ignored)


def _raise(cell: netlist.Json, ports: tuple[str, ...], may_change: typing.Callable[[int], bool]) -> None:
    addresses = [cell["connections"][port] for port in ports]
    for bit, levels in enumerate(zip(*addresses)):
        if set(levels) == {"0"} and may_change(bit):
            for address in addresses:
                address[bit] = "1"


def to_ones(module: netlist.Json) -> None:
    """Changes a module of yosys' JSON: address bits that are 0 in all ports of a RAM without contents."""
    for cell in module["cells"].values():
        if _has_contents(cell):
            continue
        if cell["type"] in LUT_RAMS:
            _raise(cell, LUT_RAMS[cell["type"]], lambda _: True)
        elif cell["type"] in BLOCK_RAMS:
            ignored = _word_bits(cell)
            _raise(cell, BLOCK_RAMS[cell["type"]], lambda bit: bit != CASCADE_BIT and _is_same_word(bit, ignored))
