# SPDX-License-Identifier: Apache-2.0
"""Moves registers that drive the input A of a DSP48E1 into it: AREG.

yosys moves those of B and D, but not those of A where some bits are constants, as in a product that packs two factors (b << 16) + a.
The input then has the setup time of its register instead of that of the multiplier.
"""
from hw.fpga.flow import block_registers, netlist


def _registers(module: netlist.Json, loaded: netlist.Netlist, bits: netlist.Bits) -> list[str]:
    """The names of the flip-flops that drive the bits and nothing else; empty if there is anything else."""
    sinks = set()
    names = []
    for bit in sorted({bit for bit in bits if bit not in netlist.CONSTANTS}):
        net = loaded.nets[bit]
        if net.driver is None or net.port is not None or net.driver[0].type != "FDRE":
            return []
        name = net.driver[0].name
        if not block_registers.is_plain(module["cells"][name]):
            return []
        names.append(name)
        sinks |= {(cell.name, port) for cell, port, _ in net.sinks}
    return names if len(sinks) == 1 else []


def _has_other_inputs(dsp: netlist.Json) -> bool:
    """Whether A is a cascade, goes on as one, or may be taken from the first of two registers."""
    return dsp["parameters"].get("A_INPUT", "DIRECT").strip() != "DIRECT" or bool(dsp["connections"].get("ACOUT")) or \
        dsp["connections"].get("INMODE", ["0"])[0] != "0"


def _moved(module: netlist.Json, loaded: netlist.Netlist, name: str) -> int:
    """Moves the flip-flops before A of the DSP into it, if they have one enable and the DSP's clock. Returns how many."""
    dsp = module["cells"][name]
    bits = dsp["connections"]["A"]
    if netlist.parameter(dsp["parameters"].get("AREG", 1)) != 0 or set(bits) & {"1", "z"} or _has_other_inputs(dsp):
        return 0
    names = _registers(module, loaded, bits)
    enable = block_registers.common_enable([module["cells"][each] for each in names], dsp, "CLK", "RSTA")
    if enable is None:
        return 0
    before = {module["cells"][each]["connections"]["Q"][0]: module["cells"][each]["connections"]["D"][0] for each in names}
    dsp["connections"]["A"] = [before.get(bit, bit) for bit in bits]
    for each in names:
        del module["cells"][each]
    block_registers.use(dsp, "CEA2", enable, "RSTA", ["AREG", "ACASCREG"])
    return len(names)


def absorb(document: netlist.Json, top: str) -> int:
    """Changes a netlist of yosys (its JSON). Returns the number of flip-flops that are now in DSPs."""
    module = document["modules"][top]
    loaded = netlist.Netlist(top, module)
    return sum(_moved(module, loaded, cell.name) for cell in loaded.cells if cell.type == "DSP48E1")
