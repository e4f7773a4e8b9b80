# SPDX-License-Identifier: Apache-2.0
"""Cells of netlists: made by hand, in the form of yosys's JSON, and mapped by yosys."""
import pathlib
import tempfile

from hw.fpga.flow import netlist, synthesis, tools


def cell(kind, outputs, parameters=None, source="", **connections):
    """`outputs`: the names of output pins; `connections`: a bit, or a list of bits, for each pin."""
    return {"type": kind, "parameters": parameters or {}, "attributes": {"src": source} if source else {},
            "port_directions": {port: "output" if port in outputs else "input" for port in connections},
            "connections": {port: bits if isinstance(bits, list) else [bits] for port, bits in connections.items()}}


def flip_flop(clock, enable, data, held, **changes):
    """An FDRE that starts with anything and has no reset."""
    return cell("FDRE", "Q", {"INIT": "x"}, **({"C": clock, "CE": enable, "D": data, "Q": held, "R": "0"} | changes))


def mapped(test, top, design, *sources):
    """The cells of the Verilog `design` and of files of the project; skips the test where the flow is missing."""
    try:
        tools.database()  # only the yosys of the flow: older ones map some block RAMs and registers wrongly
    except tools.ToolError as error:
        test.skipTest(str(error))
    (synthesis.ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=synthesis.ROOT / "build") as folder:
        folder = pathlib.Path(folder)
        (folder / f"{top}.sv").write_text(design)
        files = [f"{top}.sv", *(synthesis.ROOT / source for source in sources)]
        return netlist.load(synthesis.map_files(folder, files, top, "-noiopad -noclkbuf"), top).cells
