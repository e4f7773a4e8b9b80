# SPDX-License-Identifier: Apache-2.0
"""The routed clocks of hw/fpga/boards/timing are of today's Verilog, and have all margins."""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[5]
sys.path.insert(0, str(ROOT))
from hw.fpga.flow import golden, synthesis  # noqa: E402

# Routed before the sign-off, for other Verilog. A core leaves this list when build_bitstream --write has measured it again; none joins it.
WITHOUT_MARGINS: set[str] = set()


class Tables(unittest.TestCase):
    def setUp(self):
        cores = {path.stem for path in golden.FOLDER.glob("*.json") if golden.routed_mhz(path.stem)}
        self.assertTrue(cores)
        self.without = {core for core in cores if not golden.has_margins(core)}
        self.measured = sorted(cores - self.without)

    def test_the_clocks_without_margins_are_those_that_are_known(self):
        self.assertEqual(self.without, WITHOUT_MARGINS)

    def test_each_clock_with_margins_is_of_todays_verilog(self):
        if self.measured and not (synthesis.RELEASE / "bin/vta-hlsc").is_file():
            self.skipTest("vta-hlsc is not built")
        self.assertEqual([problem for core in self.measured for problem in golden.stale(core)], [])

    def test_no_clock_with_margins_has_hold_violations_or_unchecked_endpoints(self):
        for core in self.measured:
            routed = golden.read(core)["routed"]
            self.assertEqual((core, routed["hold_violations"], routed["unchecked_endpoints"]), (core, 0, 0))
            self.assertGreaterEqual(routed["worst_hold_ns"], 0, core)

    def test_the_hash_does_not_depend_on_comments(self):
        self.assertEqual(synthesis.COMMENT.sub("", "wire a;  // hw/core/alu.h:221\nwire b;"), synthesis.COMMENT.sub("", "wire a;  // hw/core/alu.h:9\nwire b;"))


if __name__ == "__main__":
    unittest.main()
