#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The time that Session.run() of the Python package adds to an inference of the C++ session.

Times the same network in turns with `vta-sim run --repeat` and in Python, and prints the ratio and difference of the
fastest inferences. Needs the targets vta-sim and vta_c.

Example:
  PYTHONPATH=python tests/benchmarks/python_overhead.py digits.json resnet18.json
"""
import argparse
import json
import pathlib
import subprocess
import time

import vta

ROOT = pathlib.Path(__file__).resolve().parents[2]


def native_seconds(network, device, count):
    """The fastest of `count` inferences by vta-sim."""
    command = [ROOT / "build/release/bin/vta-sim", "run", network, "--device", device, "--repeat", str(count), "--json"]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return min(json.loads(output)["repeat"]["seconds"])


def python_seconds(session, image, count):
    best = float("inf")
    for _ in range(count):
        start = time.perf_counter()
        session.run(image)
        best = min(best, time.perf_counter() - start)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="functional", help="default: functional, the fastest")
    parser.add_argument("--count", type=int, default=20, help="inferences of each sample (default: 20)")
    parser.add_argument("--samples", type=int, default=5, help="samples of each, in turns (default: 5)")
    parser.add_argument("networks", nargs="+", metavar="NETWORK")
    arguments = parser.parse_args()
    print(f"{'network':<16} {'C++ ms':>10} {'Python ms':>10} {'ratio':>7} {'added ms':>9}")
    for network in arguments.networks:
        program = vta.compile(network)
        image = program.read_input()
        native = python = float("inf")
        with vta.Session(program, arguments.device) as session:
            for _ in range(arguments.samples):
                native = min(native, native_seconds(network, arguments.device, arguments.count))
                python = min(python, python_seconds(session, image, arguments.count))
        print(f"{program.network:<16} {native * 1e3:>10.3f} {python * 1e3:>10.3f} {python / native:>7.3f} "
              f"{(python - native) * 1e3:>9.3f}")


if __name__ == "__main__":
    main()
