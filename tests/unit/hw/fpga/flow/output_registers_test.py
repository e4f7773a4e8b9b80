# SPDX-License-Identifier: Apache-2.0
"""Tests of hw/fpga/flow/output_registers.py: on netlists made by hand, and on what yosys maps."""
import copy
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[5]
sys.path.insert(0, str(ROOT))
import netlist_cells  # noqa: E402
from netlist_cells import cell  # noqa: E402
from hw.fpga.flow import output_registers  # noqa: E402

CLOCK, ENABLE, RESET = 2, 3, 4
WORD = [10, 11, 12]  # bits of the RAM's word; the last has no sinks
HELD = [20, 21]  # the same after the registers


def flip_flop(word, held, **changes):
    return netlist_cells.flip_flop(CLOCK, ENABLE, word, held, **changes)


# A RAM of the library, and the register of a pipeline after it.
DESIGN = """module registered (input wire clk, input wire re, input wire advances, input wire [9:0] ra, input wire [9:0] wa,
    input wire [1:0] we, input wire [63:0] wd, output reg [63:0] word);
  wire [63:0] rq;
  hls_ram #(.WIDTH(64), .DEPTH(1024), .LANE(32)) ram (.clk(clk), .re(re), .ra(ra), .rq(rq), .we(we), .wa(wa), .wd(wd));
  always @(posedge clk) if (advances) word <= rq;
endmodule
"""


class OutputRegisters(unittest.TestCase):
    def setUp(self):
        ram = cell("RAMB36E1", ("DOADO", "DOPADOP", "DOBDO", "DOPBDOP"), {"RAM_MODE": "TDP", "DOA_REG": "0" * 32, "DOB_REG": "0" * 32},
                   CLKARDCLK=CLOCK, CLKBWRCLK=CLOCK, REGCEAREGCE="0", REGCEB="0", RSTREGARSTREG="0", RSTREGB="0", DOADO=[13, 14],
                   DOBDO=WORD[:1] + WORD[2:], DOPBDOP=WORD[1])
        self.cells = {"ram": ram, "low": flip_flop(WORD[0], HELD[0]), "high": flip_flop(WORD[1], HELD[1]),
                      "user": cell("LUT2", "O", I0=HELD[0], I1=HELD[1], O=30)}
        self.ports = {"q": {"direction": "output", "bits": [30]}}

    def absorbed(self):
        """(flip-flops that have moved, the module after that)."""
        names = {"rq": WORD[:2], "held": HELD}
        module = {"attributes": {}, "ports": self.ports, "cells": copy.deepcopy(self.cells),
                  "netnames": {name: {"bits": bits, "attributes": {}} for name, bits in names.items()}}
        return output_registers.absorb({"modules": {"top": module}}, "top"), module

    def test_the_registers_of_a_word_move_into_the_ram(self):
        moved, module = self.absorbed()
        self.assertEqual((moved, set(module["cells"])), (2, {"ram", "user"}))
        ram = module["cells"]["ram"]
        self.assertEqual([int(ram["parameters"][name], 2) for name in ("DOA_REG", "DOB_REG")], [0, 1])
        pins = {pin: ram["connections"][pin] for pin in ("REGCEB", "RSTREGB", "REGCEAREGCE", "DOBDO", "DOPBDOP", "DOADO")}
        self.assertEqual(pins, {"REGCEB": [ENABLE], "RSTREGB": ["0"], "REGCEAREGCE": ["0"], "DOBDO": [HELD[0], WORD[2]],
                                "DOPBDOP": [HELD[1]], "DOADO": [13, 14]})
        self.assertEqual({name: net["bits"] for name, net in module["netnames"].items()}, {"rq": ["x", "x"], "held": HELD})

    def test_a_pipeline_that_never_stalls_enables_the_register_always(self):
        for name in ("low", "high"):
            self.cells[name]["connections"]["CE"] = ["1"]
        moved, module = self.absorbed()
        self.assertEqual((moved, module["cells"]["ram"]["connections"]["REGCEB"]), (2, ["1"]))

    def test_two_registers_of_one_bit_become_one(self):
        self.cells["twin"] = flip_flop(WORD[0], 22)
        self.cells["other_user"] = cell("LUT1", "O", I0=22, O=31)
        self.ports["twin"] = {"direction": "output", "bits": [22]}
        moved, module = self.absorbed()
        self.assertEqual((moved, set(module["cells"])), (3, {"ram", "user", "other_user"}))
        self.assertEqual(module["cells"]["other_user"]["connections"]["I0"], [HELD[0]])
        self.assertEqual(module["ports"]["twin"]["bits"], [HELD[0]])

    def test_an_enable_that_two_registers_hold_is_kept(self):
        """The copy of a bit is the enable of the word, and of the register of a RAM that comes later."""
        self.cells["twin"] = flip_flop(WORD[0], 22)
        self.cells["low"]["connections"]["CE"] = self.cells["high"]["connections"]["CE"] = self.cells["twin"]["connections"]["CE"] = [22]
        self.cells["z_ram"] = cell("RAMB18E1", ("DOADO", "DOBDO"), {"RAM_MODE": "TDP"}, CLKARDCLK=CLOCK, CLKBWRCLK=CLOCK, REGCEB="0",
                                   RSTREGB="0", DOBDO=[50])
        self.cells["other_word"] = flip_flop(50, 51, CE=22)
        moved, module = self.absorbed()
        self.assertEqual((moved, set(module["cells"])), (4, {"ram", "user", "z_ram"}))
        self.assertEqual([module["cells"][name]["connections"]["REGCEB"] for name in ("ram", "z_ram")], [[HELD[0]]] * 2)

    def test_the_registers_stay_where_they_are_not_the_output_register(self):
        def change(**changes):
            self.cells["low"]["connections"].update({pin: [bit] for pin, bit in changes.items()})

        cases = {
            "another user of the word": lambda: self.cells.update(other=cell("LUT1", "O", I0=WORD[0], O=31)),
            "an output of the top": lambda: self.ports.update(rq={"direction": "output", "bits": WORD[:1]}),
            "another enable": lambda: change(CE=5),
            "another clock": lambda: [self.cells[name]["connections"].update(C=[6]) for name in ("low", "high")],
            "a reset": lambda: change(R=RESET),
            "a set": lambda: self.cells["low"].update(type="FDSE"),
            "an inverted input": lambda: self.cells["low"]["parameters"].update(IS_D_INVERTED="1"),
            "an initial value of 1": lambda: self.cells["low"]["parameters"].update(INIT="1"),
            "an enable that is the word": lambda: change(CE=WORD[1]),
            "a register in use": lambda: self.cells["ram"]["parameters"].update(DOB_REG=f"{1:032b}"),
            "an inverted reset": lambda: self.cells["ram"]["parameters"].update(IS_RSTREGB_INVERTED="1"),
            "mode SDP": lambda: self.cells["ram"]["parameters"].update(RAM_MODE="SDP"),
            "an inverted clock": lambda: self.cells["ram"]["parameters"].update(IS_CLKBWRCLK_INVERTED="1"),
        }
        for why, damage in cases.items():
            with self.subTest(why):
                self.setUp()
                damage()
                moved, module = self.absorbed()
                self.assertEqual((moved, module["cells"]), (0, self.cells))

    def test_yosys_and_the_pass_map_a_pipelined_word_to_block_rams_only(self):
        cells = netlist_cells.mapped(self, "registered", DESIGN, "hw/rtl/hls_ram.sv")
        rams = [cell for cell in cells if cell.type in output_registers.BLOCK_RAMS]
        self.assertEqual(len(rams), 2)
        for ram in rams:
            self.assertEqual(ram.parameters["DOA_REG"] + ram.parameters["DOB_REG"], 1)
        self.assertEqual([cell.name for cell in cells if cell.type.startswith("FD")], [])


if __name__ == "__main__":
    unittest.main()
