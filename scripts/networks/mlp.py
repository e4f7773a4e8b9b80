# SPDX-License-Identifier: Apache-2.0
"""A perceptron with two hidden layers for digits of 28x28 pixels, as in TVM's tests."""

from .layers import Layers, network


def mlp():
    layers = Layers()
    layers.add("flatten", "flatten")
    layers.add("fc1", "dense", channels=128)
    layers.add("relu1", "relu")
    layers.add("fc2", "dense", channels=64)
    layers.add("relu2", "relu")
    layers.add("fc3", "dense", channels=10)
    layers.add("softmax", "softmax")
    image = {"channels": "gray", "scale": 1 / 255, "mean": [0], "stddev": [1]}
    return network("mlp", layers, [1, 1, 28, 28], image, "digits/sample.png")


def networks():
    return [mlp()]
