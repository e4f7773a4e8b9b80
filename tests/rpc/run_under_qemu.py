#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cross-built vta-run on an emulated ARM processor classifies an image, as vta-sim does.

usage: run_under_qemu.py VTA_SIM VTA_COMPILE BOARD_PACKAGE NETWORK...

Exit status 77, after a line with the reason, if qemu-arm or the package (scripts/build_board) is missing.
"""
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77


def skip(why):
    print(f"[SKIP] {why}")
    sys.exit(SKIPPED)


def output(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def main():
    vta_sim, vta_compile, package, *networks = sys.argv[1:]
    qemu = shutil.which("qemu-arm-static") or shutil.which("qemu-arm")
    tool = os.path.join(package, "bin/vta-run")
    if qemu is None:
        skip("no qemu-arm: scripts/install_packages --board")
    if not os.path.exists(tool):
        skip(f"no {tool}: run scripts/build_board")
    for network in networks:
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "network.vta")
            output([vta_compile, network, "-o", program])
            arguments = ["--device", "functional", "--input", "noise:1", "--json"]
            here = json.loads(output([vta_sim, "run", program, *arguments]))["outputs"][0]["top"]
            there = json.loads(output([qemu, tool, program, "--in-flight", "1", *arguments]))["top"]
        pairs = [[(rank["index"], rank["score"]) for rank in ranks] for ranks in (here, there)]
        if pairs[0] != pairs[1]:
            sys.exit(f"{network}: the classes differ:\n{pairs[0]}\n{pairs[1]}")
        kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        print(f"{network}: the same classes and scores; at most {kib} KiB resident, emulator and vta-sim included")


if __name__ == "__main__":
    main()
