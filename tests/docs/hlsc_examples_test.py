#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that the worked examples in the READMEs below hw/hlsc are what vta-hlsc prints.

A worked example is a code span with a vta-hlsc command for hw/hlsc/examples/sums.cc, some text, and a code block. The block is
a part of the output, without lines left out unless that text says "abridged". Comments and indentation are not compared,
and source lines only where the README has them.

Example:
  tests/docs/hlsc_examples_test.py build/release/bin/vta-hlsc
"""
import argparse
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HLSC = ROOT / "hw/hlsc"
EXAMPLE = re.compile(r"`vta-hlsc ([^`]*hw/hlsc/examples/sums\.cc)`(.*?)\n```\w*\n(.*?)\n```", re.DOTALL)
COMMENT = re.compile(r"\s+(//|#).*$")
PLACE = re.compile(r'\s+(@"[^"]*":\d+|\([\w/.]+:\d+\)|[\w/.]+\.cc:\d+|-)(?=\s|:|$)')


def lines_of(text, with_places):
    lines = [COMMENT.sub("", line) for line in text.splitlines()]
    if not with_places:
        lines = [PLACE.sub("", line) for line in lines]
    return [" ".join(line.split()) for line in lines if line.strip()]


def is_part(block, output):
    return any(output[at:at + len(block)] == block for at in range(len(output) - len(block) + 1))


def first_missing(block, output):
    """The first line of the block that does not follow, in the output, the lines before it; None if all do."""
    rest = iter(output)
    return next((line for line in block if line not in rest), None)


class Examples(unittest.TestCase):
    tool = None

    def check(self, readme, arguments, text, block):
        run = subprocess.run([self.tool, *arguments.split()], cwd=ROOT, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        with_places = "sums.cc:" in block
        shown, printed = lines_of(block, with_places), lines_of(run.stdout, with_places)
        self.assertIsNone(first_missing(shown, printed), f"{readme}: vta-hlsc {arguments} does not print this line here")
        if "abridged" not in text:
            self.assertTrue(is_part(shown, printed), f"{readme}: vta-hlsc {arguments} prints more lines in between")

    def test_are_what_the_tool_prints(self):
        commands = set()
        for readme in sorted(HLSC.glob("*/README.md")):
            for arguments, text, block in EXAMPLE.findall(readme.read_text()):
                self.check(readme.relative_to(ROOT), arguments, text, block)
                commands.add(arguments.split(" -I")[0])
        self.assertEqual(commands, {"ir", "ir --legalized", "report", "report --operations", "verilog", "model"})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", type=pathlib.Path, help="vta-hlsc")
    Examples.tool = parser.parse_args().tool.resolve()
    unittest.main(argv=sys.argv[:1])
