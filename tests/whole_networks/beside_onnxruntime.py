#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random networks as ONNX models (write_random_models): ONNX Runtime computes what their imported graphs compute, up to 0.0001
of the largest value. Prints how many agree; the exit status is 1 if one does not, and its model stays in build/onnxruntime.
A pool with as much padding as its window is legal in ONNX but refused by ONNX Runtime; such models are not counted.

Example:
  tests/whole_networks/beside_onnxruntime.py build/release/tests/write_random_models --seed 7 --count 100
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import onnxruntime

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAX_DIFFERENCE = 1e-4  # of the largest value
LEAST_VALUE = 1e-2  # smaller largest values count as this: they are sums of larger ones
MAX_REFUSED = 0.01
REFUSAL = "Pad should be smaller than kernel"


def open_model(file):
    """A session of ONNX Runtime; None if it refuses the model's pools."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4  # errors are exceptions, too
    try:
        return onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    except onnxruntime.capi.onnxruntime_pybind11_state.Fail as error:
        if REFUSAL not in str(error):
            raise
        return None


def difference(session, folder, seed):
    """The largest difference of an output value, relative to the largest value."""
    given = session.get_inputs()[0]
    values = np.fromfile(folder / f"{seed}.input", np.float32).reshape(given.shape)
    expected = session.run(None, {given.name: values})[0]
    found = np.fromfile(folder / f"{seed}.output", np.float32)
    if found.size != expected.size:
        raise ValueError(f"{found.size} values; ONNX Runtime has {expected.shape}")
    largest = max(LEAST_VALUE, float(np.abs(expected).max()))
    return float(np.abs(found - expected.ravel()).max()) / largest


def verdict(folder, seed):
    """What is wrong with a model: "" if nothing is, None if ONNX Runtime refuses it."""
    try:
        session = open_model(folder / f"{seed}.onnx")
        if session is None:
            return None
        found = difference(session, folder, seed)
    except Exception as error:  # the seeds that follow are still compared
        return str(error)
    return "" if found <= MAX_DIFFERENCE else f"differs by {found:.3g} of the largest value"  # NaN is not less


def keep(folder, seed):
    kept = ROOT / "build/onnxruntime"
    kept.mkdir(parents=True, exist_ok=True)
    for file in folder.glob(f"{seed}.*"):
        shutil.copy(file, kept)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tool", type=pathlib.Path, help="write_random_models")
    parser.add_argument("--seed", type=int, default=1, help="of the first model")
    parser.add_argument("--count", type=int, default=100)
    arguments = parser.parse_args()
    refused = wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        seeds = {"VTA_TEST_SEED": str(arguments.seed), "VTA_TEST_COUNT": str(arguments.count)}
        subprocess.run([arguments.tool, folder], env=os.environ | seeds, check=True)
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            what = verdict(folder, seed)
            if what is None:
                refused += 1
            elif what:
                wrong += 1
                print(f"seed {seed}: {what}")
                keep(folder, seed)
    print(f"{arguments.count - refused - wrong} of {arguments.count} models agree; ONNX Runtime refuses {refused}")
    too_many = refused > 1 + arguments.count * MAX_REFUSED
    if too_many:
        print(f"expected at most {MAX_REFUSED:.0%} of the models to be refused")
    return 1 if wrong or too_many else 0


if __name__ == "__main__":
    sys.exit(main())
