# SPDX-License-Identifier: Apache-2.0
"""Tests of the rules of hw/fpga/flow for the features of placed cells, on cells and netlists made by hand."""
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[5]
sys.path.insert(0, str(ROOT))
from hw.fpga.flow import cell_check, dsp_rules, flip_flop_rules, place_and_route, placed_cells, ram_rules  # noqa: E402
from hw.fpga.flow.placed_cells import PlacedCell  # noqa: E402


class Part:
    """Features whose names end in _1 (a width of 1) have bits that are clear; all others have one bit that is set."""

    name = "small"
    tiles = {"BRAM_L_X0Y0": {"type": "BRAM_L", "grid_x": 5, "grid_y": 7}, "DSP_R_X0Y0": {"type": "DSP_R", "grid_x": 6, "grid_y": 7},
             "CLBLM_L_X0Y0": {"type": "CLBLM_L", "grid_x": 4, "grid_y": 7}}

    def bits(self, tile, feature, bit):
        is_width_1 = "WIDTH" in feature and feature.endswith("_1") and not feature.startswith("RAMB36")
        return [((tile, feature, bit), not is_width_1)]


def ram(kind, y=0, **parameters):
    return PlacedCell("ram", kind, parameters, "BRAM_L_X0Y0", 0, y, kind, {})


def is_set(rules, *names):
    return [rules[name, None] for name in names]


class RamRules(unittest.TestCase):
    def test_a_whole_ram_has_the_width_of_its_halves_and_a_bit_for_odd_widths(self):
        for width, half, is_odd in [(1, 1, True), (2, 1, False), (4, 2, False), (9, 4, True), (18, 9, False), (36, 18, False)]:
            with self.subTest(width=width):
                rules = ram_rules.features(ram("RAMB36E1", READ_WIDTH_B=width))
                self.assertEqual(is_set(rules, f"RAMB18_Y0.READ_WIDTH_B_{half}", f"RAMB18_Y1.READ_WIDTH_B_{half}"), [True, True])
                self.assertEqual(rules["RAMB36.BRAM36_READ_WIDTH_B_1", None], is_odd)
                self.assertFalse(rules["RAMB36.BRAM36_READ_WIDTH_A_1", None])

    def test_a_half_has_its_own_width_and_no_features_of_the_other(self):
        rules = ram_rules.features(ram("RAMB18E1", y=1, WRITE_WIDTH_A=9))
        self.assertEqual(is_set(rules, "RAMB18_Y1.WRITE_WIDTH_A_9", "RAMB18_Y1.READ_WIDTH_A_1"), [True, True])
        self.assertFalse(any(name.startswith(("RAMB18_Y0", "RAMB36")) for name, _ in rules))

    def test_a_wide_port_takes_both_ports_of_a_half(self):
        rules = ram_rules.features(ram("RAMB36E1", RAM_MODE="SDP", READ_WIDTH_A=72, WRITE_WIDTH_B=72))
        for half in ("RAMB18_Y0.", "RAMB18_Y1."):
            names = ["SDP_READ_WIDTH_36", "SDP_WRITE_WIDTH_36", "READ_WIDTH_A_18", "READ_WIDTH_B_18", "WRITE_WIDTH_A_18",
                     "WRITE_WIDTH_B_18", "WRITE_MODE_A_NO_CHANGE"]
            self.assertEqual(is_set(rules, *(half + name for name in names)), [True] * 7)
        rules = ram_rules.features(ram("RAMB18E1", RAM_MODE="SDP", READ_WIDTH_A=36, WRITE_WIDTH_B=18))
        self.assertEqual(is_set(rules, "RAMB18_Y0.SDP_READ_WIDTH_36", "RAMB18_Y0.SDP_WRITE_WIDTH_36", "RAMB18_Y0.WRITE_WIDTH_A_1"),
                         [True, False, True])

    def test_an_output_register_has_the_clock_of_its_port(self):
        for inverted in (0, 1):
            rules = ram_rules.features(ram("RAMB18E1", DOA_REG=1, IS_CLKARDCLK_INVERTED=inverted))
            self.assertEqual(is_set(rules, "RAMB18_Y0.ZINV_REGCLKARDRCLK", "RAMB18_Y0.ZINV_REGCLKB"), [not inverted, False])

    def test_values_and_priority_of_a_reset(self):
        rules = ram_rules.features(ram("RAMB18E1", SRVAL_B=0b101, RSTREG_PRIORITY_A="REGCE"))
        self.assertEqual([rules["RAMB18_Y0.ZSRVAL_B", bit] for bit in range(4)], [False, True, False, True])
        self.assertEqual(is_set(rules, "RAMB18_Y0.RSTREG_PRIORITY_A_REGCE", "RAMB18_Y0.RSTREG_PRIORITY_B_REGCE"), [True, False])

    def test_no_ram_passes_its_address_on(self):
        rules = ram_rules.features(ram("RAMB18E1"))
        self.assertEqual(is_set(rules, "CASCOUT_ARD_ACTIVE", "CASCOUT_BWR_ACTIVE"), [False, False])
        present, problems = {("BRAM_L_X0Y0", "CASCOUT_ARD_ACTIVE", None)}, []
        cell_check.check(Part(), [ram("RAMB18E1")], present, problems)
        self.assertEqual(problems, ["ram: BRAM_L_X0Y0.CASCOUT_ARD_ACTIVE is set, against the parameters of the RAMB18E1"])

    def test_what_no_ram_has_is_refused(self):
        with self.assertRaisesRegex(ValueError, "ram: a RAMB18E1 has no WRITE_WIDTH_A of 5"):
            ram_rules.features(ram("RAMB18E1", WRITE_WIDTH_A=5))


class DspRules(unittest.TestCase):
    @staticmethod
    def dsp(pins=(), **parameters):
        return PlacedCell("dsp", "DSP48E1", parameters, "DSP_R_X0Y0", 0, 1, "DSP48E1", dict.fromkeys(pins, False))

    def test_a_missing_parameter_is_that_of_the_primitive(self):
        rules = dsp_rules.features(self.dsp(MREG=0, AREG=2))
        self.assertEqual([rules["DSP48.DSP_1.ZMREG", 0], rules["DSP48.DSP_1.ZPREG", 0]], [True, False])
        self.assertEqual(is_set(rules, "DSP48.DSP_1.AREG_2", "DSP48.DSP_1.AREG_0", "DSP48.DSP_1.BREG_2"), [True, False, False])

    def test_pins_can_be_inverted_by_bus_and_by_bit(self):
        rules = dsp_rules.features(self.dsp(**{"IS_OPMODE_INVERTED": 0b10, "IS_OPMODE[0]_INVERTED": 1}))
        self.assertEqual([rules["DSP48.DSP_1.ZIS_OPMODE_INVERTED", bit] for bit in range(3)], [False, False, True])

    def test_a_pin_is_routed_or_tied(self):
        pins = [pin for pin in dsp_rules.TIED_PINS if pin != "D3"]
        self.assertEqual(dsp_rules.ties(self.dsp(pins), "DSP_R"), [[("DSP_1_D3.DSP_GND_R", None), ("DSP_1_D3.DSP_VCC_R", None)]])


class FlipFlopRules(unittest.TestCase):
    @staticmethod
    def flip_flop(kind="FDRE", x=0, pins=None, **parameters):
        return PlacedCell("ff", kind, parameters, "CLBLM_L_X0Y0", x, 0, "B5FF", pins or {})

    def test_initial_and_reset_values(self):
        for kind, init, zini, zrst in [("FDRE", 0, True, True), ("FDRE", 1, False, True), ("FDSE", 1, False, False)]:
            rules = flip_flop_rules.features(self.flip_flop(kind, INIT=init), "CLBLM_L")
            self.assertEqual(is_set(rules, "SLICEM_X0.B5FF.ZINI", "SLICEM_X0.B5FF.ZRST"), [zini, zrst])

    def test_control_pins_are_used_unless_constant(self):
        rules = flip_flop_rules.features(self.flip_flop(x=1, pins={"CE": True, "SR": False}), "CLBLM_L")
        self.assertEqual(is_set(rules, "SLICEL_X1.CEUSEDMUX", "SLICEL_X1.SRUSEDMUX", "SLICEL_X1.FFSYNC"), [False, True, True])

    def test_edges_and_inversions(self):
        rules = flip_flop_rules.features(self.flip_flop("FDRE_1"), "CLBLL_L")
        self.assertEqual(is_set(rules, "SLICEL_X0.CLKINV"), [True])
        with self.assertRaisesRegex(ValueError, "ff: a FDRE of a slice has no inverter at D"):
            flip_flop_rules.features(self.flip_flop(IS_D_INVERTED=1), "CLBLL_L")


class CellCheck(unittest.TestCase):
    def checked(self, cell, present):
        problems = []
        added, counts = cell_check.check(Part(), [cell], present, problems)
        return added, counts, problems

    def test_missing_features_are_added_and_the_rest_is_right(self):
        cell = ram("RAMB36E1", READ_WIDTH_A=9)
        first, counts, problems = self.checked(cell, set())
        self.assertEqual((counts, problems), ({"RAMB36E1": 1}, []))
        self.assertIn(("BRAM_L_X0Y0", "RAMB36.BRAM36_READ_WIDTH_A_1", None), first)
        self.assertEqual(self.checked(cell, set(first))[0], [])

    def test_a_feature_against_the_parameters_is_a_problem(self):
        _, _, problems = self.checked(ram("RAMB18E1"), {("BRAM_L_X0Y0", "RAMB18_Y0.DOA_REG", None)})
        self.assertEqual(problems, ["ram: BRAM_L_X0Y0.RAMB18_Y0.DOA_REG is set, against the parameters of the RAMB18E1"])

    def test_values_that_nobody_has_measured_are_a_problem(self):
        _, _, problems = self.checked(ram("RAMB36E1", SRVAL_A=5), set())
        self.assertEqual(problems, ["ram: SRVAL_A of a RAMB36E1 is 0x5, must be 0"])

    def test_a_dsp_pin_without_a_source_is_a_problem(self):
        pins = dict.fromkeys(dsp_rules.TIED_PINS[1:], False)
        cell = PlacedCell("dsp", "DSP48E1", {}, "DSP_R_X0Y0", 0, 0, "DSP48E1", pins)
        self.assertEqual(self.checked(cell, set())[2], ["dsp: neither routed nor tied: DSP_R_X0Y0.DSP_0_CEAD.DSP_GND_R"])
        self.assertEqual(self.checked(cell, {("DSP_R_X0Y0", "DSP_0_CEAD.DSP_VCC_R", None)})[2], [])


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "placed.json"

    def load(self, bel):
        cell = {"type": "SLICE_FFX", "parameters": {"INIT": "x", "IS_C_INVERTED": "1", "W": "00001001", "MODE": "SDP"},
                "attributes": {"X_ORIG_TYPE": "FDRE"} | ({"NEXTPNR_BEL": bel} if bel else {}),
                "connections": {"CE": [3], "SR": [4], "D": []}}
        nets = {"$PACKER_VCC_NET": {"bits": [3]}, "reset": {"bits": [4]}}
        self.file.write_text(json.dumps({"modules": {"top": {"cells": {"ff": cell}, "netnames": nets}}}))
        return placed_cells.load(self.file, Part())

    def test_a_placed_cell_has_its_tile_site_and_pins(self):
        self.assertEqual(self.load("X4Y7/SLICE_X1Y0.AFF"), [PlacedCell(
            "ff", "FDRE", {"INIT": 0, "IS_C_INVERTED": 1, "W": 9, "MODE": "SDP"}, "CLBLM_L_X0Y0", 1, 0, "AFF",
            {"CE": True, "SR": False})])
        self.assertEqual(self.load("X0Y0/PSEUDO_VCC"), [])

    def test_a_cell_without_a_place_or_off_the_part_is_an_error(self):
        for bel, message in [(None, "cell ff has no place"), ("X9Y9/SLICE_X1Y0.AFF", "where small has no tile")]:
            with self.subTest(bel), self.assertRaisesRegex(placed_cells.PlacedCellsError, message):
                self.load(bel)

    def test_two_functions_of_a_lut_are_one_lut(self):
        bels = ["X4Y7/SLICE_X1Y0.A6LUT", "X4Y7/SLICE_X1Y0.A5LUT", "X4Y7/SLICE_X1Y0.B6LUT", "X4Y7/SLICE_X0Y0.A5LUT", "X4Y7/SLICE_X1Y0.AFF", "X0Y0/PSEUDO_VCC"]
        cells = {f"c{i}": {"attributes": {"NEXTPNR_BEL": bel}} for i, bel in enumerate(bels)}
        self.file.write_text(json.dumps({"modules": {"top": {"cells": cells}}}))
        self.assertEqual(placed_cells.num_luts(self.file), 3)

    def test_nextpnr_gets_the_top_alone_with_its_settings(self):
        source = self.file.with_name("netlist.json")
        source.write_text(json.dumps({"modules": {"top": {"cells": {}}, "LUT1": {}}}))
        place_and_route.prepare(source, self.file, "top")
        top = {"cells": {}, "settings": place_and_route.SETTINGS}
        self.assertEqual(json.loads(self.file.read_text()), {"modules": {"top": top}})


if __name__ == "__main__":
    unittest.main()
