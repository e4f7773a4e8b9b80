# SPDX-License-Identifier: Apache-2.0
"""A small residual network for digits of 8x8 pixels; scripts/train_digits.py trains it."""

from .layers import Layers, network
from .resnet import basic_branch, identity, projection, residual


def digits():
    layers = Layers()
    layers.conv_bn("conv1", "bn1", 16, 3, 1, 1)
    layers.add("relu", "relu")
    for stage, channels in enumerate([16, 32], start=1):
        for index in range(2):
            prefix = f"layer{stage}.{index}"
            stride = 2 if stage > 1 and index == 0 else 1
            shortcut = projection(layers, prefix, channels, 2) if stride == 2 else identity
            residual(layers, prefix, lambda l: basic_branch(l, prefix, channels, stride), shortcut, "relu2")
    layers.classifier("fc", 10)
    # A pixel of the data set is 0 to 16; the PNG stores 15 times that. The input is pixel / 16.
    image = {"channels": "gray", "scale": 1 / 240, "mean": [0], "stddev": [1]}
    files = {"labels": "digits/labels.txt", "calibration": "digits/calibration.npz"}
    weights = {"file": "digits/digits.safetensors"}
    return network("digits", layers, [1, 1, 8, 8], image, "digits/sample.png", weights=weights, **files)


def networks():
    return [digits()]
