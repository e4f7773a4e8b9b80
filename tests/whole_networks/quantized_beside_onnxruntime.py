#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random quantized models (quantized_model.py) on the functional core, beside ONNX Runtime. Its graph optimizations are disabled, so that it
computes each operator by ONNX's definition in float32: its int8 kernels saturate on some processors.

The core rounds ties up (ONNX: to even) and multiplies by factors of limited length, so that each quantized tensor may be one level
off. Results are equal if they are within what such tensors allow, propagated through the rest of the model; ONNX Runtime's own
results must be, too. Models without arithmetic, such as those with integer operators alone, have no tolerance.

Prints how many agree; the exit status is 1 if one does not, and its model stays in build/quantized_beside_onnxruntime.

Example:
  tests/whole_networks/quantized_beside_onnxruntime.py build/release/tests/run_quantized_models --seed 7 --count 100
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnxruntime

    from quantized_model import RandomModel
except ImportError as error:
    print(f"[SKIP] {error}: install onnxruntime and onnx from PyPI, or run this by tests/python/in_venv.py")
    sys.exit(0)

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = ROOT / "build/quantized_beside_onnxruntime"
MAX_ERROR = 1e-5  # of float32, relative


def expected(model):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.model().SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, {"x": model.input})[0]


def found(folder, seed, like):
    """What the core computes. Errors: ValueError with the compiler's message."""
    error = folder / f"{seed}.error"
    if error.exists():
        raise ValueError(error.read_text())
    data = (folder / f"{seed}.output").read_bytes()
    is_int8 = len(data) == like.size  # a uint8 tensor, too: its numbers less 128
    values = np.frombuffer(data, np.int8 if is_int8 else np.float32).astype(np.float64)
    if values.size != like.size:
        raise ValueError(f"{values.size} values; ONNX Runtime has {like.shape}")
    return values.reshape(like.shape) + (128 if is_int8 and like.dtype == np.uint8 else 0)


def beyond(values, output):
    """By how much the values leave the bounds; 0 if they do not. NaN does."""
    slack = MAX_ERROR * np.maximum(np.abs(output.low), np.abs(output.high)) + 1e-7
    outside = np.maximum(output.low - slack - values, values - output.high - slack)
    return 0 if (outside <= 0).all() else float(np.nanmax(outside))


def verdict(folder, seed, model):
    """What is wrong with a model: "" if nothing is."""
    try:
        reference = expected(model)
        if by := beyond(reference, model.output):
            return f"ONNX Runtime is {by:.3g} beyond the bounds"
        by = beyond(found(folder, seed, reference), model.output)
    except Exception as error:  # the seeds that follow are still compared
        return str(error)
    return f"{by:.3g} beyond the bounds, of numbers up to {np.abs(reference).max():.3g}" if by else ""


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tool", type=pathlib.Path, help="run_quantized_models")
    parser.add_argument("--seed", type=int, default=1, help="of the first model")
    parser.add_argument("--count", type=int, default=100)
    arguments = parser.parse_args()
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        models = {seed: RandomModel(seed) for seed in seeds}
        for seed, model in models.items():
            (folder / f"{seed}.onnx").write_bytes(model.model().SerializeToString())
            (folder / f"{seed}.input").write_bytes(model.input.tobytes())
        variables = {"VTA_TEST_SEED": str(arguments.seed), "VTA_TEST_COUNT": str(arguments.count)}
        subprocess.run([arguments.tool, folder], env=os.environ | variables, check=True)
        wrong = {seed: what for seed, model in models.items() if (what := verdict(folder, seed, model))}
        for seed, what in wrong.items():
            print(f"seed {seed}: {what}")
            KEPT.mkdir(parents=True, exist_ok=True)
            for file in folder.glob(f"{seed}.*"):
                shutil.copy(file, KEPT)
    print(f"{arguments.count - len(wrong)} of {arguments.count} quantized models agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
