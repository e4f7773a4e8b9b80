# SPDX-License-Identifier: Apache-2.0
"""Tests of hw/fpga/flow/place_and_route.py with programs in place of nextpnr, vta-place and vta-route."""
import json
import pathlib
import sys
import tempfile
import textwrap
import threading
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[5]
sys.path.insert(0, str(ROOT))
from hw.fpga.flow import database, hold_repair, nextpnr_hook, open_flow, place_and_route, routed_sign_off, tools  # noqa: E402
from hw.fpga.flow.place_and_route import Routed, Stuck  # noqa: E402

OVERUSED = [37778, 9047, 1541, 60, 18, 18]
# Files appear whole, as the real tools write them: whoever waits for one may read it at once.
WRITE = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from hw.fpga.flow.nextpnr_hook import write_whole"
# Takes the command line of nextpnr; does what nextpnr does with hw/fpga/flow/nextpnr_hook.py.
NEXTPNR = f"""
    {WRITE}
    import os, pathlib, sys, time
    words = dict(zip(sys.argv[2:], sys.argv[3:]))
    log = pathlib.Path(words["-l"])
    with open(log.parent.parent / "starts", "a") as starts:
        starts.write(words["--seed"])
    log.write_text("Info:   at iteration #5: temp = 0\\n")
    for question, answer in ("VTA_PLACEMENT", "VTA_PLACES"), ("VTA_PLACED_DESIGN", "VTA_ROUTES"):
        write_whole(os.environ[question], words["--seed"])
        file = pathlib.Path(os.environ[answer])
        while not file.exists():
            time.sleep(0.05)
            if words["--seed"] == "6" and (log.parent / "design.log").exists() and "overused" in (log.parent / "design.log").read_text():
                sys.exit(9)
        if not file.read_text():
            sys.exit(1)
    for name in "placed.json", "top.fasm", "report.json":
        (log.parent / name).write_text(file.read_text())
"""
# Takes the command line of vta-place; seed 5 is refused.
PLACER = f"""#!{sys.executable}
{WRITE}
import pathlib, sys
seed = pathlib.Path(sys.argv[2]).read_text()
if seed == "5" or sys.argv[5:] != ["--seed", seed]:
    sys.exit(f"vta-place: the chip has no slice for X9Y9/SLICE_X0Y0.A6LUT {{sys.argv[5:]}}")
with open(pathlib.Path(sys.argv[2]).parent.parent / "placed", "a") as placed:
    placed.write(seed)
write_whole(sys.argv[4], "places")
"""
# Takes the command line of vta-route; a design of seed 1 is not routed, one of seed 3 does not exist, those of seeds 4 and 6 do not end.
# nextpnr dies with seed 6 meanwhile.
ROUTER = f"""#!{sys.executable}
{WRITE}
import pathlib, sys, time
seed = pathlib.Path(sys.argv[2]).read_text()
if sys.argv[5:] != ["--database", "zynq7"]:
    sys.exit(f"vta-route: unexpected {{sys.argv[5:]}}")
if seed == "3":
    sys.exit("vta-route: the chip has no bel X9Y9/LUT")
for number, count in enumerate({OVERUSED}):
    print(f"iteration {{number + 1}}: 8 nets routed, 900 wires, {{0 if seed == '2' and number == 5 else count}} overused", flush=True)
time.sleep(600 if seed in ("4", "6") else 0)
if seed == "1":
    sys.exit("vta-route: 18 wires have several nets after 6 iterations")
write_whole(sys.argv[4], "routes")
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
        for name, text in ("PLACER", PLACER), ("ROUTER", ROUTER):
            tool = self.out / getattr(place_and_route, name).name
            tool.write_text(text)
            tool.chmod(0o755)
            self.replace(place_and_route, name, tool)
        self.replace(tools, "command_line", lambda command, folders: [sys.executable, program, *map(str, command)])
        self.replace(tools, "chip_database", lambda part: self.out / "chipdb.bin")
        self.replace(tools, "database", lambda: self.out)
        self.versions = {"nextpnr": "1", "database": "2"}
        self.replace(tools, "nextpnr_version", lambda: self.versions["nextpnr"])
        self.replace(tools, "database_version", lambda: self.versions["database"])
        self.replace(database, "Part", lambda root, name: mock.Mock(folder="zynq7"))
        self.replace(place_and_route, "POLL_SECONDS", 0.05)
        self.missing = []  # what sign-off finds, one after the other, and nothing in the end
        self.replace(routed_sign_off, "load", lambda folder, part, routes=None: None)
        self.replace(hold_repair, "missing_ns", lambda checked: self.missing.pop(0) if self.missing else {})
        self.replace(place_and_route, "_longer_routes", self.longer_routes)

    def replace(self, module, name, value):
        patch = mock.patch.object(module, name, value)
        patch.start()
        self.addCleanup(patch.stop)

    @staticmethod
    def longer_routes(folder, *_):
        (folder / "routes.json").write_text("longer " + (folder / "routes.json").read_text())
        return "no way around for X1Y1/W of net n\n", {"nets": []}

    def route(self, *seeds):
        return place_and_route.route(self.netlist, "part", 50, seeds, "static", 1, self.out, lambda text: None)

    def test_a_seed_that_is_not_routed_ends_and_the_next_one_is_tried(self):
        stuck, routed = self.route(1, 2)
        self.assertEqual(stuck, Stuck(1, OVERUSED))
        self.assertEqual((routed.seed, routed.folder), (2, self.out / "seed_2"))

    def test_finished_seeds_are_kept_routed_or_not(self):
        first = self.route(1, 2)
        self.assertEqual((self.out / "seed_2/placed.json").read_text(), "routes")
        self.assertEqual(self.route(1, 2), first)
        self.assertEqual((self.out / "starts").read_text(), "12")
        self.netlist.write_text(json.dumps({"changed": 1}))
        self.route(1)
        self.assertEqual((self.out / "starts").read_text(), "121")

    def test_places_are_kept_when_only_the_router_changes(self):
        self.route(1, 2)
        place_and_route.ROUTER.write_text(ROUTER + "# changed")
        self.route(1, 2)
        self.assertEqual((self.out / "starts").read_text(), "1212")
        self.assertEqual((self.out / "placed").read_text(), "12")
        place_and_route.PLACER.write_text(PLACER + "# changed")
        self.route(1, 2)
        self.assertEqual((self.out / "placed").read_text(), "1212")

    def test_another_version_of_nextpnr_or_of_the_database_places_again(self):
        self.route(2)
        for changed in self.versions:
            self.versions[changed] = "3"
            self.route(2)
        self.assertEqual((self.out / "placed").read_text(), "222")

    def test_nextpnr_runs_again_with_longer_routes_when_hold_is_met(self):
        self.missing = [{("a", ("D", 0)): 0.1, ("b", ("D", 0)): 0.2}, {("b", ("D", 0)): 0.1}]
        routed, = self.route(2)
        self.assertEqual((self.out / "starts").read_text(), "2")
        self.assertEqual((routed.folder / "starts").read_text(), "2")  # the second one, which has placed beside the first
        self.assertEqual((routed.folder / "placed.json").read_text(), "longer longer routes")
        self.assertFalse((routed.folder / place_and_route.AGAIN).exists())
        self.assertEqual(json.loads((routed.folder / "result.json").read_text())["longer"], [3])
        self.assertEqual((routed.folder / "longer_1.log").read_text(), "no way around for X1Y1/W of net n\n" * 2)

    def test_hold_is_checked_again_after_nextpnr(self):
        self.missing = [{("a", ("D", 0)): 0.1}, {}, {("b", ("D", 0)): 0.1}]
        routed, = self.route(2)
        self.assertEqual((self.out / "starts").read_text(), "22")  # without the one that has placed beside the first
        self.assertEqual((routed.folder / "placed.json").read_text(), "longer longer routes")
        self.assertEqual(json.loads((routed.folder / "result.json").read_text())["longer"], [1, 1])

    def test_repairs_of_hold_end(self):
        self.missing = [{("a", ("D", 0)): 0.1}] * 99
        routed, = self.route(2)
        self.assertEqual((self.out / "starts").read_text(), "2" * place_and_route.MAX_RUNS)
        self.assertEqual(json.loads((routed.folder / "result.json").read_text())["longer"], [place_and_route.MAX_REPAIRS] * place_and_route.MAX_RUNS)

    def test_a_process_alone_is_not_signed_off(self):
        self.missing = [{("a", ("D", 0)): 0.1}]
        place_and_route.route(self.netlist, "part", 50, [2], "static", 1, self.out, lambda text: None, signs_off=False)
        self.assertEqual((self.out / "starts").read_text(), "2")
        self.assertFalse((self.out / "seed_2/starts").exists())

    def test_an_error_of_a_tool_is_reported(self):
        with self.assertRaisesRegex(tools.ToolError, "vta-route ended with status 1: vta-route: the chip has no bel X9Y9/LUT"):
            self.route(3)
        with self.assertRaisesRegex(tools.ToolError, "vta-place ended with status 1: vta-place: the chip has no slice for X9Y9"):
            self.route(5)

    def test_a_router_that_ends_with_nextpnr_has_no_result(self):
        with self.assertRaisesRegex(tools.ToolError, "nextpnr ended with status 9"):
            self.route(6)
        self.assertFalse((self.out / "seed_6/result.json").exists())

    def test_an_interrupted_seed_is_not_kept(self):
        stop = threading.Event()
        texts = []

        def watch(text):
            texts.append(text)
            if "overused" in text:
                stop.set()

        with self.assertRaisesRegex(tools.ToolError, "interrupted"):
            place_and_route._route(self.netlist, "part", 50, 4, "static", "", self.out, watch, stop, True)
        self.assertRegex(texts[-1], "seed 4: vta-route: overused wires: [0-9]+")
        self.assertFalse((self.out / "seed_4/result.json").exists())


class LongerRoutes(unittest.TestCase):
    def test_nets_of_global_buffers_have_the_routes_of_nextpnr(self):
        def run_router(words):  # as vta-route, which takes no file for both
            routes, out = words[words.index("--routes") + 1], words[words.index("-o") + 1]
            self.assertNotEqual(routes, out)
            out.write_text(routes.read_text())
            return "log"

        with tempfile.TemporaryDirectory() as name, mock.patch.object(tools, "run_own", side_effect=run_router) as run, \
                mock.patch.object(routed_sign_off, "of_routes", return_value=["vta-route"]), mock.patch.object(tools, "database"), \
                mock.patch.object(database, "Part"):
            folder = pathlib.Path(name)
            nets = [{"name": "data", "sinks": ["W"], "pins": [["r", "D"]]}, {"name": "clock", "everywhere": "GCLK", "sinks": ["C"], "pins": [["r", "C"]]}]
            (folder / "design.json").write_text(json.dumps({"nets": nets}))
            (folder / "routes.json").write_text(json.dumps({"nets": [{"name": "data", "switches": ["A/W/S"]}, {"name": "clock", "switches": ["A/C/G"]}]}))
            (folder / "final_routes.json").write_text(json.dumps({"nets": [{"name": "data", "switches": ["x"]}, {"name": "clock", "switches": ["A/C/H"]},
                                                                             {"name": "made by nextpnr", "switches": ["y"]}]}))
            self.assertEqual(place_and_route._longer_routes(folder, "part", {("r", ("D", 0)): 0.25}),
                             ("log", {"nets": [{"name": "data", "switches": ["A/W/S"]}, {"name": "clock", "switches": ["A/C/H"]},
                                               {"name": "made by nextpnr", "switches": ["y"]}]}))
            self.assertEqual(json.loads((folder / "routes.json").read_text())["nets"],
                             [{"name": "data", "switches": ["A/W/S"]}, {"name": "clock", "switches": ["A/C/H"]}])
            self.assertEqual(json.loads((folder / "longer.json").read_text()), {"sinks": [["data", "W", 250]]})
        self.assertEqual(run.call_args.args[0], ["vta-route", "--routes", folder / "routes.json", "--longer", folder / "longer.json", "-o",
                                                 folder / "longer_routes.json"])


class Progress:
    def __init__(self):
        self.lines = []

    def now(self, text):
        pass

    def done(self, text):
        self.lines.append(text)


class Flow(unittest.TestCase):
    def test_each_seed_has_a_line_and_only_the_routed_ones_go_on(self):
        progress = Progress()
        routed = Routed(2, pathlib.Path(), 120.0)
        self.assertEqual(open_flow.routed_seeds([Stuck(1, OVERUSED), routed], progress), [routed])
        self.assertEqual(progress.lines, ["seed 1: not routed, 18 overused wires after 6 iterations", "seed 2: routed in 2.0 min"])

    def test_no_routed_seed_is_an_error(self):
        with self.assertRaisesRegex(open_flow.FlowError, "no seed of 2 is routed: seed 3 comes closest, with 12 wires"):
            open_flow.routed_seeds([Stuck(1, OVERUSED), Stuck(3, [9000, 5100, 12])], Progress())

    def fastest(self, clock_hz, *summaries):
        """The best of seeds with these (shortest period, hold violations), and its clock; the text of out/timing.txt."""
        made = {f"seed_{seed}": mock.Mock(shortest_ns=ns, hold_violations=violations, unchecked=0, lines=lambda ns=ns: [f"{ns} ns"],
                                          problems=lambda ns=ns, violations=violations: ["setup is missed"] * (ns > 1e9 / clock_hz) + ["hold"] * violations)
                for seed, (ns, violations) in enumerate(summaries, 1)}
        runs = [Routed(seed, pathlib.Path(f"seed_{seed}"), 120.0) for seed in range(1, len(summaries) + 1)]
        report = lambda design, prepared, folder, notes: mock.Mock(text=lambda *_: "\n".join(notes))  # noqa: E731
        with mock.patch.object(open_flow, "timing_of", report), tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(routed_sign_off, "load", lambda folder, part: folder.name), \
                mock.patch.object(routed_sign_off, "Summary", lambda checked, period_ns: made[checked]):
            try:
                best, found = open_flow.fastest(mock.Mock(clock_hz=clock_hz), None, runs, pathlib.Path(folder), Progress())
            finally:
                self.timing_text = (pathlib.Path(folder) / "timing.txt").read_text()
        return best.seed, found[best].shortest_ns

    def test_the_seed_with_the_shortest_period_is_taken(self):
        self.assertEqual(self.fastest(50_000_000, (20.0, 0), (16.0, 0), (25.0, 0)), (2, 16.0))
        self.assertRegex(self.timing_text, "^not covered: .*\n\n16.0 ns\n$")

    def test_a_seed_that_meets_hold_is_better_than_a_faster_one_that_does_not(self):
        self.assertEqual(self.fastest(50_000_000, (20.0, 0), (16.0, 2)), (1, 20.0))

    def test_a_check_that_is_missed_is_an_error_with_its_timing_written(self):
        with self.assertRaisesRegex(open_flow.FlowError, "timing is not met: setup is missed"):
            self.fastest(66_000_000, (20.0, 0), (16.0, 0))
        self.assertRegex(self.timing_text, "^not covered: .*\n\n16.0 ns\n$")
        with self.assertRaisesRegex(open_flow.FlowError, "timing is not met: hold; see"):
            self.fastest(50_000_000, (16.0, 1))


class Proof(unittest.TestCase):
    def test_a_bitstream_that_is_not_the_placed_netlist_is_removed(self):
        with tempfile.TemporaryDirectory() as folder:
            bit, program = (pathlib.Path(folder) / name for name in ("vta.bit", "prove"))
            bit.write_text("bits")
            program.write_text(f"#!{sys.executable}\nimport sys; sys.exit('antenna' if 'wrong.json' in sys.argv else print(*sys.argv[1:]))\n")
            program.chmod(0o755)
            with mock.patch.object(open_flow, "PROOF", program):
                self.assertEqual(open_flow.prove("part", pathlib.Path("placed.json"), bit), f"--part part --placed placed.json {bit}")
                self.assertTrue(bit.exists())
                with self.assertRaisesRegex(tools.ToolError, "prove ended with status 1: antenna"):
                    open_flow.prove("part", pathlib.Path("wrong.json"), bit)
            self.assertFalse(bit.exists())


class Hook(unittest.TestCase):
    """hw/fpga/flow/nextpnr_hook.py with an object in place of nextpnr's context."""

    def setUp(self):
        lut = mock.Mock(bel="X1Y2/A6LUT", type="SLICE_LUTX",
                        attrs=[("X_LUT_AS_DRAM", "1"), ("X_ORIG_TYPE", "RAMD32 "), ("X_ORIG_PORT_O6", "O"), ("X_ORIG_PORT_DI1", "I"),
                               ("X_ORIG_PORT_A1", "RADR0"), ("X_ORIG_PORT_WA1", "WADR0")])
        register = mock.Mock(bel="X3Y4/AFF", type="SLICE_FFX", attrs=[("X_ORIG_PORT_SR", "R"), ("X_ORIG_PORT_CK", "C "), ("X_ORIG_TYPE", "FDRE")])
        ground = mock.Mock(bel="X0Y0/PSEUDO_GND", type="PSEUDO_GND", attrs=[])
        buffer = mock.Mock(bel="X5Y6/BUFG", type="BUFGCTRL", attrs=[])
        for name, cell in (("lut", lut), ("register", register), ("ground", ground), ("buffer", buffer)):
            cell.name = name  # an argument of Mock names the mock
            cell.ports, cell.params = [], []
        net = lambda driver, port, *users: mock.Mock(driver=mock.Mock(cell=driver, port=port),  # noqa: E731
                                                     users=[mock.Mock(cell=cell, port=pin) for cell, pin in users])
        self.nets = {"data": net(lut, "O6", (register, "D")), "zero": net(ground, "Y", (register, "SR")),
                     "clock": net(buffer, "O", (register, "CK")), "unused": net(lut, "O5"), "input": net(None, "")}
        self.context = mock.Mock(nets=list(self.nets.items()),
                                 cells=[(str(at), cell) for at, cell in enumerate([lut, register, ground, buffer])])
        self.context.getBelPinWire = lambda bel, pin: f"{bel}.{pin}"

    def test_the_netlist_has_what_the_placer_needs(self):
        ports = [("X_ORIG_PORT_CIN", "CI"), *((f"X_ORIG_PORT_{port}3", f"{port}[3]") for port in ("CO", "O", "S"))]
        carry = [mock.Mock(bel=f"X1Y{y}/CARRY4", type="CARRY4", attrs=ports) for y in (7, 6)]
        lut, register, *_ = (cell for _, cell in self.context.cells)
        constant = mock.Mock(bel="X1Y7/A5LUT", type="SLICE_LUTX", attrs=[("X_ORIG_TYPE", "LUT1"), ("X_ORIG_PORT_A1", "I0")])
        net = lambda driver, port, *users: mock.Mock(driver=mock.Mock(cell=driver, port=port),  # noqa: E731
                                                     users=[mock.Mock(cell=cell, port=pin) for cell, pin in users])
        self.context.nets += [
            ("chain", net(carry[0], "CO3", (carry[1], "CIN"), (lut, "A1"), (lut, "DI1"), (lut, "WA1"), (constant, "A1"))),
            ("sum", net(carry[1], "O3", (carry[0], "S3")))]
        self.context.cells += [(str(at), cell) for at, cell in enumerate(carry, 4)] + [("carry_di1", constant)]
        for name, cell in self.context.cells:
            cell.name, cell.ports, cell.params = name, [], []
        register.ports = [("CK", mock.Mock(net=mock.Mock())), ("CE", mock.Mock(net=None))]
        netlist, cells = nextpnr_hook.placement(self.context, nextpnr_hook.Timing(self.context))
        self.assertEqual(cells, [lut, register, *carry, constant])
        self.assertEqual(netlist, {
            "cells": [{"bel": bel, "is_memory": bel == "X1Y2/A6LUT", "launch_ps": 1279 if bel == "X1Y2/A6LUT" else 0, "is_fixed": False,
                       "control": 0 if bel == "X3Y4/AFF" else -1}
                      for bel in ("X1Y2/A6LUT", "X3Y4/AFF", "X1Y7/CARRY4", "X1Y6/CARRY4", "X1Y7/A5LUT")],
            "nets": [{"driver": 0, "sinks": [[1, -52, True]]},
                     {"driver": 2, "sinks": [[3, 313, False], [0, 124, False], [0, 345, True], [0, 246, True], [4, 0, True]]},
                     {"driver": 3, "sinks": [[2, 404, False]]}],
            "carries": [[2, 3]]})

    def test_flip_flops_with_the_same_pins_have_the_same_control(self):
        def register(name, clock, enable, **changes):
            nets = {name: mock.Mock() for name in (clock, enable)}
            for net_name, net in nets.items():
                net.name = net_name
            cell = mock.Mock(ports=[("CK", mock.Mock(net=nets[clock])), ("CE", mock.Mock(net=nets[enable])), ("SR", mock.Mock(net=None))],
                             params=[("IS_C_INVERTED", changes.get("inverted", "0")), ("INIT", name)],
                             attrs=[("X_ORIG_TYPE", changes.get("kind", "FDRE"))])
            cell.name = name
            return cell

        lut = mock.Mock(ports=[("A1", mock.Mock(net=None))])
        found = nextpnr_hook.controls([register("a", "clk", "ce"), register("b", "clk", "ce"), register("c", "clk", "other"), lut,
                                       register("d", "clk", "ce", inverted="1"), register("e", "clk", "ce", kind="FDSE")])
        self.assertEqual(found, {"a": 0, "b": 0, "c": 1, "d": 2, "e": 3})

    def test_both_ends_of_a_cascade_are_fixed(self):
        cells = [mock.Mock() for _ in range(3)]
        for cell, name in zip(cells, ("first", "second", "third")):
            cell.name = name
        net = lambda driver, port, *users: mock.Mock(driver=mock.Mock(cell=driver, port=port),  # noqa: E731
                                                     users=[mock.Mock(cell=cell) for cell in users])
        nets = [("sum", net(cells[0], "PCOUT3", cells[1])), ("result", net(cells[1], "P0", cells[2])), ("unused", net(cells[2], "ACOUT0"))]
        self.assertEqual(nextpnr_hook.cascaded(mock.Mock(nets=nets)), {"first", "second"})

    def test_cells_are_moved_all_at_once(self):
        lut, register, *_ = (cell for _, cell in self.context.cells)
        self.context.isBelLocationValid.return_value = True
        nextpnr_hook.move(self.context, [lut, register], ["X1Y3/A6LUT", "X3Y4/AFF"], "locked")
        self.assertEqual(self.context.method_calls, [mock.call.unbindBel("X1Y2/A6LUT"), mock.call.bindBel("X1Y3/A6LUT", lut, "locked"),
                                                     mock.call.isBelLocationValid("X1Y3/A6LUT", False)])

    def test_an_illegal_place_ends_nextpnr(self):
        lut = self.context.cells[0][1]
        self.context.isBelLocationValid.return_value = False
        with mock.patch.object(nextpnr_hook.os, "_exit", side_effect=SystemExit) as leave, self.assertRaises(SystemExit):
            nextpnr_hook.move(self.context, [lut], ["X1Y3/A6LUT"], "locked")
        leave.assert_called_once_with(1)

    def test_the_design_has_what_the_router_needs(self):
        self.assertEqual(nextpnr_hook.placed_design(self.context, nextpnr_hook.Timing(self.context)), {
            "cells": [{"bel": "X1Y2/A6LUT", "is_memory": True, "launch_ps": 1279}, {"bel": "X3Y4/AFF", "is_memory": False, "launch_ps": 0},
                      {"bel": "X5Y6/BUFG", "is_memory": False, "launch_ps": 0}],
            "nets": [{"name": "data", "sinks": ["X3Y4/AFF.D"], "pins": [["register", "D"]], "source": "X1Y2/A6LUT.O6",
                      "driver": 0, "loads": [[1, -52, True]]},
                     {"name": "zero", "sinks": ["X3Y4/AFF.SR"], "pins": [["register", "R"]], "everywhere": "GND_WIRE"},
                     {"name": "clock", "sinks": ["X3Y4/AFF.CK"], "pins": [["register", "C"]], "everywhere": "GCLK"}]})

    def test_routes_are_bound_from_their_source(self):
        nextpnr_hook.bind(self.context, [{"name": "data", "sources": ["X1Y2/A6LUT.O6"], "switches": ["X2Y2/A/B", "X3Y2/C/A"]},
                                         {"name": "clock", "sources": ["X3Y4/GCLK_B0"], "switches": ["X3Y4/CLK/GCLK_B0"]}], "locked")
        self.assertEqual(self.context.method_calls, [
            mock.call.bindWire("X1Y2/A6LUT.O6", self.nets["data"], "locked"),
            mock.call.bindPip("X2Y2/A/B", self.nets["data"], "locked"),
            mock.call.bindPip("X3Y2/C/A", self.nets["data"], "locked")])


if __name__ == "__main__":
    unittest.main()
