#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bitstreams of the open flow are proved against their placed netlists (hw/fpga/prove_bits), and flipped bits are noticed.

Without --core: a small design, with 200 flips from each of three seeds. With --core: the board's bitstream, which
hw/fpga/build_bitstream keeps in build/bitstream; with --flip also the same flips.
"""
import argparse
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests/fpga/placed")]
import open_tools  # noqa: E402
import placed_model  # noqa: E402
import placed_netlist_test  # noqa: E402
import small_netlist_test  # noqa: E402
from hw.fpga.flow import open_flow, tools  # noqa: E402

FLIPS, SEEDS = 200, (1, 2, 3)


def prove(bit, seed, *options):
    print(placed_model.run([ROOT / "hw/fpga/prove_bits", "--database", tools.database(), "--placed", seed / "placed.json", *options, bit]), end="")


def prove_flips(bit, seed):
    for number in SEEDS:
        prove(bit, seed, "--flip", str(FLIPS), "--seed", str(number))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--core", metavar="NAME", help="a core of configs/cores (default: a small design)")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="of the board's bitstream (default: 1)")
    parser.add_argument("--flip", action="store_true", help="also flip bits of the board's bitstream")
    arguments = parser.parse_args()
    open_tools.skip_without_tools()
    if arguments.core:
        seed = placed_netlist_test.bitstream(placed_netlist_test.BOARD, arguments.core, arguments.seeds)
        (prove_flips if arguments.flip else prove)(seed.parent / "vta.bit", seed)
        return
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as name:
        folder = pathlib.Path(name)
        design = open_flow.Design("small_zynq_top", small_netlist_test.SOURCES, {}, placed_netlist_test.PART, small_netlist_test.CLOCK_HZ,
                                  "small_zynq_top", None)
        open_flow.build(design, folder, [1], "heap", 1, open_flow.Progress())
        prove_flips(folder / "vta.bit", folder / "seed_1")


if __name__ == "__main__":
    main()
