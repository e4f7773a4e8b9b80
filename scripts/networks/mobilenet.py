# SPDX-License-Identifier: Apache-2.0
"""MobileNet v1 (Howard et al., 2017) with the names of timm's mobilenetv1_100."""

from .layers import Layers, imagenet

STAGES = [[(64, 1)], [(128, 2), (128, 1)], [(256, 2), (256, 1)], [(512, 2)] + 5 * [(512, 1)], [(1024, 2), (1024, 1)]]


def mobilenet():
    layers = Layers()
    layers.conv_bn("conv_stem", "bn1", 32, 3, 2, 1)
    layers.relu6("act1")
    width = 32
    for stage, blocks in enumerate(STAGES):
        for index, (channels, stride) in enumerate(blocks):
            prefix = f"blocks.{stage}.{index}"
            layers.conv_bn(f"{prefix}.conv_dw", f"{prefix}.bn1", width, 3, stride, 1, groups=width)
            layers.relu6(f"{prefix}.act1")
            layers.conv_bn(f"{prefix}.conv_pw", f"{prefix}.bn2", channels, 1)
            layers.relu6(f"{prefix}.act2")
            width = channels
    layers.classifier("classifier", 1000)
    return imagenet("mobilenet", layers)


def networks():
    return [mobilenet()]
