#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The folder of `vta-hlsc new` works as the page "your own kernel" says, and cosim notices Verilog that differs.

Example:
  tests/hls/new_kernel_test.py build/release/bin/vta-hlsc
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HLSC = str(pathlib.Path(sys.argv.pop(1)).resolve())


def run(command, folder):
    return subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


class NewKernel(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        made = run([HLSC, "new", "low_pass"], self.folder)
        self.assertEqual(made.returncode, 0, made.stdout)
        self.kernel = self.folder / "low_pass" / "low_pass.cc"

    def make(self, target):
        return run(["make", target, f"HLSC={HLSC}"], self.folder / "low_pass")

    def test_runs_natively_and_in_verilog(self):
        self.assertIn("struct LowPass {", self.kernel.read_text())
        for target in ("test", "cosim", "report", "verilog"):
            done = self.make(target)
            self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("module LowPass ", (self.folder / "low_pass" / "low_pass.sv").read_text())

    def test_a_wrong_expectation_is_named(self):
        self.kernel.write_text(self.kernel.read_text().replace("expect(&K::out, {25, 75", "expect(&K::out, {25, 76"))
        done = self.make("test")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("out: item 1 is 0x004b, expected 0x004c", done.stdout)

    def test_an_index_outside_of_a_register_array_is_named(self):
        text = self.kernel.read_text()
        text = text.replace("  HLS_PROCESS run()", "  HLS_REGISTER(int16_t, seen[3]);\n\n  HLS_PROCESS run()")
        self.kernel.write_text(text.replace("sum += last[0];", "sum += last[0];\n      seen[last[0] >> 8] = 1;"))
        line = 1 + self.kernel.read_text().splitlines().index("      seen[last[0] >> 8] = 1;")
        done = self.make("test")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(f"low_pass.cc:{line}: index 3 is outside the array", done.stdout)

    def test_a_stream_that_nothing_reads_is_named(self):
        text = self.kernel.read_text()
        text = text.replace("  HLS_PROCESS run()", "  HLS_STREAM(int16_t, copy, 2);\n\n  HLS_PROCESS run()")
        self.kernel.write_text(text.replace("sum += last[0];", "sum += last[0];\n      copy.write(last[0]);"))
        done = self.make("test")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("; a process waits for space in copy: does a process or output() read it?", done.stdout)

    def test_verilog_that_differs_is_noticed(self):
        text = self.kernel.read_text()
        self.assertIn("sum += last[0];", text)
        text = text.replace("  HLS_PROCESS run()", "  HLS_STREAM(int16_t, copy, 2);\n\n  HLS_PROCESS run()")
        hidden = "sum += last[0];\n#ifdef __HLSC__\n      sum += 4;\n      copy.write(last[0]);\n#endif\n"
        self.kernel.write_text(text.replace("sum += last[0];", hidden))
        done = self.make("cosim")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("out: item 0 is 0x001a, expected 0x0019", done.stdout)
        self.assertIn("warning: copy: no process reads this stream, and no output() of the testbench", done.stdout)

    def test_a_name_may_contain_that_of_the_example(self):
        made = run([HLSC, "new", "movingAverage"], self.folder)
        self.assertEqual(made.returncode, 0, made.stdout)
        self.assertIn("struct MovingAverage {", (self.folder / "movingAverage" / "movingAverage.cc").read_text())
        self.assertIn(" movingAverage.cc ", (self.folder / "movingAverage" / "Makefile").read_text())

    def test_an_existing_folder_stays(self):
        before = self.kernel.read_text()
        again = run([HLSC, "new", "low_pass"], self.folder)
        self.assertEqual(again.returncode, 1)
        self.assertIn("low_pass exists already", again.stdout)
        self.assertEqual(self.kernel.read_text(), before)


if __name__ == "__main__":
    unittest.main()
