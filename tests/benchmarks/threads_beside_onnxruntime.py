#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Threads of `vta-sim bench --fp32` beside ONNX Runtime's, on the machine as it is and with a busy process for each processor. A
cell is the median of --repeat inferences in milliseconds. The other process has the priority of this script, which should be higher
than that of the machine's other work. Exits with 1 if our time with N threads, relative to that with one, is more than 1.5 times ONNX
Runtime's.

Example:
  sudo nice -n -20 tests/benchmarks/threads_beside_onnxruntime.py resnet18.onnx
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIMIT = 1.5


def medians(arguments, threads):
    """Milliseconds: of vta-sim and of ONNX Runtime."""
    command = [arguments.build / "bin/vta-sim", "bench", arguments.model, "--fp32", "--threads", str(threads), "--repeat",
               str(arguments.repeat), "--warm-up", "3", "--beside", "onnxruntime", "--json"]
    ours = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return [1e3 * statistics.median(result["seconds"]) for result in (ours, ours["beside"])]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=pathlib.Path, metavar="MODEL.onnx")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="build folder (default: build/release)")
    parser.add_argument("--repeat", type=int, default=20, help="inferences of a cell (20)")
    parser.add_argument("--threads", type=int, default=4, help="largest number of threads (4)")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    print("| busy processes | threads | vta-sim, ms | ONNX Runtime, ms |\n|---|---|---|---|")
    misses = 0
    for busy in (0, os.cpu_count()):
        others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(busy)]
        try:
            times = [medians(arguments, threads) for threads in range(1, arguments.threads + 1)]
        finally:
            for other in others:
                other.kill()
                other.wait()
        for threads, (ours, theirs) in enumerate(times, 1):
            misses += ours / times[0][0] > LIMIT * theirs / times[0][1]
            print(f"| {busy} | {threads} | {ours:.1f} | {theirs:.1f} |", flush=True)
    print(f"{misses} beyond {LIMIT} times ONNX Runtime's")
    return 1 if misses else 0


if __name__ == "__main__":
    sys.exit(main())
