#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the models of this folder: a first axis of rows, of time, and of time without a size (needs onnx of PyPI)."""
import pathlib

import numpy as np
import onnx
from onnx import TensorProto, helper

FOLDER = pathlib.Path(__file__).parent


def write(name, size, nodes):
    weights = np.random.default_rng(1).standard_normal((8, 8)).astype(np.float32)
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["m"], "product"), *nodes], name,
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [size, 8])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [None, 8])], [onnx.numpy_helper.from_array(weights, "w")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    (FOLDER / f"{name}.onnx").write_bytes(model.SerializeToString(deterministic=True))


def main():
    steps = [helper.make_node("ReduceMean", ["m"], ["mean"], "mean", axes=[0]), helper.make_node("Sub", ["m", "mean"], ["y"], "sub")]
    write("rows_of_four", 4, [helper.make_node("Relu", ["m"], ["y"], "relu")])
    write("steps_of_four", 4, steps)
    write("open_steps", "T", steps)


if __name__ == "__main__":
    main()
