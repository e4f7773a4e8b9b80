#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random networks as ONNX models (write_random_models): ONNX Runtime computes what their imported graphs compute, up to 0.0001
of the largest value. Prints how many agree; the exit status is 1 if one does not, and its model stays in build/onnxruntime.
A pool with as much padding as its window is legal in ONNX but refused by ONNX Runtime; such models are not counted.

Example:
  tests/e2e/beside_onnxruntime.py build/release/tests/write_random_models --seed 7 --count 100
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import onnxruntime

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAX_DIFFERENCE = 1e-4  # of the largest value, which counts as 1 at least
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
        sys.exit(f"seed {seed}: {found.size} values; ONNX Runtime has {expected.shape}")
    largest = max(1.0, float(np.abs(expected).max()))
    return float(np.abs(found - expected.ravel()).max()) / largest


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tool", type=pathlib.Path, help="write_random_models")
    parser.add_argument("--seed", type=int, default=1, help="of the first model")
    parser.add_argument("--count", type=int, default=100)
    arguments = parser.parse_args()
    wrong, agreeing = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([arguments.tool, folder, str(arguments.seed), str(arguments.count)], check=True)
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            session = open_model(folder / f"{seed}.onnx")
            if session is None:
                continue
            found = difference(session, folder, seed)
            if found <= MAX_DIFFERENCE:  # not NaN
                agreeing += 1
                continue
            wrong.append(seed)
            print(f"seed {seed}: differs by {found:.3g} of the largest value")
            kept = ROOT / "build/onnxruntime"
            kept.mkdir(parents=True, exist_ok=True)
            for file in folder.glob(f"{seed}.*"):
                shutil.copy(file, kept)
    refused = arguments.count - agreeing - len(wrong)
    print(f"{agreeing} of {arguments.count} models agree; ONNX Runtime refuses {refused}")
    return 1 if wrong or agreeing == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
