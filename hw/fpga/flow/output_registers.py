# SPDX-License-Identifier: Apache-2.0
"""Moves registers that follow block RAMs into them: DOA_REG, DOB_REG.

yosys maps a synchronous read to a block RAM and a register after it to flip-flops. The RAM's own output register takes no
flip-flops, and a word leaves it 1.6 ns earlier than the memory. Vivado does the same by itself.
"""
import typing

from hw.fpga.flow import block_registers, netlist


class _Port(typing.NamedTuple):
    """A read port of a RAMB18E1 or RAMB36E1 in mode TDP."""

    outputs: tuple[str, ...]
    clock: str
    enable: str
    reset: str
    register: str


PORTS = [_Port(("DOADO", "DOPADOP"), "CLKARDCLK", "REGCEAREGCE", "RSTREGARSTREG", "DOA_REG"),
         _Port(("DOBDO", "DOPBDOP"), "CLKBWRCLK", "REGCEB", "RSTREGB", "DOB_REG")]
BLOCK_RAMS = ("RAMB18E1", "RAMB36E1")


def _registers(module: netlist.Json, net: netlist.Net) -> list[str] | None:
    """The names of the flip-flops that hold the net's value, if it has no other sinks; else None."""
    if net.port is not None or any(cell.type != "FDRE" or pin != "D" for cell, pin, _ in net.sinks):
        return None
    names = [cell.name for cell, _, _ in net.sinks]
    return names if all(block_registers.is_plain(module["cells"][name]) for name in names) else None


def _word(module: netlist.Json, loaded: netlist.Netlist, cell: netlist.Cell, port: _Port) -> dict[tuple[str, int], list[str]]:
    """{(output, bit): flip-flops} of the bits that are read; empty if they cannot all be in the port's output register."""
    found = {}
    for output, bit, number in cell.outputs:
        net = loaded.nets[number]
        if output not in port.outputs or (not net.sinks and net.port is None):
            continue
        registers = _registers(module, net)
        if registers is None:
            return {}
        found[output, bit] = registers
    return found


def _moved(module: netlist.Json, loaded: netlist.Netlist, cell: netlist.Cell, port: _Port,
           renamed: dict[int | str, int | str]) -> int:
    """Moves the word's flip-flops into the RAM, if they have one enable and the RAM's clock. Returns how many. `renamed`: replaced nets
    and their replacements."""
    ram = module["cells"][cell.name]
    word = _word(module, loaded, cell, port)
    flip_flops = [name for names in word.values() for name in names]
    enable = block_registers.common_enable([module["cells"][name] for name in flip_flops], ram, port.clock, port.reset)
    if enable is None:
        return 0
    for (output, bit), (first, *others) in word.items():
        kept = module["cells"][first]["connections"]["Q"][0]
        for name in others:
            renamed[module["cells"][name]["connections"]["Q"][0]] = kept
        renamed[ram["connections"][output][bit]] = "x"
        ram["connections"][output][bit] = kept
    for name in flip_flops:
        del module["cells"][name]
    block_registers.use(ram, port.enable, enable, port.reset, [port.register])
    return len(flip_flops)


def _rename(module: netlist.Json, renamed: dict[int | str, int | str]) -> None:
    for cell in module["cells"].values():
        cell["connections"] = {pin: [renamed.get(bit, bit) for bit in bits] for pin, bits in cell["connections"].items()}
    for entry in [*module["netnames"].values(), *module["ports"].values()]:
        entry["bits"] = [renamed.get(bit, bit) for bit in entry["bits"]]


def absorb(document: netlist.Json, top: str) -> int:
    """Changes a netlist of yosys (its JSON). Returns the number of flip-flops that are now in block RAMs."""
    module = document["modules"][top]
    loaded = netlist.Netlist(top, module)
    renamed: dict[int | str, int | str] = {}
    moved = 0
    for cell in loaded.cells:
        if cell.type not in BLOCK_RAMS or str(cell.parameters.get("RAM_MODE", "TDP")).strip() != "TDP":
            continue
        for port in PORTS:
            if cell.parameters.get(port.register, 0) == 0:
                moved += _moved(module, loaded, cell, port, renamed)
    _rename(module, renamed)
    return moved
