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


class Synthesis(unittest.TestCase):
    def test_a_latch_of_the_source_is_refused(self):
        with self.assertRaisesRegex(tools.ToolError, "the netlist of top is wrong: .* is a latch"):
            netlist_cells.mapped(self, "top", "module top(input e, input d, output reg q); always @* if (e) q = d; endmodule")

    def test_a_register_is_mapped(self):
        netlist_cells.mapped(self, "top", "module top(input clk, input d, output reg q); always @(posedge clk) q <= d; endmodule")


if __name__ == "__main__":
    unittest.main()
