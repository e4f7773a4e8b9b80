# SPDX-License-Identifier: Apache-2.0
"""ShuffleNet v2 (Ma et al., 2018), width 1.0, with torchvision's names."""

from .layers import Layers, imagenet

# (channels, units, image size of the results)
STAGES = [(116, 4, 28), (232, 8, 14), (464, 4, 7)]


def pointwise(layers, prefix, index, channels, inputs=None):
    layers.conv_bn(f"{prefix}.{index}", f"{prefix}.{index + 1}", channels, 1, inputs=inputs)
    layers.add(f"{prefix}.{index + 2}", "relu")


def depthwise(layers, prefix, index, channels, stride, inputs=None):
    layers.conv_bn(f"{prefix}.{index}", f"{prefix}.{index + 1}", channels, 3, stride, 1, inputs, channels)


def half(layers, name, source, first, channels, size):
    """Channels `first` to `first + channels`."""
    return layers.add(name, "strided_slice", [source], begin=[0, first, 0, 0], end=[1, first + channels, size, size],
                      step=[1, 1, 1, 1])


def shuffle(layers, prefix, channels, size):
    """The channels of two groups, alternating."""
    layers.add(f"{prefix}.groups", "reshape", shape=[1, 2, channels // 2, size, size])
    layers.add(f"{prefix}.alternate", "transpose", perm=[0, 2, 1, 3, 4])
    layers.add(f"{prefix}.shuffle", "reshape", shape=[1, channels, size, size])


def unit(layers, prefix, width, channels, size, first):
    x = layers.last
    branch = channels // 2
    stride = 2 if first else 1
    if first:
        depthwise(layers, f"{prefix}.branch1", 0, width, stride)
        pointwise(layers, f"{prefix}.branch1", 2, branch)
        left, right = layers.last, x
    else:
        left = half(layers, f"{prefix}.left", x, 0, branch, size)
        right = half(layers, f"{prefix}.right", x, branch, branch, size)
    pointwise(layers, f"{prefix}.branch2", 0, branch, [right])
    depthwise(layers, f"{prefix}.branch2", 3, branch, stride)
    pointwise(layers, f"{prefix}.branch2", 5, branch)
    layers.concat(f"{prefix}.concat", [left, layers.last])
    shuffle(layers, prefix, channels, size)


def shufflenet_v2():
    layers = Layers()
    layers.conv_bn("conv1.0", "conv1.1", 24, 3, 2, 1)
    layers.add("conv1.2", "relu")
    layers.add("maxpool", "max_pool2d", kernel=3, stride=2, pad=1)
    width = 24
    for stage, (channels, units, size) in enumerate(STAGES, 2):
        for index in range(units):
            unit(layers, f"stage{stage}.{index}", width, channels, size, index == 0)
            width = channels
    layers.conv_bn("conv5.0", "conv5.1", 1024, 1)
    layers.add("conv5.2", "relu")
    layers.classifier("fc", 1000)
    return imagenet("shufflenet_v2", layers)


def networks():
    return [shufflenet_v2()]
