# SPDX-License-Identifier: Apache-2.0
"""MobileNet v2 (Sandler et al., 2018) with torchvision's names."""

from .layers import Layers, imagenet

# (expansion, channels, blocks, stride of the first)
STAGES = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]


def inverted_residual(layers, prefix, width, expansion, channels, stride):
    x = layers.last
    hidden = width * expansion
    index = 0
    if expansion != 1:
        layers.conv_bn(f"{prefix}.conv.0.0", f"{prefix}.conv.0.1", hidden, 1)
        layers.relu6(f"{prefix}.conv.0.2")
        index = 1
    names = (f"{prefix}.conv.{index}.0", f"{prefix}.conv.{index}.1")
    layers.conv_bn(*names, hidden, 3, stride, 1, groups=hidden)
    layers.relu6(f"{prefix}.conv.{index}.2")
    layers.conv_bn(f"{prefix}.conv.{index + 1}", f"{prefix}.conv.{index + 2}", channels, 1)
    if stride == 1 and width == channels:
        layers.add(f"{prefix}.add", "add", [layers.last, x])


def mobilenet_v2():
    layers = Layers()
    layers.conv_bn("features.0.0", "features.0.1", 32, 3, 2, 1)
    layers.relu6("features.0.2")
    width, index = 32, 1
    for expansion, channels, blocks, first_stride in STAGES:
        for block in range(blocks):
            stride = first_stride if block == 0 else 1
            inverted_residual(layers, f"features.{index}", width, expansion, channels, stride)
            width = channels
            index += 1
    layers.conv_bn("features.18.0", "features.18.1", 1280, 1)
    layers.relu6("features.18.2")
    layers.classifier("classifier.1", 1000)  # classifier.0 is a dropout
    return imagenet("mobilenet_v2", layers)


def networks():
    return [mobilenet_v2()]
