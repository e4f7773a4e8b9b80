# SPDX-License-Identifier: Apache-2.0
"""SqueezeNet 1.0 and 1.1 (Iandola et al., 2016) with torchvision's names."""

from .layers import Layers, imagenet

POOL = None  # between fire modules: (squeeze channels, channels of each expansion)
FIRST, SECOND, THIRD = [(16, 64), (16, 64)], [(32, 128), (32, 128)], [(48, 192), (48, 192), (64, 256), (64, 256)]
VERSIONS = {
    "1.0": ((96, 7), [*FIRST, SECOND[0], POOL, SECOND[1], *THIRD[:3], POOL, THIRD[3]]),
    "1.1": ((64, 3), [*FIRST, POOL, *SECOND, POOL, *THIRD]),
}


def pool(layers, name):
    layers.add(name, "max_pool2d", kernel=3, stride=2, ceil_mode=True)


def fire(layers, prefix, squeeze, expand):
    layers.conv(f"{prefix}.squeeze", squeeze, 1)
    squeezed = layers.add(f"{prefix}.squeeze_activation", "relu")
    branches = []
    for kernel in (1, 3):
        layers.conv(f"{prefix}.expand{kernel}x{kernel}", expand, kernel, 1, kernel // 2, [squeezed])
        branches.append(layers.add(f"{prefix}.expand{kernel}x{kernel}_activation", "relu"))
    layers.concat(prefix, branches)


def squeezenet(version):
    (channels, kernel), modules = VERSIONS[version]
    layers = Layers()
    layers.conv("features.0", channels, kernel, 2)
    layers.add("features.1", "relu")
    pool(layers, "features.2")
    for index, module in enumerate(modules, start=3):
        if module is POOL:
            pool(layers, f"features.{index}")
        else:
            fire(layers, f"features.{index}", *module)
    layers.conv("classifier.1", 1000, 1)  # classifier.0 is a dropout
    layers.add("classifier.2", "relu")
    layers.add("classifier.3", "global_avg_pool2d")
    layers.add("flatten", "flatten")
    # The first convolution has a large share of all MACs (6 to 20 %), so it runs on the core.
    return imagenet(f"squeezenet{version}", layers, first_convolution="core")


def networks():
    return [squeezenet(version) for version in VERSIONS]
