# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/fpga/place_and_route.py with programs in place of nextpnr and vta-route."""
import json
import pathlib
import sys
import tempfile
import textwrap
import threading
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT))
from scripts.fpga import nextpnr_hook, open_flow, place_and_route, tools  # noqa: E402
from scripts.fpga.place_and_route import Routed, Stuck  # noqa: E402

OVERUSED = [37778, 9047, 1541, 60, 18, 18]
# Takes the command line of nextpnr; does what nextpnr does with scripts/fpga/nextpnr_hook.py.
NEXTPNR = """
    import json, os, pathlib, sys, time
    words = dict(zip(sys.argv[2:], sys.argv[3:]))
    log = pathlib.Path(words["-l"])
    with open(log.parent.parent / "starts", "a") as starts:
        starts.write(words["--seed"])
    log.write_text("Info:   at iteration #5: temp = 0\\n")
    pathlib.Path(os.environ["VTA_PLACED_DESIGN"]).write_text(words["--seed"])
    routes = pathlib.Path(os.environ["VTA_ROUTES"])
    while not routes.exists():
        time.sleep(0.05)
    if not routes.read_text():
        sys.exit(1)
    pathlib.Path(words["--report"]).write_text(json.dumps({"fmax": {"clk": {"achieved": 61.5}}}))
"""
# Takes the command line of vta-route; a design of seed 1 is not routed, one of seed 3 does not exist, one of seed 4 does not end.
ROUTER = f"""#!{sys.executable}
import pathlib, sys, time
seed = pathlib.Path(sys.argv[2]).read_text()
if seed == "3":
    sys.exit("vta-route: the chip has no bel X9Y9/LUT")
for number, count in enumerate({OVERUSED}):
    print(f"iteration {{number + 1}}: 8 nets routed, 900 wires, {{0 if seed == '2' and number == 5 else count}} overused", flush=True)
time.sleep(600 if seed == "4" else 0)
if seed == "1":
    sys.exit("vta-route: 18 wires have several nets after 6 iterations")
pathlib.Path(sys.argv[4]).write_text("routes")
"""


class Seeds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)
        self.netlist = self.out / "top.json"
        self.netlist.write_text("{}")
        program = self.out / "nextpnr.py"
        program.write_text(textwrap.dedent(NEXTPNR))
        router = self.out / "vta-route"
        router.write_text(ROUTER)
        router.chmod(0o755)
        self.replace(tools, "command_line", lambda command, folders: [sys.executable, program, *map(str, command)])
        self.replace(tools, "chip_database", lambda part: self.out / "chipdb.bin")
        self.replace(place_and_route, "ROUTER", router)
        self.replace(place_and_route, "POLL_SECONDS", 0.05)

    def replace(self, module, name, value):
        patch = mock.patch.object(module, name, value)
        patch.start()
        self.addCleanup(patch.stop)

    def route(self, *seeds):
        return place_and_route.route(self.netlist, "part", 50, seeds, "static", 1, self.out, lambda text: None)

    def test_a_seed_that_is_not_routed_ends_and_the_next_one_is_tried(self):
        stuck, routed = self.route(1, 2)
        self.assertEqual(stuck, Stuck(1, OVERUSED))
        self.assertEqual((routed.seed, routed.mhz), (2, 61.5))

    def test_finished_seeds_are_kept_routed_or_not(self):
        first = self.route(1, 2)
        self.assertEqual(self.route(1, 2), first)
        self.assertEqual((self.out / "starts").read_text(), "12")
        self.netlist.write_text(json.dumps({"changed": 1}))
        self.route(1)
        self.assertEqual((self.out / "starts").read_text(), "121")

    def test_an_error_of_the_router_is_reported(self):
        with self.assertRaisesRegex(tools.ToolError, "vta-route ended with status 1: vta-route: the chip has no bel X9Y9/LUT"):
            self.route(3)


    def test_an_interrupted_seed_is_not_kept(self):
        stop = threading.Event()
        texts = []

        def watch(text):
            texts.append(text)
            if "overused" in text:
                stop.set()

        with self.assertRaisesRegex(tools.ToolError, "interrupted"):
            place_and_route._route(self.netlist, "part", 50, 4, "static", self.out, watch, stop)
        self.assertRegex(texts[-1], "seed 4: vta-route: [0-9]+ overused wires")
        self.assertFalse((self.out / "seed_4/result.json").exists())


class Progress:
    def __init__(self):
        self.lines = []

    def done(self, text):
        self.lines.append(text)


class Flow(unittest.TestCase):
    def test_each_seed_has_a_line_and_only_the_routed_ones_go_on(self):
        progress = Progress()
        routed = Routed(2, pathlib.Path(), 61.5, 120.0)
        self.assertEqual(open_flow.routed_seeds([Stuck(1, OVERUSED), routed], progress), [routed])
        self.assertEqual(progress.lines, ["seed 1: not routed, 18 overused wires after 6 iterations", "seed 2: 61.5 MHz in 2.0 min"])

    def test_no_routed_seed_is_an_error(self):
        with self.assertRaisesRegex(open_flow.FlowError, "no seed of 2 is routed: seed 3 comes closest, with 12 wires"):
            open_flow.routed_seeds([Stuck(1, OVERUSED), Stuck(3, [9000, 5100, 12])], Progress())


class Hook(unittest.TestCase):
    """scripts/fpga/nextpnr_hook.py with an object in place of nextpnr's context."""

    def setUp(self):
        lut = mock.Mock(bel="X1Y2/A6LUT", type="SLICE_LUTX", attrs=[("X_LUT_AS_DRAM", "1")])
        register = mock.Mock(bel="X3Y4/AFF", type="SLICE_FFX", attrs=[])
        ground = mock.Mock(bel="X0Y0/PSEUDO_GND", type="PSEUDO_GND", attrs=[])
        buffer = mock.Mock(bel="X5Y6/BUFG", type="BUFGCTRL", attrs=[])
        net = lambda driver, port, *users: mock.Mock(driver=mock.Mock(cell=driver, port=port),  # noqa: E731
                                                     users=[mock.Mock(cell=cell, port=pin) for cell, pin in users])
        self.nets = {"data": net(lut, "O6", (register, "D")), "zero": net(ground, "Y", (register, "SR")),
                     "clock": net(buffer, "O", (register, "CK")), "unused": net(lut, "O5"), "input": net(None, "")}
        self.context = mock.Mock(nets=list(self.nets.items()),
                                 cells=[(str(at), cell) for at, cell in enumerate([lut, register, ground, buffer])])
        self.context.getBelPinWire = lambda bel, pin: f"{bel}.{pin}"

    def test_the_design_has_what_the_router_needs(self):
        self.assertEqual(nextpnr_hook.placed_design(self.context), {
            "cells": [{"bel": "X1Y2/A6LUT", "is_memory": True}, {"bel": "X3Y4/AFF", "is_memory": False},
                      {"bel": "X5Y6/BUFG", "is_memory": False}],
            "nets": [{"name": "data", "sinks": ["X3Y4/AFF.D"], "source": "X1Y2/A6LUT.O6"},
                     {"name": "zero", "sinks": ["X3Y4/AFF.SR"], "everywhere": "GND_WIRE"},
                     {"name": "clock", "sinks": ["X3Y4/AFF.CK"], "everywhere": "GCLK"}]})

    def test_routes_are_bound_from_their_source(self):
        nextpnr_hook.bind(self.context, [{"name": "data", "sources": ["X1Y2/A6LUT.O6"], "switches": ["X2Y2/A/B", "X3Y2/C/A"]},
                                         {"name": "clock", "sources": ["X3Y4/GCLK_B0"], "switches": ["X3Y4/CLK/GCLK_B0"]}], "locked")
        self.assertEqual(self.context.method_calls, [
            mock.call.bindWire("X1Y2/A6LUT.O6", self.nets["data"], "locked"),
            mock.call.bindPip("X2Y2/A/B", self.nets["data"], "locked"),
            mock.call.bindPip("X3Y2/C/A", self.nets["data"], "locked")])


if __name__ == "__main__":
    unittest.main()
