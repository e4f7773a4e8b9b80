# SPDX-License-Identifier: Apache-2.0
"""Tests of hw/fpga/flow/placed_verilog.py."""
import itertools
import pathlib
import sys
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[5]
sys.path.insert(0, str(ROOT))
from hw.fpga.flow import placed_verilog  # noqa: E402


def value(content, bits):
    """The value of a LUT with contents as text, highest bit first, at address bits, highest first."""
    return content[-1 - int("".join(map(str, bits)) or "0", 2)]


class LutExpression(unittest.TestCase):
    def test_pins_without_effect_and_constants_are_left_out(self):
        expression = placed_verilog.lut_expression
        self.assertEqual(expression("1000", ["a", "b"]), "4'h8 >> {a, b}")
        self.assertEqual(expression("1010", ["a", "b"]), "2'h2 >> {b}")
        self.assertEqual(expression("1110", ["1'b1", "b"]), "1'b1")
        self.assertEqual(expression("1110", ["1'b0", "b"]), "2'h2 >> {b}")

    def test_every_lut_of_three_pins_keeps_its_values(self):
        for number, constant in itertools.product(range(256), ("a", "1'b0", "1'b1")):
            content = f"{number:08b}"
            text = placed_verilog.lut_expression(content, [constant, "b", "c"])
            for a, b, c in itertools.product((0, 1), repeat=3):
                bits = {"a": a if constant == "a" else int(constant[-1]), "b": b, "c": c}
                table, _, pins = text.partition(" >> ")
                pins = [bits[pin] for pin in pins.strip("{}").split(", ")] if pins else []
                width, _, digits = table.partition("'")
                kept = f"{int(digits[1:], 16 if digits[0] == 'h' else 2):0{width}b}"
                self.assertEqual(value(kept, pins), value(content, [bits["a"], b, c]))


class Instances(unittest.TestCase):
    """Cells other than LUTs, with their ports before packing."""

    def test_a_register_and_a_carry_chain(self):
        def cell(kind, name, x, connections, ports, outputs):
            attributes = {f"X_ORIG_PORT_{pin}": port for pin, port in ports.items()} | {"X_ORIG_TYPE": name, "NEXTPNR_BEL": x}
            directions = {pin: "output" if pin in outputs else "input" for pin in connections}
            return {"type": kind, "parameters": {}, "attributes": attributes, "connections": connections, "port_directions": directions}

        module = {"cells": {
            "ff": cell("SLICE_FFX", "FDRE", "X1Y1/SLICE_X0Y0.AFF", {"D": [2], "CK": [3], "Q": [4]}, {"D": "D", "CK": "C", "Q": "Q"}, {"Q"}),
            "carry": cell("CARRY4", "CARRY4", "X1Y1/SLICE_X0Y0.CARRY4", {"S0": [4], "O0": [2]}, {"S0": "S[0]", "O0": "O[0]"}, {"O0"}),
            "system": cell("PS7_PS7", "PS7", "X0Y0/PS7_X0Y0.PS7", {"FCLKCLK0": [3]}, {"FCLKCLK0": "FCLKCLK[0]"}, {"FCLKCLK0"})}}
        text = placed_verilog.verilog("placed", module, "", mock.Mock(tiles={}))
        self.assertIn("FDRE c0 (.C({n3}), .CE({1'b1}), .D({n2}), .Q({n4}), .R({1'b0}));", text)
        self.assertIn("CARRY4 c1 (.O0({n2}), .S0({n4}));", text)
        self.assertIn("input wire [0:0] FCLKCLK", text)


if __name__ == "__main__":
    unittest.main()
