#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cross-built vta-run and Python wheel on an emulated ARM processor classify images.

usage: run_under_qemu.py BUILD ARCHITECTURE BOARD_PACKAGE NETWORK...

BUILD: a build with vta-sim, vta-compile, vta-run and vta-rpc-server. Scores on the functional simulator must equal those
of vta-run on this machine, byte for byte; scores and cycles on a Verilated core, served by this machine, those of
`vta-sim run --device rtl`. The wheel runs in Debian's Python for ARM, which the first run fetches.
Exit status 77, after a line with the reason, if the emulator or the package (scripts/build_board) is missing.
"""
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import zipfile

import emulated

NETWORKS = emulated.ROOT / "configs/networks"
IMAGES = [NETWORKS / "digits/sample.png", NETWORKS / "samples/landscape_32.png", NETWORKS / "samples/landscape.png"]


def output(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def lines(*command, **options):
    return [json.loads(line) for line in output(*command, **options).splitlines()]


def scores_of(line):
    """Ranks without labels, which only vta-run prints."""
    return [(rank["index"], rank["score"]) for rank in line["top"]]


def compare(what, expected, got, classes=None):
    for image, here, there in zip(IMAGES, expected, got, strict=True):
        pairs = ((scores_of(here)[:classes], here["cycles"]), (scores_of(there)[:classes], there["cycles"]))
        if pairs[0] != pairs[1]:
            sys.exit(f"{what}, {image}: scores or cycles differ:\nhere  {pairs[0]}\nthere {pairs[1]}")


def rtl(build, program):
    """What vta-sim prints for the Verilated core, in vta-run's form."""
    result = []
    for image in IMAGES:
        run = json.loads(output(build / "bin/vta-sim", "run", program, "--device", "rtl", "--json", "--input", image))
        result.append({"top": run["outputs"][0]["top"], "cycles": run["counters"]["cycles"]})
    return result


class Server:
    """A Verilated core, served by this machine."""

    def __init__(self, build):
        self._process = subprocess.Popen([build / "bin/vta-rpc-server", "--listen", "127.0.0.1:0", "--device", "rtl"],
                                         stdout=subprocess.PIPE, text=True)
        line = self._process.stdout.readline()
        self.uri = f"rpc://127.0.0.1:{re.search(r'on port ([0-9]+)', line).group(1)}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait()


def python_command(qemu, architecture, package, folder):
    """Runs the wheel's package in Debian's Python for ARM; ends the test if its packages cannot be fetched."""
    wheels = list(package.glob("*.whl"))
    if not wheels:
        sys.exit(f"no wheel in {package}")
    root = emulated.python_root(architecture, package)
    if root is None:
        emulated.skip(f"no Python for {architecture}: its packages cannot be fetched")
    zipfile.ZipFile(wheels[0]).extractall(folder)
    library = root / "usr/lib" / emulated.TRIPLES[architecture]
    return [qemu, "-L", root, "-E", f"LD_LIBRARY_PATH={library}/blas:{library}/lapack", "-E", f"PYTHONPATH={folder}",
            "-E", f"PYTHONHOME={root}/usr", root / emulated.PYTHON, "-c", emulated.PYTHON_CLIENT]


def check_network(build, architecture, package, network, folder):
    qemu = emulated.emulator(architecture, package / "bin/vta-run")
    program = folder / "network.vta"
    output(build / "bin/vta-compile", network, "-o", program)
    classify = [program, "--json", "--in-flight", "1", "--top", "1000", "--input", *IMAGES, "--device"]
    here = lines(build / "bin/vta-run", *classify, "functional")
    compare(f"{network}, functional", here, lines(qemu, package / "bin/vta-run", *classify, "functional"))
    expected = rtl(build, program)
    with Server(build) as server:
        compare(f"{network}, rtl", expected, lines(qemu, package / "bin/vta-run", *classify, server.uri), 5)
        print(f"{network}: scores of {len(IMAGES)} images as on this machine, {expected[0]['cycles']} cycles as on rtl")
        python = python_command(qemu, architecture, package, folder / "python")
        compare(f"{network}, Python", expected, lines(*python, program, server.uri, *IMAGES), 5)
        print(f"{network}: the same from the Python wheel")


def main():
    build, architecture, package, *networks = sys.argv[1:]
    for network in networks:
        with tempfile.TemporaryDirectory() as folder:
            check_network(pathlib.Path(build).resolve(), architecture, pathlib.Path(package).resolve(), network, pathlib.Path(folder))
    kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"at most {kib} KiB resident, the emulator and vta-sim included")


if __name__ == "__main__":
    main()
