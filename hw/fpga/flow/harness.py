# SPDX-License-Identifier: Apache-2.0
"""A module with three pins around a module with any number of ports, so that it can be placed and routed alone. A shift register drives the
inputs, and another one collects the outputs. All paths of the module end in registers."""
import re

from hw.fpga.flow import Error

COLLECTED = "collected"  # registers that belong to the harness
PORT = re.compile(r"^\s*(input|output)\s+(?:wire|reg)?\s*(?:\[(\d+):0\])?\s*(\w+)\s*,?\s*$")
CLOCK = "clk"
PINS = {"clk_pin": "H16", "in_pin": "D19", "out_pin": "R14"}  # of the package clg400


class HarnessError(Error):
    """The Verilog lacks the module."""


def ports_of(verilog: str, module: str) -> list[tuple[str, str, int]]:
    """[(direction, name, width)] of the first module of this name, a port a line as vta-hlsc prints them."""
    lines = iter(verilog.splitlines())
    if not any(line.startswith(f"module {module} (") for line in lines):
        raise HarnessError(f"no module {module} in the Verilog")
    ports: list[tuple[str, str, int]] = []
    for line in lines:
        if line.startswith(")"):
            return ports
        match = PORT.match(line)
        if match:
            ports.append((match[1], match[3], int(match[2] or 0) + 1))
    raise HarnessError(f"the ports of module {module} have no end")


def verilog_around(module: str, ports: list[tuple[str, str, int]]) -> str:
    """The module `harness`."""
    offsets = {"input": 0, "output": 0}
    connections = [f".{CLOCK}(clk_pin)"]
    for direction, name, width in ports:
        if name == CLOCK:
            continue
        offset = offsets[direction]
        connections.append(f".{name}({direction}s[{offset + width - 1}:{offset}])")
        offsets[direction] = offset + width
    inputs, outputs = (max(1, offsets[direction]) for direction in ("input", "output"))
    return "\n".join([
        "module harness (input wire clk_pin, input wire in_pin, output wire out_pin);",
        f"  reg [{inputs - 1}:0] inputs;", f"  wire [{outputs - 1}:0] outputs;", f"  reg [{outputs - 1}:0] {COLLECTED};",
        f"  assign out_pin = {COLLECTED}[0];",
        "  always @(posedge clk_pin) begin", "    inputs <= {inputs, in_pin};",
        f"    {COLLECTED} <= ({COLLECTED} >> 1) ^ outputs ^ {{inputs[{inputs - 1}], {outputs - 1}'d0}};" if outputs > 1 else
        f"    {COLLECTED} <= outputs ^ inputs[{inputs - 1}];", "  end",
        f"  {module} i_{module.partition('_')[2]} ({', '.join(connections)});", "endmodule", ""])


def constraints() -> str:
    """The pins as XDC for nextpnr, a property a line."""
    return "".join(f"set_property PACKAGE_PIN {pin} [get_ports {port}]\nset_property IOSTANDARD LVCMOS33 [get_ports {port}]\n"
                   for port, pin in PINS.items())
