# SPDX-License-Identifier: Apache-2.0
"""Inception v3 (Szegedy et al., 2015) with torchvision's names, without the auxiliary classifier."""

from .layers import Layers, network


def conv(layers, name, channels, kernel, stride=1, pad=0, inputs=None):
    layers.conv_bn(f"{name}.conv", f"{name}.bn", channels, kernel, stride, pad, inputs, epsilon=1e-3)
    return layers.add(f"{name}.relu", "relu")


def chain(layers, x, *convolutions):
    """A sequence of (name, channels, kernel, stride, pad); the first one reads x."""
    for name, *sizes in convolutions:
        x = conv(layers, name, *sizes, inputs=[x])
    return x


def pooled(layers, name, x):
    return layers.add(name, "avg_pool2d", [x], kernel=3, stride=1, pad=1, count_include_pad=True)


def wide(name, channels, length):
    """A row of `length`."""
    return (name, channels, [1, length], 1, [0, length // 2])


def tall(name, channels, length):
    return (name, channels, [length, 1], 1, [length // 2, 0])


def double_3x3(layers, x, p, stride, pad):
    """Two 3x3 convolutions in sequence; `stride` and `pad` belong to the second."""
    first, second, third = (f"{p}.branch3x3dbl_{number}" for number in (1, 2, 3))
    return chain(layers, x, (first, 64, 1), (second, 96, 3, 1, 1), (third, 96, 3, stride, pad))


def inception_a(layers, p, pool_channels):
    x = layers.last
    branches = [
        chain(layers, x, (f"{p}.branch1x1", 64, 1)),
        chain(layers, x, (f"{p}.branch5x5_1", 48, 1), (f"{p}.branch5x5_2", 64, 5, 1, 2)),
        double_3x3(layers, x, p, 1, 1),
        chain(layers, pooled(layers, f"{p}.pool", x), (f"{p}.branch_pool", pool_channels, 1)),
    ]
    layers.concat(p, branches)


def inception_b(layers, p):
    x = layers.last
    branches = [
        chain(layers, x, (f"{p}.branch3x3", 384, 3, 2)),
        double_3x3(layers, x, p, 2, 0),
        layers.add(f"{p}.branch_pool", "max_pool2d", [x], kernel=3, stride=2),
    ]
    layers.concat(p, branches)


def inception_c(layers, p, width):
    x = layers.last
    branches = [
        chain(layers, x, (f"{p}.branch1x1", 192, 1)),
        chain(
            layers,
            x,
            (f"{p}.branch7x7_1", width, 1),
            wide(f"{p}.branch7x7_2", width, 7),
            tall(f"{p}.branch7x7_3", 192, 7),
        ),
        chain(
            layers,
            x,
            (f"{p}.branch7x7dbl_1", width, 1),
            tall(f"{p}.branch7x7dbl_2", width, 7),
            wide(f"{p}.branch7x7dbl_3", width, 7),
            tall(f"{p}.branch7x7dbl_4", width, 7),
            wide(f"{p}.branch7x7dbl_5", 192, 7),
        ),
        chain(layers, pooled(layers, f"{p}.pool", x), (f"{p}.branch_pool", 192, 1)),
    ]
    layers.concat(p, branches)


def inception_d(layers, p):
    x = layers.last
    branches = [
        chain(layers, x, (f"{p}.branch3x3_1", 192, 1), (f"{p}.branch3x3_2", 320, 3, 2)),
        chain(
            layers,
            x,
            (f"{p}.branch7x7x3_1", 192, 1),
            wide(f"{p}.branch7x7x3_2", 192, 7),
            tall(f"{p}.branch7x7x3_3", 192, 7),
            (f"{p}.branch7x7x3_4", 192, 3, 2),
        ),
        layers.add(f"{p}.branch_pool", "max_pool2d", [x], kernel=3, stride=2),
    ]
    layers.concat(p, branches)


def inception_e(layers, p):
    x = layers.last
    branches = [chain(layers, x, (f"{p}.branch1x1", 320, 1))]
    splits = {
        "branch3x3_2": [(f"{p}.branch3x3_1", 384, 1)],
        "branch3x3dbl_3": [(f"{p}.branch3x3dbl_1", 448, 1), (f"{p}.branch3x3dbl_2", 384, 3, 1, 1)],
    }
    for name, before in splits.items():
        start = chain(layers, x, *before)
        branches.append(chain(layers, start, wide(f"{p}.{name}a", 384, 3)))
        branches.append(chain(layers, start, tall(f"{p}.{name}b", 384, 3)))
    branches.append(chain(layers, pooled(layers, f"{p}.pool", x), (f"{p}.branch_pool", 192, 1)))
    layers.concat(p, branches)


def stem(layers):
    conv(layers, "Conv2d_1a_3x3", 32, 3, 2)
    conv(layers, "Conv2d_2a_3x3", 32, 3)
    conv(layers, "Conv2d_2b_3x3", 64, 3, 1, 1)
    layers.add("maxpool1", "max_pool2d", kernel=3, stride=2)
    conv(layers, "Conv2d_3b_1x1", 80, 1)
    conv(layers, "Conv2d_4a_3x3", 192, 3)
    layers.add("maxpool2", "max_pool2d", kernel=3, stride=2)


def inception_v3():
    layers = Layers()
    stem(layers)
    for letter, pool_channels in (("b", 32), ("c", 64), ("d", 64)):
        inception_a(layers, f"Mixed_5{letter}", pool_channels)
    inception_b(layers, "Mixed_6a")
    for letter, width in (("b", 128), ("c", 160), ("d", 160), ("e", 192)):
        inception_c(layers, f"Mixed_6{letter}", width)
    inception_d(layers, "Mixed_7a")
    for letter in "bc":
        inception_e(layers, f"Mixed_7{letter}")
    layers.classifier("fc", 1000)
    # The trained weights expect pixels from -1 to 1 (torchvision: transform_input).
    image = {"resize_short_side": 342, "channels": "rgb", "scale": 1 / 127.5, "mean": [1, 1, 1], "stddev": [1, 1, 1]}
    return network("inception_v3", layers, [1, 3, 299, 299], image, "samples/landscape.png", labels="imagenet.labels.txt")


def networks():
    return [inception_v3()]
