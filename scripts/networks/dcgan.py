# SPDX-License-Identifier: Apache-2.0
"""The generator of DCGAN (Radford et al., 2015): 100 numbers to an image of 64x64 pixels."""

from .layers import Layers, network


def dcgan():
    layers = Layers()
    layers.add("project", "dense", channels=4 * 4 * 1024, bias=False)
    layers.add("project.relu", "relu")
    layers.add("reshape", "reshape", shape=[1, 1024, 4, 4])
    sizes = {"kernel": 4, "stride": 2, "pad": 1, "bias": False}
    for index, channels in enumerate([512, 256, 128], start=1):
        layers.add(f"conv{index}", "conv2d_transpose", channels=channels, **sizes)
        layers.batch_norm(f"bn{index}")
        layers.add(f"relu{index}", "relu")
    layers.add("conv4", "conv2d_transpose", channels=3, **sizes)
    layers.add("tanh", "tanh")
    return network("dcgan", layers, [1, 100], postprocess={"kind": "image"})


def networks():
    return [dcgan()]
