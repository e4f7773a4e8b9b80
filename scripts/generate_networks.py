#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the network files of configs/networks and the samples of resnet18 and resnet20_cifar.

    scripts/generate_networks.py [--check] [--out FOLDER]

The files are checked in; --check says whether they are what this script writes (exit status 1 if not).
Python's standard library is all it needs.
"""

import argparse
import json
import math
import pathlib
import struct
import sys
import zlib

IMAGENET_MEAN = [0.485, 0.456, 0.406]
IMAGENET_STDDEV = [0.229, 0.224, 0.225]


# Layers -------------------------------------------------------------------------------------------------------


class Layers:
    """The list of layers; `last` is the name of the one that follows up."""

    def __init__(self, first):
        self.list = []
        self.last = first

    def add(self, name, op, inputs=None, **attributes):
        layer = {"name": name, "op": op}
        if inputs is not None and inputs != [self.last]:
            layer["inputs"] = inputs
        self.list.append({**layer, **attributes})
        self.last = name
        return name

    def conv_bn(self, conv, bn, channels, kernel, stride, pad, inputs=None):
        sizes = {"channels": channels, "kernel": kernel, "stride": stride, "pad": pad}
        self.add(conv, "conv2d", inputs, **sizes, bias=False)
        return self.add(bn, "batch_norm")


def block(layers, prefix, channels, stride, shortcut):
    """relu(bn2(conv2(relu(bn1(conv1(x))))) + shortcut(x)); `shortcut` adds its layers and returns the last."""
    x = layers.last
    layers.conv_bn(f"{prefix}.conv1", f"{prefix}.bn1", channels, 3, stride, 1)
    layers.add(f"{prefix}.relu1", "relu")
    branch = layers.conv_bn(f"{prefix}.conv2", f"{prefix}.bn2", channels, 3, 1, 1)
    layers.add(f"{prefix}.add", "add", [branch, shortcut(x)])
    layers.add(f"{prefix}.relu2", "relu")


def projection(layers, prefix, channels, stride):
    """Option B: a 1x1 convolution and batch norm."""

    def add(x):
        names = (f"{prefix}.downsample.0", f"{prefix}.downsample.1")
        return layers.conv_bn(*names, channels, 1, stride, 0, [x])

    return add


def subsample(layers, prefix, channels, size):
    """Option A: every second pixel, channels/4 zeros in front of and behind the others."""

    def add(x):
        ranges = {"begin": [0, 0, 0, 0], "end": [1, channels // 2, size, size], "step": [1, 1, 2, 2]}
        layers.add(f"{prefix}.shortcut.slice", "strided_slice", [x], **ranges)
        zeros = [0, channels // 4, 0, 0]
        return layers.add(f"{prefix}.shortcut.pad", "pad", before=zeros, after=zeros)

    return add


def identity(x):
    return x


def classifier(layers, name, channels):
    layers.add("avgpool", "global_avg_pool2d")
    layers.add("flatten", "flatten")
    layers.add(name, "dense", channels=channels, bias=True)


# Networks -----------------------------------------------------------------------------------------------------


def resnet18():
    layers = Layers("data")
    layers.conv_bn("conv1", "bn1", 64, 7, 2, 3)
    layers.add("relu", "relu")
    layers.add("maxpool", "max_pool2d", kernel=3, stride=2, pad=1)
    for stage, channels in enumerate([64, 128, 256, 512], start=1):
        for index in range(2):
            prefix = f"layer{stage}.{index}"
            stride = 2 if stage > 1 and index == 0 else 1
            widens = stage > 1 and index == 0
            shortcut = projection(layers, prefix, channels, stride) if widens else identity
            block(layers, prefix, channels, stride, shortcut)
    classifier(layers, "fc", 1000)
    image = {
        "resize_short_side": 256,
        "channels": "rgb",
        "scale": 1 / 255,
        "mean": IMAGENET_MEAN,
        "stddev": IMAGENET_STDDEV,
    }
    return {
        "format": 1,
        "name": "resnet18",
        "input": {
            "name": "data",
            "shape": [1, 3, 224, 224],
            "image": image,
            "sample": "samples/landscape.png",
        },
        "weights": {"synthetic": {"seed": 1}},
        "quantize": "global",
        "layers": layers.list,
    }


def resnet20_cifar():
    layers = Layers("data")
    layers.conv_bn("conv1", "bn1", 16, 3, 1, 1)
    layers.add("relu", "relu")
    size = 32
    for stage, channels in enumerate([16, 32, 64], start=1):
        for index in range(3):
            prefix = f"layer{stage}.{index}"
            halves = stage > 1 and index == 0
            shortcut = subsample(layers, prefix, channels, size) if halves else identity
            block(layers, prefix, channels, 2 if halves else 1, shortcut)
            size //= 2 if halves else 1
    classifier(layers, "linear", 10)
    image = {
        "channels": "rgb",
        "scale": 1 / 255,
        "mean": IMAGENET_MEAN,
        "stddev": IMAGENET_STDDEV,
    }
    return {
        "format": 1,
        "name": "resnet20_cifar",
        "input": {
            "name": "data",
            "shape": [1, 3, 32, 32],
            "image": image,
            "sample": "samples/landscape_32.png",
        },
        "weights": {"synthetic": {"seed": 1}},
        "labels": "resnet20_cifar.labels.txt",
        "quantize": "mse",
        "layers": layers.list,
    }


CIFAR_LABELS = "airplane automobile bird cat deer dog frog horse ship truck".split()


def digits():
    layers = Layers("data")
    layers.conv_bn("conv1", "bn1", 16, 3, 1, 1)
    layers.add("relu", "relu")
    for stage, channels in enumerate([16, 32], start=1):
        for index in range(2):
            prefix = f"layer{stage}.{index}"
            widens = stage > 1 and index == 0
            shortcut = projection(layers, prefix, channels, 2) if widens else identity
            block(layers, prefix, channels, 2 if widens else 1, shortcut)
    classifier(layers, "fc", 10)
    # A pixel of the data set is 0 to 16 and stands in the PNG as 15 times that; the input is pixel / 16.
    image = {"channels": "gray", "scale": 1 / 240, "mean": [0], "stddev": [1]}
    return {
        "format": 1,
        "name": "digits",
        "input": {"name": "data", "shape": [1, 1, 8, 8], "image": image, "sample": "digits/sample.png"},
        "weights": {"file": "digits/digits.safetensors"},
        "labels": "digits/labels.txt",
        "calibration": "digits/calibration.npz",
        "quantize": "mse",
        "layers": layers.list,
    }


def network_text(network):
    """JSON with one line a layer."""
    lines = []
    for key, value in network.items():
        if key == "layers":
            rows = ",\n    ".join(json.dumps(layer) for layer in value)
            lines.append(f'"layers": [\n    {rows}\n  ]')
        elif key == "input":
            rows = ",\n    ".join(f'"{name}": {json.dumps(field)}' for name, field in value.items())
            lines.append(f'"input": {{\n    {rows}\n  }}')
        else:
            lines.append(f'"{key}": {json.dumps(value)}')
    return "{\n  " + ",\n  ".join(lines) + "\n}\n"


# Samples: a rendered landscape ----------------------------------------------------------------------------------


def mix(a, b, t):
    t = min(max(t, 0.0), 1.0)
    return tuple(x + (y - x) * t for x, y in zip(a, b))


def lattice(x, y, seed):
    """A number in [0, 1) for a point of the integer grid."""
    value = (x * 374761393 + y * 668265263 + seed * 2147483647) & 0xFFFFFFFF
    value = ((value ^ (value >> 13)) * 1274126177) & 0xFFFFFFFF
    return ((value ^ (value >> 16)) & 0xFFFF) / 65536


def noise(x, y, seed):
    """Smooth value noise in [0, 1)."""
    ix, iy = math.floor(x), math.floor(y)
    fx, fy = x - ix, y - iy
    fx, fy = fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy)
    top = lattice(ix, iy, seed) * (1 - fx) + lattice(ix + 1, iy, seed) * fx
    bottom = lattice(ix, iy + 1, seed) * (1 - fx) + lattice(ix + 1, iy + 1, seed) * fx
    return top * (1 - fy) + bottom * fy


def fractal(x, y, seed, octaves=4):
    return sum(noise(x * 2**k, y * 2**k, seed + k) / 2 ** (k + 1) for k in range(octaves))


def ridge(x, base, height, frequency, seed):
    return base - height * (fractal(x * frequency, 0.5, seed, 5) - 0.45)


def sky(x, y):
    color = mix((58, 110, 190), (240, 205, 165), y / 0.55)
    cloud = fractal(x * 3 + 7, y * 9, 11, 5)
    color = mix(color, (250, 246, 240), (cloud - 0.48) * 4 * (1 - y))
    distance = math.hypot(x - 0.72, y - 0.2)
    return mix((255, 246, 200), color, (distance - 0.045) * 60 if distance < 0.07 else 0.8 + distance * 0.4)


def house(x, y):
    """A house with a door and two windows, or None where it is not."""
    u, v = (x - 0.18) / 0.2, (y - 0.6) / 0.2
    if 0 <= u <= 1 and 0 <= v <= 1:
        if 0.42 < u < 0.6 and v > 0.45:
            return (84, 52, 38)
        if (0.12 < u < 0.3 or 0.72 < u < 0.9) and 0.25 < v < 0.55:
            return (196, 222, 236) if abs(u % 0.6 - 0.21) > 0.015 else (70, 60, 55)
        return mix((206, 186, 160), (172, 150, 126), noise(u * 6, v * 22, 61))
    if -0.6 < v < 0 and abs(u - 0.5) < 0.62 * (1 + v / 0.6):
        return mix((156, 58, 44), (112, 38, 32), (v * 24) % 1)
    return None


def tree(x, y, center, ground, size):
    u, v = (x - center) / size, (ground - y) / size
    if abs(u) < 0.05 and 0 <= v < 0.5:
        return (92, 64, 44)
    for level in range(3):
        bottom = 0.25 + 0.35 * level
        if bottom <= v < bottom + 0.6 and abs(u) < (0.42 - 0.09 * level) * (1 - (v - bottom) / 0.6):
            leaf = fractal(x * 60, y * 60, 71, 2)
            return mix((18, 58, 34), (76, 128, 58), leaf * 1.3 - 0.2 + u * 0.6)
    return None


def land(x, y):
    if y > ridge(x, 0.7, 0.1, 3, 41):
        grass = fractal(x * 24, y * 40, 51, 3)
        color = mix((64, 112, 44), (150, 168, 72), grass)
        path = abs(x - 0.3 - 0.35 * (y - 0.8) - 0.05 * math.sin(y * 18))
        if y > 0.8 and path < 0.02 + 0.12 * (y - 0.8):
            return mix((176, 150, 112), (206, 184, 148), fractal(x * 40, y * 60, 55, 2))
        return color
    if y > ridge(x, 0.58, 0.22, 2.5, 31):
        return mix((74, 104, 84), (110, 140, 96), fractal(x * 14, y * 22, 35, 3))
    rock = ridge(x, 0.5, 0.55, 2, 21)
    if y > rock:
        snow = y - rock < 0.05 + 0.06 * noise(x * 30, y * 10, 25)
        light = fractal(x * 9 + y * 6, y * 5, 27, 4)
        return mix((222, 228, 238), (252, 252, 255), light) if snow else mix((86, 92, 112), (150, 148, 156), light)
    return None


def scene(x, y):
    """The colour at (x, y) of the unit square, y downwards."""
    objects = [
        tree(x, y, 0.62, 0.86, 0.3),
        tree(x, y, 0.84, 0.93, 0.4),
        tree(x, y, 0.5, 0.8, 0.18),
        house(x, y),
        land(x, y),
    ]
    return next((color for color in objects if color is not None), None) or sky(x, y)


def render(size, samples):
    """Rows of RGB bytes, `samples` x `samples` points averaged for each pixel."""
    rows = []
    for row in range(size):
        line = bytearray()
        for column in range(size):
            total = [0.0, 0.0, 0.0]
            for i in range(samples * samples):
                x = (column + (i % samples + 0.5) / samples) / size
                y = (row + (i // samples + 0.5) / samples) / size
                total = [t + c for t, c in zip(total, scene(x, y))]
            line += bytes(min(max(round(t / samples**2), 0), 255) for t in total)
        rows.append(bytes(line))
    return rows


def filtered(rows):
    """PNG's Paeth filter: each byte less its best guess from left, above and upper left."""
    above = bytes(len(rows[0]))
    for row in rows:
        line = bytearray(b"\x04")
        for i, value in enumerate(row):
            left = row[i - 3] if i >= 3 else 0
            corner = above[i - 3] if i >= 3 else 0
            guess = left + above[i] - corner
            best = min((left, above[i], corner), key=lambda candidate: abs(guess - candidate))
            line.append((value - best) & 0xFF)
        above = row
        yield bytes(line)


def png(rows):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(filtered(rows)), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


# Files ----------------------------------------------------------------------------------------------------------


def files():
    """(name, bytes) of every file, made when asked for."""
    for network in (resnet18, resnet20_cifar, digits):
        yield f"{network.__name__}.json", network_text(network()).encode()
    yield "resnet20_cifar.labels.txt", "".join(f"{label}\n" for label in CIFAR_LABELS).encode()
    # 256x256 and 32x32: what the networks' preprocessing takes without resizing.
    yield "samples/landscape.png", png(render(256, 1))
    yield "samples/landscape_32.png", png(render(32, 6))


def main():
    default_out = pathlib.Path(__file__).resolve().parent.parent / "configs/networks"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--out", type=pathlib.Path, default=default_out)
    args = parser.parse_args()
    differing = []
    for name, content in files():
        path = args.out / name
        if path.exists() and path.read_bytes() == content:
            continue
        differing.append(name)
        if not args.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    print("\n".join(differing) if differing else "all files are up to date")
    return 1 if args.check and differing else 0


if __name__ == "__main__":
    sys.exit(main())
