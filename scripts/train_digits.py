#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the network of configs/networks/digits.json and writes the files of configs/networks/digits.

Data: 1797 handwritten digits of 8x8 pixels with values 0 to 16, UCI "Optical Recognition of Handwritten Digits"
(CC BY 4.0), as Debian's python3-sklearn ships them. The only other dependency is numpy: the layers and their gradients
are implemented below. Takes about three minutes on two cores.

Split, by a permutation with a fixed seed. The first 600 images are the test set (test.npz) and are used neither for training
nor for calibration. --validate trains on 1000 of the other 1197 images and validates on the remaining 197. The
hyperparameters below were chosen with it. Without it, all 1197 images are training data, and the test set is evaluated once,
at the end.

Example:
  scripts/train_digits.py --validate --epochs 40
"""

import argparse
import json
import pathlib
import struct
import sys
import zlib

try:
    import numpy as np
    from numpy.lib.stride_tricks import sliding_window_view
except ImportError:
    np = None  # --help works without it

SEED = 20
NUM_TEST = 600
NUM_CALIBRATION = 200
NUM_VALIDATION = 197
BATCH = 64
LEARNING_RATE = 0.08
MOMENTUM = 0.9
WEIGHT_DECAY = 1e-3
LABEL_SMOOTHING = 0.05
BATCH_NORM_MOMENTUM = 0.1
EPSILON = 1e-5
PIXEL_MAX = 16  # of the data; the input tensor is pixel / 16
PNG_STEP = 15  # a PNG pixel is 15 * pixel, hence the network file's scale 1 / 240

# (name, in channels, out channels, stride)
BLOCKS = [
    ("layer1.0", 16, 16, 1),
    ("layer1.1", 16, 16, 1),
    ("layer2.0", 16, 32, 2),
    ("layer2.1", 32, 32, 1),
]


class Parameter:
    def __init__(self, value):
        self.value = value.astype(np.float32)
        self.grad = np.zeros_like(self.value)
        self.velocity = np.zeros_like(self.value)


class Conv:
    """[n, ic, h, w] -> [n, oc, oh, ow], as a matrix product over unfolded windows."""

    def __init__(self, rng, in_channels, out_channels, kernel, stride):
        deviation = np.sqrt(2 / (in_channels * kernel * kernel))
        shape = (out_channels, in_channels, kernel, kernel)
        self.weight = Parameter(rng.normal(0, deviation, shape))
        self.kernel, self.stride, self.pad = kernel, stride, kernel // 2

    def parameters(self):
        return {"weight": self.weight}

    def state(self):
        return {"weight": self.weight.value}

    def forward(self, x, training):
        p, k, s = self.pad, self.kernel, self.stride
        padded = np.pad(x, ((0, 0), (0, 0), (p, p), (p, p)))
        windows = sliding_window_view(padded, (k, k), axis=(2, 3))[:, :, ::s, ::s]
        n, c, oh, ow = windows.shape[:4]
        self.columns = windows.transpose(0, 2, 3, 1, 4, 5).reshape(n * oh * ow, c * k * k)
        self.padded_shape = padded.shape
        self.out_size = (n, oh, ow)
        flat = self.weight.value.reshape(len(self.weight.value), -1)
        return (self.columns @ flat.T).reshape(n, oh, ow, -1).transpose(0, 3, 1, 2)

    def backward(self, grad):
        n, oh, ow = self.out_size
        p, k, s = self.pad, self.kernel, self.stride
        flat_grad = grad.transpose(0, 2, 3, 1).reshape(n * oh * ow, -1)
        self.weight.grad += (flat_grad.T @ self.columns).reshape(self.weight.value.shape)
        columns = flat_grad @ self.weight.value.reshape(flat_grad.shape[1], -1)
        columns = columns.reshape(n, oh, ow, -1, k, k).transpose(0, 3, 4, 5, 1, 2)
        result = np.zeros(self.padded_shape, np.float32)
        for i in range(k):
            for j in range(k):
                result[:, :, i : i + s * oh : s, j : j + s * ow : s] += columns[:, :, i, j]
        return result[:, :, p : result.shape[2] - p, p : result.shape[3] - p]


class BatchNorm:
    def __init__(self, channels):
        self.weight = Parameter(np.ones(channels))
        self.bias = Parameter(np.zeros(channels))
        self.running_mean = np.zeros(channels, np.float32)
        self.running_var = np.ones(channels, np.float32)

    def parameters(self):
        return {"weight": self.weight, "bias": self.bias}

    def state(self):
        return {
            "weight": self.weight.value,
            "bias": self.bias.value,
            "running_mean": self.running_mean,
            "running_var": self.running_var,
        }

    def forward(self, x, training):
        if training:
            mean, var = x.mean((0, 2, 3)), x.var((0, 2, 3))
            count = x.size / x.shape[1]
            self.running_mean += BATCH_NORM_MOMENTUM * (mean - self.running_mean)
            self.running_var += BATCH_NORM_MOMENTUM * (var * count / (count - 1) - self.running_var)
        else:
            mean, var = self.running_mean, self.running_var
        self.inverse = 1 / np.sqrt(var + EPSILON)
        self.normal = (x - mean[:, None, None]) * self.inverse[:, None, None]
        return self.normal * self.weight.value[:, None, None] + self.bias.value[:, None, None]

    def backward(self, grad):
        sum_grad = grad.sum((0, 2, 3))
        sum_product = (grad * self.normal).sum((0, 2, 3))
        self.weight.grad += sum_product
        self.bias.grad += sum_grad
        count = grad.size / grad.shape[1]
        centered = grad - (sum_grad / count)[:, None, None]
        centered -= self.normal * (sum_product / count)[:, None, None]
        return centered * (self.weight.value * self.inverse)[:, None, None]


class Relu:
    def forward(self, x, training):
        self.positive = x > 0
        return x * self.positive

    def backward(self, grad):
        return grad * self.positive


class Dense:
    def __init__(self, rng, in_channels, out_channels):
        self.weight = Parameter(rng.normal(0, np.sqrt(1 / in_channels), (out_channels, in_channels)))
        self.bias = Parameter(np.zeros(out_channels))

    def parameters(self):
        return {"weight": self.weight, "bias": self.bias}

    def state(self):
        return {"weight": self.weight.value, "bias": self.bias.value}

    def forward(self, x, training):
        self.x = x
        return x @ self.weight.value.T + self.bias.value

    def backward(self, grad):
        self.weight.grad += grad.T @ self.x
        self.bias.grad += grad.sum(0)
        return grad @ self.weight.value


class Block:
    """relu(bn2(conv2(relu(bn1(conv1(x))))) + shortcut(x)), the shortcut a 1x1 convolution where shapes differ."""

    def __init__(self, rng, in_channels, out_channels, stride):
        self.layers = {
            "conv1": Conv(rng, in_channels, out_channels, 3, stride),
            "bn1": BatchNorm(out_channels),
            "relu1": Relu(),
            "conv2": Conv(rng, out_channels, out_channels, 3, 1),
            "bn2": BatchNorm(out_channels),
        }
        self.shortcut = {}
        if stride != 1 or in_channels != out_channels:
            self.shortcut["downsample.0"] = Conv(rng, in_channels, out_channels, 1, stride)
            self.shortcut["downsample.1"] = BatchNorm(out_channels)
        self.relu = Relu()

    def named(self):
        return {**self.layers, **self.shortcut}

    def forward(self, x, training):
        branch, shortcut = x, x
        for layer in self.layers.values():
            branch = layer.forward(branch, training)
        for layer in self.shortcut.values():
            shortcut = layer.forward(shortcut, training)
        return self.relu.forward(branch + shortcut, training)

    def backward(self, grad):
        branch = shortcut = self.relu.backward(grad)
        for layer in reversed(self.layers.values()):
            branch = layer.backward(branch)
        for layer in reversed(self.shortcut.values()):
            shortcut = layer.backward(shortcut)
        return branch + shortcut


class Network:
    def __init__(self, rng):
        self.stem = {"conv1": Conv(rng, 1, 16, 3, 1), "bn1": BatchNorm(16), "relu": Relu()}
        self.blocks = {name: Block(rng, ic, oc, stride) for name, ic, oc, stride in BLOCKS}
        self.fc = Dense(rng, 32, 10)

    def named(self):
        layers = {**self.stem, "fc": self.fc}
        for prefix, block in self.blocks.items():
            layers.update({f"{prefix}.{name}": layer for name, layer in block.named().items()})
        return {name: layer for name, layer in layers.items() if not isinstance(layer, Relu)}

    def parameters(self):
        return [p for layer in self.named().values() for p in layer.parameters().values()]

    def state(self):
        layers = self.named().items()
        return {f"{name}.{key}": v for name, layer in layers for key, v in layer.state().items()}

    def forward(self, x, training=False):
        for layer in [*self.stem.values(), *self.blocks.values()]:
            x = layer.forward(x, training)
        self.image_shape = x.shape
        return self.fc.forward(x.mean((2, 3)), training)

    def backward(self, grad):
        grad = self.fc.backward(grad)
        height, width = self.image_shape[2:]
        grad = np.broadcast_to(grad[:, :, None, None] / (height * width), self.image_shape)
        for layer in reversed([*self.stem.values(), *self.blocks.values()]):
            grad = layer.backward(grad)


def augmented(rng, images):
    """Each image under its own small rotation, scaling, shear and shift, sampled bilinearly."""
    n, _, height, width = images.shape
    angle = rng.uniform(-0.2, 0.2, n)
    scale = rng.uniform(0.88, 1.12, (2, n))
    shear = rng.uniform(-0.12, 0.12, n)
    shift = rng.uniform(-0.8, 0.8, (2, n))
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    y, x = y - (height - 1) / 2, x - (width - 1) / 2
    cos, sin = np.cos(angle)[:, None, None], np.sin(angle)[:, None, None]
    source_y = scale[0][:, None, None] * (cos * y + sin * x) + shift[0][:, None, None]
    source_x = scale[1][:, None, None] * (cos * x - sin * y + shear[:, None, None] * y)
    source_x += shift[1][:, None, None]
    return bilinear(images, source_y + (height - 1) / 2, source_x + (width - 1) / 2)


def bilinear(images, y, x):
    n = len(images)
    padded = np.pad(images[:, 0], ((0, 0), (2, 2), (2, 2)))
    limit = padded.shape[1] - 2
    y, x = np.clip(y + 2, 0, limit), np.clip(x + 2, 0, limit)
    row, column = np.floor(y).astype(int), np.floor(x).astype(int)
    fy, fx = y - row, x - column
    index = np.arange(n)[:, None, None]
    top = padded[index, row, column] * (1 - fx) + padded[index, row, column + 1] * fx
    bottom = padded[index, row + 1, column] * (1 - fx) + padded[index, row + 1, column + 1] * fx
    return (top * (1 - fy) + bottom * fy)[:, None].astype(np.float32)


def loss_gradient(logits, labels):
    shifted = np.exp(logits - logits.max(1, keepdims=True))
    probabilities = shifted / shifted.sum(1, keepdims=True)
    target = np.full_like(probabilities, LABEL_SMOOTHING / 10)
    target[np.arange(len(labels)), labels] += 1 - LABEL_SMOOTHING
    loss = -(target * np.log(probabilities + 1e-12)).sum(1).mean()
    return loss, ((probabilities - target) / len(labels)).astype(np.float32)


def step(network, learning_rate):
    for parameter in network.parameters():
        gradient = parameter.grad
        if parameter.value.ndim > 1:  # no decay of biases and batch norms
            gradient = gradient + WEIGHT_DECAY * parameter.value
        parameter.velocity = MOMENTUM * parameter.velocity + gradient
        parameter.value -= (learning_rate * parameter.velocity).astype(np.float32)
        parameter.grad[...] = 0


def train(images, labels, epochs, report):
    rng = np.random.default_rng(SEED)
    network = Network(rng)
    num_steps = epochs * (len(images) // BATCH)
    done = 0
    for epoch in range(epochs):
        order, total = rng.permutation(len(images)), 0.0
        for start in range(0, len(images) - BATCH + 1, BATCH):
            batch = order[start : start + BATCH]
            logits = network.forward(augmented(rng, images[batch]), training=True)
            loss, gradient = loss_gradient(logits, labels[batch])
            network.backward(gradient)
            rate = LEARNING_RATE * 0.5 * (1 + np.cos(np.pi * done / num_steps))
            step(network, rate * min(1, (done + 1) / 50))
            done += 1
            total += loss
        if epoch % 10 == 9:
            mean_loss = total / (len(images) // BATCH)
            print(f"epoch {epoch + 1:3d}  loss {mean_loss:.4f}  {report(network)}", flush=True)
    return network


def accuracy(network, images, labels):
    return 100 * float((network.forward(images).argmax(1) == labels).mean())


def write_safetensors(path, arrays):
    header, offset = {}, 0
    for name, array in arrays.items():
        header[name] = {
            "dtype": "F32",
            "shape": list(array.shape),
            "data_offsets": [offset, offset + array.nbytes],
        }
        offset += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    body = b"".join(np.ascontiguousarray(a, "<f4").tobytes() for a in arrays.values())
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def write_gray_png(path, pixels):
    def chunk(kind, body):
        checksum = zlib.crc32(kind + body)
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", checksum)

    height, width = pixels.shape
    rows = b"".join(b"\0" + row.astype(np.uint8).tobytes() for row in pixels)
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows, 9))
        + chunk(b"IEND", b"")
    )


def load_split():
    from sklearn.datasets import load_digits

    digits = load_digits()
    order = np.random.default_rng(SEED).permutation(len(digits.target))
    images = (digits.images / PIXEL_MAX).astype(np.float32)[order][:, None]
    labels = digits.target.astype(np.int32)[order]
    held_back = (images[:NUM_TEST], labels[:NUM_TEST])
    return held_back, (images[NUM_TEST:], labels[NUM_TEST:])


def write_files(folder, network, held_back, training):
    folder.mkdir(parents=True, exist_ok=True)
    write_safetensors(folder / "digits.safetensors", network.state())
    np.savez_compressed(folder / "test.npz", images=held_back[0], labels=held_back[1])
    np.savez_compressed(folder / "calibration.npz", images=training[0][:NUM_CALIBRATION])
    write_gray_png(folder / "sample.png", np.rint(held_back[0][0, 0] * PIXEL_MAX) * PNG_STEP)
    (folder / "labels.txt").write_text("".join(f"{digit}\n" for digit in range(10)))


def main():
    default_out = pathlib.Path(__file__).resolve().parent.parent / "configs/networks/digits"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--epochs", type=int, default=120, help="default: 120")
    parser.add_argument("--validate", action="store_true", help="train and validate on the training split; write nothing")
    parser.add_argument("--out", type=pathlib.Path, default=default_out, help="default: configs/networks/digits")
    args = parser.parse_args()
    if np is None:
        sys.exit("train_digits: numpy is missing: apt-get install python3-numpy python3-sklearn")

    held_back, (images, labels) = load_split()
    if args.validate:
        checked = (images[-NUM_VALIDATION:], labels[-NUM_VALIDATION:])
        images, labels = images[:-NUM_VALIDATION], labels[:-NUM_VALIDATION]
        train(images, labels, args.epochs, lambda n: f"validation {accuracy(n, *checked):.2f} %")
        return
    network = train(images, labels, args.epochs, lambda n: f"training {accuracy(n, images, labels):.2f} %")
    write_files(args.out, network, held_back, (images, labels))
    print(f"held-back {accuracy(network, *held_back):.2f} % of {NUM_TEST} images")


if __name__ == "__main__":
    main()
