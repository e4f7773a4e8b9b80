#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the models of this folder: a small network quantized by ONNX Runtime, and its results.

Needs numpy, onnx and onnxruntime (pip). With a folder of float models it quantizes these instead,
for measurements: MODEL.qdq_u8.onnx and so on beside each other in OUT.

Example:
  tests/onnx/quantized/generate.py
  tests/onnx/quantized/generate.py --model lenet.onnx --calibration images.npz --out /tmp/quantized
"""
import argparse
import pathlib

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import (CalibrationDataReader, QuantFormat, QuantType, quant_pre_process,
                                      quantize_static)

HERE = pathlib.Path(__file__).resolve().parent
FORMATS = {"qdq": QuantFormat.QDQ, "qop": QuantFormat.QOperator}
TYPES = {"u8": QuantType.QUInt8, "s8": QuantType.QInt8}


class Reader(CalibrationDataReader):
    def __init__(self, name, images):
        self.images = iter([{name: image[None]} for image in images])

    def get_next(self):
        return next(self.images, None)


def small_network(random):
    """Convolutions of every kind, a residual sum, a concat, pools and a dense layer."""
    weights = []

    def constant(name, *shape, scale=1.0):
        values = random.standard_normal(shape).astype(np.float32) * scale
        weights.append(numpy_helper.from_array(values, name))
        return name

    def conv(name, x, ic, oc, kernel, **attributes):
        group = attributes.get("group", 1)
        w = constant(name + "_w", oc, ic // group, kernel, kernel, scale=(2 / (ic // group * kernel**2))**0.5)
        b = constant(name + "_b", oc, scale=0.2)
        return helper.make_node("Conv", [x, w, b], [name], name, kernel_shape=[kernel, kernel], **attributes)

    node = helper.make_node
    nodes = [
        conv("conv1", "x", 3, 16, 3, pads=[1, 1, 1, 1], strides=[2, 2]), node("Relu", ["conv1"], ["r1"], "r1"),
        conv("depthwise", "r1", 16, 16, 3, pads=[1, 1, 1, 1], group=16), node("Relu", ["depthwise"], ["r2"], "r2"),
        conv("pointwise", "r2", 16, 16, 1), node("Add", ["pointwise", "r1"], ["sum"], "sum"),
        node("Relu", ["sum"], ["r3"], "r3"),
        node("MaxPool", ["r3"], ["pool"], "pool", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]),
        conv("left", "pool", 16, 16, 1), conv("right", "pool", 16, 16, 3, pads=[1, 1, 1, 1]),
        node("Concat", ["left", "right"], ["both"], "both", axis=1),
        node("AveragePool", ["both"], ["average"], "average", kernel_shape=[2, 2], strides=[2, 2]),
        node("Sigmoid", ["average"], ["gate"], "gate"),
        node("GlobalAveragePool", ["gate"], ["global"], "global"), node("Flatten", ["global"], ["flat"], "flat"),
        node("Gemm", ["flat", constant("dense_w", 10, 32, scale=0.8), constant("dense_b", 10)], ["y"], "dense", transB=1),
    ]
    value = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, "small", [value("x", TensorProto.FLOAT, [1, 3, 16, 16])],
                              [value("y", TensorProto.FLOAT, [1, 10])], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def quantize(model, name, images, out):
    """Writes every format and type; yields their paths."""
    for form, format_ in FORMATS.items():
        for type_name, type_ in TYPES.items():
            path = out / f"{name}.{form}_{type_name}.onnx"
            reader = Reader(onnx.load(model).graph.input[0].name, images)
            quantize_static(model, path, reader, quant_format=format_, activation_type=type_,
                            weight_type=QuantType.QInt8, per_channel=True)
            yield path


def results(path, images):
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    return np.concatenate([session.run(None, {name: image[None]})[0].reshape(1, -1) for image in images])


def prepared(model, out):
    path = out / "prepared.onnx"
    quant_pre_process(model, path, skip_symbolic_shape=True)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="a float model; default: the small network")
    parser.add_argument("--calibration", help=".npz with array `images` (required by --model)")
    parser.add_argument("--out", type=pathlib.Path, default=HERE)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.model:
        images = np.load(arguments.calibration)["images"]
        path = prepared(arguments.model, arguments.out)
        print(*quantize(path, pathlib.Path(arguments.model).stem, images, arguments.out), sep="\n")
        return path.unlink()
    random = np.random.default_rng(1)
    source = arguments.out / "source.onnx"
    onnx.save(small_network(random), source)
    images = random.standard_normal((24, 3, 16, 16)).astype(np.float32)
    path = prepared(source, arguments.out)
    arrays = {"images": images[16:], "fp32": results(source, images[16:])}
    for quantized in quantize(path, "small", images[:16], arguments.out):
        arrays[quantized.stem.split(".")[1]] = results(quantized, images[16:])
    np.savez_compressed(arguments.out / "expected.npz", **arrays)
    path.unlink()
    source.unlink()


if __name__ == "__main__":
    main()
