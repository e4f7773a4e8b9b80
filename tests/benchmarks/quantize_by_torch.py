#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Quantizes ONNX models by torch.ao (PT2E), and exports them as QDQ models: quantize_by_torch.py FOLDER NAME...

Reads FOLDER/NAME.onnx, whose constants are folded, and the calibration inputs `images` [count, c, h, w] of FOLDER/NAME.calibration.npz,
as int8_beside_onnxruntime.py --keep FOLDER writes them, and writes FOLDER/NAME.torch.onnx: XNNPACKQuantizer, activations int8 with
zero points, weights int8 per channel, torch.onnx.export(dynamo=True). Takes the operators of the trained networks of the shared data.
Needs torch 2.6 or later, onnxscript and onnx (tests/python/export_classifier.py says where from).

Example:
  /usr/bin/python3 tests/benchmarks/quantize_by_torch.py models lenet resnet20 squeezenet
"""
import operator
import pathlib
import sys
import warnings

OPEN_END = 1 << 30  # of a slice: up to the end


def window(attributes):
    pads = attributes.get("pads", [0] * 4)
    if pads[:2] != pads[2:]:
        sys.exit(f"padding {pads} is not the same on both sides")
    return attributes["strides"], pads[:2]


def conv(torch, values, _, attributes):
    return torch.nn.functional.conv2d, (*values, *window(attributes), attributes["dilations"], attributes["group"])


def max_pool(torch, values, _, attributes):
    how = (attributes["kernel_shape"], *window(attributes), 1, bool(attributes.get("ceil_mode", 0)))
    return torch.nn.functional.max_pool2d, (values[0], *how)


def average_pool(torch, values, _, attributes):
    return torch.nn.functional.avg_pool2d, (values[0], attributes["kernel_shape"], *window(attributes))


def strided_slice(_, values, constants, __):
    slices = [slice(None)] * 4
    for begin, end, axis, step in zip(*constants[1:5]):
        slices[axis] = slice(begin, None if end > OPEN_END else end, step)
    return operator.getitem, (values[0], tuple(slices))


def pad(torch, values, constants, _):
    """Torch has the last axis first."""
    count = len(constants[1]) // 2
    pads = [side for axis in reversed(range(count)) for side in (constants[1][axis], constants[1][count + axis])]
    return torch.nn.functional.pad, (values[0], pads)


def flatten(torch, values, *_):
    return torch.flatten, (values[0], 1)


# From an operator of ONNX to torch's function and arguments; `constants` are the operands that are constant, as lists.
FUNCTIONS = {
    "Add": lambda torch, values, *_: (torch.add, tuple(values)),
    "AveragePool": average_pool,
    "Concat": lambda torch, values, _, attributes: (torch.cat, (values, attributes["axis"])),
    "Conv": conv,
    "Flatten": flatten,
    "Gemm": lambda torch, values, *_: (torch.nn.functional.linear, tuple(values)),
    "GlobalAveragePool": lambda torch, values, *_: (torch.nn.functional.adaptive_avg_pool2d, (values[0], 1)),
    "MaxPool": max_pool,
    "Pad": pad,
    "Relu": lambda torch, values, *_: (torch.nn.functional.relu, (values[0],)),
    "Reshape": flatten,  # of a classifier's input
    "Slice": strided_slice,
}


def torch_module(torch, onnx, model):
    root, graph, values = torch.nn.Module(), torch.fx.Graph(), {}
    constants = {tensor.name: onnx.numpy_helper.to_array(tensor).copy() for tensor in model.graph.initializer}
    values[next(value.name for value in model.graph.input if value.name not in constants)] = graph.placeholder("image")
    for index, (name, array) in enumerate(constants.items()):
        if array.dtype.kind == "f" and array.ndim > 0:
            root.register_parameter(f"p{index}", torch.nn.Parameter(torch.from_numpy(array), requires_grad=False))
            values[name] = graph.get_attr(f"p{index}")
    for node in model.graph.node:
        if node.op_type not in FUNCTIONS:
            sys.exit(f"{node.op_type}: expected one of {', '.join(FUNCTIONS)}")
        attributes = {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}
        lists = [constants[name].ravel().tolist() if name in constants else None for name in node.input]
        operands = [values.get(name) for name in node.input]
        values[node.output[0]] = graph.call_function(*FUNCTIONS[node.op_type](torch, operands, lists, attributes))
    graph.output(values[model.graph.output[0].name])
    return torch.fx.GraphModule(root, graph).eval()


def quantize(torch, module, images):
    from torch.ao.quantization.quantize_pt2e import convert_pt2e, prepare_pt2e
    from torch.ao.quantization.quantizer.xnnpack_quantizer import XNNPACKQuantizer, get_symmetric_quantization_config
    exported = torch.export.export_for_training(module, (images[:1],)).module()
    quantizer = XNNPACKQuantizer().set_global(get_symmetric_quantization_config(is_per_channel=True))
    prepared = prepare_pt2e(exported, quantizer)
    with torch.no_grad():
        for image in images:
            prepared(image[None])
    return convert_pt2e(prepared)


def translations(torch):
    """Translations of operators that onnxscript lacks."""
    from onnxscript.onnx_opset import opset18

    def dequantize_per_channel(input, scales, zero_points, axis: int, quant_min: int, quant_max: int, dtype: int, out_dtype: int = -1):
        return opset18.DequantizeLinear(input, scales, opset18.Cast(zero_points, to=3), axis=axis)  # 3: int8

    return {torch.ops.quantized_decomposed.dequantize_per_channel.default: dequantize_per_channel}


def main():
    if len(sys.argv) < 3 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 0 if len(sys.argv) > 1 and sys.argv[1] in ("-h", "--help") else 2
    try:
        import numpy
        import onnx
        import onnxscript  # the exporter needs it
        import torch
    except ImportError as error:
        print(f"[SKIP] {error.name} is not installed")
        return 0
    if not hasattr(torch.export, "export_for_training"):
        print(f"[SKIP] torch {torch.__version__} does not export for PT2E, 2.6 or later does")
        return 0
    warnings.simplefilter("ignore")
    folder = pathlib.Path(sys.argv[1])
    for name in sys.argv[2:]:
        for file in (folder / f"{name}.onnx", folder / f"{name}.calibration.npz"):
            if not file.is_file():
                sys.exit(f"{file} is missing: write it with int8_beside_onnxruntime.py --keep {folder}")
        images = torch.from_numpy(numpy.load(folder / f"{name}.calibration.npz")["images"])
        module = quantize(torch, torch_module(torch, onnx, onnx.load(folder / f"{name}.onnx")), images)
        program = torch.onnx.export(module, (images[:1],), dynamo=True, input_names=["image"],
                                    custom_translation_table=translations(torch))
        for node in program.model.graph:  # onnxscript 0.2 has booleans as integer attributes, which protobuf 6 refuses
            for attribute in node.attributes.values():
                if isinstance(attribute.value, bool):
                    attribute.value = int(attribute.value)
        program.save(str(folder / f"{name}.torch.onnx"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
