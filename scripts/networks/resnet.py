# SPDX-License-Identifier: Apache-2.0
"""ResNet (He et al., 2015) with torchvision's names: 18 and 34 of basic blocks, 50 and 101 of bottlenecks.

The stride of a bottleneck is in its 3x3 convolution, as torchvision has it.
"""

from .layers import Layers, imagenet

STAGES = {18: [2, 2, 2, 2], 34: [3, 4, 6, 3], 50: [3, 4, 6, 3], 101: [3, 4, 23, 3]}


def basic_branch(layers, prefix, channels, stride):
    layers.conv_bn(f"{prefix}.conv1", f"{prefix}.bn1", channels, 3, stride, 1)
    layers.add(f"{prefix}.relu1", "relu")
    return layers.conv_bn(f"{prefix}.conv2", f"{prefix}.bn2", channels, 3, 1, 1)


def bottleneck_branch(layers, prefix, channels, stride):
    layers.conv_bn(f"{prefix}.conv1", f"{prefix}.bn1", channels, 1)
    layers.add(f"{prefix}.relu1", "relu")
    layers.conv_bn(f"{prefix}.conv2", f"{prefix}.bn2", channels, 3, stride, 1)
    layers.add(f"{prefix}.relu2", "relu")
    return layers.conv_bn(f"{prefix}.conv3", f"{prefix}.bn3", 4 * channels, 1)


def residual(layers, prefix, branch, shortcut, out):
    """relu(branch(x) + shortcut(x)); both add their layers and return the last one's name."""
    x = layers.last
    end = branch(layers)
    layers.add(f"{prefix}.add", "add", [end, shortcut(x)])
    layers.add(f"{prefix}.{out}", "relu")


def projection(layers, prefix, channels, stride):
    """Option B of the paper: a 1x1 convolution and batch norm."""
    names = (f"{prefix}.downsample.0", f"{prefix}.downsample.1")
    return lambda x: layers.conv_bn(*names, channels, 1, stride, inputs=[x])


def identity(x):
    return x


def stage(layers, number, blocks, channels, bottleneck):
    width = 4 * channels if bottleneck else channels
    branch, out = (bottleneck_branch, "relu3") if bottleneck else (basic_branch, "relu2")
    for index in range(blocks):
        prefix = f"layer{number}.{index}"
        stride = 2 if number > 1 and index == 0 else 1
        widens = index == 0 and (number > 1 or bottleneck)
        shortcut = projection(layers, prefix, width, stride) if widens else identity
        residual(layers, prefix, lambda l: branch(l, prefix, channels, stride), shortcut, out)


def resnet(depth):
    layers = Layers()
    layers.conv_bn("conv1", "bn1", 64, 7, 2, 3)
    layers.add("relu", "relu")
    layers.add("maxpool", "max_pool2d", kernel=3, stride=2, pad=1)
    for number, blocks in enumerate(STAGES[depth], start=1):
        stage(layers, number, blocks, 32 * 2**number, bottleneck=depth >= 50)
    layers.classifier("fc", 1000)
    return imagenet(f"resnet{depth}", layers, quantize="mse")


def networks():
    return [resnet(depth) for depth in STAGES]
