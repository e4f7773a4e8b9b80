# SPDX-License-Identifier: Apache-2.0
"""Tests of hw/fpga/flow on a database of one small part that this test writes."""
import datetime
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[5]
sys.path.insert(0, str(ROOT))
from hw.fpga.flow import bit_file, database, fasm, frames  # noqa: E402

PART = "xc7z001clg1-1"


def write_database(root):
    family = root / "small"
    for folder in [PART, "xc7z001", "mapping"]:
        (family / folder).mkdir(parents=True)
    (family / PART / "part.json").write_text("{}")
    (family / PART / "required_features.fasm").write_text("MID_X0Y0.ON\n")
    (family / "mapping/devices.yaml").write_text('# device to fabric\n"xc7z001":\n  fabric: "xc7z001"\n')

    def tile(kind, base, offset, block="CLB_IO_CLK", **more):
        return {"type": kind, "bits": {block: {"baseaddr": base, "frames": 36, "offset": offset, "words": 2, **more}}}

    ram = tile("RAM_L", "0x00400000", 0)
    ram["bits"]["BLOCK_RAM"] = {"baseaddr": "0x00800000", "frames": 128, "offset": 10, "words": 10}
    alias = {"type": "IOB", "start_offset": 2, "sites": {"IOB_Y0": "IOB_Y1"}}
    (family / "xc7z001/tilegrid.json").write_text(json.dumps({
        "CLB_X0Y0": tile("CLB", "0x00000100", 4), "CLB_X0Y1": tile("CLB", "0x00000100", 6), "RAM_L_X1Y0": ram,
        "IOB_SING_X2Y0": tile("IOB_SING", "0x00000200", 0, alias=alias), "MID_X0Y0": tile("MID", "0x00000300", 0)}))
    (family / "segbits_clb.db").write_text(
        "CLB.LUT.INIT[00] 32_14\nCLB.LUT.INIT[01] 33_14\nCLB.MUX.A 30_40 !31_40\nCLB.MUX.B !30_40 31_40\n")
    (family / "ppips_clb.db").write_text("CLB.OUT.IN always\n")
    (family / "segbits_ram_l.db").write_text("RAM_L.WIDTH_18 27_00\n")
    (family / "segbits_ram_l.block_ram.db").write_text("RAM_L.INIT_00[007] 02_33\n")
    (family / "segbits_iob.db").write_text("IOB.IOB_Y1.PULLUP 38_70\n")
    (family / "segbits_mid.db").write_text("MID.ON 01_01\n")


class Fpga(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        write_database(self.root)
        self.part = database.Part(self.root, PART)

    def assembled(self, *lines):
        problems = []
        made = frames.assemble(self.part, lines, "in.fasm", problems)
        return made, problems

    def test_a_feature_sets_the_bits_of_its_tile_and_what_the_part_requires_is_set_too(self):
        made, problems = self.assembled("CLB_X0Y1.MUX.A")
        self.assertEqual(problems, [])
        self.assertEqual(made.set_bits(), {(0x100 + 30, 7, 8), (0x300 + 1, 0, 1)})

    def test_a_vector_sets_one_bit_for_each_one_of_its_value(self):
        made, _ = self.assembled("CLB_X0Y0.LUT.INIT[1:0] = 2'b10")
        self.assertIn((0x100 + 33, 4, 14), made.set_bits())
        self.assertNotIn((0x100 + 32, 4, 14), made.set_bits())

    def test_contents_of_a_block_ram_are_in_its_other_block(self):
        made, _ = self.assembled("RAM_L_X1Y0.INIT_00[7] = 1'b1", "RAM_L_X1Y0.WIDTH_18")
        self.assertLessEqual({(0x800002, 11, 1), (0x400000 + 27, 0, 0)}, made.set_bits())

    def test_a_tile_at_an_edge_uses_the_bits_of_the_tile_type_that_describes_it(self):
        made, problems = self.assembled("IOB_SING_X2Y0.IOB_Y0.PULLUP")
        self.assertEqual(problems, [])
        self.assertIn((0x200 + 38, 0, 6), made.set_bits())

    def test_a_pseudo_pip_has_no_bits(self):
        made, problems = self.assembled("CLB_X0Y0.OUT.IN")
        self.assertEqual((len(made.set_bits()), problems), (1, []))

    def test_unknown_tiles_and_features_are_all_reported_with_their_lines(self):
        _, problems = self.assembled("CLB_X0Y0.MUX.C", "CLB_X9Y9.MUX.A", "CLB_X0Y0.LUT.INIT[5]")
        self.assertEqual(problems, ["in.fasm:1: tile CLB_X0Y0 of type CLB has no feature MUX.C",
                                    f"in.fasm:2: no tile CLB_X9Y9 in {PART}",
                                    "in.fasm:3: tile CLB_X0Y0 of type CLB has no feature LUT.INIT[5]"])

    def test_features_that_want_different_values_of_a_bit_are_a_conflict(self):
        _, problems = self.assembled("CLB_X0Y0.MUX.A", "CLB_X0Y0.MUX.B")
        self.assertEqual(len(problems), 1)
        self.assertIn("in.fasm:2: CLB_X0Y0.MUX.B and in.fasm:1: CLB_X0Y0.MUX.A want different values of bit 8 of word 5 of "
                      "frame 0x0000011e", problems[0])

    def test_an_error_names_the_line_that_is_not_fasm(self):
        for line in ["CLB_X0Y0", "CLB_X0Y0.A = 2", "CLB_X0Y0.A[0:1] = 1", "CLB_X0Y0.A[1:0] = 3'b100", "CLB_X0Y0.A[0] = 1'bz"]:
            with self.subTest(line), self.assertRaisesRegex(fasm.FasmError, "in.fasm:2: "):
                self.assembled("", line)

    def test_comments_annotations_and_zeros_are_skipped(self):
        made, problems = self.assembled("# a comment", "{ .comment = \"x\" }", "CLB_X0Y0.MUX.C = 0", "CLB_X0Y0.MUX.A # yes")
        self.assertEqual((len(made.set_bits()), problems), (2, []))

    def test_decoding_gives_the_features_back(self):
        lines = ["CLB_X0Y0.LUT.INIT[1]", "CLB_X0Y0.MUX.B", "RAM_L_X1Y0.INIT_00[7]", "MID_X0Y0.ON"]
        made, _ = self.assembled(*lines)
        bits = made.set_bits()
        self.assertEqual({fasm.text(*f) for f in self.part.decode(lambda bit: bit in bits)}, set(lines))

    def test_frames_have_an_address_and_101_words(self):
        made, _ = self.assembled()
        text = io.StringIO()
        made.write(text)
        address, words = text.getvalue().split()
        self.assertEqual((address, words.split(",")), ("0x00000301", ["0x00000002"] + ["0x00000000"] * 100))

    def test_the_command_writes_no_file_when_a_feature_is_unknown(self):
        source, result = self.root / "in.fasm", self.root / "out.frames"
        command = [sys.executable, ROOT / "hw/fpga/fasm_to_frames", "--part", PART, "--database", self.root, source, result]
        source.write_text("CLB_X0Y0.MUX.A\nCLB_X0Y0.NONE\n")
        run = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((run.returncode, result.exists()), (1, False))
        self.assertIn("in.fasm:2: tile CLB_X0Y0 of type CLB has no feature NONE", run.stderr)
        source.write_text("CLB_X0Y0.MUX.A\n")
        run = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout), (0, "2 bits in 3 frames\n"))
        self.assertEqual(len(result.read_text().splitlines()), 3)

    def test_a_package_without_required_features_takes_those_of_its_die(self):
        other = self.root / "small/xc7z001clg2-1"
        other.mkdir()
        (other / "part.json").write_text("{}")
        self.assertEqual(database.Part(self.root, other.name).required_features(), ["MID_X0Y0.ON"])

    def test_an_unknown_part_is_an_error(self):
        with self.assertRaisesRegex(database.DatabaseError, "no part xc7z099"):
            database.Part(self.root, "xc7z099")


class BitFile(unittest.TestCase):
    MOMENT = datetime.datetime(2026, 11, 22, 1, 2, 3)

    def test_the_header_names_design_part_and_moment(self):
        made = bit_file.with_header(b"\xaa\x99\x55\x66", "vta", "xc7z020clg400-1", self.MOMENT)
        self.assertEqual(made, bytes.fromhex("00090ff00ff00ff00ff0000001") + b"a\0\4vta\0b\0\x0c7z020clg400\0"
                         b"c\0\x0b2026/11/22\0d\0\x0901:02:03\0e\0\0\0\4\xaa\x99\x55\x66")
        self.assertEqual(bit_file.configuration(made), b"\xaa\x99\x55\x66")

    def test_a_truncated_file_is_an_error(self):
        made = bit_file.with_header(b"\xaa\x99\x55\x66", "vta", "xc7z020clg400-1", self.MOMENT)
        for length in range(len(made)):
            with self.subTest(length), self.assertRaises(bit_file.BitFileError):
                bit_file.configuration(made[:length])


if __name__ == "__main__":
    unittest.main()
