#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Accuracy in int8 beside ONNX Runtime's static quantization (QDQ, activations uint8, weights int8 per channel), as a table.

Both quantize the same fp32 ONNX model with the same calibration inputs, and both run the same inputs. Columns: fp32; this project's
scales, power-of-two (mse), free and auto (the default), with the cycles of each; the QDQ model in ONNX Runtime; the QDQ model in this project, and its MACs on the core. Of
classifiers with trained weights top-1, agreement with fp32 and signal-to-noise ratio of the scores, of the others the ratio alone.

  resnet20, squeezenet, lenet     trained; of the folder of shared data
  resnet20_leaky                  leaky relus in place of relus
  squeezenet_pruned               the smallest 70 % of all weights are zero
  squeezenet_shared               16 values of weights in each layer (k-means)
  mobilenet_v2, efficientnet_lite0, yolov8_n, mobilenet_v3 (hard swish, gates), yolov3_tiny (leaky relu), minifasnet (prelu)
                                  calibrated random weights (shaped_networks.py), on the photographs

Needs PyPI's onnx and onnxruntime, Debian's python3-numpy and python3-pil and the shared data; without one of them it prints [SKIP].

Example:
  tests/python/in_venv.py build/release/venv onnxruntime onnx -- tests/benchmarks/int8_beside_onnxruntime.py lenet resnet20
"""
import argparse
import dataclasses
import gzip
import json
import logging
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import onnx
    import onnxruntime
    import PIL.Image
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
    import shaped_networks
except ImportError as error:
    MISSING = error.name
    CalibrationDataReader = object
else:
    MISSING = None

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PRUNED_SHARE = 0.7
SHARED_VALUES = 16
K_MEANS_ROUNDS = 30
DIGITS = 2000
LEAKY_IMAGES = 200
PHOTOGRAPHS = {"calibration": 16, "of_shapes": 32}
CIFAR_CALIBRATION = LENET_CALIBRATION = 64
IMAGENET = {"mean": [0.485, 0.456, 0.406], "stddev": [0.229, 0.224, 0.225]}
SCALES = {"power-of-two": ["--scales", "power-of-two", "--quantize", "mse"], "free": ["--scales", "free"], "auto": []}


@dataclasses.dataclass
class Case:
    """A model and its inputs, float32 [count, c, h, w]; `labels` is None for random weights."""

    model: "onnx.ModelProto"
    calibration: "np.ndarray"
    images: "np.ndarray"
    labels: "np.ndarray | None" = None


def normalized(pixels, mean, stddev):
    """Normalized pixels, from bytes [count, c, h, w]."""
    mean, stddev = (np.array(numbers, np.float32)[:, None, None] for numbers in (mean, stddev))
    return ((pixels.astype(np.float32) / 255 - mean) / stddev).astype(np.float32)


def read_cifar(file, count=None):
    rows = np.frombuffer(file.read_bytes(), np.uint8).reshape(-1, 1 + 3 * 32 * 32)[:count]
    return normalized(rows[:, 1:].reshape(-1, 3, 32, 32), **IMAGENET), rows[:, 0].astype(np.int64)


def resnet20(data):
    images, labels = read_cifar(data / "cifar10/test_first932.bin")
    calibration, _ = read_cifar(data / "cifar10/train_calib.bin", CIFAR_CALIBRATION)
    return Case(folded(onnx.load(data / "models/resnet20_cifar.onnx")), calibration, images, labels)


def leaky(case):
    """The case with a leaky relu in place of each relu, which only its own fp32 results judge."""
    for node in case.model.graph.node:
        if node.op_type == "Relu":
            node.op_type = "LeakyRelu"
            node.attribute.append(onnx.helper.make_attribute("alpha", 0.1))
    return dataclasses.replace(case, images=case.images[:LEAKY_IMAGES], labels=None)


def moved(images, down, right):
    """Moved by pixels, with the borders mirrored."""
    margin = max(abs(down), abs(right))
    padded = np.pad(images, ((0, 0), (0, 0), (margin, margin), (margin, margin)), mode="reflect")
    height, width = images.shape[2:]
    return padded[:, :, margin - down:margin - down + height, margin - right:margin - right + width]


def other_cifar(data, case):
    """The rest of the training images, the same moved and mirrored, and the test images mirrored and moved."""
    rest, labels = read_cifar(data / "cifar10/train_calib.bin")
    rest, labels = rest[CIFAR_CALIBRATION:], labels[CIFAR_CALIBRATION:]
    parts = [rest, case.images[..., ::-1], moved(case.images, 2, 1), moved(case.images, -1, 2), moved(rest[..., ::-1], 1, 1)]
    return dataclasses.replace(case, images=np.concatenate(parts), labels=np.concatenate([labels, *[case.labels] * 3, labels]))


def folded(model):
    """The model for one image with constants folded (in ResNet-20 those of its shortcuts), as ONNX Runtime's guide to quantization says."""
    next(value for value in model.graph.input if value.name == input_of(model)).type.tensor_type.shape.dim[0].dim_value = 1
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    with tempfile.TemporaryDirectory() as folder:
        options.optimized_model_filepath = str(pathlib.Path(folder) / "model.onnx")
        onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        return onnx.load(options.optimized_model_filepath)


def lenet(data):
    """The calibration images follow the test images."""
    with gzip.open(data / "mnist/t10k-images-idx3-ubyte.gz") as file:
        pixels = np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 28, 28)[:DIGITS + LENET_CALIBRATION]
    with gzip.open(data / "mnist/t10k-labels-idx1-ubyte.gz") as file:
        labels = np.frombuffer(file.read(), np.uint8, offset=8)[:DIGITS].astype(np.int64)
    digits = [PIL.Image.fromarray(image).resize((32, 32), PIL.Image.Resampling.BILINEAR) for image in pixels]
    inputs = normalized(np.stack([np.asarray(image) for image in digits])[:, None], [0], [1])
    return Case(onnx.load(data / "models/lenet5_mnist.onnx"), inputs[DIGITS:], inputs[:DIGITS], labels)


def photographs(data, resized, cropped):
    """Bytes RGB [count, 3, h, w] and labels."""
    lines = [line.split() for line in (data / "imagenet_samples/classes.txt").read_text().splitlines() if line]
    images, begin = [], (resized - cropped) // 2
    for _, name in lines:
        with PIL.Image.open(data / "imagenet_samples" / name) as file:
            image = np.asarray(file.convert("RGB").resize((resized, resized), PIL.Image.Resampling.BILINEAR))
        images.append(image[begin:begin + cropped, begin:begin + cropped].transpose(2, 0, 1))
    return np.stack(images), np.array([int(label) for label, _ in lines])


def squeezenet_inputs(data, resized):
    pixels, labels = photographs(data, resized, 227)
    means = np.array([104, 117, 123], np.float32)[:, None, None]  # BGR
    return pixels[:, ::-1].astype(np.float32) - means, labels


def other_photographs(data, case):
    """The photographs mirrored, smaller, larger, and mirrored from another size."""
    smaller, larger, middle = (squeezenet_inputs(data, resized)[0] for resized in (240, 288, 272))
    parts = [case.images[..., ::-1], smaller, larger, middle[..., ::-1]]
    return dataclasses.replace(case, images=np.concatenate(parts), labels=np.concatenate([case.labels] * len(parts)))


def squeezenet(data):
    inputs, labels = squeezenet_inputs(data, 256)
    return Case(onnx.load(data / "models/squeezenet_v1.1.onnx"), inputs[:PHOTOGRAPHS["calibration"]], inputs, labels)


def with_weights(case, change):
    """The case with the weights of its convolutions replaced by change(weights by name)."""
    names = {node.input[1] for node in case.model.graph.node if node.op_type == "Conv"}
    tensors = {tensor.name: tensor for tensor in case.model.graph.initializer if tensor.name in names}
    changed = change({name: onnx.numpy_helper.to_array(tensor) for name, tensor in tensors.items()})
    for name, weights in changed.items():
        tensors[name].CopyFrom(onnx.numpy_helper.from_array(weights.astype(np.float32), name))
    return case


def pruned(layers):
    limit = np.quantile(np.concatenate([np.abs(weights).ravel() for weights in layers.values()]), PRUNED_SHARE)
    return {name: np.where(np.abs(weights) < limit, 0, weights) for name, weights in layers.items()}


def shared(layers):
    return {name: with_shared_values(weights) for name, weights in layers.items()}


def with_shared_values(weights):
    """k-means that begins with equal distances, as Deep Compression (Han et al., 2016)."""
    values = np.linspace(weights.min(), weights.max(), SHARED_VALUES)
    for _ in range(K_MEANS_ROUNDS):
        nearest = np.abs(weights.reshape(-1, 1) - values).argmin(1)
        sums = np.bincount(nearest, weights.ravel(), SHARED_VALUES)
        counts = np.bincount(nearest, minlength=SHARED_VALUES)
        values = np.where(counts > 0, sums / np.maximum(counts, 1), values)
    return values[nearest].reshape(weights.shape)


def shaped(build, size):
    def case(data):
        images = normalized(photographs(data, size * 8 // 7, size)[0], **IMAGENET)
        calibration, rest = np.split(images, [PHOTOGRAPHS["calibration"]])
        return Case(build(calibration), calibration, rest[:PHOTOGRAPHS["of_shapes"]])
    return case


CASES = {
    "resnet20": resnet20,
    "resnet20_leaky": lambda data: leaky(resnet20(data)),
    "squeezenet": squeezenet,
    "squeezenet_pruned": lambda data: with_weights(squeezenet(data), pruned),
    "squeezenet_shared": lambda data: with_weights(squeezenet(data), shared),
    "lenet": lenet,
    "mobilenet_v2": shaped(lambda images: shaped_networks.mobilenet_v2(images), 224),
    "efficientnet_lite0": shaped(lambda images: shaped_networks.efficientnet_lite0(images), 224),
    "yolov8_n": shaped(lambda images: shaped_networks.yolov8_n(images), 320),
    "mobilenet_v3": shaped(lambda images: shaped_networks.mobilenet_v3(images), 224),
    "yolov3_tiny": shaped(lambda images: shaped_networks.yolov3_tiny(images), 224),
    "minifasnet": shaped(lambda images: shaped_networks.minifasnet(images), 80),
}


OTHER_IMAGES = {"resnet20": other_cifar, **{name: other_photographs for name in CASES if name.startswith("squeezenet")}}


class Reader(CalibrationDataReader):
    def __init__(self, name, images):
        self._feeds = iter([{name: image[None]} for image in images])

    def get_next(self):
        return next(self._feeds, None)


def input_of(model):
    constants = {tensor.name for tensor in model.graph.initializer}
    return next(value.name for value in model.graph.input if value.name not in constants)


def run_onnxruntime(file, images, threads):
    """All outputs of an image in a row: [count, elements]."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    return np.stack([np.concatenate([output.ravel() for output in session.run(None, {name: image[None]})]) for image in images])


def quantize_by_onnxruntime(case, file, quantized):
    quantize_static(str(file), str(quantized), Reader(input_of(case.model), case.calibration), quant_format=QuantFormat.QDQ,
                    per_channel=True, activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8)


def run_ours(arguments, file, images, options):
    """The outputs as run_onnxruntime() gives them for the inputs of a file, and the share of MACs on the core."""
    output, names = images.with_suffix(".results.npz"), [output.name for output in onnx.load(file).graph.output]
    command = [arguments.build / "bin/vta-sim", "eval", file, "--dataset", f"npz:{images}", "--output", output, "--json",
               "--threads", str(arguments.threads), *options]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"vta-sim eval {file.name} {' '.join(map(str, options))}: {result.stderr.strip()}")
    report = json.loads(result.stdout)
    with np.load(output) as arrays:
        rows = [arrays[name].reshape(report["images"], -1) for name in names]
    return np.concatenate(rows, 1), report["macs_on_core"] / report["macs"]


def cycles_of(arguments, file, options):
    """Cycles of an inference, by the cycle model."""
    command = [arguments.build / "bin/vta-sim", "run", file, "--input", "noise:1", "--no-compute", "--json", *options]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)["counters"]["cycles"]


def measured(results, fp32, labels):
    """Ratio of the variance of the fp32 results to the squared error; of a classifier top-1 and agreement, in percent."""
    noise = np.square(results.astype(np.float64) - fp32).mean()
    numbers = {"snr_db": float(10 * np.log10(fp32.var(dtype=np.float64) / noise)) if noise > 0 else None}
    if labels is not None:
        classes = results.argmax(1)
        numbers["top1"] = float(100 * np.mean(classes == labels))
        numbers["agreement"] = float(100 * np.mean(classes == fp32.argmax(1)))
    return numbers


def compare(arguments, name, folder, show):
    """Everything that is measured of a network, by column. `folder` holds its files."""
    show(f"{name}: model and images")
    case = CASES[name](arguments.data)
    if arguments.other_images:
        case = OTHER_IMAGES[name](arguments.data, case)
    labels = np.zeros(len(case.images), np.int64) if case.labels is None else case.labels
    images, calibration = folder / f"{name}.images.npz", folder / f"{name}.calibration.npz"
    np.savez(images, images=case.images, labels=labels)
    np.savez(calibration, images=case.calibration)
    file, quantized = folder / f"{name}.onnx", folder / f"{name}.{arguments.qdq}.onnx"
    onnx.save(case.model, file)
    if arguments.qdq == "onnxruntime":
        show(f"{name}: quantize_static")
        quantize_by_onnxruntime(case, file, quantized)
    show(f"{name}: ONNX Runtime")
    fp32 = run_onnxruntime(file, case.images, arguments.threads)
    columns = {"fp32": measured(fp32, fp32, case.labels)}
    for scales, options in arguments.scales.items():
        show(f"{name}: --scales {scales}")
        options = [*options, "--calibrate", f"npz:{calibration}"]
        columns[scales] = {**measured(run_ours(arguments, file, images, options)[0], fp32, case.labels),
                           "cycles": cycles_of(arguments, file, options)}
    columns["qdq"] = measured(run_onnxruntime(quantized, case.images, arguments.threads), fp32, case.labels)
    show(f"{name}: QDQ on the core")
    results, share = run_ours(arguments, quantized, images, [])
    columns["qdq_on_core"] = {**measured(results, fp32, case.labels), "core_macs_share": share}
    return {"network": name, "images": len(case.images), "calibration_images": len(case.calibration), **columns}


def cell(column):
    decibels = "" if column["snr_db"] is None else f"{column['snr_db']:.1f} dB"
    if "cycles" in column:
        return f"{cell({key: value for key, value in column.items() if key != 'cycles'})}, {column['cycles']:,} cycles"
    if "top1" not in column:
        return decibels
    agreement = f"{column['agreement']:.2f} %, {decibels}" if decibels else ""
    return f"{column['top1']:.2f} %" + (f" ({agreement})" if agreement else "")


def table_row(result):
    cells = [cell(column) for column in result.values() if isinstance(column, dict)]
    return f"| {result['network']}, {result['images']} | {' | '.join(cells)} | {result['qdq_on_core']['core_macs_share']:.1%} |"


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*", metavar="NETWORK", help="of those above (default: all)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="build folder (default: build/release)")
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared/data", help="shared data (default: ../shared/data)")
    parser.add_argument("--threads", type=int, default=1, help="of vta-sim and of ONNX Runtime, one after the other (1)")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="keep the models and inputs in this folder")
    parser.add_argument("--qdq", choices=("onnxruntime", "torch"), default="onnxruntime",
                        help="quantizer: ONNX Runtime (default), or torch.ao with the models that quantize_by_torch.py has written into "
                        "the folder of --keep, and without the columns of this project's scales")
    parser.add_argument("--other-images", action="store_true",
                        help="of ResNet-20 and SqueezeNet: 11,988 and 400 images other than those of the table, for differences of a few images")
    parser.add_argument("--json", action="store_true", help="print one JSON object a network instead of the table")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.networks if name not in CASES]
    if unknown:
        parser.error(f"unknown network '{unknown[0]}', expected one of {', '.join(CASES)}")
    if arguments.qdq == "torch" and arguments.keep is None:
        parser.error("--qdq torch needs --keep FOLDER")
    arguments.networks = arguments.networks or list(OTHER_IMAGES if arguments.other_images else CASES)
    if arguments.other_images and not set(arguments.networks) <= set(OTHER_IMAGES):
        parser.error(f"--other-images is for {', '.join(OTHER_IMAGES)}")
    arguments.scales = SCALES if arguments.qdq == "onnxruntime" else {}
    return arguments


def missing(arguments):
    """What the comparison cannot do without, or None."""
    if MISSING is not None:
        return f"{MISSING} is not installed"
    return None if arguments.data.is_dir() else f"no shared data in {arguments.data}"


def check_files(arguments):
    if not os.access(arguments.build / "bin/vta-sim", os.X_OK):
        sys.exit(f"{arguments.build / 'bin/vta-sim'} is missing: build it, or name another folder with --build")
    if arguments.qdq == "torch":
        for name in arguments.networks:
            if not (arguments.keep / f"{name}.torch.onnx").is_file():
                sys.exit(f"{arguments.keep / f'{name}.torch.onnx'} is missing: write it with quantize_by_torch.py")


def main():
    arguments = parse_arguments()
    lack = missing(arguments)
    if lack is not None:
        print(f"[SKIP] {lack}")
        return 0
    check_files(arguments)
    logging.disable(logging.WARNING)  # quantize_static's advice to fold constants first
    if not arguments.json:
        columns = ["network, inputs", "fp32", *arguments.scales, "`QDQ`, ONNX Runtime", "`QDQ`, on the core", "its MACs on the core"]
        print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|", flush=True)
    for name in arguments.networks:
        with tempfile.TemporaryDirectory() as folder:
            if arguments.keep is not None:
                arguments.keep.mkdir(parents=True, exist_ok=True)
            result = compare(arguments, name, arguments.keep or pathlib.Path(folder), progress)
        progress("")
        print(json.dumps(result) if arguments.json else table_row(result), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
