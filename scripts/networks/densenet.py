# SPDX-License-Identifier: Apache-2.0
"""DenseNet-121 (Huang et al., 2016) with torchvision's names."""

from .layers import Layers, imagenet

BLOCKS = [6, 12, 24, 16]
GROWTH = 32


def norm_relu(layers, norm, relu):
    layers.batch_norm(norm)
    layers.add(relu, "relu")


def dense_layer(layers, prefix):
    """The channels that the layer appends to its input."""
    norm_relu(layers, f"{prefix}.norm1", f"{prefix}.relu1")
    layers.conv(f"{prefix}.conv1", 4 * GROWTH, 1, bias=False)
    norm_relu(layers, f"{prefix}.norm2", f"{prefix}.relu2")
    return layers.conv(f"{prefix}.conv2", GROWTH, 3, 1, 1, bias=False)


def dense_block(layers, number, size):
    features = [layers.last]
    for index in range(1, size + 1):
        prefix = f"features.denseblock{number}.denselayer{index}"
        features.append(dense_layer(layers, prefix))
        # Each concatenation extends the previous one, so it has two inputs instead of `index` + 1.
        features = [layers.concat(f"{prefix}.concat", features)]


def transition(layers, prefix, channels):
    norm_relu(layers, f"{prefix}.norm", f"{prefix}.relu")
    layers.conv(f"{prefix}.conv", channels, 1, bias=False)
    layers.add(f"{prefix}.pool", "avg_pool2d", kernel=2, stride=2)


def densenet121():
    layers = Layers()
    layers.conv_bn("features.conv0", "features.norm0", 64, 7, 2, 3)
    layers.add("features.relu0", "relu")
    layers.add("features.pool0", "max_pool2d", kernel=3, stride=2, pad=1)
    channels = 64
    for number, size in enumerate(BLOCKS, start=1):
        dense_block(layers, number, size)
        channels += size * GROWTH
        if number < len(BLOCKS):
            channels //= 2
            transition(layers, f"features.transition{number}", channels)
    norm_relu(layers, "features.norm5", "relu")
    layers.classifier("classifier", 1000)
    return imagenet("densenet121", layers)


def networks():
    return [densenet121()]
