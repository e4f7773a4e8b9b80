# SPDX-License-Identifier: Apache-2.0
"""ResNet-20 for CIFAR-10 (He et al., 2015) with option-A shortcuts."""

from .layers import IMAGENET_MEAN, IMAGENET_STDDEV, Layers, network
from .resnet import basic_branch, identity, residual

LABELS = "airplane automobile bird cat deer dog frog horse ship truck".split()


def subsample(layers, prefix, channels, size):
    """Option A: every second pixel, with channels/4 zero channels before and after the others."""

    def add(x):
        ranges = {"begin": [0, 0, 0, 0], "end": [1, channels // 2, size, size], "step": [1, 1, 2, 2]}
        layers.add(f"{prefix}.shortcut.slice", "strided_slice", [x], **ranges)
        zeros = [0, channels // 4, 0, 0]
        return layers.add(f"{prefix}.shortcut.pad", "pad", before=zeros, after=zeros)

    return add


def resnet20_cifar():
    layers = Layers()
    layers.conv_bn("conv1", "bn1", 16, 3, 1, 1)
    layers.add("relu", "relu")
    size = 32
    for stage, channels in enumerate([16, 32, 64], start=1):
        for index in range(3):
            prefix = f"layer{stage}.{index}"
            stride = 2 if stage > 1 and index == 0 else 1
            shortcut = subsample(layers, prefix, channels, size) if stride == 2 else identity
            residual(layers, prefix, lambda l: basic_branch(l, prefix, channels, stride), shortcut, "relu2")
            size //= stride
    layers.classifier("linear", 10)
    image = {"channels": "rgb", "scale": 1 / 255, "mean": IMAGENET_MEAN, "stddev": IMAGENET_STDDEV}
    sample, labels = "samples/landscape_32.png", "resnet20_cifar.labels.txt"
    return network("resnet20_cifar", layers, [1, 3, 32, 32], image, sample, labels=labels)


def networks():
    return [resnet20_cifar()]
