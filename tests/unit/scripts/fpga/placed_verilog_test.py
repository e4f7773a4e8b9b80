# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/fpga/placed_verilog.py."""
import itertools
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT))
from scripts.fpga import placed_verilog  # noqa: E402


def value(content, bits):
    """Of a LUT with contents as text, highest bit first, at address bits, highest first."""
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


if __name__ == "__main__":
    unittest.main()
