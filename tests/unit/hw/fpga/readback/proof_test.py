# SPDX-License-Identifier: Apache-2.0
"""Tests of hw/fpga/readback on a chip made by hand (fabric.py): a right configuration has no problem, and each planted fault is named."""
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[5]
sys.path.insert(0, str(ROOT))
import fabric  # noqa: E402
from hw.fpga.readback import blocks, chip, compare, features, mutation, netlist, packets, placed, proof, verilog  # noqa: E402

SITE = "SLICE_X0Y0"
AT = f"{fabric.SLICE}/{SITE}"
CLOCK = f"{fabric.SYSTEM}/PS7_X0Y0.FCLKCLK0"


def cell(name, kind, bel, inputs, ports=None, **parameters):
    return placed.Cell(name, kind, fabric.SLICE, SITE, bel, parameters, inputs, ports or {pin: [pin] for pin in inputs}, [])


def lut(name, bel, init, **pins):
    """A look-up table: pin -> (driver, port)."""
    return cell(name, "LUT2", bel, {pin: driver for pin, (driver, _) in pins.items()}, {pin: [port] for pin, (_, port) in pins.items()}, INIT=init)


def switched(pin, source):
    return f"MUX_{pin}.{source}"


# A toggle: A6LUT inverts the enable's flip-flop BFF and feeds it, and S0 of the carry chain; CARRY4 adds AX, which is AQ.
NOT_B = 0x5555555555555555  # !A1
SLICE_FLAGS = {"BFFMUX.XOR", "BFF.ZINI", "BFF.ZRST", "FFSYNC", "AFFMUX.O6", "AFF.ZINI", "AFF.ZRST", "BOUTMUX.CY", "CARRY4.BCY0"}
BOX_FLAGS = {switched("A1", fabric.out("BQ")), switched("AX", fabric.out("AQ")), switched("C1", fabric.out("BMUX"))}
CLOCK_FLAGS = {"BUFHCE.BUFHCE_X0Y0.IN_USE", "BUFHCE.BUFHCE_X0Y0.ZINV_CE"}


def right_cells():
    inputs = {"S0": f"{AT}.A6LUT.O6", "DI0": f"{AT}.AFF.Q", "S1": "1", "DI1": f"{AT}.B5LUT.O5", "CYINIT": "0", "CIN": "0"}
    return [lut("inverter", "A6LUT", "01", A1=(f"{AT}.BFF.Q", "I0")), cell("carry", "CARRY4", "CARRY4", inputs),
            cell("low", "LUT1", "B5LUT", {}, INIT="00"),
            cell("reader", "LUT1", "C6LUT", {"A1": f"{AT}.CARRY4.CO1"}, {"A1": ["I0"]}, INIT="10"),
            cell("toggle", "FDRE", "BFF", {"D": f"{AT}.CARRY4.O1", "CK": CLOCK}, INIT="0"),
            cell("delay", "FDRE", "AFF", {"D": f"{AT}.A6LUT.O6", "CK": CLOCK}, INIT="0")]


class Proof(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        fabric.database(self.folder)
        self.chip = chip.Chip(self.folder, "xc7z0")
        self.flags = {fabric.BOX: set(BOX_FLAGS), fabric.SLICE: {f"SLICEL_X0.{name}" for name in SLICE_FLAGS}, fabric.CLOCK: set(CLOCK_FLAGS)}
        self.contents = {"A": NOT_B, "B": 0xFFFFFFFF00000000, "C": 0xAAAAAAAAAAAAAAAA}
        self.cells = right_cells()
        self.vectors = {}  # of other tiles

    def decoded(self):
        tiles = {}
        for tile, flags in self.flags.items():
            found = tiles[tile] = features.TileFeatures()
            found.flags |= flags
        tiles[fabric.SLICE].vectors |= {f"SLICEL_X0.{letter}LUT.INIT": bits for letter, bits in self.contents.items() if bits}
        for tile, vectors in self.vectors.items():
            tiles[tile].vectors |= vectors
        return features.Decoded(tiles, [])

    def problems(self):
        found = netlist.Netlist(self.chip, self.decoded())
        comparison = compare.Comparison(found, compare.Index(self.cells))
        comparison.run([])
        return comparison.problems

    def expect(self, *patterns):
        problems = self.problems()
        for pattern in patterns:
            self.assertTrue(any(pattern in problem for problem in problems), f"expected '{pattern}' in {problems}")

    def slice_flags(self, remove=(), add=()):
        flags = self.flags[fabric.SLICE]
        flags -= {f"SLICEL_X0.{name}" for name in remove}
        flags |= {f"SLICEL_X0.{name}" for name in add}

    def test_a_right_configuration_has_no_problem(self):
        self.assertEqual(self.problems(), [])

    def test_a_missing_switch_leaves_a_pin_without_its_driver(self):
        self.flags[fabric.BOX].remove(switched("A1", fabric.out("BQ")))
        self.expect("net: pin A1 of inverter", "is driven by 1, expected")

    def test_a_second_switch_is_a_second_driver(self):
        self.flags[fabric.BOX].add(switched("A1", fabric.out("CQ")))
        self.expect("two drivers: INT_L_X0Y0/MUX_A1")

    def test_a_switch_that_leads_nowhere_is_an_antenna(self):
        self.flags[fabric.BOX].add(switched("D3", fabric.out("AQ")))
        self.expect("antenna: INT_L_X0Y0/MUX_D3")

    def test_a_switch_to_an_input_that_a_table_does_not_read_is_an_antenna(self):
        self.flags[fabric.BOX].add(switched("A2", fabric.out("AQ")))
        self.expect("antenna: INT_L_X0Y0/MUX_A2")

    def test_a_pin_with_another_driver_is_named(self):
        self.flags[fabric.BOX].remove(switched("AX", fabric.out("AQ")))
        self.flags[fabric.BOX].add(switched("AX", fabric.out("BQ")))
        self.expect("net: pin DI0 of carry")

    def test_a_bit_of_a_table_is_noticed_also_where_it_has_no_effect(self):
        for bit in (0, 2, 63):
            self.contents["A"] = NOT_B ^ 1 << bit
            self.expect("contents: A6LUT")

    def test_a_wrong_constant_at_s_of_a_carry_chain_is_noticed(self):
        self.contents["B"] = 0  # S1 is the constant of B6LUT
        self.expect("net: pin S1 of carry")

    def test_a_carry_chain_that_begins_with_a_floating_pin_is_noticed(self):
        self.slice_flags(add=["PRECYINIT.AX"])
        self.expect("net: pin CYINIT of carry")
        self.slice_flags(remove=["PRECYINIT.AX"], add=["PRECYINIT.CIN"])  # CIN, which nothing drives
        self.expect("net: pin CIN of carry", "floats")

    def test_a_carry_chain_whose_start_is_left_open_begins_with_a_constant(self):
        carry = next(found for found in self.cells if found.type == "CARRY4")
        for pin in ("CIN", "CYINIT"):
            del carry.inputs[pin]
        self.assertEqual(self.problems(), [])
        self.slice_flags(add=["PRECYINIT.CIN"])
        self.expect("carry: CIN of carry")

    def test_a_switch_to_a_data_input_that_a_carry_chain_does_not_use_is_an_antenna(self):
        self.flags[fabric.BOX].add(switched("CX", fabric.out("AQ")))
        self.expect("antenna: INT_L_X0Y0/MUX_CX")

    def test_a_carry_chain_that_begins_with_the_wrong_constant_is_noticed(self):
        self.slice_flags(add=["PRECYINIT.C1"])
        self.expect("net: pin CYINIT of carry")

    def test_a_carry_chain_with_the_wrong_data_input_is_noticed(self):
        self.slice_flags(remove=["CARRY4.BCY0"])
        self.expect("net: pin DI1 of carry")

    def test_the_enable_of_a_clock_buffer_must_be_a_constant_1(self):
        for change in (lambda flags: flags.add("CLK_CE.GND_WIRE"), lambda flags: flags.remove("BUFHCE.BUFHCE_X0Y0.ZINV_CE")):
            self.flags[fabric.CLOCK] = set(CLOCK_FLAGS)
            change(self.flags[fabric.CLOCK])
            self.expect("clock buffer: CE of CLK_HROW_TOP_R_X2Y0/BUFHCE_X0Y0")

    def test_a_clock_buffer_with_a_floating_enable_is_noticed(self):
        self.chip.tile_type("CLK_HROW_TOP_R").default.clear()
        self.expect("is not a constant 1, its source is None")

    def test_a_clock_buffer_must_be_in_use(self):
        self.flags[fabric.CLOCK].remove("BUFHCE.BUFHCE_X0Y0.IN_USE")
        self.expect("passes a clock and is not in use")

    def test_settings_of_flip_flops_are_compared(self):
        for name in ("BFF.ZINI", "BFF.ZRST", "FFSYNC"):
            self.slice_flags(remove=[name])
            self.expect(f"flip-flop: {name}")
        for name in ("CLKINV", "LATCH"):
            self.slice_flags(add=[name])
            self.expect(f"flip-flop: {name}")
        self.slice_flags(add=["CEUSEDMUX", "SRUSEDMUX"])
        self.flags[fabric.BOX].add(switched("CE", "GND_WIRE"))
        self.expect("net: pin CE of toggle", "net: pin SR of toggle")

    def test_an_output_multiplexer_without_a_choice_floats(self):
        self.slice_flags(remove=["BOUTMUX.CY"])
        self.expect("net: pin A1 of reader", "floats")

    def test_a_feature_that_no_cell_has_is_named(self):
        self.slice_flags(add=["D5FFMUX.IN_A"])
        self.expect("unused: CLBLM_L_X1Y0.SLICEL_X0.D5FFMUX.IN_A")

    def test_a_required_feature_that_is_missing_is_named(self):
        comparison = compare.Comparison(netlist.Netlist(self.chip, self.decoded()), compare.Index([]))
        comparison.run(["CLBLM_L_X1Y0.SLICEL_X0.CLKINV"])
        self.assertIn("required: CLBLM_L_X1Y0.SLICEL_X0.CLKINV is not set", comparison.problems)

    def test_a_net_may_pass_a_table_without_a_cell(self):
        """C1 reads the carry through DLUT, which passes its input D3."""
        self.flags[fabric.BOX] -= {switched("C1", fabric.out("BMUX"))}
        self.flags[fabric.BOX] |= {switched("C1", fabric.out("D")), switched("D3", fabric.out("BMUX"))}
        passes_a3 = 0xF0F0F0F0F0F0F0F0
        self.contents["D"] = passes_a3
        self.assertEqual(self.problems(), [])
        self.contents["D"] = passes_a3 ^ 1 << 17
        self.expect("net: pin A1 of reader")

    def test_tables_that_pass_each_other_drive_nothing(self):
        comparison = compare.Comparison(netlist.Netlist(self.chip, self.decoded()), compare.Index([]))
        passed = {f"{AT}.A6LUT.O6": f"{AT}.B6LUT.O6", f"{AT}.B6LUT.O6": f"{AT}.A6LUT.O6"}
        with mock.patch.object(comparison, "_passed", passed.get):
            comparison._check_source(self.cells[-1], "D", f"{AT}.A6LUT.O6", f"{AT}.C6LUT.O6")
        self.assertRegex(comparison.problems[0], "^net: pin D of delay")

    def test_files_that_are_no_placed_netlists_are_errors(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "placed.json"
            for text in ("{", "{}", '{"modules": {}}', '{"modules": {"top": {"cells": {"a": {}}}}}'):
                path.write_text(text)
                with self.subTest(text=text), self.assertRaisesRegex(placed.PlacedError, "placed.json: not a netlist"):
                    placed.load(self.chip, path)

    def test_each_width_of_a_block_ram_is_compared(self):
        """A RAM of 36 Kbit with a port of 9 bits: two halves of 4 bits, and an odd bit that the public tools left out."""
        self.cells.append(placed.Cell("bytes", "RAMB36E1", fabric.RAM, "RAMB36_X0Y0", "RAMB36E1", {"READ_WIDTH_A": "1001"}, {}, {}, []))
        of_half = ["IN_USE", "READ_WIDTH_A_4", *(f"ZINV_{pin}" for pin in blocks.INVERTED)]
        odd = "RAMB36.BRAM36_READ_WIDTH_A_1"
        right = {odd, *(f"RAMB18_Y{half}.{name}" for half in (0, 1) for name in of_half)}
        self.vectors = {fabric.RAM: {f"RAMB18_Y{half}.Z{name}_{port}": 0x3FFFF for half in (0, 1) for name in ("INIT", "SRVAL") for port in "AB"}}
        self.flags[fabric.RAM] = set(right)
        self.assertEqual(self.problems(), [])
        for missing, text in ((odd, f"setting: {odd}"), ("RAMB18_Y0.READ_WIDTH_A_4", "setting: READ_WIDTH_A of BRAM_L_X4Y0/RAMB18_X0Y0"),
                              ("RAMB18_Y1.READ_WIDTH_A_4", "setting: READ_WIDTH_A of BRAM_L_X4Y0/RAMB18_X0Y1")):
            self.flags[fabric.RAM] = right - {missing}
            self.expect(text)
        self.flags[fabric.RAM] = right | {"RAMB18_Y1.SDP_READ_WIDTH_36"}
        self.expect("setting: SDP_READ_WIDTH_36")
        self.flags[fabric.RAM] = set(right)
        self.vectors[fabric.RAM]["RAMB18_Y0.INIT_3F"] = 1 << 255
        self.expect("setting: INIT of BRAM_L_X4Y0/RAMB18_X0Y0")

    def text(self):
        """The Verilog of the bits, with the toggle at DATA0."""
        self.flags[fabric.BOX].add(switched("DATA0", fabric.out("BQ")))
        return verilog.verilog("bits", netlist.Netlist(self.chip, self.decoded()))

    def test_the_verilog_of_the_bits_has_all_cells_that_lead_to_the_system(self):
        text = self.text()
        self.assertIn("module bits (\n  output wire [1:0] DATA,\n  input wire [0:0] FCLKCLK\n);", text)
        toggle = re.search(r"assign DATA\[0\] = (n\d+);", text)[1]
        self.assertIn("assign DATA[1] = 1'b1;", text)  # no switch is on
        clock, data = re.search(rf"FDRE #\(.INIT\(1'b0\)\) c\d+ \(.C\((n\d+)\), .CE\(1'b1\), .D\((n\d+)\), .R\(1'b0\), .Q\({toggle}\)\);", text).groups()
        self.assertIn(f"assign {clock} = FCLKCLK[0];", text)
        carry = dict(re.findall(r"\.(\w+)\(([^)]+)\)", next(line for line in text.splitlines() if "CARRY4" in line)))
        self.assertEqual((carry["O1"], carry["CYINIT"], carry["CI"]), (data, "1'b0", "1'b0"))
        self.assertIn(f"assign {carry['S0']} = 2'h1 >> {{{toggle}}};", text)
        self.assertIn(f"assign {carry['S1']} = 1'b1;", text)
        self.assertIn(f".D({carry['S0']}), .R(1'b0), .Q({carry['DI0']}));", text)

    def test_a_table_has_the_inputs_that_have_an_effect(self):
        """A1 & A3 where A3 is 1, and A1 ^ A3."""
        self.contents["A"] = sum(1 << index for index in range(64) if index & 1 and index & 4)
        self.assertIn("= 2'h2 >> {", self.text())
        self.flags[fabric.BOX].add(switched("A3", fabric.out("AQ")))
        self.contents["A"] = sum(1 << index for index in range(64) if (index ^ index >> 2) & 1)
        self.assertRegex(self.text(), r"= 4'h6 >> \{n\d+, n\d+\};")

    def test_ports_of_a_block_ram_have_one_width_or_none(self):
        writer = verilog.Writer(netlist.Netlist(self.chip, self.decoded()))
        settings = blocks.ram_half({})
        for unused in (0, 1):
            widths = {"READ_WIDTH_A": 9, "READ_WIDTH_B": unused, "WRITE_WIDTH_A": unused, "WRITE_WIDTH_B": 9}
            found = writer._ram_parameters(settings, widths, 36)
            self.assertEqual({port: found[port] for port in widths}, {port: "9" if width == 9 else "0" for port, width in widths.items()})
        with self.assertRaisesRegex(verilog.VerilogError, r"several widths \(READ_WIDTH_A 9, others 18\)"):
            writer._ram_parameters(settings, widths | {"WRITE_WIDTH_B": 18}, 36)

    def test_what_no_model_has_is_an_error(self):
        for names, text in ((["CLKINV"], "falling clock edge"), (["LATCH"], "a latch"), (["PRECYINIT.CIN"], "CARRY4.CIN: the input floats")):
            self.slice_flags(add=names)
            with self.subTest(text=text), self.assertRaisesRegex(verilog.VerilogError, text):
                self.text()
            self.slice_flags(remove=names)

    def frames(self):
        """The frames that have these features, by the lines of the database."""
        words = {address: [0] * 101 for address in range(0x100 + 64)}
        wanted = {f"{fabric.SLICE}.SLICEL_X0.{letter}LUT.INIT[{bit}]" for letter, bits in self.contents.items() for bit in range(64) if bits >> bit & 1}
        wanted |= {f"{tile}.{flag}" for tile, flags in self.flags.items() for flag in flags}
        for region in self.chip.regions():
            for feature in self.chip.tile_type(region.kind).features["CLB_IO_CLK"]:
                name = f"{region.tile}.{feature.name}" + ("" if feature.number is None else f"[{feature.number}]")
                for bit in feature.ones if name in wanted else ():
                    words[region.base + (bit >> chip.BIT_BITS)][(bit & 0xFFF) // 32] |= 1 << bit % 32
        return {address: tuple(values) for address, values in words.items()}

    def command(self, *options, idcode=0x1234):
        """The status and the output of prove_bits on a .bit file of the frames."""
        frames = self.frames()
        data = [word for address in packets.addresses(self.chip.part) for word in frames[address]]
        words = [packets.SYNC, 3 << 28 | packets.IDCODE << 13 | 1, idcode, 3 << 28 | packets.FAR << 13 | 1, 0, 3 << 28 | packets.FDRI << 13,
                 5 << 28 | len(data), *data]
        file = self.folder / "made.bit"
        file.write_bytes(struct.pack(f">{len(words)}I", *words))
        run = subprocess.run([ROOT / "hw/fpga/prove_bits", "--database", self.folder, "--part", "xc7z0", *options, file],
                             capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr

    def test_the_command_reads_a_file_and_writes_its_verilog(self):
        self.flags[fabric.BOX].add(switched("DATA0", fabric.out("BQ")))
        self.assertEqual(self.command("--verilog", self.folder / "made.v"),
                         (0, "every bit is known; 4 switches are on, and a pin or a constant drives each\n"))
        self.assertIn("module bits_netlist", (self.folder / "made.v").read_text())

    def test_the_command_names_what_it_cannot_take(self):
        self.assertEqual(self.command(idcode=0x4321), (1, f"prove_bits: {self.folder}/made.bit: made for the device 0x00004321, xc7z0 is 0x00001234\n"))
        self.assertEqual(self.command("--flip", "3")[0], 2)
        self.slice_flags(add=["LATCH"])
        self.flags[fabric.BOX].add(switched("DATA0", fabric.out("BQ")))
        status, text = self.command("--verilog", self.folder / "none.v")
        self.assertEqual((status, "a latch" in text, (self.folder / "none.v").exists()), (1, True, False))

    def test_each_package_of_a_die_has_what_the_die_requires(self):
        (self.folder / "xc7z001clg1-1").mkdir()
        (self.folder / "xc7z001clg1-1/required_features.fasm").write_text("MID_X0Y0.ON\n")
        for part, wanted in (("xc7z001clg1-1", ["MID_X0Y0.ON"]), ("xc7z001clg22-2", ["MID_X0Y0.ON"]), ("xc7z002clg1-1", [])):
            self.assertEqual(proof.required_features(self.folder, part), wanted, part)

    def test_features_come_back_from_frames(self):
        wanted, found = self.decoded(), features.Decoder(self.chip).decode(self.frames())
        self.assertEqual(found.unexplained, [])
        for tile, tile_features in wanted.tiles.items():
            self.assertEqual((found.tiles[tile].flags, found.tiles[tile].vectors), (tile_features.flags, tile_features.vectors))

    def test_a_bit_of_no_feature_is_unexplained(self):
        frames = self.frames()
        frames[0x13F] = (0x80000000,) + frames[0x13F][1:]
        self.assertEqual(features.Decoder(self.chip).decode(frames).unexplained, [(0x13F, 0, 31)])

    def test_flipped_bits_are_noticed(self):
        subject = mutation.Subject(self.chip, self.frames(), self.cells, [])
        flips = list(mutation.Mutator(subject).flips(40, seed=7))
        self.assertEqual([flip.bit for flip in flips if not flip.noticed], [])
        self.assertEqual(len({flip.bit for flip in flips}), 40)
        with self.assertRaisesRegex(mutation.MutationError, "1000000 flips: the bitstream has [0-9]+ bits of features"):
            next(mutation.Mutator(subject).flips(1000000, seed=7))

    def test_flips_are_noticed_without_the_whole_proof(self):
        subject = mutation.Subject(self.chip, self.frames(), self.cells, [])
        mutator = mutation.Mutator(subject)
        with mock.patch.object(compare.Comparison, "run", side_effect=AssertionError("the whole netlist is compared")):
            self.assertTrue(all(flip.noticed and flip.is_local for flip in mutator.flips(len(subject.bits), seed=7)))

    def test_the_whole_proof_notices_what_is_noticed_near_a_bit(self):
        subject = mutation.Subject(self.chip, self.frames(), self.cells, [])
        mutator = mutation.Mutator(subject)
        for flip in mutator.flips(len(subject.bits), seed=7):
            with self.subTest(bit=flip.bit, noticed=flip.noticed):
                self.assertNotEqual(mutator.noticed_by_proof(flip.bit), "")


def ram(kind, **parameters):
    return placed.Cell("ram", kind, "T", "RAMB18_X0Y0", kind, {name: str(value) for name, value in parameters.items()}, {}, {}, [])


class Blocks(unittest.TestCase):
    def test_widths_of_block_rams(self):
        """A RAM of 36 Kbit with ports of 1 and 9 bits has an odd bit, which the public tools left out."""
        for width, half, is_odd in [(1, 1, 1), (2, 1, 0), (4, 2, 0), (9, 4, 1), (18, 9, 0), (36, 18, 0)]:
            with self.subTest(width=width):
                cell = ram("RAMB36E1", READ_WIDTH_A=width)
                self.assertEqual(blocks.ram_half_wanted(cell, 0)["READ_WIDTH_A"], half)
                self.assertEqual(blocks.ram_whole_wanted(cell)["RAMB36.BRAM36_READ_WIDTH_A_1"], is_odd)
                features_of_half = {f"READ_WIDTH_A_{half}": 1} if half > 1 else {}
                self.assertEqual(blocks.ram_half(features_of_half)["READ_WIDTH_A"], half)

    def test_a_wide_port_takes_both_ports_of_each_half(self):
        wanted = blocks.ram_half_wanted(ram("RAMB36E1", READ_WIDTH_A=72, WRITE_WIDTH_B=72, RAM_MODE="SDP"), 1)
        self.assertEqual([wanted[f"{way}_WIDTH_{port}"] for way in ("READ", "WRITE") for port in "AB"], [18] * 4)
        self.assertEqual((wanted["SDP_READ_WIDTH_36"], wanted["SDP_WRITE_WIDTH_36"]), (1, 1))

    def test_two_widths_at_once_are_no_width(self):
        self.assertEqual(blocks.ram_half({"READ_WIDTH_A_4": 1, "READ_WIDTH_A_9": 1})["READ_WIDTH_A"], -1)

    def test_even_bits_of_a_whole_ram_are_in_the_lower_half(self):
        cell = ram("RAMB36E1", INIT_00="0110", INIT_01="11")
        self.assertEqual(blocks.ram_half_wanted(cell, 0)["INIT"], 0b10 | 1 << 128)
        self.assertEqual(blocks.ram_half_wanted(cell, 1)["INIT"], 0b01 | 1 << 128)
        self.assertEqual(blocks.ram_half({"INIT_01": 5})["INIT"], 5 << 256)

    def test_contents_of_halves_join_to_those_of_the_whole(self):
        number = 0x123456789ABCDEF0F1E2D3C4B5A69788
        halves = [blocks.every_other(number, half) for half in (0, 1)]
        self.assertEqual(verilog.joined(*halves, 64), number)

    def test_registers_and_inversions_of_dsps(self):
        cell = placed.Cell("dsp", "DSP48E1", "T", "DSP48_X0Y0", "DSP48E1",
                           {"AREG": "0", "BREG": "2", "MREG": "0", "IS_INMODE[2]_INVERTED": "1"}, {}, {}, [])
        found = {f"Z{name}": 1 for name in ("MREG",)} | {"AREG_0": 1, "BREG_2": 1, "ZIS_INMODE_INVERTED": 0b11011, "ZIS_CLK_INVERTED": 1,
                                                         "ZIS_CARRYIN_INVERTED": 1, "ZIS_OPMODE_INVERTED": 127, "ZIS_ALUMODE_INVERTED": 15}
        self.assertEqual(blocks.dsp(found), blocks.dsp_wanted(cell))
        for name in found:
            with self.subTest(name=name):
                less = {key: value for key, value in found.items() if key != name}
                self.assertNotEqual(blocks.dsp(less), blocks.dsp_wanted(cell))

    def test_a_buffer_of_a_clock(self):
        cell = placed.Cell("buffer", "BUFGCTRL", "T", "BUFGCTRL_X0Y0", "BUFGCTRL", {"IS_CE1_INVERTED": "1"}, {}, {}, [])
        found = {"IN_USE": 1, "ZINV_CE0": 1, "ZINV_S0": 1, "ZINV_S1": 1}
        self.assertEqual(blocks.buffer(found), blocks.buffer_wanted(cell))
        self.assertNotEqual(blocks.buffer(found | {"IS_IGNORE0_INVERTED": 1}), blocks.buffer_wanted(cell))


if __name__ == "__main__":
    unittest.main()
