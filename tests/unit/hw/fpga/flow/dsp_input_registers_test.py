# SPDX-License-Identifier: Apache-2.0
"""Tests of hw/fpga/flow/dsp_input_registers.py: on netlists made by hand, and on what yosys maps."""
import copy
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[5]
sys.path.insert(0, str(ROOT))
import netlist_cells  # noqa: E402
from netlist_cells import cell  # noqa: E402
from hw.fpga.flow import dsp_input_registers  # noqa: E402

CLOCK, ENABLE, RESET = 2, 3, 4
D, Q = [10, 11], [20, 21]  # of the flip-flops; the second bit is the sign


def flip_flop(at, **changes):
    return netlist_cells.flip_flop(CLOCK, ENABLE, D[at], Q[at], **changes)


# Two products in one DSP, as vta-hlsc packs them, of bytes in the registers of a pipeline.
DESIGN = """module packed_product (input wire clk, input wire [23:0] bytes, output reg signed [32:0] product);
  reg [23:0] word;
  wire [24:0] pair = {word[15], word[15:8], 16'd0} + {{17{word[7]}}, word[7:0]};
  always @(posedge clk) begin
    word <= bytes;
    product <= $signed(pair) * $signed(word[23:16]);
  end
endmodule
"""


class DspInputRegisters(unittest.TestCase):
    def setUp(self):
        dsp = cell("DSP48E1", "P", {"AREG": "0" * 32, "ACASCREG": "0" * 32, "MREG": "1"}, CLK=CLOCK, CEA2="0", RSTA="0",
                   A=["0"] * 16 + Q + [Q[1]] * 12, P=[30])
        self.cells = {"dsp": dsp, "low": flip_flop(0), "sign": flip_flop(1)}
        self.ports = {"p": {"direction": "output", "bits": [30]}}

    def absorbed(self):
        module = {"attributes": {}, "ports": self.ports, "cells": copy.deepcopy(self.cells), "netnames": {}}
        return dsp_input_registers.absorb({"modules": {"top": module}}, "top"), module["cells"]

    def test_the_registers_of_a_factor_move_into_the_dsp(self):
        moved, cells = self.absorbed()
        self.assertEqual((moved, set(cells)), (2, {"dsp"}))
        self.assertEqual({pin: cells["dsp"]["connections"][pin] for pin in ("A", "CEA2", "RSTA")},
                         {"A": ["0"] * 16 + D + [D[1]] * 12, "CEA2": [ENABLE], "RSTA": ["0"]})
        self.assertEqual([int(cells["dsp"]["parameters"][name], 2) for name in ("AREG", "ACASCREG", "MREG")], [1, 1, 1])

    def test_the_registers_stay_where_they_are_not_the_register_of_the_input(self):
        def change(**changes):
            self.cells["low"]["connections"].update({pin: [bit] for pin, bit in changes.items()})

        def connect(pin, bits, direction):
            self.cells["dsp"]["connections"][pin] = bits
            self.cells["dsp"]["port_directions"][pin] = direction

        cases = {
            "another user": lambda: self.cells.update(other=cell("LUT1", "O", I0=Q[0], O=31)),
            "another DSP": lambda: self.cells.update(other=cell("DSP48E1", "P", {"AREG": "1"}, CLK=CLOCK, A=Q[:1], P=[32])),
            "an output of the top": lambda: self.ports.update(q={"direction": "output", "bits": Q[:1]}),
            "another enable": lambda: change(CE=5),
            "another clock": lambda: [self.cells[name]["connections"].update(C=[6]) for name in ("low", "sign")],
            "a reset": lambda: change(R=RESET),
            "a set": lambda: self.cells["low"].update(type="FDSE"),
            "an initial value of 1": lambda: self.cells["low"]["parameters"].update(INIT="1"),
            "a bit that is not in a register": lambda: self.cells["dsp"]["connections"]["A"].__setitem__(0, 7),
            "a bit that is always 1": lambda: self.cells["dsp"]["connections"]["A"].__setitem__(0, "1"),
            "a register in use": lambda: self.cells["dsp"]["parameters"].update(AREG=f"{1:032b}"),
            "a mode that takes the first register": lambda: connect("INMODE", ["1"] + ["0"] * 4, "input"),
            "a cascade before it": lambda: self.cells["dsp"]["parameters"].update(A_INPUT="CASCADE"),
            "a cascade after it": lambda: connect("ACOUT", [40], "output"),
            "an inverted reset": lambda: self.cells["dsp"]["parameters"].update(IS_RSTA_INVERTED="1"),
            "no signal": lambda: self.cells["dsp"]["connections"].update(A=["0"] * 30),
        }
        for why, damage in cases.items():
            with self.subTest(why):
                self.setUp()
                damage()
                moved, cells = self.absorbed()
                self.assertEqual((moved, cells), (0, self.cells))

    def test_yosys_and_the_pass_map_the_factors_of_a_packed_product_to_a_dsp_only(self):
        cells = netlist_cells.mapped(self, "packed_product", DESIGN)
        self.assertEqual([cell.type for cell in cells], ["DSP48E1"])
        self.assertEqual({name: cells[0].parameters[f"{name}REG"] for name in "ABDM"}, dict.fromkeys("ABDM", 1))


if __name__ == "__main__":
    unittest.main()
