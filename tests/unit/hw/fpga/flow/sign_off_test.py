# SPDX-License-Identifier: Apache-2.0
"""Tests of hw/fpga/flow/sign_off.py on registers, routes and a database that are written here, with slacks computed by hand. Faults are
planted: a register next to its source, a longer leg of the clock, a pin without an entry in the database."""
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[5]
sys.path.insert(0, str(ROOT))
from hw.fpga.flow import cell_times, clock_tree, hold_repair, placed_pins, routed_sign_off, routed_wires, sdf, sign_off, tools  # noqa: E402

SLICE = """(DELAYFILE
 (CELL (CELLTYPE "REG_INIT_FF") (INSTANCE SLICEL)
  (DELAY (ABSOLUTE (IOPATH CLK Q (0.1::0.2)(0.3::0.4))))
  (TIMINGCHECK (HOLD CE (posedge CLK) (-0.02::-0.01)) (HOLD DIN (posedge CLK) (0.4::0.5))
   (SETUP CE (posedge CLK) (0.08::0.1)) (SETUP DIN (posedge CLK) (-0.05::-0.04))))
 (CELL (CELLTYPE "REG_INIT_FF_QH") (INSTANCE SLICEL) (TIMINGCHECK (RECOVERY SR (posedge CLK) (0.3::0.4)) (REMOVAL SR (posedge CLK) (-0.3::-0.2))))
 (CELL (CELLTYPE "REG_INIT_FF_QL") (INSTANCE SLICEL) (TIMINGCHECK (RECOVERY SR (posedge CLK) (0.3::0.35)) (REMOVAL SR (posedge CLK) (-0.3::-0.25))))
 (CELL (CELLTYPE "LUT6") (INSTANCE SLICEL/A6LUT) (DELAY (ABSOLUTE (IOPATH A1 O6 (0.04::0.05)(0.1::0.12)) (IOPATH A2 O6 (0.05::0.06)(0.11::0.13)))))
 (CELL (CELLTYPE "ROUTING_BEL") (INSTANCE SLICEL/AFF) (DELAY (ABSOLUTE (INTERCONNECT a6lut aff (0.03::0.04)(0.08::0.1))
  (INTERCONNECT o6 aff (0.02::0.03)(0.07::0.09)) (INTERCONNECT ax aff (0.06::0.07)(0.16::0.2)) (INTERCONNECT ce aff (0.04::0.05)(0.15::0.18))
  (INTERCONNECT clk aff (0.01::0.02)(0.09::0.11)) (INTERCONNECT sr aff (0.02::0.03)(0.07::0.09)))))
 (CELL (CELLTYPE "ROUTING_BEL") (INSTANCE SLICEL/AMUX) (DELAY (ABSOLUTE (INTERCONNECT a6lut amux (0.07::0.08)(0.16::0.2)) (INTERCONNECT o6 amux (0.06::0.07)(0.15::0.19)))))
)"""
BUFFER = """(DELAYFILE (CELL (CELLTYPE "BUFGCTRL") (INSTANCE BUFGCTRL) (DELAY (ABSOLUTE (IOPATH I O (0.03::0.04)(0.09::0.1))))))"""
# The trunk of the clock, and its branches to the slices.
TRUNK, NEAR, FAR = (-1, sdf.Times(1.0, 1.1, 2.0, 2.3)), (0, sdf.Times(1.2, 1.32, 2.4, 2.75)), (0, sdf.Times(1.5, 1.65, 3.0, 3.4))
LUT_AND_FF = frozenset({"a6lut", "o6"})


def times(fast, slow):
    return sdf.Times(fast, fast, slow, slow)


def cell(name, kind, inputs, outputs, site="SLICEL", bel="AFF"):
    names = {pin: [pin[0]] for pin in (*inputs, *outputs)}
    return placed_pins.Cell(name, kind, {}, cell_times.Place(site, bel), inputs, outputs, names)


def register(name, d, q, **more):
    """`more`: other inputs by port."""
    ports = {("D", 0): d} | {(port, 0): net for port, net in more.items()}
    return cell(name, "FDRE", {("C", 0): 1} | ports, {("Q", 0): q})


class FakeNets:
    """`delays`: (cell, port) -> Times; `legs`: cell -> branch of its clock."""

    def __init__(self, delays, legs, branches, exits):
        self._exits = exits
        self._delays, self._legs, self.branches = delays, legs, {"clk": branches}
        self.net_of = {(name, ("C", 0)): "clk" for name in legs}

    def sink(self, name, pin):
        if pin[0] == "C":
            return placed_pins.Sink(sdf.NO_TIME, (self._legs[name],))
        if name == "clock":
            return placed_pins.Sink(times(1.0, 2.0), ())
        if (name, pin[0]) not in self._delays:
            raise placed_pins.PlacedPinsError(f"{name}: no route leads to its pin {pin[0]}[{pin[1]}]")
        return placed_pins.Sink(self._delays[name, pin[0]], (), self._exits.get(name, ""))


CLOCK = [cell("ps7", "PS7", {}, {("FCLKCLK", 0): 50}, "PS7", "PS7"),
         cell("clock", "BUFGCTRL", {("I0", 0): 50}, {("O", 0): 1}, "BUFGCTRL", "BUFGCTRL")]


class Database(unittest.TestCase):
    """A folder with the database of this file."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name)
        (path / "slicel.sdf").write_text(SLICE)
        (path / "CLK_BUFG_TOP_R.sdf").write_text(BUFFER)
        (path / "PSS2.sdf").write_text('(DELAYFILE (CELL (CELLTYPE "PS7") (INSTANCE PS7)))')
        self.timings = sdf.Timings(path)

    def checked(self, cells, delays, legs, branches=(TRUNK, NEAR, FAR), exits=None):
        """`exits`: cell -> the multiplexer by which its inputs come out of another slice."""
        return sign_off.SignOff([*CLOCK, *cells], FakeNets(delays, legs, list(branches), exits or {}), self.timings)


class Slacks(Database):
    """a drives b over one net; a third register, c, ends what b drives."""

    def two(self, net, leg_a=1, leg_b=1, branches=(TRUNK, NEAR, FAR)):
        return self.checked([register("a", 9, 2), register("b", 2, 3), register("z", 3, 9)],
                            {("b", "D"): net, ("z", "D"): times(1.0, 3.0), ("a", "D"): times(1.0, 3.0)}, {"a": leg_a, "b": leg_b, "z": leg_a}, branches)

    def slack(self, slacks, name="b"):
        found, = [slack.ns for slack in slacks if slack.endpoint.cell == name]
        return found

    def test_setup_has_the_clock_way_setup_and_uncertainty(self):
        checked = self.two(times(1.0, 3.0))
        # to Q: 0.11 + 0.4; bypass: 0.2; setup: -0.04, less the clock's way 0.09; of one region, so no skew.
        delay = 0.11 + 0.4 + 3.0 + 0.2 - 0.04 - 0.09
        uncertainty = (0.071 ** 2 + 0.3 ** 2) ** 0.5 / 2
        self.assertAlmostEqual(self.slack(checked.setups(10.0)), 10.0 - uncertainty - delay)
        self.assertAlmostEqual(uncertainty, 0.154, places=3)

    def test_hold_has_the_earliest_data_and_the_latest_clock_at_both_corners(self):
        checked = self.two(times(0.5, 1.2))
        fast, slow = (self.slack(checked.holds(mode)) for mode in sign_off.HOLDS)
        self.assertAlmostEqual(fast, (0.01 + 0.1) + 0.5 + 0.06 - 0.3 - 0.02)
        self.assertAlmostEqual(slow, (0.09 + 0.3) + 1.2 + 0.16 - 0.5 - 0.11)

    def test_a_hold_time_at_the_fast_corner_is_a_share_of_the_slow_one(self):
        times_of = cell_times.of_cell(self.timings, "FDRE", {}, cell_times.Place("SLICEL", "AFF"),
                                      cell_times.Pins({("D", 0): (["D"], frozenset()), ("C", 0): (["CK"], frozenset())}, {}))
        self.assertEqual(cell_times.FAST_SHARE, 0.6)
        self.assertAlmostEqual(times_of.checks["D", 0].hold_fast_ns, 0.3 + 0.02 - 0.06)
        self.assertAlmostEqual(times_of.checks["D", 0].hold_slow_ns, 0.5 + 0.11 - 0.16)

    def test_a_negative_hold_time_is_0_at_the_fast_corner(self):
        times_of = cell_times.of_cell(self.timings, "FDRE", {}, cell_times.Place("SLICEL", "AFF"),
                                      cell_times.Pins({("CE", 0): (["CE"], frozenset()), ("C", 0): (["CK"], frozenset())}, {}))
        check = times_of.checks["CE", 0]
        self.assertAlmostEqual(check.hold_fast_ns, 0.02 - 0.04)
        self.assertAlmostEqual(check.hold_slow_ns, -0.01 + 0.11 - 0.15)

    def test_a_longer_leg_of_the_clock_at_the_end_is_a_hold_fault(self):
        near, far = self.two(times(0.3, 0.8)), self.two(times(0.3, 0.8), leg_b=2)
        self.assertGreater(self.slack(near.holds(sign_off.HOLDS[0])), 0)
        # fast: 1.2 against 1.65, of which the trunk, 1.0 to 1.1, is common
        self.assertAlmostEqual(self.slack(far.holds(sign_off.HOLDS[0])), (0.01 + 0.1) + 0.3 + 0.06 - 0.3 - 0.02 + 1.2 - 1.65 + 0.1)
        self.assertLess(self.slack(far.holds(sign_off.HOLDS[0])), 0)

    def test_a_longer_leg_of_the_clock_at_the_start_takes_its_time_from_setup(self):
        near, far = self.two(times(1.0, 3.0)), self.two(times(1.0, 3.0), leg_a=2)
        # slow: 3.4 against 2.4, of which the trunk, 2.0 to 2.3, is common
        self.assertAlmostEqual(self.slack(near.setups(10.0)) - self.slack(far.setups(10.0)), 3.4 - 2.4 - 0.3)

    def test_a_register_next_to_its_source_is_a_hold_fault(self):
        self.assertLess(self.slack(self.two(times(0.02, 0.05)).holds(sign_off.HOLDS[0])), 0)

    def test_a_slow_net_is_a_setup_fault_and_the_shortest_period_has_its_own_uncertainty(self):
        checked = self.two(times(4.0, 12.0))
        worst = checked.setups(10.0)[0]
        self.assertEqual((worst.endpoint.cell, worst.ns < 0), ("b", True))
        period = sign_off.shortest_period_ns(10.0 - sign_off.uncertainty_ns(10.0) - worst.ns)
        self.assertAlmostEqual(checked.setups(period)[0].ns, 0, places=6)

    def test_a_summary_has_the_clock_that_meets_setup(self):
        checked = self.two(times(4.0, 12.0))
        summary = routed_sign_off.Summary(checked, 10.0)
        self.assertAlmostEqual(summary.worst_setup_ns, checked.setups(10.0)[0].ns)
        self.assertRegex(summary.problems()[0], r"setup is missed by 2\.\d+ ns at 10 ns")
        self.assertAlmostEqual(routed_sign_off.Summary(checked, summary.shortest_ns).worst_setup_ns, 0, places=6)
        figures = summary.figures()
        self.assertEqual((figures["routed_mhz"], figures["hold_violations"], figures["unchecked_endpoints"]), (round(1e3 / summary.shortest_ns, 2), 0, 0))
        self.assertEqual(routed_sign_off.Summary(checked, 20.0).problems(), [])

    def test_a_summary_counts_an_endpoint_that_misses_hold_once(self):
        summary = routed_sign_off.Summary(self.two(times(0.02, 0.02)), 10.0)
        self.assertEqual(summary.hold_violations, 1)
        self.assertLess(summary.worst_hold_ns, 0)
        self.assertRegex(summary.problems()[0], r"1 endpoints miss hold, by up to 0\.\d+ ns")
        text = "\n".join(summary.lines())
        self.assertRegex(text, r"hold at fast: worst -0\.\d+ ns, 1 violations\n   -0\.\d+ ns from a\.C through 0 cells to b\.D\[0\] \(FDRE\)")
        self.assertIn("hold at slow: worst -", text)

    def test_a_summary_has_the_arrivals_of_the_clock_and_its_pulses(self):
        near, far = (routed_sign_off.Summary(self.two(times(0.5, 1.2), leg_b=leg), 0.9) for leg in (1, 2))
        self.assertIn("arrivals from 2.750 to 2.750 ns", "\n".join(near.lines()))
        self.assertIn("arrivals from 2.750 to 3.400 ns", "\n".join(far.lines()))
        self.assertIn("FDRE needs a period of 1 ns, has 0.900", near.problems())

    def test_a_path_is_reported_from_its_start(self):
        checked = self.two(times(1.0, 3.0))
        slack, = [slack for slack in checked.setups(10.0) if slack.endpoint.cell == "b"]
        steps, start = checked.path(slack)
        self.assertEqual((steps, start), ([(None, 2)], ("a", "C")))

    def test_a_register_in_the_slice_of_its_lut_has_the_shortest_of_both_ways(self):
        lut = cell("l", "LUT2", {("I0", 0): 2}, {("O", 0): 5}, bel="A6LUT")
        checked = self.checked([register("a", 9, 2), lut, register("b", 5, 9)],
                               {("l", "I0"): times(0.5, 1.0), ("b", "D"): sdf.NO_TIME, ("a", "D"): times(1.0, 3.0)}, {"a": 1, "b": 1})
        self.assertAlmostEqual(self.slack(checked.holds(sign_off.HOLDS[0])), 0.11 + 0.5 + 0.04 + 0.02 - 0.3 - 0.02)
        self.assertAlmostEqual(self.slack(checked.setups(10.0)),
                               10.0 - sign_off.uncertainty_ns(10.0) - (0.11 + 0.4 + 1.0 + 0.13 + 0.1 - 0.04 - 0.09))

    def test_an_output_multiplexer_of_a_slice_takes_its_time(self):
        lut = cell("l", "LUT1", {("I0", 0): 2}, {("O", 0): 5}, bel="A6LUT")
        checked = self.checked([register("a", 9, 2), lut, register("b", 5, 9)],
                               {("l", "I0"): times(0.5, 1.0), ("b", "D"): times(0.5, 1.0), ("a", "D"): times(1.0, 3.0)}, {"a": 1, "b": 1}, exits={"b": "AMUX"})
        self.assertAlmostEqual(self.slack(checked.holds(sign_off.HOLDS[0])), 0.11 + 0.5 + 0.04 + 0.06 + 0.5 + 0.06 - 0.3 - 0.02)
        self.assertAlmostEqual(self.slack(checked.setups(10.0)),
                               10.0 - sign_off.uncertainty_ns(10.0) - (0.11 + 0.4 + 1.0 + 0.13 + 0.2 + 1.0 + 0.2 - 0.04 - 0.09))

    def test_a_reset_through_a_global_buffer_is_timed(self):
        reset = cell("reset", "BUFGCTRL", {("I0", 0): 2}, {("O", 0): 6}, "BUFGCTRL", "BUFGCTRL")
        checked = self.checked([register("a", 9, 2), reset, register("b", 3, 9, R=6), register("d", 9, 3)],
                               {("reset", "I0"): times(1.0, 3.0), ("b", "R"): times(1.5, 4.0), ("b", "D"): times(1.0, 2.0),
                                ("a", "D"): times(1.0, 2.0), ("d", "D"): times(1.0, 2.0)}, {"a": 1, "b": 1, "d": 1})
        worst = checked.setups(10.0)[0]
        self.assertEqual((worst.endpoint.cell, worst.endpoint.pin), ("b", ("R", 0)))
        self.assertAlmostEqual(worst.ns, 10.0 - sign_off.uncertainty_ns(10.0) - (0.11 + 0.4 + 3.0 + 0.1 + 4.0 + 0.4 + 0.09 - 0.09))


class Completeness(Database):
    def test_a_pin_without_an_entry_is_an_error_with_its_cell(self):
        with self.assertRaisesRegex(sdf.SdfError, "x: no times of cells of type ODDR"):
            self.checked([register("a", 9, 2), cell("x", "ODDR", {("D", 0): 2}, {("Q", 0): 9})],
                         {("x", "D"): times(1, 2), ("a", "D"): times(1, 2)}, {"a": 1})

    def test_an_output_without_a_path_is_an_error(self):
        with self.assertRaisesRegex(cell_times.UntimedPinError, r"b: pin O\[0\] of a BUFGCTRL has neither a path nor a setup"):
            self.checked([register("a", 9, 2), cell("b", "BUFGCTRL", {("CE0", 0): 2}, {("O", 0): 9}, "BUFGCTRL")],
                         {("b", "CE0"): times(1, 2), ("a", "D"): times(1, 2)}, {"a": 1})

    def test_an_endpoint_that_no_clock_reaches_is_counted(self):
        checked = self.checked([register("a", 50, 9)], {("a", "D"): times(1, 2)}, {"a": 1})
        self.assertEqual([end.cell for end in checked.unchecked], ["a"])
        self.assertEqual(checked.endpoints, [])

    def test_an_input_that_never_changes_needs_no_check(self):
        constant = cell("k", "LUT1", {}, {("O", 0): 5}, bel="A6LUT")
        checked = self.checked([register("a", 5, 9), constant], {("a", "D"): times(1, 2)}, {"a": 1})
        self.assertEqual((checked.unchecked, checked.endpoints), ([], []))

    def test_a_read_address_of_a_memory_without_an_output_leads_nowhere(self):
        pins = cell_times.Pins({("RADR0", 0): (["A1"], frozenset())}, {})
        try:
            timings = sdf.Timings(tools.database() / "zynq7/timings")
        except tools.ToolError as error:
            self.skipTest(str(error))
        self.assertEqual(cell_times.of_cell(timings, "RAMD32", {}, cell_times.Place("SLICEM", "A6LUT"), pins).unread, {("RADR0", 0)})

    def test_an_input_that_an_asynchronous_output_drives_is_asynchronous(self):
        reset = cell("ps7", "PS7", {}, {("FCLKCLK", 0): 50, ("FCLKRESETN", 0): 51}, "PS7", "PS7")
        nets = FakeNets({("a", "D"): times(1, 2)}, {"a": 1}, [TRUNK, NEAR], {})
        checked = sign_off.SignOff([reset, CLOCK[1], register("a", 51, 9)], nets, self.timings)
        self.assertEqual(([end.cell for end in checked.asynchronous], checked.unchecked), (["a"], []))

    def test_an_input_without_a_route_is_an_error(self):
        with self.assertRaisesRegex(placed_pins.PlacedPinsError, r"b: no route leads to its pin D\[0\]"):
            self.checked([register("a", 2, 2), register("b", 2, 3)], {("a", "D"): times(1, 2)}, {"a": 1, "b": 1})

    def test_two_clocks_are_an_error(self):
        nets = FakeNets({("a", "D"): times(1, 2), ("b", "D"): times(1, 2)}, {"a": 1, "b": 1}, [TRUNK, NEAR], {})
        nets.net_of["b", ("C", 0)] = "other"
        with self.assertRaisesRegex(sign_off.SignOffError, "expected one clock on a global buffer, got clk, other"):
            sign_off.SignOff([*CLOCK, register("a", 2, 2), register("b", 2, 3)], nets, self.timings)

    def test_a_clock_that_is_too_fast_for_a_cell_is_a_pulse_problem(self):
        checked = self.checked([register("a", 2, 2)], {("a", "D"): times(1, 2)}, {"a": 1})
        self.assertEqual(checked.pulse_problems(10.0), [])
        self.assertEqual([problem[:2] for problem in checked.pulse_problems(0.9)],
                         [("BUFGCTRL", "period"), ("FDRE", "period"), ("PS7", "period"), ("FDRE", "pulse")])


class Repair(Database):
    def test_the_connection_into_a_register_is_made_longer_by_what_is_missing(self):
        checked = self.checked([register("a", 9, 2), register("b", 2, 3), register("z", 3, 9)],
                               {("b", "D"): times(0.02, 0.9), ("z", "D"): times(1.0, 3.0), ("a", "D"): times(1.0, 3.0)},
                               {"a": 1, "b": 1, "z": 1})
        missing = hold_repair.missing_ns(checked)
        self.assertEqual(list(missing), [("b", ("D", 0))])
        self.assertAlmostEqual(missing["b", ("D", 0)], -(0.11 + 0.02 + 0.06 - 0.3 - 0.02) + hold_repair.MARGIN_NS)

    def test_before_a_connection_within_a_slice_only_the_paths_that_are_too_early_get_longer(self):
        lut = cell("l", "LUT2", {("I0", 0): 2, ("I1", 0): 4}, {("O", 0): 5}, bel="A6LUT")
        checked = self.checked([register("a", 9, 2), register("e", 9, 4), lut, register("b", 5, 9)],
                               {("l", "I0"): times(0.05, 1.0), ("l", "I1"): times(2.0, 5.0), ("b", "D"): sdf.NO_TIME, ("a", "D"): times(1.0, 3.0),
                                ("e", "D"): times(1.0, 3.0)}, {"a": 1, "b": 1, "e": 1})
        missing = hold_repair.missing_ns(checked)
        self.assertEqual(list(missing), [("l", ("I0", 0))])
        self.assertAlmostEqual(missing["l", ("I0", 0)], -(0.11 + 0.05 + 0.04 + 0.02 - 0.3 - 0.02) + hold_repair.MARGIN_NS)

    def test_all_wires_of_a_pin_get_longer(self):
        design = {"nets": [{"name": "n", "sinks": ["W1", "W2", "W3"], "pins": [["r", "A[3]"], ["r", "A[3]"], ["s", "A[3]"]]}]}
        self.assertEqual(hold_repair.longer_sinks({("r", ("A", 3)): 0.1234}, design), {"sinks": [["n", "W1", 123], ["n", "W2", 123]]})


class RoutedWires(unittest.TestCase):
    def test_the_routes_of_a_netlist_are_the_switches_of_its_attribute(self):
        module = {"netnames": {"n": {"attributes": {"ROUTING": "X1Y1/Q;;5;X1Y1/A;X1Y1/A/Q;4;X1Y2/B;X1Y2/B/A;1"}}, "unused": {"attributes": {}},
                               "$PACKER_VCC_NET": {"attributes": {"ROUTING": "X1Y1/VCC_WIRE;;1"}},
                               "$PACKER_VCC_NET$legal7": {"attributes": {"ROUTING": "X1Y1/O6;;1"}}}}
        self.assertEqual(routed_wires.routes(module), {"nets": [{"name": "n", "switches": ["X1Y1/A/Q", "X1Y2/B/A"]},
                                                                {"name": "$PACKER_VCC_NET$legal7", "switches": []}]})

    def test_an_output_multiplexer_is_an_exit(self):
        routes = {"nets": [{"name": "n", "switches": ["X1Y1/SLICE_X0Y0.AMUX/SLICE_X0Y0.A5Q", "X1Y1/CLBLL_LL_AMUX/SLICE_X0Y0.AMUX"]},
                           {"name": "m", "switches": ["X1Y1/CLBLL_LL_AQ/SLICE_X0Y0.AQ"]}]}
        self.assertEqual(routed_wires.exits(routes), {"n": "AMUX"})


class ClockTree(unittest.TestCase):
    def test_regions_share_the_way_to_where_their_branches_part(self):
        tree = clock_tree.ClockTree([TRUNK, NEAR, FAR], {"a": (1,), "b": (2,), "c": (1,)})
        self.assertEqual(tree.common(tree.regions["a"], tree.regions["b"]), TRUNK[1])
        self.assertEqual(tree.common(tree.regions["a"], tree.regions["c"]), NEAR[1])

    def test_a_pin_with_two_wires_has_the_range_of_both_and_the_way_that_they_share(self):
        tree = clock_tree.ClockTree([TRUNK, NEAR, FAR], {"a": (1, 2)})
        self.assertEqual(tree.arrivals["a"], sdf.Times(1.2, 1.65, 2.4, 3.4))
        self.assertEqual(tree.regions["a"], 0)


class Dsp(unittest.TestCase):
    """Tests of the database itself."""

    def setUp(self):
        try:
            self.timings = sdf.Timings(tools.database() / "zynq7/timings")
        except tools.ToolError as error:
            self.skipTest(str(error))

    def times(self, parameters, inputs, outputs=()):
        pins = cell_times.Pins({(port, 0): ([port], frozenset()) for port in inputs}, {(port, 0): [port] for port in outputs})
        return cell_times.of_cell(self.timings, "DSP48E1", parameters, cell_times.Place("DSP48", "DSP"), pins)

    def test_data_stop_at_the_first_register(self):
        multiplied = {"AREG": 0, "BREG": 0, "MREG": 1, "PREG": 0, "USE_MULT": "MULTIPLY", "USE_DPORT": "FALSE"}
        found = self.times(multiplied, ["A", "B"], ["P"])
        self.assertEqual((found.checks["A", 0].setup_ns, found.checks["A", 0].hold_slow_ns), (1.928, -0.294))
        self.assertEqual(found.launches["P", 0].times.slow_max, 2.305)
        registered = self.times(multiplied | {"AREG": 1}, ["A"])
        self.assertEqual((registered.checks["A", 0].setup_ns, registered.checks["A", 0].hold_slow_ns), (0.362, 0.139))

    def test_pins_that_were_skipped_before_are_checked(self):
        found = self.times({"MREG": 1, "PREG": 1, "INMODEREG": 0, "CARRYINSELREG": 1}, ["INMODE", "CARRYINSEL"])
        self.assertEqual({pin[0]: check.hold_slow_ns for pin, check in found.checks.items()}, {"INMODE": -0.245, "CARRYINSEL": 0.174})

    def test_the_write_address_of_a_lut_ram_has_the_larger_of_both_hold_times(self):
        pins = cell_times.Pins({("WADR1", 0): (["WA2"], frozenset()), ("CLK", 0): (["CLK"], frozenset())}, {})
        found = cell_times.of_cell(self.timings, "RAMD32", {}, cell_times.Place("SLICEM", "A6LUT"), pins)
        self.assertAlmostEqual(found.checks["WADR1", 0].hold_fast_ns, 0.6 * 0.745 + 0.057)

    def test_a_port_of_the_processing_system_has_its_own_clock(self):
        pins = cell_times.Pins({("SAXIHP0ARADDR", 3): (["SAXIHP0ARADDR3"], frozenset())}, {("MAXIGP0WDATA", 1): ["MAXIGP0WDATA1"]})
        found = cell_times.of_cell(self.timings, "PS7", {}, cell_times.Place("PS7", "PS7"), pins)
        self.assertEqual((found.checks["SAXIHP0ARADDR", 3].clock, found.checks["SAXIHP0ARADDR", 3].setup_ns), ("SAXIHP0ACLK", 0.822))
        self.assertEqual(found.launches["MAXIGP0WDATA", 1].clock, "MAXIGP0ACLK")

    def test_an_asynchronous_pin_needs_no_check_and_another_one_does(self):
        pins = cell_times.Pins({("IRQF2P", 0): (["IRQF2P0"], frozenset())}, {})
        cell_times.of_cell(self.timings, "PS7", {}, cell_times.Place("PS7", "PS7"), pins)
        with self.assertRaisesRegex(cell_times.UntimedPinError, r"pin NOTHING\[0\] of a PS7"):
            cell_times.of_cell(self.timings, "PS7", {}, cell_times.Place("PS7", "PS7"), cell_times.Pins({("NOTHING", 0): ([], frozenset())}, {}))


if __name__ == "__main__":
    unittest.main()
