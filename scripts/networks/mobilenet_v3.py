# SPDX-License-Identifier: Apache-2.0
"""MobileNet v3 (Howard et al., 2019), the small one, with torchvision's names."""

from .layers import Layers, imagenet

EPSILON = 1e-3
# (kernel, expanded channels, channels, squeeze-and-excite, activation, stride)
BLOCKS = [(3, 16, 16, True, "relu", 2), (3, 72, 24, False, "relu", 2), (3, 88, 24, False, "relu", 1),
          (5, 96, 40, True, "hard_swish", 2), (5, 240, 40, True, "hard_swish", 1), (5, 240, 40, True, "hard_swish", 1),
          (5, 120, 48, True, "hard_swish", 1), (5, 144, 48, True, "hard_swish", 1), (5, 288, 96, True, "hard_swish", 2),
          (5, 576, 96, True, "hard_swish", 1), (5, 576, 96, True, "hard_swish", 1)]


def squeezed_channels(channels):
    """A quarter, rounded to a multiple of 8, but not by more than a tenth downwards."""
    quarter = channels // 4
    rounded = max(8, (quarter + 4) // 8 * 8)
    return rounded + 8 if rounded < 0.9 * quarter else rounded


def conv_bn(layers, prefix, channels, kernel, stride=1, groups=1, activation=None):
    layers.conv_bn(f"{prefix}.0", f"{prefix}.1", channels, kernel, stride, kernel // 2, groups=groups, epsilon=EPSILON)
    if activation is not None:
        layers.add(f"{prefix}.2", activation)


def squeeze_and_excite(layers, prefix, channels):
    x = layers.last
    layers.add(f"{prefix}.avgpool", "global_avg_pool2d")
    layers.conv(f"{prefix}.fc1", squeezed_channels(channels), 1)
    layers.add(f"{prefix}.activation", "relu")
    layers.conv(f"{prefix}.fc2", channels, 1)
    scale = layers.add(f"{prefix}.scale_activation", "hard_sigmoid", alpha=1 / 6, beta=0.5)
    layers.add(f"{prefix}.mul", "mul", [x, scale])


def inverted_residual(layers, prefix, width, kernel, expanded, channels, squeezes, activation, stride):
    x = layers.last
    index = 0
    if expanded != width:
        conv_bn(layers, f"{prefix}.block.0", expanded, 1, activation=activation)
        index = 1
    conv_bn(layers, f"{prefix}.block.{index}", expanded, kernel, stride, expanded, activation)
    index += 1
    if squeezes:
        squeeze_and_excite(layers, f"{prefix}.block.{index}", expanded)
        index += 1
    conv_bn(layers, f"{prefix}.block.{index}", channels, 1)
    if stride == 1 and width == channels:
        layers.add(f"{prefix}.add", "add", [layers.last, x])


def mobilenet_v3_small():
    layers = Layers()
    conv_bn(layers, "features.0", 16, 3, 2, activation="hard_swish")
    width = 16
    for index, block in enumerate(BLOCKS, 1):
        inverted_residual(layers, f"features.{index}", width, *block)
        width = block[2]
    conv_bn(layers, "features.12", 576, 1, activation="hard_swish")
    layers.classifier("classifier.0", 1024)
    layers.add("classifier.1", "hard_swish")
    layers.add("classifier.3", "dense", channels=1000)  # classifier.2 is a dropout
    return imagenet("mobilenet_v3_small", layers)


def networks():
    return [mobilenet_v3_small()]
