# SPDX-License-Identifier: Apache-2.0
"""Common parts of all networks: the list of layers, the usual groups of layers, and the file format."""

import json

IMAGENET_MEAN = [0.485, 0.456, 0.406]
IMAGENET_STDDEV = [0.229, 0.224, 0.225]


class Layers:
    """The list of layers; `last` is the name of the last one."""

    def __init__(self, first="data"):
        self.list = []
        self.last = first

    def add(self, name, op, inputs=None, **attributes):
        """Appends a layer that reads the last one, or `inputs`."""
        layer = {"name": name, "op": op}
        if inputs is not None and inputs != [self.last]:
            layer["inputs"] = inputs
        self.list.append({**layer, **attributes})
        self.last = name
        return name

    def conv(self, name, channels, kernel, stride=1, pad=0, inputs=None, groups=1, bias=True):
        """A convolution; attributes with default values are omitted."""
        attributes = {"channels": channels, "kernel": kernel}
        defaults = {"stride": (stride, 1), "pad": (pad, 0), "groups": (groups, 1)}
        attributes |= {key: value for key, (value, default) in defaults.items() if value != default}
        if not bias:
            attributes["bias"] = False
        return self.add(name, "conv2d", inputs, **attributes)

    def batch_norm(self, name, inputs=None, epsilon=1e-5):
        return self.add(name, "batch_norm", inputs, **({} if epsilon == 1e-5 else {"epsilon": epsilon}))

    def conv_bn(self, conv, bn, channels, kernel, stride=1, pad=0, inputs=None, groups=1, epsilon=1e-5):
        self.conv(conv, channels, kernel, stride, pad, inputs, groups, bias=False)
        return self.batch_norm(bn, epsilon=epsilon)

    def relu6(self, name):
        return self.add(name, "clip", lo=0, hi=6)

    def concat(self, name, inputs):
        """Concatenates along the channels."""
        return self.add(name, "concat", inputs, axis=1)

    def classifier(self, name, channels):
        self.add("avgpool", "global_avg_pool2d")
        self.add("flatten", "flatten")
        return self.add(name, "dense", channels=channels)


def photograph(short_side=256):
    """torchvision's preprocessing for networks trained on ImageNet."""
    return {
        "resize_short_side": short_side,
        "channels": "rgb",
        "scale": 1 / 255,
        "mean": IMAGENET_MEAN,
        "stddev": IMAGENET_STDDEV,
    }


def network(name, layers, shape, image=None, sample=None, quantize="mse", weights=None, **more):
    """The complete file, as an object."""
    data = {"name": "data", "shape": shape}
    if image is not None:
        data["image"] = image
    if sample is not None:
        data["sample"] = sample
    return {
        "format": 1,
        "name": name,
        "input": data,
        "weights": weights or {"synthetic": {"seed": 1}},
        "quantize": quantize,
        **more,
        "layers": layers.list,
    }


def imagenet(name, layers, size=224, short_side=256, **more):
    """A network that classifies photographs of `size` x `size` pixels."""
    shape = [1, 3, size, size]
    # With weights of ImageNet's classes they name the results.
    classes = any(layer.get("channels") == 1000 for layer in layers.list)
    labels = {"labels": "imagenet.labels.txt"} if classes and "labels" not in more else {}
    return network(name, layers, shape, photograph(short_side), "samples/landscape.png", **labels, **more)


def text(network):
    """JSON with one line a layer."""
    lines = []
    for key, value in network.items():
        if key == "layers":
            rows = ",\n    ".join(json.dumps(layer) for layer in value)
            lines.append(f'"layers": [\n    {rows}\n  ]')
        elif key == "input":
            rows = ",\n    ".join(f'"{name}": {json.dumps(field)}' for name, field in value.items())
            lines.append(f'"input": {{\n    {rows}\n  }}')
        else:
            lines.append(f'"{key}": {json.dumps(value)}')
    return "{\n  " + ",\n  ".join(lines) + "\n}\n"
