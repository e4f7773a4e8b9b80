# SPDX-License-Identifier: Apache-2.0
"""Placed netlists (hw/fpga/flow/placed_verilog.py) under Verilator: sources and how to run it."""
import json
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[2]
sys.path[:0] = [str(ROOT), str(FOLDER.parent)]
from hw.fpga.flow import placed_verilog  # noqa: E402

NAME = "placed_netlist"  # of the module
CELLS = sorted((FOLDER / "cells").glob("*.sv"))
# Without -fno-dfg Verilator joins wires to vectors, which have loops that single wires do not have.
OPTIONS = ["-O3", "-fno-dfg", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-WIDTHCONCAT"]


def load(folder):
    """The module of nextpnr's JSON and the FASM text of a folder of place_and_route."""
    with open(folder / "placed.json", encoding="utf-8") as file:
        module, = json.load(file)["modules"].values()
    return module, (folder / "top.fasm").read_text(encoding="utf-8")


def verilog(module, fasm, part):
    return placed_verilog.verilog(NAME, module, fasm, part)


def run(command, **options):
    """Runs a command; ends this program with the end of its output if it fails. Returns the output."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{command[0]} ended with status {done.returncode}: {done.stdout[-3000:].strip()}")
    return done.stdout
