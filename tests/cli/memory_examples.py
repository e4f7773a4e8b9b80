#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small files that ask for much memory are refused with one line that names the limit or what is wrong, before the memory
is taken: an .npz of 3 MB that inflates to 3 GB and whose header is wrong, a network of 481 bytes with 4.1 GB of
synthetic weights, and a network that concatenates its value with itself until it has 1 GB.

Usage:
  tests/cli/memory_examples.py BIN_DIR NETWORKS_DIR [NAME...]
"""
import json
import os
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile
import time
import zlib

MAX_RESIDENT_MB = 600  # the limit, and the program itself
LIMIT = "512M"


def zip_of_zeros(path, header, zeros_mb):
    """A .npz with one member: a .npy header, and deflated zeros."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    start = compressor.compress(header) + compressor.flush(zlib.Z_FULL_FLUSH)
    zeros = bytes(1 << 20)
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = compressor.compress(zeros) + compressor.flush(zlib.Z_FULL_FLUSH)
    last = zlib.compressobj(9, zlib.DEFLATED, -15)
    end = last.compress(b"") + last.flush(zlib.Z_FINISH)
    crc = zlib.crc32(header)
    for _ in range(zeros_mb):
        crc = zlib.crc32(zeros, crc)
    name = b"weights.npy"
    size = len(header) + (zeros_mb << 20)
    compressed = len(start) + zeros_mb * len(block) + len(end)
    fields = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 0, crc, compressed, size, len(name), 0)
    central = b"PK\1\2" + struct.pack("<H", 20) + fields + struct.pack("<HHHII", 0, 0, 0, 0, 0) + name
    with open(path, "wb") as out:
        out.write(b"PK\3\4" + fields + name + start)
        for _ in range(zeros_mb):
            out.write(block)
        out.write(end)
        place = out.tell()
        out.write(central + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), place, 0))


def npz_with_a_wrong_header(folder, networks):
    text = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3, 7), }"
    header = b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text.encode()
    zip_of_zeros(folder / "weights.npz", header, 3000)
    return ["vta-sim", "run", str(networks / "digits.json"), "--input", str(folder / "weights.npz")], "weights.npz"


def synthetic_weights(folder, _):
    layer = {"op": "dense", "channels": 32000}
    network = {"format": 1, "name": "large", "input": {"name": "data", "shape": [1, 32000]},
               "weights": {"synthetic": {"seed": 1}}, "quantize": "max",
               "layers": [{"name": "fc", **layer}]}
    (folder / "large.json").write_text(json.dumps(network).ljust(481))
    return ["vta-compile", str(folder / "large.json")], "1024000000 parameters up to this layer, at most 268435456"


def doubling_concats(folder, _):
    layers, last = [], "data"
    for i in range(18):
        layers.append({"name": f"c{i}", "op": "concat", "axis": 1, "inputs": [last, last]})
        last = f"c{i}"
    network = {"format": 1, "name": "doubling", "input": {"name": "data", "shape": [1, 16, 8, 8]},
               "weights": {"synthetic": {"seed": 1}}, "quantize": "max", "layers": layers}
    (folder / "doubling.json").write_text(json.dumps(network))
    return ["vta-compile", str(folder / "doubling.json")], "--memory-limit"


def check(make, binaries, networks):
    with tempfile.TemporaryDirectory() as place:
        command, expected = make(pathlib.Path(place), networks)
        size = max(file.stat().st_size for file in pathlib.Path(place).iterdir())
        start = time.monotonic()
        process = subprocess.Popen([binaries / command[0], *command[1:], "--memory-limit", LIMIT],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        error = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        seconds, resident_mb = time.monotonic() - start, usage.ru_maxrss / 1024
    print(f"{make.__name__}: {size} bytes, status {os.waitstatus_to_exitcode(status)}, {resident_mb:.0f} MB, "
          f"{seconds:.2f} s: {error.strip()}")
    good = os.waitstatus_to_exitcode(status) == 1 and expected in error and error.count("\n") == 1
    return good and resident_mb <= MAX_RESIDENT_MB


def main():
    binaries, networks, names = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    examples = [npz_with_a_wrong_header, synthetic_weights, doubling_concats]
    chosen = [make for make in examples if not names or make.__name__ in names]
    failed = [make.__name__ for make in chosen if not check(make, binaries, networks)]
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


main()
