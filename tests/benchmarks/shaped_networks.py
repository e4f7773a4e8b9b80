# SPDX-License-Identifier: Apache-2.0
"""ONNX models in the shape of published networks, with random weights, for int8_beside_onnxruntime.py.

The weights are calibrated as those of the project's synthetic networks. Each convolution is followed by a batch norm whose mean and
variance are measured on images while the model is built, and folded into the convolution. Without them the results of deep networks with
random weights are nearly constant.
"""
import numpy as np
import onnx
import onnxruntime

OPSET = 17
BETA_DEVIATION = 0.25  # as compiler/import/parameters.cc
MIN_DEVIATION = 1e-3  # of a channel; a constant one stays as it is
CLASSES = 1000

# (expansion, kernel, channels, blocks, stride of the first)
MOBILENET_V2 = [(1, 3, 16, 1, 1), (6, 3, 24, 2, 2), (6, 3, 32, 3, 2), (6, 3, 64, 4, 2), (6, 3, 96, 3, 1), (6, 3, 160, 3, 2),
                (6, 3, 320, 1, 1)]
EFFICIENTNET_LITE0 = [(1, 3, 16, 1, 1), (6, 3, 24, 2, 2), (6, 5, 40, 2, 2), (6, 3, 80, 3, 2), (6, 5, 112, 3, 1), (6, 5, 192, 4, 2),
                      (6, 3, 320, 1, 1)]

# (kernel, expanded channels, channels, gate of channels, activation, stride)
MOBILENET_V3 = [(3, 16, 16, True, "relu", 2), (3, 72, 24, False, "relu", 2), (3, 88, 24, False, "relu", 1), (5, 96, 40, True, "swish", 2),
                (5, 240, 40, True, "swish", 1), (5, 120, 48, True, "swish", 1), (5, 288, 96, True, "swish", 2), (5, 576, 96, True, "swish", 1)]
# (expanded channels, channels, stride)
MINIFASNET = [(64, 64, 2), (128, 64, 1), (128, 64, 1), (128, 128, 2), (256, 128, 1), (256, 128, 1), (256, 128, 2)]


class Model:
    """A model under construction: each operator runs on the images when it is added. Values are named by what adds them."""

    def __init__(self, images, seed=1):
        self._random = np.random.default_rng(seed)
        self._values = {"image": images}
        self._nodes, self._constants = [], []

    def channels(self, value):
        return self._values[value].shape[1]

    def constant(self, array):
        name = f"constant{len(self._constants)}"
        self._constants.append(onnx.numpy_helper.from_array(array, name))
        return name

    def add(self, operator, inputs, **attributes):
        node = onnx.helper.make_node(operator, inputs, [f"{operator.lower()}{len(self._nodes)}"], **attributes)
        self._values[node.output[0]] = self._run(node)
        self._nodes.append(node)
        return node.output[0]

    def conv(self, x, channels, kernel, stride=1, groups=1):
        """A convolution with its batch norm."""
        shape = (channels, self.channels(x) // groups, kernel, kernel)
        weights = self._random.normal(0, np.sqrt(2 / np.prod(shape[1:])), shape).astype(np.float32)
        pads = {"pads": [kernel // 2] * 4, "strides": [stride] * 2, "group": groups}
        node = onnx.helper.make_node("Conv", [x, "weights"], ["y"], **pads)
        sums = self._run(node, [onnx.numpy_helper.from_array(weights, "weights")])
        deviation = sums.std((0, 2, 3))
        factor = 1 / np.where(deviation > MIN_DEVIATION, deviation, 1)
        bias = self._random.normal(0, BETA_DEVIATION, channels) - sums.mean((0, 2, 3)) * factor
        weights = self.constant((weights * factor[:, None, None, None]).astype(np.float32))
        return self.add("Conv", [x, weights, self.constant(bias.astype(np.float32))], **pads)

    def relu6(self, x):
        return self.add("Clip", [x, self.constant(np.float32(0)), self.constant(np.float32(6))])

    def silu(self, x):
        return self.add("Mul", [x, self.add("Sigmoid", [x])])

    def hard_swish(self, x):
        return self.add("HardSwish", [x])

    def leaky_relu(self, x):
        return self.add("LeakyRelu", [x], alpha=0.1)

    def prelu(self, x):
        """A slope per channel."""
        slopes = self._random.uniform(0.05, 0.4, (self.channels(x), 1, 1)).astype(np.float32)
        return self.add("PRelu", [x, self.constant(slopes)])

    def squeezed(self, x):
        """Squeeze-and-excite: channels times a gate from their means."""
        means = self.add("GlobalAveragePool", [x])
        hidden = self.add("Relu", [self.conv(means, max(8, self.channels(x) // 4), 1)])
        return self.add("Mul", [x, self.add("HardSigmoid", [self.conv(hidden, self.channels(x), 1)], alpha=1 / 6, beta=0.5)])

    def classifier(self, x):
        shape = (CLASSES, self.channels(x))
        weights = self.constant(self._random.normal(0, np.sqrt(1 / shape[1]), shape).astype(np.float32))
        flat = self.add("Flatten", [self.add("GlobalAveragePool", [x])])
        return self.add("Gemm", [flat, weights, self.constant(np.zeros(CLASSES, np.float32))], transB=1)

    def finish(self, name, outputs):
        info = [onnx.helper.make_tensor_value_info(value, onnx.TensorProto.FLOAT, [1, *self._values[value].shape[1:]])
                for value in ("image", *outputs)]
        return _model(name, self._nodes, info[:1], info[1:], self._constants)

    def _run(self, node, constants=None):
        constants = self._constants if constants is None else constants
        wanted = [constant for constant in constants if constant.name in node.input]
        feed = {name: self._values[name] for name in node.input if name in self._values}
        inputs = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, value.shape) for name, value in feed.items()]
        output = onnx.helper.make_tensor_value_info(node.output[0], onnx.TensorProto.FLOAT, None)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(_model("node", [node], inputs, [output], wanted).SerializeToString(), options,
                                               providers=["CPUExecutionProvider"])
        return session.run(None, feed)[0]


def _model(name, nodes, inputs, outputs, constants):
    graph = onnx.helper.make_graph(nodes, name, inputs, outputs, constants)
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", OPSET)], ir_version=8)


def _inverted_residuals(name, images, stages, first_channels):
    """Depthwise convolutions between pointwise ones, and a residual add where the shape allows one."""
    model = Model(images)
    x = model.relu6(model.conv("image", first_channels, 3, 2))
    for expansion, kernel, channels, blocks, first_stride in stages:
        for block in range(blocks):
            stride = first_stride if block == 0 else 1
            hidden = model.channels(x) * expansion
            y = x if expansion == 1 else model.relu6(model.conv(x, hidden, 1))
            y = model.relu6(model.conv(y, hidden, kernel, stride, groups=hidden))
            y = model.conv(y, channels, 1)
            x = model.add("Add", [x, y]) if stride == 1 and model.channels(x) == channels else y
    return model.finish(name, [model.classifier(model.relu6(model.conv(x, 1280, 1)))])


def mobilenet_v2(images):
    return _inverted_residuals("mobilenet_v2", images, MOBILENET_V2, 32)


def efficientnet_lite0(images):
    return _inverted_residuals("efficientnet_lite0", images, EFFICIENTNET_LITE0, 32)


def mobilenet_v3(images):
    """The small one (Howard et al., 2019)."""
    model = Model(images)
    x = model.hard_swish(model.conv("image", 16, 3, 2))
    for kernel, hidden, channels, has_gate, act, stride in MOBILENET_V3:
        activation = model.hard_swish if act == "swish" else lambda value: model.add("Relu", [value])
        y = activation(model.conv(x, hidden, 1))
        y = activation(model.conv(y, hidden, kernel, stride, groups=hidden))
        y = model.conv(model.squeezed(y) if has_gate else y, channels, 1)
        x = model.add("Add", [x, y]) if stride == 1 and model.channels(x) == channels else y
    return model.finish("mobilenet_v3", [model.classifier(model.hard_swish(model.conv(x, 576, 1)))])


def yolov3_tiny(images):
    model = Model(images)
    conv = lambda value, channels, kernel=3: model.leaky_relu(model.conv(value, channels, kernel))
    x = "image"
    for channels in (16, 32, 64, 128):
        x = model.add("MaxPool", [conv(x, channels)], kernel_shape=[2, 2], strides=[2, 2])
    fine = conv(x, 256)
    x = conv(conv(model.add("MaxPool", [fine], kernel_shape=[2, 2], strides=[2, 2]), 512), 256, 1)
    scales = model.constant(np.array([1, 1, 2, 2], np.float32))
    doubled = model.add("Resize", [conv(x, 128, 1), "", scales], mode="nearest", coordinate_transformation_mode="asymmetric",
                        nearest_mode="floor")
    merged = conv(model.add("Concat", [doubled, fine], axis=1), 256)
    return model.finish("yolov3_tiny", [model.conv(conv(x, 512), 255, 1), model.conv(merged, 255, 1)])


def minifasnet(images):
    """Inverted residuals with prelus, as MiniFASNet (face anti-spoofing) has."""
    model = Model(images)
    x = model.prelu(model.conv("image", 32, 3, 2))
    for hidden, channels, stride in MINIFASNET:
        y = model.prelu(model.conv(x, hidden, 1))
        y = model.prelu(model.conv(y, hidden, 3, stride, groups=hidden))
        y = model.conv(y, channels, 1)
        x = model.add("Add", [x, y]) if stride == 1 and model.channels(x) == channels else y
    return model.finish("minifasnet", [model.classifier(model.prelu(model.conv(x, 512, 1)))])


class _Yolo:
    """The blocks of YOLOv8 (Jocher et al., 2023)."""

    def __init__(self, images):
        self.model = Model(images)

    def conv(self, x, channels, kernel=1, stride=1):
        return self.model.silu(self.model.conv(x, channels, kernel, stride))

    def concat(self, values):
        return self.model.add("Concat", values, axis=1)

    def c2f(self, x, channels, blocks, shortcut):
        half = channels // 2
        parts = [self.conv(x, half), self.conv(x, half)]  # one convolution of both, split
        for _ in range(blocks):
            y = self.conv(self.conv(parts[-1], half, 3), half, 3)
            parts.append(self.model.add("Add", [parts[-1], y]) if shortcut else y)
        return self.conv(self.concat(parts), channels)

    def pyramid_pooling(self, x):
        channels = self.model.channels(x)
        parts = [self.conv(x, channels // 2)]
        for _ in range(3):
            parts.append(self.model.add("MaxPool", [parts[-1]], kernel_shape=[5, 5], pads=[2] * 4, strides=[1, 1]))
        return self.conv(self.concat(parts), channels)

    def doubled(self, x):
        scales = self.model.constant(np.array([1, 1, 2, 2], np.float32))
        return self.model.add("Resize", [x, "", scales], mode="nearest", coordinate_transformation_mode="asymmetric",
                              nearest_mode="floor")

    def head(self, x, box_channels=64, classes=80):
        """Logits of the boxes' edges and of the classes."""
        return self.concat([self.model.conv(self.conv(self.conv(x, channels, 3), channels, 3), channels, 1)
                            for channels in (box_channels, classes)])


def yolov8_n(images):
    net = _Yolo(images)
    x = net.conv(net.conv("image", 16, 3, 2), 32, 3, 2)
    x = net.c2f(x, 32, 1, True)
    p3 = net.c2f(net.conv(x, 64, 3, 2), 64, 2, True)
    p4 = net.c2f(net.conv(p3, 128, 3, 2), 128, 2, True)
    p5 = net.pyramid_pooling(net.c2f(net.conv(p4, 256, 3, 2), 256, 1, True))
    n4 = net.c2f(net.concat([net.doubled(p5), p4]), 128, 1, False)
    n3 = net.c2f(net.concat([net.doubled(n4), p3]), 64, 1, False)
    n4 = net.c2f(net.concat([net.conv(n3, 64, 3, 2), n4]), 128, 1, False)
    n5 = net.c2f(net.concat([net.conv(n4, 128, 3, 2), p5]), 256, 1, False)
    return net.model.finish("yolov8_n", [net.head(x) for x in (n3, n4, n5)])
