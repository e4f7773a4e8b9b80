# SPDX-License-Identifier: Apache-2.0
"""The routed clocks of hw/fpga/boards/timing are of today's Verilog, and have all margins."""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[5]
sys.path.insert(0, str(ROOT))
from hw.fpga.flow import golden, synthesis  # noqa: E402


class Tables(unittest.TestCase):
    def setUp(self):
        self.measured = sorted(path.stem for path in golden.FOLDER.glob("*.json") if golden.routed_mhz(path.stem))
        self.assertTrue(self.measured)

    def test_each_clock_is_of_todays_verilog(self):
        if not (synthesis.RELEASE / "bin/vta-hlsc").is_file():
            self.skipTest("vta-hlsc is not built")
        self.assertEqual([problem for core in self.measured for problem in golden.stale(core)], [])

    def test_each_clock_has_all_margins_without_hold_violations_or_unchecked_endpoints(self):
        for core in self.measured:
            routed = golden.read(core)["routed"]
            self.assertEqual((core, routed["hold_violations"], routed["unchecked_endpoints"]), (core, 0, 0))
            for slack in ("worst_setup_ns", "worst_hold_ns"):
                self.assertGreaterEqual(routed[slack], 0, core)

    def test_each_has_the_cells_of_the_routed_design(self):
        for core in self.measured:
            routed = golden.read(core)["routed"]
            resources, cells = routed["resources"], routed["cells"]
            self.assertEqual((core, resources["ff"], resources["ramb36"]), (core, cells["FDRE"] + cells["FDSE"], cells["RAMB36E1"]))
            self.assertGreater(resources["lut"], 0, core)

    def test_the_hash_does_not_depend_on_comments(self):
        self.assertEqual(synthesis.COMMENT.sub("", "wire a;  // hw/core/alu.h:221\nwire b;"), synthesis.COMMENT.sub("", "wire a;  // hw/core/alu.h:9\nwire b;"))


if __name__ == "__main__":
    unittest.main()
