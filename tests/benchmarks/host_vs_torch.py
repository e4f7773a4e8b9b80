#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times fp32 networks on the host against PyTorch and ONNX Runtime in one run.

    tests/benchmarks/host_vs_torch.py build/release/bin/host_network [--threads N] [NETWORK.json ...]

All run with the same random weights and input (an .npz file) and must give the same output. They run in alternation, so
that other load on the machine affects all of them; the best time of each counts. Needs python3-torch and python3-numpy
and exits with a message without them. onnxruntime, if installed, runs the model that PyTorch exports.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

try:
    import numpy
    import torch
    import torch.nn.functional as F
except ImportError as error:
    print(f"[SKIP] {error.name} is not installed")
    sys.exit(0)
try:
    import onnxruntime
except ImportError:
    onnxruntime = None

NETWORKS = pathlib.Path(__file__).resolve().parents[2] / "configs" / "networks"


def sides(value, default=0):
    """A number or a list of the network file as (top, left, bottom, right)."""
    value = default if value is None else value
    if isinstance(value, int):
        return (value,) * 4
    return tuple(value) if len(value) == 4 else (value[0], value[1], value[0], value[1])


def pair(value, default=1):
    value = default if value is None else value
    return (value, value) if isinstance(value, int) else tuple(value)


def symmetric(layer):
    top, left, bottom, right = sides(layer.get("pad"))
    if (top, left) != (bottom, right):
        raise SystemExit(f"{layer['name']}: padding {layer['pad']} is not the same on both sides")
    return (top, left)


class Network(torch.nn.Module):
    """A network file as a PyTorch module."""

    def __init__(self, description):
        super().__init__()
        self.input = description["input"]
        self.layers = description["layers"]
        self.parameters_ = {}
        shapes = {self.input["name"]: tuple(self.input["shape"])}
        with torch.no_grad():
            self.values_of(torch.zeros(self.input["shape"]), shapes)

    def parameter(self, name, shape, scale, offset=0.0):
        if name not in self.parameters_:
            value = torch.nn.Parameter(torch.randn(shape) * scale + offset, requires_grad=False)
            self.parameters_[name] = value
            self.register_parameter(name.replace(".", "_"), value)
        return self.parameters_[name]

    def weights_of(self, layer, shape):
        prefix = layer.get("params", layer["name"])
        fan_in = numpy.prod(shape[1:])
        weight = self.parameter(prefix + ".weight", shape, (2.0 / fan_in) ** 0.5)
        bias = None
        if layer.get("bias", True):
            bias = self.parameter(prefix + ".bias", (layer["channels"],), 0.1)
        return weight, bias

    def norm(self, layer, x):
        prefix, c = layer.get("params", layer["name"]), (x.shape[1],)
        return F.batch_norm(x, self.parameter(prefix + ".running_mean", c, 0.1),
                            self.parameter(prefix + ".running_var", c, 0.05, 1.0),
                            self.parameter(prefix + ".weight", c, 0.1, 1.0),
                            self.parameter(prefix + ".bias", c, 0.1), False, 0.0,
                            layer.get("epsilon", 1e-5))

    def compute(self, layer, x):
        op, first = layer["op"], x[0]
        kernel, stride = pair(layer.get("kernel")), pair(layer.get("stride"))
        if op == "conv2d":
            groups = layer.get("groups", 1)
            shape = (layer["channels"], first.shape[1] // groups) + kernel
            return F.conv2d(first, *self.weights_of(layer, shape), stride, symmetric(layer),
                            pair(layer.get("dilation")), groups)
        if op == "dense":
            return F.linear(first, *self.weights_of(layer, (layer["channels"], first.shape[1])))
        if op == "batch_norm":
            return self.norm(layer, first)
        if op == "max_pool2d":
            return F.max_pool2d(first, kernel, stride, symmetric(layer), 1,
                                layer.get("ceil_mode", False))
        if op == "avg_pool2d":
            return F.avg_pool2d(first, kernel, stride, symmetric(layer),
                                layer.get("ceil_mode", False), layer.get("count_include_pad", False))
        simple = {
            "relu": lambda: F.relu(first),
            "clip": lambda: torch.clamp(first, float(layer["lo"]), float(layer["hi"])),
            "add": lambda: x[0] + x[1],
            "flatten": lambda: torch.flatten(first, 1),
            "softmax": lambda: F.softmax(first, layer.get("axis", -1)),
            "concat": lambda: torch.cat(x, layer["axis"]),
            "global_avg_pool2d": lambda: F.adaptive_avg_pool2d(first, 1),
            "leaky_relu": lambda: F.leaky_relu(first, layer["alpha"]),
        }
        if op not in simple:
            raise SystemExit(f"{layer['name']}: no {op} in this comparison")
        return simple[op]()

    def values_of(self, x, _=None):
        values = {self.input["name"]: x}
        previous = self.input["name"]
        for layer in self.layers:
            operands = [values[name] for name in layer.get("inputs", [previous])]
            previous = layer["name"]
            values[previous] = self.compute(layer, operands)
        return values[previous]

    def forward(self, x):
        return self.values_of(x)


def best_milliseconds(run, repeat):
    best = float("inf")
    with torch.no_grad():
        for _ in range(repeat):
            start = time.perf_counter()
            output = run()
            best = min(best, (time.perf_counter() - start) * 1e3)
    return best, output


def runtime_of(model, x, threads, folder):
    """The model in ONNX Runtime, as a function without arguments."""
    path = str(folder / "model.onnx")
    torch.onnx.export(model, x, path, input_names=["x"], output_names=["y"])
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    feeds = {"x": x.numpy()}
    return lambda: session.run(["y"], feeds)[0]


def run_ours(binary, network, files, threads, repeat):
    command = [binary, str(network), "--weights", str(files / "weights.npz"), "--input",
               str(files / "input.npz"), "--threads", str(threads), "--repeat", str(repeat)]
    result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return min(result["milliseconds"]), numpy.array(result["output"])


def others(model, x, threads, folder):
    """The runtimes to compare with: functions without arguments, by name."""
    with torch.no_grad():
        frozen = torch.jit.optimize_for_inference(torch.jit.freeze(torch.jit.trace(model, x)))
    runs = {"torch": lambda: model(x), "torch frozen": lambda: frozen(x)}
    if onnxruntime is not None:
        runs["onnxruntime"] = runtime_of(model, x, threads, folder)
    return runs


def compare(binary, path, threads, rounds, repeat):
    torch.manual_seed(1)
    description = json.loads(path.read_text())
    model = Network(description).eval()
    x = torch.randn(description["input"]["shape"])
    with tempfile.TemporaryDirectory() as folder:
        files = pathlib.Path(folder)
        runs = others(model, x, threads, files)
        best = {name: float("inf") for name in ("ours", *runs)}
        numpy.savez(files / "weights.npz", **{k: v.numpy() for k, v in model.parameters_.items()})
        numpy.savez(files / "input.npz", input=x.numpy())
        for _ in range(rounds):
            milliseconds, output = run_ours(binary, path, files, threads, repeat)
            best["ours"] = min(best["ours"], milliseconds)
            for name, run in runs.items():
                milliseconds, result = best_milliseconds(run, repeat)
                best[name] = min(best[name], milliseconds)
                if name == "torch":
                    expected = result
    expected = expected.numpy().reshape(-1)[:len(output)]
    difference = float(abs(output - expected).max() / max(1e-9, abs(expected).max()))
    ratios = "".join(f"   {name} {best[name]:7.2f} ms ({best['ours'] / best[name]:.2f}x)"
                     for name in runs)
    print(f"{path.stem:12} ours {best['ours']:7.2f} ms{ratios}   difference {difference:.1e}")
    return difference < 1e-3


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", help="host_network of tests/benchmarks")
    parser.add_argument("networks", nargs="*", type=pathlib.Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=20)
    options = parser.parse_intermixed_args()
    torch.set_num_threads(options.threads)
    networks = options.networks or [path for name in ("resnet18", "mobilenet")
                                    if (path := NETWORKS / f"{name}.json").exists()]
    print(f"PyTorch {torch.__version__}, {options.threads} threads, best of "
          f"{options.rounds * options.repeat}; a ratio above 1 means that the other is faster")
    same = [compare(options.binary, path, options.threads, options.rounds, options.repeat)
            for path in networks]
    sys.exit(0 if all(same) else 1)


if __name__ == "__main__":
    main()
