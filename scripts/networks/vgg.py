# SPDX-License-Identifier: Apache-2.0
"""VGG (Simonyan and Zisserman, 2014) with torchvision's names: configurations A (11 layers) and D (16)."""

from .layers import Layers, imagenet

POOL = None
CONFIGURATIONS = {
    11: [64, POOL, 128, POOL, 256, 256, POOL, 512, 512, POOL, 512, 512, POOL],
    16: [64, 64, POOL, 128, 128, POOL, 256, 256, 256, POOL, 512, 512, 512, POOL, 512, 512, 512, POOL],
}


def vgg(depth):
    layers = Layers()
    index = 0
    for channels in CONFIGURATIONS[depth]:
        if channels is POOL:
            layers.add(f"features.{index}", "max_pool2d", kernel=2, stride=2)
            index += 1
        else:
            layers.conv(f"features.{index}", channels, 3, 1, 1)
            layers.add(f"features.{index + 1}", "relu")
            index += 2
    layers.add("flatten", "flatten")
    for index in (0, 3):  # classifier.2 and .5 are dropouts
        layers.add(f"classifier.{index}", "dense", channels=4096)
        layers.add(f"classifier.{index + 1}", "relu")
    layers.add("classifier.6", "dense", channels=1000)
    return imagenet(f"vgg{depth}", layers)


def networks():
    return [vgg(depth) for depth in CONFIGURATIONS]
