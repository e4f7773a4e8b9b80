#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lint_verilog.py --icarus PATH --top TOP FILE...    fails if a parser of SystemVerilog refuses the files, or Icarus warns

Each view (with HLS_SIMULATION and without) is read by Icarus and, where they are installed, by yosys and slang (the Python
package pyslang). Verilator's warnings are tests of their own.

Example:
  tests/hls/lint_verilog.py --icarus iverilog --top Core build/release/sim/rtl/core_vta_1x16.sv hw/rtl/hls_*.sv
"""

import argparse
import shutil
import subprocess
import sys

VIEWS = ([], ["-DHLS_SIMULATION"])


# Waived: Icarus 11 says so of legal text (vta_registers.sv); its simulation would be slower, not wrong.
WAIVED_OF_ICARUS = "sorry: constant selects in always_* processes are not currently supported"


def icarus(program, top, files):
    for view in VIEWS:
        command = [program, "-g2012", "-Wall", "-t", "null", "-s", top, "-o", "/dev/null"]
        run = subprocess.run([*command, *view, *files], capture_output=True, text=True)
        lines = (run.stdout + run.stderr).splitlines()
        yield "\n".join(line for line in lines if WAIVED_OF_ICARUS not in line), run.returncode != 0


# Reading is enough: synthesis elaborates the same files.
def yosys(program, _, files):
    for view in VIEWS:
        script = "read_verilog -sv -defer " + " ".join([*view, *files])
        run = subprocess.run([program, "-q", "-p", script], capture_output=True, text=True)
        yield run.stdout + run.stderr if run.returncode != 0 else "", run.returncode != 0


# Not a warning here: an output that nothing reads, as an emitted process has for its simulator.
SLANG = ["-Wno-unconnected-output-port", "-Wno-unconnected-port"]


def slang(module, top, files):
    for view in VIEWS:
        driver = module.driver.Driver()
        driver.addStandardArgs()
        ok = driver.parseCommandLine(" ".join(["slang", "--top", top, *SLANG, *view, *files]))
        ok = ok and driver.processOptions() and driver.parseAllSources()
        if ok:
            driver.reportCompilation(driver.createCompilation(), True)
            ok = driver.reportDiagnostics(True)  # prints them
        yield "" if ok else "slang reports errors\n", not ok


def parsers(icarus_program):
    yield "icarus", icarus, icarus_program
    if shutil.which("yosys"):
        yield "yosys", yosys, "yosys"
    try:
        import pyslang
    except ImportError:
        return
    yield "slang", slang, pyslang


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--icarus", required=True, metavar="PATH")
    parser.add_argument("--top", required=True)
    parser.add_argument("files", nargs="+", metavar="FILE")
    arguments = parser.parse_args()
    refused = False
    for name, read, program in parsers(arguments.icarus):
        bad = False
        for text, failed in read(program, arguments.top, arguments.files):
            bad |= bool(text) or failed
            sys.stdout.write("".join(f"{name}: {line}\n" for line in text.splitlines()))
        print(f"{name}: {'refused' if bad else 'both views accepted'}")
        refused |= bad
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
