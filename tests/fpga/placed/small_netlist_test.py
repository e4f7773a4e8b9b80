# SPDX-License-Identifier: Apache-2.0
"""The placed netlist of a small design, and the netlist in its bits, do what its Verilog does, and a change of one cell is noticed.

Both print what random reads of GP0 return (stimulus_ps7.sv).
"""
import copy
import pathlib
import re
import sys
import tempfile

import placed_model
import placed_netlist_test
import open_tools  # placed_model has the path
from hw.fpga.flow import database, open_flow, placed_cells, tools

SOURCES = [placed_model.ROOT / "hw/rtl/board/vta_axi3_to_lite.sv", placed_model.ROOT / "tests/fpga/small_zynq_top.sv"]
STIMULUS = placed_model.FOLDER / "stimulus_ps7.sv"
CLOCK_HZ = 100_000_000
PORT = re.compile(r"^  (?:input|output) wire (\[\d+:0\]) (\w+)", re.MULTILINE)
MIN_READS = 1000


def printed(folder, top, sources):
    """What a design prints. Top has no ports."""
    placed_model.run(["verilator", "--binary", "--timing", "-Mdir", folder, "--top-module", top, *placed_model.OPTIONS, STIMULUS, *sources])
    return placed_model.run([folder / f"V{top}"]).splitlines()[:-1]  # the last line is Verilator's


def around(verilog):
    """The netlist with a processing system at those of its ports that the stimulus has."""
    ports = PORT.findall(verilog)
    used = set(re.findall(r"^    (?:input|output) (?:wire|reg) (?:\[\d+:0\] )?(\w+)", STIMULUS.read_text(encoding="utf-8"), re.MULTILINE))
    wires = "".join(f"  wire {size} {name};\n" for size, name in ports)
    pins = ", ".join(f".{name}({name})" for _, name in ports)
    system = ", ".join(f".{name}({name})" for _, name in ports if name in used)
    return f"{verilog}module small_placed;\n{wires}  {placed_model.NAME} netlist ({pins});\n  PS7 ps7 ({system});\nendmodule\n"


def simulated(folder, text):
    folder.mkdir()
    netlist = folder / "placed.v"
    netlist.write_text(around(text), encoding="utf-8")
    return printed(folder / "model", "small_placed", [*placed_model.CELLS, netlist])


def with_other_lut(placed, fasm, part):
    """The FASM text with the contents of one LUT inverted: of the first with six inputs."""
    cell = next(cell for cell in placed_cells.load(placed, part) if cell.type == "LUT6")
    line = re.compile(rf"({cell.tile}\.SLICE[LM]_X{cell.x}\.{cell.bel[0]}LUT\.INIT\[63:0\] = 64'b)([01]{{64}})")
    changed, count = line.subn(lambda match: match[1] + "".join("10"[int(bit)] for bit in match[2]), fasm)
    if count != 1:
        sys.exit(f"the FASM text has {count} contents for {cell.name}")
    return changed


def with_other_width(module, kind, width):
    """The module with another width of its RAMs of a kind, as if their features were wrong."""
    changed = copy.deepcopy(module)
    for cell in changed["cells"].values():
        for name, value in cell["parameters"].items():
            is_width = "_WIDTH_" in name and cell["attributes"].get("X_ORIG_TYPE") == kind
            if is_width and int(value, 2) == 9:
                cell["parameters"][name] = f"{width:032b}"
    return changed


def check(folder):
    part = database.Part(tools.database(), "xc7z020clg400-1")
    design = open_flow.Design("small_zynq_top", SOURCES, {}, "xc7z020clg400-1", CLOCK_HZ, "small_zynq_top", None)
    open_flow.build(design, folder / "flow", [1], "heap", 1, open_flow.Progress())
    module, fasm = placed_model.load(folder / "flow/seed_1")
    wanted = printed(folder / "rtl", "small_zynq_top", [*SOURCES, *placed_model.CELLS])
    if len(wanted) < MIN_READS or len({line.split()[1] for line in wanted}) < MIN_READS // 2:
        sys.exit(f"the Verilog answers {len(wanted)} reads")
    if simulated(folder / "same", placed_model.verilog(module, fasm, part)) != wanted:
        sys.exit("the netlist does not do what its Verilog does")
    if simulated(folder / "bits", placed_netlist_test.netlist_of_bits(placed_netlist_test.PART, folder / "flow/vta.bit")) != wanted:
        sys.exit("the netlist in the bits does not do what its Verilog does")
    lut = with_other_lut(folder / "flow/seed_1/placed.json", fasm, part)
    for name, changed in (("lut", (module, lut)), ("ram18", (with_other_width(module, "RAMB18E1", 18), fasm)),
                          ("ram36", (with_other_width(module, "RAMB36E1", 4), fasm))):
        if simulated(folder / name, placed_model.verilog(*changed, part)) == wanted:
            sys.exit(f"{name}: a netlist with one cell changed does what the Verilog does")


def main():
    open_tools.skip_without_tools()
    with tempfile.TemporaryDirectory(dir=placed_model.ROOT / "build") as folder:
        check(pathlib.Path(folder))


if __name__ == "__main__":
    main()
