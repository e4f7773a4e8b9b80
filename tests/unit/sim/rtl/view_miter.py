#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The miter of the two views of a core's processes.

Reads the Verilog of a core and writes it with each process that has two views replaced by a module of the same ports. It contains both
views, gives both the same inputs, and passes on the outputs of the simulation view. It ends the simulation with $fatal in a cycle in which
an output of the synthesis view differs. Data are compared where they are valid: of a stream in a cycle with a push, the address of a RAM
with its enable, a written word by its lanes.

Example:
  view_miter.py build/release/sim/rtl/core_vta_1x16.sv miter.sv
"""
import argparse
import re
import sys

TWO_VIEWS = re.compile(r"`ifndef HLS_SIMULATION\n(?P<synthesis>.*?)`else\n(?P<simulation>.*?)`endif\n", re.S)
MODULE = re.compile(r"^module (?P<name>\w+) \(\n(?P<ports>.*?)\n\);", re.S | re.M)
PORT = re.compile(r"(?P<direction>input|output) (?:wire|reg) (?P<range>\[\d+:\d+\] )?(?P<name>\w+)")


def width(port_range):
    return int(port_range[1:].split(":")[0]) + 1 if port_range else 1


def condition(name, outputs):
    """When the output `name` means something; None: in every cycle."""
    for data, valid in (("_data", "_push"), ("_ra", "_re")):
        if name.endswith(data) and name[:-len(data)] + valid in outputs:
            return name[:-len(data)] + valid
    if name.endswith("_wa") and name[:-3] + "_we" in outputs:
        return f"|{name[:-3]}_we"
    return None


def comparison(module, name, outputs):
    """The statement that compares one output; a written word lane by lane."""
    def check(part, valid):
        text = f"{name}{part}"
        guard = f"{valid} && " if valid else ""
        return (f"    if ({guard}{text} !== synthesis_{text})\n"
                f'      $fatal(1, "{module}: {text} is %h, and %h in the synthesis view", {text}, synthesis_{text});\n')
    enable = name[:-3] + "_we"
    if not name.endswith("_wd") or enable not in outputs:
        return check("", condition(name, outputs))
    lanes, lane_bits = outputs[enable], outputs[name] // outputs[enable]
    if lanes == 1:
        return check("", enable)
    return "".join(check(f"[{lane * lane_bits} +: {lane_bits}]", f"{enable}[{lane}]") for lane in range(lanes))


def miter(module, ports):
    declarations = [(p["direction"], p["range"] or "", p["name"]) for p in PORT.finditer(ports)]
    outputs = {name: width(bits) for direction, bits, name in declarations if direction == "output"}
    text = f"module {module} (\n"
    text += ",\n".join(f"  {direction} wire {bits}{name}" for direction, bits, name in declarations) + "\n);\n"
    for direction, bits, name in declarations:
        if direction == "output":
            text += f"  wire {bits}synthesis_{name};\n"
    for view, prefix in (("simulation", ""), ("synthesis", "synthesis_")):
        pins = ", ".join(f".{name}({prefix if name in outputs else ''}{name})" for _, _, name in declarations)
        text += f"  {module}_{view} {view} ({pins});\n"
    text += "  always @(posedge clk) if (!rst) begin\n"
    text += "".join(comparison(module, name, outputs) for name in outputs)
    return text + "  end\nendmodule\n"


def with_miters(verilog):
    """The Verilog with miters, and the number of processes that have two views."""
    count = 0

    def replace(match):
        nonlocal count
        count += 1
        text = ""
        for view in ("simulation", "synthesis"):
            module = MODULE.search(match[view])
            name = module["name"]
            text += match[view].replace(f"module {name} (", f"module {name}_{view} (", 1)
        return text + miter(name, module["ports"])

    return TWO_VIEWS.sub(replace, verilog), count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("core", help="the Verilog that vta-hlsc wrote")
    parser.add_argument("miter", help="the file to write")
    arguments = parser.parse_args()
    with open(arguments.core) as file:
        text, count = with_miters(file.read())
    if count == 0 or "`ifdef" in text or "`ifndef" in text:
        sys.exit(f"view_miter.py: {arguments.core}: expected processes with two views, found {count}")
    with open(arguments.miter, "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
