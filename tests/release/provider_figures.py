#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The execution provider beside the toolkit's own sessions: ONNX's node tests, the time of a run, and the accuracy of ResNet-20.

A node test's model gets its inputs but the first as constants, as weights are. If the core takes it whole, its values must be those of
vta.Session; if not at all, those of ONNX Runtime alone. As many of ResNet-20's predictions must be right as in `vta-sim eval`.

usage: provider_figures.py [--data FOLDER]    needs onnxruntime 1.24, onnx; FOLDER as for wheels_test.py
"""
import argparse
import collections
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
import onnx
import onnxruntime
import vta

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/benchmarks"))
from int8_beside_onnxruntime import resnet20  # noqa: E402

NAME = "VTAExecutionProvider"
RUNS = 500


def plain_options():
    """Without optimizations, which would round weights."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return options


def session_of(model, calibration=None):
    options = plain_options()
    options.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
    devices = [device for device in onnxruntime.get_ep_devices() if device.ep_name == NAME]
    options.add_provider_for_devices(devices, {"calibration": calibration} if calibration else {})
    return onnxruntime.InferenceSession(model, options)


def nodes_on_core(session):
    return sum(len(part.get_nodes()) for part in session.get_provider_graph_assignment_info() if part.ep_name == NAME)


def with_constants(case):
    """The model of a node test for its first input alone, its value and the bytes; None for others than tensors of numbers."""
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    values = case.data_sets[0][0]
    named = [value.name for value in model.graph.input]
    if not values or len(values) != len(named) or not all(isinstance(value, np.ndarray) and value.dtype.kind in "fiub" for value in values):
        return None
    if values[0].dtype != np.float32 or values[0].ndim < 2:
        return None
    del model.graph.input[1:]
    model.graph.initializer.extend(onnx.numpy_helper.from_array(value, name) for name, value in zip(named[1:], values[1:]))
    return named[0], values[0], model.SerializeToString()


def compare_node_test(case, file):
    """Where its nodes run; None if ONNX Runtime does not run them."""
    name, x, model = case
    try:
        expected = onnxruntime.InferenceSession(model, plain_options(), providers=["CPUExecutionProvider"]).run(None, {name: x})
    except Exception:  # ONNX Runtime has many kinds; its support of operators is not the subject
        return None
    np.savez(file, images=x)
    session = session_of(model, f"npz:{file}")
    values = session.run(None, {name: x})
    count = nodes_on_core(session)
    if count == 0:
        np.testing.assert_equal(values, expected)
        return "elsewhere"
    if count < len(onnx.load_from_string(model).graph.node):
        return "in part on the core (not compared)"
    with vta.Session(vta.compile(model, calibrate=f"npz:{file}"), device="functional") as mine:
        np.testing.assert_equal(values, mine.run(x))
    return "on the core"


def node_tests(folder):
    warnings.filterwarnings("ignore")
    from onnx.backend.test.case import node
    counts, wrong = collections.Counter(), []
    for case in node.collect_testcases(None):
        changed = with_constants(case)
        try:
            result = changed and compare_node_test(changed, folder / "images.npz")
        except Exception as error:
            wrong.append(f"{case.name}: {str(error).strip().splitlines()[0]}")
            continue
        if result:
            counts[result] += 1
    print("node tests with equal values:", ", ".join(f"{count} {where}" for where, count in counts.items()))
    for line in wrong:
        print("  differs:", line)
    return not wrong and counts["on the core"] > 0


def overhead(folder):
    """Medians, of a small model."""
    file = ROOT / "tests/onnx/quantized/small.qdq_s8.onnx"
    session = session_of(str(file))
    info = session.get_inputs()[0]
    feed = {info.name: np.zeros(info.shape, np.float32)}
    seconds = []
    for _ in range(RUNS):
        start = time.perf_counter()
        session.run(None, feed)
        seconds.append(time.perf_counter() - start)
    run = subprocess.run([pathlib.Path(sys.executable).with_name("vta-sim"), "run", file, "--device", "functional", "--repeat", str(RUNS), "--json"],
                         check=True, stdout=subprocess.PIPE, cwd=folder)
    through, native = statistics.median(seconds), statistics.median(json.loads(run.stdout)["repeat"]["seconds"])
    print(f"a run of {file.name}: {through * 1e3:.3f} ms through ONNX Runtime, {native * 1e3:.3f} ms by vta-sim, "
          f"{(through - native) * 1e3:.3f} ms more")


def accuracy(data, folder):
    case = resnet20(data)
    model, calibration = case.model.SerializeToString(), folder / "calibration.npz"
    np.savez(calibration, images=case.calibration)
    session = session_of(model, f"npz:{calibration}")
    name = session.get_inputs()[0].name
    theirs = np.array([session.run(None, {name: x[None]})[0].argmax() for x in case.images])
    np.savez(folder / "test.npz", images=case.images, labels=case.labels)
    (folder / "model.onnx").write_bytes(model)
    evaluated = subprocess.run([pathlib.Path(sys.executable).with_name("vta-sim"), "eval", "model.onnx", "--dataset", "npz:test.npz", "--calibrate",
                                "npz:calibration.npz", "--json"], check=True, stdout=subprocess.PIPE, cwd=folder)
    result = json.loads(evaluated.stdout)
    right, of_eval = int((theirs == case.labels).sum()), round(result["top1"] * result["images"] / 100)
    print(f"ResNet-20: {right} of {len(theirs)} right, {of_eval} by vta-sim eval; {nodes_on_core(session)} of {len(case.model.graph.node)} nodes "
          "on the core")
    return right == of_eval


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path)
    arguments = parser.parse_args()
    onnxruntime.set_default_logger_severity(4)
    onnxruntime.register_execution_provider_library("vta", vta.provider_library())
    print("onnxruntime", onnxruntime.__version__)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        equal = node_tests(folder)
        overhead(folder)
        equal = (not arguments.data or accuracy(arguments.data, folder)) and equal
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
