# SPDX-License-Identifier: Apache-2.0
"""Tests of the checks of mapped netlists, on netlists that are written here and, with yosys, on Verilog."""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[5]
sys.path.insert(0, str(ROOT))
import netlist_cells  # noqa: E402
from hw.fpga.flow import netlist_check, tools  # noqa: E402

OUTPUTS = {"Q", "O"}


def cell(kind, **connections):
    return netlist_cells.cell(kind, OUTPUTS, **connections)


def problems(cells, log="", **ports):
    """`ports`: name -> (direction, bit)."""
    entries = {name: {"direction": direction, "bits": [bit]} for name, (direction, bit) in ports.items()}
    return netlist_check.problems({"cells": cells, "ports": entries}, log)


class NetlistCheck(unittest.TestCase):
    def test_a_register_between_ports_has_no_problem(self):
        self.assertEqual(problems({"a": cell("FDRE", C=2, D=3, Q=4, R="0")}, clk=("input", 2), d=("input", 3), q=("output", 4)), [])

    def test_two_drivers_of_a_net_are_found(self):
        found = problems({"a": cell("LUT1", I0=2, O=3), "b": cell("LUT1", I0=2, O=3)}, x=("input", 2))
        self.assertEqual(found, ["a (LUT1).O and b (LUT1).O drive one net"])

    def test_a_cell_that_drives_an_input_is_found(self):
        self.assertEqual(problems({"a": cell("LUT1", I0=2, O=2)}, x=("input", 2)),
                         ["port x and a (LUT1).O drive one net"])

    def test_a_pin_without_a_driver_is_found(self):
        self.assertEqual(problems({"a": cell("LUT1", I0=2, O=3)}, y=("output", 3)), ["a (LUT1).I0 has no driver"])
        self.assertEqual(problems({}, y=("output", 3)), ["port y has no driver"])

    def test_a_net_that_leaves_the_chip_both_ways_needs_no_driver(self):
        self.assertEqual(problems({"a": cell("LUT1", I0=2, O=3)}, pad=("inout", 2), y=("output", 3)), [])

    def test_an_input_without_a_value_is_found_except_for_unused_bits_of_a_lut_ram(self):
        self.assertEqual(problems({"a": cell("LUT1", I0="x", O=3)}, y=("output", 3)), ["a (LUT1).I0 has no value"])
        self.assertEqual(problems({"a": cell("RAM32M", DIA="x", O=3)}, y=("output", 3)), [])

    def test_a_latch_is_found(self):
        self.assertEqual(problems({"a": cell("LDCE", D=2, Q=3)}, d=("input", 2), q=("output", 3)), ["a is a latch (LDCE)"])

    def test_a_port_that_was_resized_is_found(self):
        warning = "Warning: Resizing cell port top.a.d from 3 bits to 4 bits."
        self.assertEqual(problems({}, f"1. Executing\n{warning}\nABC: Warning: The network is combinational.\n"), [warning])


def block_ram(mode_a, mode_b, clock_b=2, **connections):
    """A RAM of 18 bits: port A reads and writes, port B reads, unless `connections` say otherwise."""
    pins = {"CLKARDCLK": 2, "CLKBWRCLK": clock_b, "WEA": 3, "WEBWE": "0"} | connections
    made = cell("RAMB18E1", **pins)
    widths = {f"{way}_WIDTH_{port}": format(18, "032b") for way in ("READ", "WRITE") for port in "AB"}
    return made | {"parameters": widths | {"RAM_MODE": "TDP", "WRITE_MODE_A": mode_a, "WRITE_MODE_B": mode_b}}


def collisions(ram):
    return [text for text in problems({"r": ram}, clk=("input", 2), other=("input", 5), we=("input", 3)) if "port" in text]


class Collisions(unittest.TestCase):
    def test_a_port_that_writes_beside_a_reader_is_read_first(self):
        self.assertEqual(collisions(block_ram("READ_FIRST", "WRITE_FIRST")), [])
        for mode in ("WRITE_FIRST", "NO_CHANGE"):
            self.assertEqual(collisions(block_ram(mode, "READ_FIRST")),
                             [f"r (RAMB18E1): port A writes while port B reads, and WRITE_MODE_A is {mode}, not READ_FIRST"])

    def test_port_b_is_checked_like_port_a(self):
        found = collisions(block_ram("READ_FIRST", "NO_CHANGE", WEA="0", WEBWE=3))
        self.assertEqual(found, ["r (RAMB18E1): port B writes while port A reads, and WRITE_MODE_B is NO_CHANGE, not READ_FIRST"])

    def test_a_port_that_never_writes_or_has_no_reader_beside_it_may_have_any_mode(self):
        self.assertEqual(collisions(block_ram("NO_CHANGE", "NO_CHANGE", WEA="0")), [])
        alone = block_ram("NO_CHANGE", "NO_CHANGE")
        alone["parameters"]["READ_WIDTH_B"] = format(0, "032b")
        self.assertEqual(collisions(alone), [])

    def test_a_mode_that_is_not_given_is_write_first(self):
        ram = block_ram("READ_FIRST", "READ_FIRST")
        del ram["parameters"]["WRITE_MODE_A"]
        self.assertEqual(len(collisions(ram)), 1)

    def test_two_clocks_are_refused(self):
        self.assertEqual(collisions(block_ram("READ_FIRST", "READ_FIRST", clock_b=5)),
                         ["r (RAMB18E1): its ports have two clocks, so port B may read a word while port A writes it"])


class Synthesis(unittest.TestCase):
    def test_a_latch_of_the_source_is_refused(self):
        with self.assertRaisesRegex(tools.ToolError, "the netlist of top is wrong: .* is a latch"):
            netlist_cells.mapped(self, "top", "module top(input e, input d, output reg q); always @* if (e) q = d; endmodule")

    def test_a_ram_of_the_core_is_mapped_read_first(self):
        rams = [cell for cell in netlist_cells.mapped(self, "hls_ram", (ROOT / "hw/rtl/hls_ram.sv").read_text())
                if cell.type in netlist_check.BLOCK_RAMS]
        self.assertEqual({cell.parameters[f"WRITE_MODE_{port}"] for cell in rams for port in "AB"}, {"READ_FIRST"})

    def test_a_register_is_mapped(self):
        netlist_cells.mapped(self, "top", "module top(input clk, input d, output reg q); always @(posedge clk) q <= d; endmodule")


if __name__ == "__main__":
    unittest.main()
