# SPDX-License-Identifier: Apache-2.0
"""The bitstreams of hw/fpga/bitstreams are those of their manifests and of today's Verilog; a bad one does not ship."""
import copy
import datetime
import gzip
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[5]
sys.path.insert(0, str(ROOT))
from hw.fpga.flow import bit_file, open_flow, shipping, synthesis  # noqa: E402

MOMENT = datetime.datetime(2026, 11, 29, tzinfo=datetime.timezone.utc)
BIT = bit_file.with_header(b"\xff\xff\xff\xff\xaa\x99\x55\x66", open_flow.title_of("tiny_1x8", 50_000_000), "xc7z020clg400-1", MOMENT)
SUMMARY = {"seed": 2, "placer": "static", "schedule_ns": 10.0, "verilog_sha256": "ab", "routed_mhz": 82.49, "worst_setup_ns": 0.1,
           "worst_hold_ns": 0.0, "hold_violations": 0, "unchecked_endpoints": 0, "cells": {}, "added": 0, "bits": 1}


def made(clock_hz=50_000_000, bit=BIT, **changes):
    return shipping.files_of("tiny_1x8", "xc7z020clg400-1", clock_hz, SUMMARY | changes, shipping.Source("c0ffee", 1), {"yosys": "0.66"}, bit)


class Shipped(unittest.TestCase):
    """The files of the repository."""

    def setUp(self):
        self.manifests = shipping.manifests()
        self.assertTrue(self.manifests)

    def test_each_file_is_that_of_its_manifest_and_small(self):
        for name, manifest in self.manifests.items():
            packed = (shipping.FOLDER / f"{name}.bit.gz").read_bytes()
            self.assertEqual(shipping.sha256(packed), manifest["gzip_sha256"], name)
            self.assertLess(len(packed), shipping.MAX_BYTES, name)
            self.assertEqual(shipping.sha256(shipping.bit_of(name)), manifest["bit_sha256"], name)

    def test_each_file_has_a_manifest(self):
        self.assertEqual({path.name.removesuffix(".bit.gz") for path in shipping.FOLDER.glob("*.gz")}, self.manifests.keys())

    def test_each_has_its_line_in_the_page(self):
        page = (shipping.FOLDER / "README.md").read_text()
        for name, manifest in self.manifests.items():
            self.assertIn(shipping.row_of(manifest, (shipping.FOLDER / f"{name}.bit.gz").stat().st_size), page)

    def test_each_name_is_of_its_core_clock_and_boards(self):
        for name, manifest in self.manifests.items():
            self.assertEqual(name, shipping.name_of(manifest["core"], manifest["clock_hz"]))
            self.assertEqual(manifest["boards"], shipping.boards_of(manifest["part"]), name)
            self.assertEqual(manifest["clock_class"], shipping.clock_class(manifest["clock_hz"]), name)

    def test_each_says_where_it_is_from_and_that_it_has_not_run(self):
        for name, manifest in self.manifests.items():
            self.assertEqual(manifest["silicon"], shipping.SILICON, name)
            self.assertRegex(manifest["source_commit"], "^[0-9a-f]{40}$", name)
            self.assertTrue(manifest["provenance"], name)

    def test_each_date_is_that_of_the_source(self):
        for name, manifest in self.manifests.items():
            moment = datetime.datetime.fromtimestamp(manifest["source_date_epoch"], datetime.timezone.utc)
            bit = shipping.bit_of(name)
            words = bit_file.configuration(bit)
            title = open_flow.title_of(manifest["core"], manifest["clock_hz"])
            self.assertEqual(bit, bit_file.with_header(words, title, manifest["part"], moment), name)

    def test_each_is_of_todays_verilog_and_has_no_problem(self):
        if not (synthesis.RELEASE / "bin/vta-hlsc").is_file():
            self.skipTest("vta-hlsc is not built")
        for name, manifest in self.manifests.items():
            verilog = synthesis.verilog_sha256(manifest["core"], manifest["schedule_ns"])
            self.assertEqual(shipping.problems(manifest, shipping.bit_of(name), verilog), [],
                             f"make it again: hw/fpga/build_bitstream --tools open --core {manifest['core']} --ship")


class Problems(unittest.TestCase):
    def expect(self, part, files, bit=BIT, verilog="ab"):
        found = shipping.problems(files.manifest, bit, verilog)
        self.assertEqual(len(found), 1, found)
        self.assertIn(part, found[0])

    def test_a_good_bitstream_has_none(self):
        self.assertEqual(shipping.problems(made().manifest, BIT, "ab"), [])

    def test_each_check_of_the_sign_off_counts(self):
        self.expect("3 hold violations", made(hold_violations=3))
        self.expect("2 endpoints that nothing checks", made(unchecked_endpoints=2))
        self.expect("worst_setup_ns is -0.1", made(worst_setup_ns=-0.1))
        self.expect("worst_hold_ns is -0.01", made(worst_hold_ns=-0.01))
        self.expect("its clock is 50 MHz, with all margins it is routed at 49.9 MHz", made(routed_mhz=49.9))

    def test_other_verilog_another_clock_and_another_file_are_named(self):
        self.expect("tiny_1x8@50: it is of other Verilog than today's core", made(), verilog="cd")
        self.expect("its header does not say vta_zynq_top;core=tiny_1x8;clock=76923076", made(clock_hz=76_923_076))
        self.expect("it is not the .bit file of its manifest", made(), bit=BIT[:-1] + b"\0")


class Sources(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.root = pathlib.Path(place.name)
        self.addCleanup(setattr, shipping.tools, "ROOT", shipping.tools.ROOT)
        shipping.tools.ROOT = self.root
        for words in (["init", "-q"], ["add", "."], ["-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-q", "--allow-empty", "-m", "t"]):
            if words == ["add", "."]:
                (self.root / "core.h").write_text("1")
            subprocess.run(["git", *words], cwd=self.root, check=True)

    def test_a_commit_is_named_and_what_ship_writes_is_no_change(self):
        for folder in shipping.WRITTEN:
            (self.root / folder).mkdir(parents=True)
            (self.root / folder / "new").write_text("1")
        self.assertRegex(shipping.source().commit, "^[0-9a-f]{40}$")

    def test_changed_and_new_files_are_refused(self):
        for name in ("core.h", "new.h"):
            (self.root / name).write_text("2")
            with self.assertRaisesRegex(shipping.ShippingError, f"1 files differ, the first is {name}: commit them first"):
                shipping.source()
            subprocess.run(["git", "checkout", "-q", "core.h"], cwd=self.root, check=True)


class Files(unittest.TestCase):
    def test_the_compressed_file_is_the_same_each_time(self):
        self.assertEqual(shipping.pack(BIT), shipping.pack(BIT))
        self.assertEqual(gzip.decompress(shipping.pack(BIT)), BIT)

    def test_files_are_written_and_read_back(self):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            files = made()
            self.assertEqual([path.name for path in shipping.write(files, folder)], ["tiny_1x8@50.bit.gz", "tiny_1x8@50.json"])
            self.assertEqual(shipping.manifests(folder), {"tiny_1x8@50": files.manifest})
            self.assertEqual(shipping.bit_of("tiny_1x8@50", folder), BIT)

    def test_a_file_that_is_too_large_is_not_written(self):
        with tempfile.TemporaryDirectory() as place:
            with self.assertRaisesRegex(shipping.ShippingError, "2000000 bytes compressed, 2000000 are the limit"):
                shipping.write(shipping.Files(copy.copy(made().manifest), bytes(shipping.MAX_BYTES)), pathlib.Path(place))
            self.assertEqual(list(pathlib.Path(place).iterdir()), [])

    def test_the_fastest_clock_is_one_of_the_pll(self):
        self.assertEqual([shipping.fastest_clock_hz(mhz) for mhz in (82.49, 83.4, 100.0, 99.99)], [76_923_076, 83_333_333, 100_000_000, 90_909_090])


if __name__ == "__main__":
    unittest.main()
