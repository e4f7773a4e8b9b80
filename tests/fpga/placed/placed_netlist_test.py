#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The netlist of a core's bitstream runs networks and random programs through its registers and AXI ports, with the bytes,
counters and cycles of the RTL simulator.

Takes the bitstream that hw/fpga/build_bitstream --tools open keeps in build/bitstream, and builds it first where it is missing or older than
its sources: minutes for tiny_1x8, an hour or two for vta_1x16. The Verilated model is kept until its inputs change. With --bits the netlist is
the one that hw/fpga/readback finds in vta.bit, instead of nextpnr's.
"""
import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys

import placed_model
import open_tools  # placed_model has the path
from hw.fpga.flow import database, tools
from hw.fpga.readback import proof

BOARD, CLOCK, PART = "pynq-z1", "50", "xc7z020clg400-1"  # the default's
CXX = "clang++-19"
TESTS = "RegisterDeviceOnTop.*"


def part_of(board):
    return json.loads((placed_model.ROOT / f"configs/boards/{board}.json").read_text())["part"]


def bitstream(board, core, seeds):
    """The folder of the fastest seed, which is that of vta.bit, of a bitstream from the current sources."""
    printed = placed_model.run([placed_model.ROOT / "hw/fpga/build_bitstream", "--tools", "open", "--board", board, "--core", core,
                                "--clock", CLOCK, "--seeds", seeds])
    summary = json.loads(next(line for line in printed.splitlines() if line.startswith("{")))
    return placed_model.ROOT / f"build/bitstream/{board}-{core}-open/seed_{summary['seed']}"


def compile_model(folder, netlist):
    """The library that placed_library.cc loads: Verilator, then C++ with little optimization, which takes most of the time."""
    root = placed_model.run(["verilator", "--getenv", "VERILATOR_ROOT"]).strip()
    made = folder / "verilated"
    placed_model.run(["verilator", "--cc", "--Mdir", made, "--prefix", "Vplaced", "--top-module", "vta_top", "--x-assign", "fast",
                      "--x-initial", "fast", "--output-split", "20000", "-CFLAGS", "-fPIC", *placed_model.OPTIONS,
                      placed_model.FOLDER / "placed_top.sv", *placed_model.CELLS, netlist])
    placed_model.run(["make", "-s", "-C", made, "-f", "Vplaced.mk", f"-j{os.cpu_count()}", f"CXX={CXX}", "OPT_FAST=-O1", "OPT_SLOW=-O0",
                      "OPT_GLOBAL=-O1", "Vplaced__ALL.a"])
    unfinished, library = folder / "libplaced.unfinished.so", folder / "libplaced.so"
    placed_model.run([CXX, "-std=c++20", "-O1", "-fPIC", "-shared", "-o", unfinished, f"-I{placed_model.ROOT}", f"-I{made}",
                      f"-I{root}/include", f"-I{root}/include/vltstd", placed_model.FOLDER / "placed_model.cc",
                      "-Wl,--whole-archive", made / "Vplaced__ALL.a", "-Wl,--no-whole-archive", f"{root}/include/verilated.cpp",
                      f"{root}/include/verilated_threads.cpp", "-lpthread"])
    os.replace(unfinished, library)
    return library


def netlist_of_bits(part, bit):
    """The Verilog of the netlist in a .bit file."""
    return proof.verilog_of(proof.load(tools.database(), part, bit, None), placed_model.NAME)


def model(part, core, seed, bit):
    """The library of the netlist in `bit`, or of the placed one if that is None."""
    if bit:
        text = netlist_of_bits(part, bit)
    else:
        module, fasm = placed_model.load(seed)
        text = placed_model.verilog(module, fasm, database.Part(tools.database(), part))
    inputs = [text, *(path.read_text(encoding="utf-8") for path in [*placed_model.CELLS, *sorted(placed_model.FOLDER.glob("placed_*"))])]
    key = hashlib.sha256("\0".join(inputs).encode()).hexdigest()
    folder = placed_model.ROOT / "build/placed" / (f"{core}-bits" if bit else core)
    folder.mkdir(parents=True, exist_ok=True)
    library, mark = folder / "libplaced.so", folder / "libplaced.key"
    if not (library.is_file() and mark.is_file() and mark.read_text() == key):
        mark.unlink(missing_ok=True)
        netlist = folder / "placed.v"
        netlist.write_text(text, encoding="utf-8")
        library = compile_model(folder, netlist)
        mark.write_text(key)
    return library


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--core", required=True, metavar="NAME", help="a core of configs/cores that is Verilated")
    parser.add_argument("--board", default=BOARD, metavar="NAME", help=f"a board of configs/boards (default: {BOARD})")
    parser.add_argument("--program", required=True, metavar="FILE", help="placed_netlist_test")
    parser.add_argument("--tests", default=TESTS, metavar="FILTER", help=f"of GoogleTest (default: {TESTS})")
    routed = parser.add_mutually_exclusive_group()
    routed.add_argument("--seeds", type=int, default=1, metavar="N", help="of the bitstream (default: 1)")
    routed.add_argument("--seed", metavar="DIR", help="a routed seed of a finished bitstream, instead of building one")
    parser.add_argument("--bits", action="store_true", help="the netlist in vta.bit")
    parser.add_argument("--bit", type=pathlib.Path, metavar="FILE.bit", help="the netlist in this file, without a routed seed")
    arguments = parser.parse_args()
    open_tools.skip_without_tools()
    seed = pathlib.Path(arguments.seed) if arguments.seed else None if arguments.bit else bitstream(arguments.board, arguments.core, arguments.seeds)
    library = model(part_of(arguments.board), arguments.core, seed, arguments.bit or (seed.parent / "vta.bit" if arguments.bits else None))
    program = [arguments.program, f"--gtest_filter={arguments.tests}"]
    if not any(line.startswith("  ") for line in placed_model.run([*program, "--gtest_list_tests"]).splitlines()):
        sys.exit(f"no test of {arguments.program} is called {arguments.tests}")
    run = subprocess.run(program, cwd=placed_model.ROOT,
                         env=os.environ | {"VTA_PLACED_MODEL": str(library), "VTA_BOARD_CORE": arguments.core})
    sys.exit(run.returncode)


if __name__ == "__main__":
    main()
