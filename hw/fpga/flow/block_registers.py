# SPDX-License-Identifier: Apache-2.0
"""Flip-flops that become a register inside a block RAM or a DSP."""
from hw.fpga.flow import netlist


def is_plain(flip_flop: netlist.Json) -> bool:
    """Whether a flip-flop has no reset, no inverted pin, and starts with 0 or anything, as registers in blocks do."""
    parameters = flip_flop["parameters"]
    inverted = any(netlist.parameter(value) for name, value in parameters.items() if name.startswith("IS_"))
    return flip_flop["connections"]["R"] == ["0"] and not inverted and netlist.parameter(parameters.get("INIT", "x")) in (0, "x")


def common_enable(flip_flops: list[netlist.Json], block: netlist.Json, clock: str, reset: str) -> netlist.Bits | None:
    """The net of the enable that all flip-flops have, as bits. None if they have several, or another clock than the block's pin `clock`,
    or if the block's pin `reset` is inverted: use() ties it to 0."""
    pins = {(tuple(each["connections"]["C"]), tuple(each["connections"]["CE"])) for each in flip_flops}
    if len(pins) != 1:
        return None
    clock_net, enable = next(iter(pins))
    is_inverted = any(netlist.parameter(block["parameters"].get(f"IS_{pin}_INVERTED", 0)) for pin in (clock, reset))
    return None if is_inverted or list(clock_net) != block["connections"][clock] else list(enable)


def use(block: netlist.Json, enable_pin: str, enable: netlist.Bits, reset_pin: str, parameters: list[str]) -> None:
    """Switches the block's register on: with the enable, without a reset."""
    block["connections"] |= {enable_pin: enable, reset_pin: ["0"]}
    block["port_directions"] |= {enable_pin: "input", reset_pin: "input"}
    block["parameters"] |= {name: f"{1:032b}" for name in parameters}
