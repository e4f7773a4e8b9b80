#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cycles of zero points: zero_point_cycles.py VTA_SIM [MODEL.onnx...]

Quantizes each model by ONNX Runtime's quantize_static (QDQ, weights int8 per channel) with activations in uint8 with zero points and in
int8 without them. Prints the cycles of both on the cycle model, and of the fp32 model with --scales free and power-of-two. Without
models: a product of two tensors as in the attention of ViT-B/16 (12 heads, 197 tokens, 64 channels). Calibrated on noise, on which no
cycles depend except those of zero points that happen to be -128 or 0. Needs PyPI's onnx and onnxruntime.

Example:
  tests/python/in_venv.py build/release/venv onnxruntime onnx -- \\
    tests/benchmarks/zero_point_cycles.py build/release/bin/vta-sim ../shared/data/models/squeezenet_v1.1.onnx
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

COUNT = 4
FORMS = {"u8, zero points": (QuantType.QUInt8, False), "s8, symmetric": (QuantType.QInt8, True)}
SCALES = ("free", "power-of-two")


class Noise(CalibrationDataReader):
    def __init__(self, inputs):
        random = np.random.default_rng(1)
        self.samples = iter([{name: random.standard_normal(shape).astype(np.float32) for name, shape in inputs.items()}
                             for _ in range(COUNT)])

    def get_next(self):
        return next(self.samples, None)


def inputs_of(model):
    constants = {tensor.name for tensor in model.graph.initializer}
    return {value.name: [dim.dim_value or 1 for dim in value.type.tensor_type.shape.dim]
            for value in model.graph.input if value.name not in constants}


def attention_product():
    """a + 0.5 and b + 0.5 keep 0.0 away from the middle of the levels, as in a network's activations."""
    shapes = {"a": [1, 12, 197, 64], "b": [1, 12, 64, 197], "y": [1, 12, 197, 197]}
    a, b, y = (onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape) for name, shape in shapes.items())
    half = onnx.numpy_helper.from_array(np.full([1], 0.5, np.float32), "half")
    nodes = [onnx.helper.make_node("Add", ["a", "half"], ["a1"]), onnx.helper.make_node("Add", ["b", "half"], ["b1"]),
             onnx.helper.make_node("MatMul", ["a1", "b1"], ["y"])]
    graph = onnx.helper.make_graph(nodes, "attention_product", [a, b], [y], [half])
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)


def cycles(vta_sim, file, inputs, *options):
    arguments = [vta_sim, "run", file, "--no-compute", "--json", *options]
    with tempfile.TemporaryDirectory() as folder:
        sample = pathlib.Path(folder) / "sample.npz"
        np.savez(sample, **Noise(inputs).get_next())
        result = subprocess.run([*arguments, "--input", sample], check=True, stdout=subprocess.PIPE)
    return json.loads(result.stdout)["counters"]["cycles"]


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 0 if len(sys.argv) > 1 else 2
    vta_sim, files = sys.argv[1], [pathlib.Path(file) for file in sys.argv[2:]]
    print("| model |", " | ".join(FORMS), "|", " | ".join(f"fp32, `--scales {scales}`" for scales in SCALES), "|")
    print("|---" * (1 + len(FORMS) + len(SCALES)) + "|")
    with tempfile.TemporaryDirectory() as folder:
        if not files:
            files = [pathlib.Path(folder) / "attention_product.onnx"]
            onnx.save(attention_product(), files[0])
        for file in files:
            inputs = inputs_of(onnx.load(file))
            row = []
            for name, (activations, is_symmetric) in FORMS.items():
                quantized = pathlib.Path(folder) / f"{file.stem}.{activations}.onnx"
                quantize_static(file, quantized, Noise(inputs), quant_format=QuantFormat.QDQ, per_channel=True, activation_type=activations,
                                weight_type=QuantType.QInt8, extra_options={"ActivationSymmetric": is_symmetric})
                row.append(cycles(vta_sim, quantized, inputs))
            row += [cycles(vta_sim, file, inputs, "--scales", scales) for scales in SCALES]
            print(f"| {file.stem} |", " | ".join("on the host" if number is None else f"{number:,}" for number in row), "|", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
