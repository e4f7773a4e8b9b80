# SPDX-License-Identifier: Apache-2.0
"""Tests of hw/fpga/timing on small netlists that are written here, with delays computed by hand."""
import json
import pathlib
import re
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[5]
sys.path.insert(0, str(ROOT))
import netlist_cells  # noqa: E402
from hw.fpga.flow import (blocks, cell_delays, fan_out, golden, harness, net_delays, net_fit, netlist,  # noqa: E402
                          nextpnr_report, replication, source_map, static_timing, timing_report, tools)

OUTPUTS = {"Q", "O", "CO", "P", "PCOUT", "DOADO", "DOBDO", "DOA"}
NETS = {"base": 0.5, "doubling": 0.25}
TO_Q = 0.456
FF_D = -0.052


def cell(kind, parameters=None, source="", **connections):
    return netlist_cells.cell(kind, OUTPUTS, parameters, source, **connections)


def module(cells, names=None, ports=None):
    """`names`: net name -> bits; `ports`: name -> (direction, bits)."""
    entries = {name: {"bits": bits, "hide_name": 0, "attributes": {}} for name, bits in (names or {}).items()}
    return {"cells": cells, "netnames": entries,
            "ports": {name: {"direction": direction, "bits": bits} for name, (direction, bits) in (ports or {}).items()}}


def timing_of(cells, names=None, ports=None, model=None):
    return static_timing.Timing(netlist.Netlist("top", module(cells, names, ports)), model or net_delays.Model({}, NETS))


def register(d, q, **more):
    return cell("FDRE", C=1, D=d, Q=q, CE="1", R="0", **more)


class Netlists(unittest.TestCase):
    def test_a_cell_of_yosys_is_refused_as_not_mapped(self):
        with self.assertRaisesRegex(netlist.NetlistError, "cell a of type \\$and is not mapped"):
            netlist.Netlist("top", module({"a": cell("$and", A=2, O=3)}))

    def test_two_drivers_of_a_net_are_refused(self):
        with self.assertRaisesRegex(netlist.NetlistError, "a and b drive one net"):
            netlist.Netlist("top", module({"a": register(2, 3), "b": register(2, 3)}))

    def test_a_net_has_the_name_that_is_deepest_in_the_hierarchy(self):
        loaded = netlist.Netlist("top", module({"a": register(2, 3)}, {"queue_data": [9, 3], "i_alu.x": [3]}))
        self.assertEqual(loaded.nets[3].name(), "i_alu.x")

    def test_the_bit_of_a_bus_is_part_of_a_name(self):
        loaded = netlist.Netlist("top", module({"a": register(2, 3)}, {"data": [9, 3]}))
        self.assertEqual(loaded.nets[3].name(), "data[1]")

    def test_a_file_that_is_not_a_netlist_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "x.json"
            for text in ["", "[]", "{}", '{"modules": {}}']:
                file.write_text(text)
                with self.assertRaisesRegex(netlist.NetlistError, "x.json"):
                    netlist.load(file)


class Estimate(unittest.TestCase):
    def test_vta_hlsc_has_the_terms_of_the_table(self):
        source = (ROOT / "hw/hlsc/estimate/register_times.cc").read_text()
        constants = dict(re.findall(r"(k\w+Ns) = (-?[\d.]+)", source))
        table = json.loads(net_delays.TABLE.read_text())["ns"]
        terms = {"base": "kBaseNs", "doubling": "kDoublingNs", "size": "kSizeNs", "from DSP48E1": "kFromProductNs",
                 "from RAMB": "kFromBlockRamNs", "from other": "kFromOtherNs", "to CARRY4": "kToCarryNs", "to DSP48E1": "kToProductNs"}
        self.assertEqual({term: float(constants[name]) for term, name in terms.items()}, {term: table[term] for term in terms})


class FanOut(unittest.TestCase):
    """A register that selects in 80 LUTs before registers; each quarter of them leads to a block RAM."""

    def setUp(self):
        self.cells = {"select": register("0", 2)}
        for i in range(80):
            self.cells[f"lut{i}"] = cell("LUT2", I0=2, I1="0", O=100 + i)
            self.cells[f"d{i}"] = register(100 + i, 200 + i)
        for ram in range(4):
            self.cells[f"ram{ram}"] = cell("RAMB36E1", DIADI=[200 + i for i in range(80) if i % 4 == ram])
        self.document = {"modules": {"top": module(self.cells)}}

    def drivers(self):
        """The register that drives each LUT."""
        driver = {entry["connections"]["Q"][0]: name for name, entry in self.cells.items() if entry["type"] == "FDRE"}
        return [driver[self.cells[f"lut{i}"]["connections"]["I0"][0]] for i in range(80)]

    def test_each_copy_takes_the_sinks_of_its_block_rams(self):
        self.assertEqual(fan_out.split(self.document, "top"), 1)
        drivers = self.drivers()
        self.assertEqual([driver == "select" for driver in drivers], [i % 4 < 2 for i in range(80)])
        (copy,) = set(drivers) - {"select"}
        self.assertEqual(self.cells[copy]["connections"]["D"], ["0"])
        self.assertEqual(fan_out.split(self.document, "top"), 0)

    def test_a_block_ram_counts_as_several_sinks(self):
        cells = {"select": register("0", 2), **{f"ram{i}": cell("RAMB36E1", ENARDEN=2) for i in range(24)}}
        document = {"modules": {"top": module(cells)}}
        self.assertEqual(fan_out.split(document, "top"), 1)
        self.assertEqual(len({cells[f"ram{i}"]["connections"]["ENARDEN"][0] for i in range(12)}), 1)
        self.assertEqual(len({cells[f"ram{i}"]["connections"]["ENARDEN"][0] for i in range(24)}), 2)

    def test_resets_and_ports_of_the_top_stay_whole(self):
        cells = {"rst": register("0", 2), **{f"d{i}": cell("FDRE", C=1, D="0", Q=100 + i, CE="1", R=2) for i in range(80)}}
        self.assertEqual(fan_out.split({"modules": {"top": module(cells)}}, "top"), 0)
        self.document["modules"]["top"]["ports"] = {"out": {"direction": "output", "bits": [2]}}
        self.assertEqual(fan_out.split(self.document, "top"), 0)


class Replication(unittest.TestCase):
    """A register that drives a path of two LUTs and the data pins of 16 registers."""

    def setUp(self):
        cells = {"start": register("0", 2), "l1": cell("LUT2", I0=2, I1="0", O=3), "l2": cell("LUT2", I0=3, I1="0", O=4),
                 "end": register(4, 5), **{f"b{i}": register(2, 10 + i) for i in range(16)}}
        self.document = {"modules": {"top": module(cells)}}
        self.model = net_delays.Model({}, NETS)

    def worst_ns(self):
        timing = static_timing.Timing(netlist.Netlist("top", self.document["modules"]["top"]), self.model)
        return timing.endpoints[0].required_ns

    def test_a_copy_takes_the_sinks_with_the_least_slack(self):
        before_ns = self.worst_ns()
        period_ns = before_ns - 0.5
        self.assertEqual(replication.replicate(self.document, "top", lambda _: self.model, period_ns), 1)
        self.assertLessEqual(self.worst_ns(), period_ns)
        cells = self.document["modules"]["top"]["cells"]
        (twin,) = (cells[name] for name in cells if name.startswith("start_copy"))
        self.assertEqual(twin["connections"]["D"], cells["start"]["connections"]["D"])
        self.assertEqual(cells["l1"]["connections"]["I0"], twin["connections"]["Q"])
        self.assertEqual([cells[f"b{i}"]["connections"]["D"] for i in range(16)], [[2]] * 16)

    def test_a_netlist_that_meets_the_period_stays_as_it_is(self):
        before = json.dumps(self.document)
        self.assertEqual(replication.replicate(self.document, "top", lambda _: self.model, self.worst_ns()), 0)
        self.assertEqual(json.dumps(self.document), before)

    def test_slack_of_a_pin_is_that_of_the_worst_path_through_it(self):
        timing = static_timing.Timing(netlist.Netlist("top", self.document["modules"]["top"]), self.model)
        slacks = replication.sink_slacks(timing, 10.0)
        for pin in [("l1", "I0", 0), ("l2", "I0", 0), ("end", "D", 0)]:
            self.assertAlmostEqual(slacks[pin], 10.0 - self.worst_ns())
        self.assertGreater(slacks["b0", "D", 0], slacks["l1", "I0", 0])


class Blocks(unittest.TestCase):
    def test_a_lut_belongs_to_the_block_of_most_of_its_sinks(self):
        cells = {"l": cell("LUT1", I0=2, O=3), "k": cell("LUT1", I0=9, O=2), **{f"r{i}": register(3, 10 + i) for i in range(3)}}
        names = {"i_alu.x": [10, 11], "i_gemm.y": [12]}
        found = blocks.blocks(netlist.Netlist("top", module(cells, names)))
        self.assertEqual((found["l"], found["k"], found["r2"]), ("i_alu", "i_alu", "i_gemm"))

    def test_the_blocks_of_a_process_are_the_process(self):
        cells = {f"r{i}": register("0", 10 + i) for i in range(3)}
        names = {"vta.i_alu.fifo.x": [10], "vta.i_alu.y": [11], "vta.queue.z": [12]}
        self.assertEqual(list(blocks.blocks(netlist.Netlist("top", module(cells, names))).values()),
                         ["vta.i_alu", "vta.i_alu", "vta.queue"])

    def test_nets_of_a_large_block_take_longer(self):
        model = net_delays.Model({"a": 3.0}, NETS | {"size": 0.1})
        worst = timing_of({"a": register("0", 2), "b": register(2, 3)}, model=model).endpoints[0]
        self.assertAlmostEqual(worst.required_ns, TO_Q + 0.5 + 0.3 + cell_delays.BYPASS_NS + FF_D)


class Paths(unittest.TestCase):
    def test_register_to_register_is_clock_to_output_net_bypass_and_setup(self):
        worst = timing_of({"a": register("0", 2), "b": register(2, 3)}).endpoints[0]
        self.assertAlmostEqual(worst.required_ns, TO_Q + 0.5 + cell_delays.BYPASS_NS + FF_D)

    def test_a_lut_shares_the_slice_of_the_register_after_it(self):
        timing = timing_of({"a": register("0", 2), "l": cell("LUT2", I0=2, I1="0", O=3), "b": register(3, 4)})
        self.assertAlmostEqual(timing.endpoints[0].required_ns, TO_Q + 0.5 + 0.124 + 0.02 + FF_D)

    def test_a_net_takes_longer_with_each_doubling_of_its_fan_out(self):
        cells = {f"b{i}": register(2, 10 + i) for i in range(8)}
        worst = timing_of({"a": register("0", 2), **cells}).endpoints[0]
        self.assertAlmostEqual(worst.required_ns, TO_Q + 0.5 + 3 * 0.25 + cell_delays.BYPASS_NS + FF_D)

    def test_registers_of_a_slice_share_a_control_pin(self):
        cells = {f"b{i}": cell("FDRE", C=1, D="0", Q=10 + i, CE=2, R="0") for i in range(8)}
        self.assertEqual(net_delays.fan_out(timing_of({"a": register("0", 2), **cells}).netlist.nets[2]), 2)

    def test_a_carry_chain_has_wires_of_its_own(self):
        low = cell("CARRY4", CI="0", CYINIT="0", DI=["0"] * 4, S=[3, "0", "0", "0"], O=[20, 21, 22, 23], CO=[24, 25, 26, 27])
        high = cell("CARRY4", CI=27, CYINIT="0", DI=["0"] * 4, S=["0"] * 4, O=[30, 31, 32, 33], CO=[34, 35, 36, 37])
        timing = timing_of({"a": register("0", 2), "l": cell("LUT2", I0=2, I1="0", O=3), "low": low, "high": high,
                            "b": register(31, 40)})
        s_to_co = 0.508 + 0.024
        self.assertAlmostEqual(timing.endpoints[0].required_ns,
                               TO_Q + 0.5 + 0.124 + 0.02 + s_to_co + 0.06 + 0.334 + 0.02 + FF_D)
        self.assertEqual([step.cell.type for step in timing.path(timing.endpoints[0])], ["FDRE", "LUT2", "CARRY4", "CARRY4"])

    def test_a_register_in_front_of_a_carry_chain_passes_a_lut(self):
        chain = cell("CARRY4", CI="0", CYINIT="0", DI=["0"] * 4, S=[2, "0", "0", "0"], O=[20, 21, 22, 23], CO=[24, 25, 26, 27])
        timing = timing_of({"a": register("0", 2), "c": chain, "b": register(20, 40)})
        self.assertAlmostEqual(timing.endpoints[0].required_ns, TO_Q + 0.5 + 0.124 + 0.223 + 0.024 + 0.02 + FF_D)

    def test_the_path_is_the_slowest_of_several(self):
        timing = timing_of({"a": register("0", 2), "x": cell("LUT1", I0=2, O=3), "y": cell("LUT2", I0=2, I1=3, O=4), "b": register(4, 5)},
                           {"begin": [2], "middle": [3], "end": [4]})
        path = timing.path(timing.endpoints[0])
        self.assertEqual([step.net.name() for step in path], ["begin", "middle", "end"])
        self.assertEqual([step.input for step in path], ["", "I0", "I1"])
        total = sum(step.cell_ns + step.net_ns for step in path) + timing.endpoints[0].setup_ns
        self.assertAlmostEqual(total, timing.endpoints[0].required_ns)

    def test_a_combinational_loop_is_an_error_with_its_net(self):
        with self.assertRaisesRegex(static_timing.TimingError, "loops: around"):
            timing_of({"x": cell("LUT1", I0=3, O=2), "y": cell("LUT1", I0=2, O=3)}, {"around": [3]})

    def test_a_cell_without_delays_is_an_error_with_its_type(self):
        with self.assertRaisesRegex(cell_delays.UnknownCellError, "MMCME2_ADV"):
            timing_of({"x": cell("MMCME2_ADV", I0=3)})

    def test_axi_ports_of_the_top_have_the_delays_of_the_processing_system(self):
        timing = timing_of({"b": register(2, 3)}, {"load_port_rdata": [2], "x_wvalid": [3]},
                           {"load_port_rdata": ("input", [2]), "x_wvalid": ("output", [3])})
        required = sorted(end.required_ns for end in timing.endpoints)
        self.assertAlmostEqual(required[0], TO_Q + cell_delays.PS7_PORT_NS)
        self.assertAlmostEqual(required[1], cell_delays.PS7_TO_PORT_NS + 0.5 + cell_delays.BYPASS_NS + FF_D)


def dsp(**parameters):
    registers = dict.fromkeys(("AREG", "BREG", "CREG", "DREG", "ADREG", "MREG", "PREG"), 0)
    ports = dict.fromkeys("ABCD", False) | {"P": True}
    return cell_delays.arcs_of("DSP48E1", registers | {"USE_MULT": "MULTIPLY", "USE_DPORT": "FALSE"} | parameters, ports)


class Cells(unittest.TestCase):
    def test_a_block_ram_is_faster_with_its_output_register(self):
        self.assertEqual(cell_delays.arcs_of("RAMB36E1", {"DOA_REG": 0, "DOB_REG": 1}, {}).launches,
                         {"DOADO": 2.454, "DOPADOP": 2.454, "DOBDO": 0.882, "DOPBDOP": 0.882})

    def test_the_data_of_a_read_first_block_ram_may_come_later(self):
        arcs = cell_delays.arcs_of("RAMB18E1", {"WRITE_MODE_A": "READ_FIRST", "WRITE_MODE_B": "WRITE_FIRST"}, {})
        self.assertEqual((arcs.setups["DIADI"], arcs.setups["DIBDI"]), (0.241, 0.737))

    def test_a_dsp_without_registers_is_a_way_through_the_multiplier(self):
        arcs = dsp()
        self.assertEqual((arcs.through["A", "P"], arcs.through["B", "P"], arcs.through["C", "P"]), (3.841, 3.656, 1.820))
        self.assertNotIn("A", arcs.setups)
        self.assertNotIn("P", arcs.launches)

    def test_the_first_register_of_a_dsp_ends_a_path(self):
        self.assertEqual([dsp(**{name: 1}).setups["A"] for name in ("AREG", "MREG", "PREG")], [0.362, 1.928, 3.722])
        self.assertEqual(dsp(MREG=1, USE_DPORT="TRUE").setups["D"], 3.158)

    def test_the_last_register_of_a_dsp_starts_a_path(self):
        self.assertEqual([dsp(**{name: 1}).launches["P"] for name in ("AREG", "MREG", "PREG")], [4.009, 2.305, 0.434])

    def test_a_product_in_a_register_leaves_the_way_from_the_addend(self):
        arcs = dsp(MREG=1)
        self.assertEqual(arcs.through["C", "P"], 1.820)
        self.assertNotIn(("A", "P"), arcs.through)

    def test_the_processing_system_starts_and_ends_paths(self):
        arcs = cell_delays.arcs_of("PS7", {}, {"SAXIHP0RDATA": True, "SAXIHP0ARADDR": False, "SAXIHP0ACLK": False, "FCLKCLK": True})
        self.assertEqual((list(arcs.launches), list(arcs.setups)), (["SAXIHP0RDATA"], ["SAXIHP0ARADDR"]))

    def test_delays_equal_the_database(self):
        try:
            folder = tools.database() / "zynq7/timings"
        except tools.ToolError as error:
            self.skipTest(str(error))

        def slow(file, kind, pin):
            text = (folder / file).read_text().split(f'(CELLTYPE "{kind}")')[1].split("(CELLTYPE")[0]
            return float(re.search(rf"{pin}[^(]*(?:\(posedge \w+\) )?(?:\([-\d.:]+\))?\([-\d.]+::([-\d.]+)\)\)", text)[1])

        for expected, *place in [
                (cell_delays.LUT_NS, "slicel.sdf", "LUT6", "IOPATH A1 O6"),
                (0.340, "slicel.sdf", "REG_INIT_FF", "IOPATH CLK Q"),
                (0.114, "slicel.sdf", "CARRY4", "IOPATH CIN CO3"), (0.508, "slicel.sdf", "CARRY4", "IOPATH S0 CO3"),
                (3.841, "DSP_L.sdf", "DSP48E1_AREG_0_A_INPUT_DIRECT_MREG_0_PREG_0_USE_DPORT_FALSE_USE_MULT_MULTIPLY", "IOPATH A P"),
                (2.305, "DSP_L.sdf", "DSP48E1_MREG_1_PREG_0", "IOPATH CLK P"), (0.434, "DSP_L.sdf", "DSP48E1_PREG_1", "IOPATH CLK P"),
                (1.928, "DSP_L.sdf", "DSP48E1_AREG_0_A_INPUT_DIRECT_MREG_1_USE_DPORT_FALSE_USE_MULT_MULTIPLY", "SETUP A"),
                (0.566, "BRAM_L.sdf", "RAMBFIFO36E1", "SETUP ADDRAU"),
                (2.454, "BRAM_L.sdf", "RAMBFIFO36E1RAM_MODE_U_RAMB18TDP_U_DOA_REG_U_0_EN_ECC_READ_FALSE", "IOPATH CLKARDCLKU DOADOU"),
                (cell_delays.PS7_TO_PORT_NS, "PSS2.sdf", "PS7", "IOPATH SAXIHP0ACLK SAXIHP0RDATA")]:
            with self.subTest(place):
                self.assertAlmostEqual(expected, slow(*place), places=3)


REPORT = {"processes": [{"name": "alu", "nests": [{"loops": ["outer", "inner"]}], "operations": [
    {"loop": "inner", "part": "body", "stage": 1, "ready_ns": 4.6, "estimated_ns": 4.1, "value": 181, "operation": "add 'add.i77'", "place": "./hw/core/alu.h:221"},
    {"loop": "body", "part": "body", "step": 3, "ready_ns": 2.0, "value": 9, "operation": "eq", "place": "-"}]}]}


class Sources(unittest.TestCase):
    def setUp(self):
        self.sources = source_map.SourceMap(REPORT, "Core")

    def test_a_register_of_a_pipeline_has_its_operation_stage_and_line(self):
        place = self.sources.of_name("i_alu.add_i77_181_p2")
        self.assertEqual((place.block, place.stage, place.operation, place.line, place.scheduled_ns, place.is_first),
                         ("alu", "nest 0, stage 1", "add 'add.i77'", "hw/core/alu.h:221", 4.6, True))

    def test_later_copies_of_a_value_are_not_its_first_register(self):
        self.assertFalse(self.sources.of_name("i_alu.add_i77_181_p3").is_first)

    def test_a_value_kept_after_a_state_has_its_step(self):
        place = self.sources.of_name("i_alu.x_9_c")
        self.assertEqual((place.stage, place.line, place.is_first), ("body, step 3", "", True))

    def test_control_of_a_nest_has_its_nest(self):
        self.assertEqual(self.sources.of_name("i_alu.n0_v3").stage, "nest 0, stage 3")
        self.assertEqual(self.sources.of_name("i_alu.n0_level").stage, "nest 0")

    def test_an_instance_that_is_not_a_process_is_a_block_of_its_own(self):
        self.assertEqual(self.sources.of_name("load_fifo.head")[:2], ("load_fifo", "head"))

    def test_names_of_a_process_alone_have_no_instance(self):
        place = source_map.SourceMap(REPORT, "Core_alu").of_name("add_i77_181_p2")
        self.assertEqual((place.block, place.line), ("alu", "hw/core/alu.h:221"))

    def test_a_cell_without_a_name_has_its_line_of_verilog_and_that_line_its_comment(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "core.sv").write_text(
                "  wire add_i77_181_n0_1 = a + b;\n  wire n0_go = x & y;  // hw/core/alu.h:217\n")
            sources = source_map.SourceMap(REPORT, "Core", folder)
            self.assertEqual(sources.of_line("$flatten\\i_alu.$add$core.sv:1$22", "alu").line, "hw/core/alu.h:221")
            self.assertEqual(sources.of_line("core.sv:2", "alu").line, "hw/core/alu.h:217")
            self.assertIsNone(sources.of_line("core.sv:3", "alu"))


class Reports(unittest.TestCase):
    def report(self):
        lanes = {f"b{i}": register(3, 10 + i) for i in range(2)}
        cells = {"a": register("0", 2), "l": cell("LUT2", I0=2, I1="0", O=3), **lanes}
        names = {"i_alu.x_9_c": [2], "i_alu.add_i77_181_p2": [10, 11], "y": [99]}
        return timing_report.Report(timing_of(cells, names), source_map.SourceMap(REPORT, "Core"), 1.0)

    def test_bits_of_a_register_are_one_path(self):
        paths = self.report().paths(10)
        self.assertEqual([path["end"]["name"] for path in paths], ["add_i77_181_p2"])
        self.assertAlmostEqual(paths[0]["logic_ns"] + paths[0]["net_ns"], paths[0]["required_ns"], places=2)

    def test_a_block_has_its_worst_path_and_how_many_are_too_long(self):
        worst, over, endpoints = self.report().blocks()["alu"]
        self.assertGreater(worst, 1.0)
        self.assertEqual((over, endpoints), (2, 2))

    def test_a_stage_is_compared_with_its_estimate(self):
        row, = self.report().stages()
        self.assertEqual((row["process"], row["stage"], row["scheduled_ns"], row["estimated_ns"], row["within"]),
                         ("alu", "nest 0, stage 1", 4.6, 4.1, False))

    def test_the_text_has_the_line_of_the_worst_register(self):
        self.assertRegex(self.report().text(3, None, False, True), r"to alu.add_i77_181_p2  nest 0, stage 1 .*hw/core/alu.h:221")

    def test_resources_count_four_luts_for_a_lut_ram(self):
        loaded = netlist.Netlist("top", module({"r": cell("RAM32M", DOA=2), "l": cell("LUT6", O=3), "f": register(2, 4)}))
        self.assertEqual(golden.resources(loaded), {"lut": 5, "ff": 1, "dsp48e1": 0, "ramb36": 0, "ramb18": 0})


class RoutedGolden(unittest.TestCase):
    sha256 = "ab12"
    SUMMARY = {"seed": 2, "seeds": {"2": [80.0, 60.0]}, "cells": {"FDRE": 3}, "added": 1, "bits": 9, "routed_mhz": 80.0, "period_ns": 10.0, "worst_setup_ns": 0.1,
               "worst_hold_ns": 0.01, "hold_violations": 0, "unchecked_endpoints": 0,
               "resources": {"lut": 7, "ff": 3, "dsp48e1": 0, "ramb36": 0, "ramb18": 0}}

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for module, name, value in ((golden, "FOLDER", pathlib.Path(folder.name)), (golden.synthesis, "yosys_version", lambda: "1"),
                                    (golden.tools, "nextpnr_version", lambda: "2"),
                                    (golden.synthesis, "verilog_sha256", lambda core, period_ns: self.sha256 if period_ns == 10 else f"{self.sha256}-{period_ns:g}")):
            patch = mock.patch.object(module, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def test_a_build_is_kept_beside_the_other_figures(self):
        golden.write("x", {"worst_ns": 8.0, "routed_mhz": 50.0})
        golden.write("x", golden.with_routed("x", self.SUMMARY))
        kept = golden.read("x")
        self.assertEqual((kept["worst_ns"], kept["routed_mhz"], kept["routed"]["bits"]), (8.0, 80.0, 9))
        self.assertEqual(kept["routed"]["tools"], {"yosys": "1", "nextpnr": "2"})
        self.assertEqual(kept["routed"]["resources"]["lut"], 7)

    def test_the_figures_are_those_of_one_verilog(self):
        golden.write("x", golden.with_routed("x", self.SUMMARY))
        self.assertEqual(golden.read("x")["routed"]["verilog_sha256"], "ab12")
        self.assertEqual(golden.stale("x"), [])
        self.sha256 = "cd34"
        self.assertRegex(golden.stale("x")[0], "x.json: routed_mhz is of other Verilog")

    def test_the_hash_is_of_the_schedule_that_was_routed(self):
        golden.write("x", golden.with_routed("x", self.SUMMARY | {"schedule_ns": 8.0}))
        routed = golden.read("x")["routed"]
        self.assertEqual((routed["schedule_ns"], routed["verilog_sha256"]), (8.0, "ab12-8"))
        self.assertEqual(golden.stale("x"), [])

    def test_vta_hlsc_schedules_for_the_period(self):
        commands = []

        def run(command, **_):
            commands.append(" ".join(map(str, command)))
            return mock.Mock(returncode=0, stdout="{}")
        with mock.patch.object(golden.synthesis.subprocess, "run", run), tempfile.TemporaryDirectory() as build:
            (pathlib.Path(build) / "bin").mkdir()
            (pathlib.Path(build) / "bin/vta-hlsc").touch()
            with mock.patch.object(golden.synthesis, "RELEASE", pathlib.Path(build)):
                golden.synthesis.verilog_of_fields({"batch": 1}, pathlib.Path(build), 8.0)
                golden.synthesis.verilog_of_fields({"batch": 1}, pathlib.Path(build))
        self.assertIn(" --period 8 ", commands[0])
        self.assertIn(" --period 10 ", commands[1])

    def test_figures_without_a_hash_are_stale_and_a_core_that_is_not_routed_is_not(self):
        golden.write("x", {"routed_mhz": 80.0, "routed": {"seed": 1}})
        self.assertEqual(len(golden.stale("x")), 1)
        golden.write("x", {"worst_ns": 8.0})
        self.assertEqual(golden.stale("x"), [])

    def test_a_slower_clock_is_a_problem(self):
        golden.write("x", golden.with_routed("x", self.SUMMARY))
        self.assertEqual(golden.routed_problems("x", self.SUMMARY | {"routed_mhz": 79.0}), [])
        self.assertEqual(golden.routed_problems("x", self.SUMMARY | {"routed_mhz": 70.0}),
                         ["routed at 70.00 MHz, 80.00 MHz in hw/fpga/boards/timing/x.json"])

    def test_a_core_without_figures_is_a_problem(self):
        self.assertRegex(golden.routed_problems("x", self.SUMMARY)[0], "no routed_mhz in .*x.json")


def routed_report(**more):
    """A path of 3 ns from register a to register b."""
    steps = [("clk-to-q", 0.35, "a", "Q"), ("routing", 1.5, "l", "A1"), ("logic", 0.125, "l", "O6"), ("routing", 0.925, "b", "D"),
             ("setup", 0.1, "b", "D")]
    path = [{"type": kind, "delay": ns, "to": {"cell": cell, "port": port}} for kind, ns, cell, port in steps]
    return {"critical_paths": [{"from": "posedge clk", "to": "posedge clk", "path": path}], **more}


class Routed(unittest.TestCase):
    CELLS = {"a": register("0", 2), "\\l": cell("LUT2", I0=2, I1="0", O=3), "k": cell("LUT2", I0=3, I1="0", O=5), "b": register(5, 4)}

    def load(self, contents):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "x.json"
            file.write_text(json.dumps(contents))
            return nextpnr_report.load(file)

    def test_the_critical_path_has_its_period_and_its_register(self):
        found = self.load(routed_report())
        self.assertAlmostEqual(found.period_ns, 3.0)
        self.assertAlmostEqual(found.required_ns["b", "D"], 2.9 + (TO_Q - 0.35) + FF_D)

    def test_detailed_arrivals_are_without_the_way_of_the_clock(self):
        ends = [{"cell": "b", "port": "D", "delay": [1.0, 3.8]}, {"cell": "c", "port": "SR", "delay": [1.0, 1.9]}]
        found = self.load(routed_report(detailed_net_timings=[{"endpoints": ends}]))
        self.assertAlmostEqual(found.required_ns["b", "D"], 2.9 + (TO_Q - 0.35) + FF_D)
        self.assertAlmostEqual(found.required_ns["c", "SR"], 1.0 + (TO_Q - 0.35) + cell_delays.FF_R_NS)

    def test_a_file_that_is_not_a_report_is_an_error(self):
        for contents in [[], {}, {"critical_paths": []}, {"critical_paths": [{"from": "a", "to": "a", "path": []}]}]:
            with self.assertRaisesRegex(nextpnr_report.ReportError, "x.json"):
                self.load(contents)

    def test_the_fit_finds_the_delay_of_the_only_kind_of_net(self):
        design = net_fit.Design("d", netlist.Netlist("top", module(self.CELLS)), self.load(routed_report()))
        values = net_fit.fit([design], net_delays.Model({}, NETS).values)
        quality = net_fit.quality(design, values)
        self.assertLess(quality.rms, 0.02)
        self.assertAlmostEqual(quality.routed_ns, 2.9 + (TO_Q - 0.35) + FF_D)

    def test_cells_without_known_delays_end_every_path(self):
        cells = {"d": cell("DSP48E1", {"MREG": 1, "PREG": 0}, P=2), "b": register(2, 3)}
        loaded = netlist.Netlist("top", module(cells))
        model = net_delays.Model({}, NETS)
        through = static_timing.Timing(loaded, model).endpoints[0].required_ns
        without = static_timing.Timing(loaded, model, {"DSP48E1"}).endpoints[0].required_ns
        self.assertAlmostEqual(through - without, 2.305)


class Harness(unittest.TestCase):
    VERILOG = "module Core_x (\n  input wire clk,\n  input wire [7:0] a,\n  output reg [2:0] b,\n  output wire c\n);\nendmodule\n"

    def test_every_port_but_the_clock_is_connected_to_a_register(self):
        ports = harness.ports_of(self.VERILOG, "Core_x")
        self.assertEqual(ports, [("input", "clk", 1), ("input", "a", 8), ("output", "b", 3), ("output", "c", 1)])
        self.assertIn("Core_x i_x (.clk(clk_pin), .a(inputs[7:0]), .b(outputs[2:0]), .c(outputs[3:3]));",
                      harness.verilog_around("Core_x", ports))

    def test_a_module_that_is_missing_is_an_error(self):
        with self.assertRaisesRegex(harness.HarnessError, "no module Core_y"):
            harness.ports_of(self.VERILOG, "Core_y")


class Table(unittest.TestCase):
    def test_the_table_of_net_delays_has_known_terms_that_are_not_negative(self):
        values = json.loads(net_delays.TABLE.read_text())["ns"]
        self.assertLessEqual(set(values), set(net_delays.TERMS))
        self.assertGreaterEqual(min(values.values()), 0)


if __name__ == "__main__":
    unittest.main()
