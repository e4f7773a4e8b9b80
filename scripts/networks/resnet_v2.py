# SPDX-License-Identifier: Apache-2.0
"""ResNet v2 (He et al., 2016): batch norm and relu precede each convolution. Names as in timm's resnetv2."""

from .layers import Layers, imagenet
from .resnet import STAGES


def norm_relu(layers, prefix, number):
    layers.batch_norm(f"{prefix}.norm{number}")
    return layers.add(f"{prefix}.act{number}", "relu")


def block(layers, prefix, convolutions, projects):
    """`convolutions`: (channels, kernel, stride) each."""
    x = layers.last
    shortcut = active = norm_relu(layers, prefix, 1)
    if projects:
        channels = convolutions[-1][0]
        stride = max(stride for _, _, stride in convolutions)
        shortcut = layers.conv(f"{prefix}.downsample.conv", channels, 1, stride, bias=False)
    else:
        shortcut = x
    inputs = [active]
    for number, (channels, kernel, stride) in enumerate(convolutions, start=1):
        if number > 1:
            norm_relu(layers, prefix, number)
            inputs = None
        layers.conv(f"{prefix}.conv{number}", channels, kernel, stride, kernel // 2, inputs, bias=False)
    layers.add(f"{prefix}.add", "add", [layers.last, shortcut])


def convolutions_of(channels, stride, bottleneck):
    if bottleneck:
        return [(channels, 1, 1), (channels, 3, stride), (4 * channels, 1, 1)]
    return [(channels, 3, stride), (channels, 3, 1)]


def resnet_v2(depth):
    bottleneck = depth >= 50
    layers = Layers()
    layers.conv("stem.conv", 64, 7, 2, 3, bias=False)
    layers.add("stem.pool", "max_pool2d", kernel=3, stride=2, pad=1)
    for number, blocks in enumerate(STAGES[depth]):
        for index in range(blocks):
            stride = 2 if number > 0 and index == 0 else 1
            convolutions = convolutions_of(64 * 2**number, stride, bottleneck)
            projects = index == 0 and (number > 0 or bottleneck)
            block(layers, f"stages.{number}.blocks.{index}", convolutions, projects)
    layers.batch_norm("norm")
    layers.add("act", "relu")
    layers.add("head.global_pool", "global_avg_pool2d")
    layers.conv("head.fc", 1000, 1)
    layers.add("head.flatten", "flatten")
    return imagenet(f"resnet{depth}_v2", layers)


def networks():
    return [resnet_v2(depth) for depth in STAGES]
