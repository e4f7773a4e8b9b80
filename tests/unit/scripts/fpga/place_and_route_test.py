# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/fpga/place_and_route.py with a program in place of nextpnr."""
import json
import pathlib
import sys
import tempfile
import textwrap
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT))
from scripts.fpga import open_flow, place_and_route, tools  # noqa: E402
from scripts.fpga.place_and_route import Routed, Stuck  # noqa: E402

STUCK = [53656, 20063, 9744, 7351, 6648, 6370, 6225, 6069, 5994]  # tiny_1x8 in November 2026
# Takes the command line of nextpnr; seed 1 stagnates and never ends, seed 2 ends.
NEXTPNR = f"""
    import json, pathlib, sys, time
    words = dict(zip(sys.argv[2:], sys.argv[3:]))
    counts = {STUCK} if words["--seed"] == "1" else [900, 20, 0]
    lines = [f"Info:     iter={{at + 1}} wires=8 overused={{count}} overuse=1 archfail=NA" for at, count in enumerate(counts)]
    log = pathlib.Path(words["-l"])
    with open(log.parent.parent / "starts", "a") as starts:
        starts.write(words["--seed"])
    pathlib.Path(words["--report"]).write_text(json.dumps({{"fmax": {{"clk": {{"achieved": 61.5}}}}}}))
    log.write_text("\\n".join(lines) + "\\n")
    time.sleep(600 if counts[-1] else 0)
"""


class Stagnation(unittest.TestCase):
    def test_a_router_that_gets_nowhere_stagnates(self):
        self.assertTrue(place_and_route.stagnates(STUCK))
        self.assertTrue(place_and_route.stagnates([9000, 9100, 9050, 9200]))

    def test_a_router_that_converges_does_not(self):
        for overused in [[], [53656], STUCK[:6], [2465, 607, 75, 14, 2, 3, 1, 1, 1, 1], [400] * 20, [9000, 8900, 8000, 6000]]:
            with self.subTest(overused):
                self.assertFalse(place_and_route.stagnates(overused))


class Seeds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)
        self.netlist = self.out / "top.json"
        self.netlist.write_text("{}")
        program = self.out / "nextpnr.py"
        program.write_text(textwrap.dedent(NEXTPNR))
        self.replace(tools, "command_line", lambda command, folders: [sys.executable, program, *map(str, command)])
        self.replace(place_and_route, "POLL_SECONDS", 0.1)

    def replace(self, module, name, value):
        patch = mock.patch.object(module, name, value)
        patch.start()
        self.addCleanup(patch.stop)

    def route(self, *seeds):
        return place_and_route.route(self.netlist, "part", 50, seeds, "static", 1, self.out, lambda text: None)

    def test_a_seed_that_stagnates_is_stopped_and_the_next_one_tried(self):
        stuck, routed = self.route(1, 2)
        self.assertEqual(stuck, Stuck(1, STUCK))
        self.assertEqual((routed.seed, routed.mhz), (2, 61.5))

    def test_a_stopped_seed_is_kept_as_a_routed_one_is(self):
        first = self.route(1, 2)
        self.assertEqual(self.route(1, 2), first)
        self.assertEqual((self.out / "starts").read_text(), "12")
        self.netlist.write_text(json.dumps({"changed": 1}))
        self.route(1)
        self.assertEqual((self.out / "starts").read_text(), "121")


class Progress:
    def __init__(self):
        self.lines = []

    def done(self, text):
        self.lines.append(text)


class Flow(unittest.TestCase):
    def test_each_seed_has_a_line_and_only_the_routed_ones_go_on(self):
        progress = Progress()
        routed = Routed(2, pathlib.Path(), 61.5, 120.0)
        self.assertEqual(open_flow.routed_seeds([Stuck(1, STUCK), routed], progress), [routed])
        self.assertEqual(progress.lines, [
            "nextpnr, seed 1: stopped, the router stagnates at 5994 overused wires in iteration 9",
            "nextpnr, seed 2: 61.5 MHz in 2.0 min"])

    def test_no_routed_seed_is_an_error(self):
        with self.assertRaisesRegex(open_flow.FlowError, "no seed of 2 is routed: seed 3 comes closest, with 5000 wires"):
            open_flow.routed_seeds([Stuck(1, STUCK), Stuck(3, [9000, 5100, 5050, 5000])], Progress())


if __name__ == "__main__":
    unittest.main()
