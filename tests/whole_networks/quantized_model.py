# SPDX-License-Identifier: Apache-2.0
"""A random quantized ONNX model, and bounds of its results.

Each tensor has bounds of its numbers, which follow from the operators' definitions. A QuantizeLinear of what the compiler may
merge to integer arithmetic may be one level off. One of the model's input may not, except at a tie, which depends on the last bit of the
quotient. Integer operators, movements and DequantizeLinear add nothing."""
import dataclasses

import numpy as np
from onnx import TensorProto, helper

TYPES = {"int8": (TensorProto.INT8, -128, 127), "uint8": (TensorProto.UINT8, 0, 255), "int16": (TensorProto.INT16, -32768, 32767),
         "uint16": (TensorProto.UINT16, 0, 65535), "int4": (TensorProto.INT4, -8, 7), "uint4": (TensorProto.UINT4, 0, 15)}
TIE = 1e-3  # of a level
ROUNDING = 1e-6  # of float32 sums, by the sum of magnitudes


@dataclasses.dataclass
class Value:
    """Bounds of a tensor. `levels`: the scale and zero point of its QuantizeLinear, if it has one."""
    name: str
    low: np.ndarray
    high: np.ndarray
    levels: object = None
    is_exact: bool = False  # the model's input, moved

    @property
    def shape(self):
        return self.low.shape


@dataclasses.dataclass(frozen=True)
class Levels:
    type: str
    scale: tuple
    zero: tuple
    axis: int = 1

    def spread(self, numbers, rank):
        shape = [1] * rank
        if len(numbers) > 1:
            shape[self.axis] = len(numbers)
        return np.array(numbers, np.float64).reshape(shape)

    def real(self, q):
        return self.spread(self.scale, q.ndim) * (q - self.spread(self.zero, q.ndim))

    def quantized(self, x, offset, steps):
        _, least, most = TYPES[self.type]
        q = np.round(x / self.spread(self.scale, x.ndim) + offset) + steps + self.spread(self.zero, x.ndim)
        return np.clip(q, least, most)


def convolved(x, w, stride, pad, groups):
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    oc, ic, kernel, _ = w.shape
    rows, columns = ((x.shape[i] - kernel) // stride + 1 for i in (2, 3))
    result = np.zeros((1, oc, rows, columns))
    for group in range(groups):
        inputs, outputs = slice(group * ic, (group + 1) * ic), slice(group * oc // groups, (group + 1) * oc // groups)
        for i in range(kernel):
            for j in range(kernel):
                window = x[:, inputs, i:i + stride * (rows - 1) + 1:stride, j:j + stride * (columns - 1) + 1:stride]
                result[:, outputs] += np.einsum("oi,nihw->nohw", w[outputs, :, i, j], window)
    return result


def scattered(x, w, stride, pad):
    """The transposed convolution; w is [ic, oc, kernel, kernel]."""
    _, oc, kernel, _ = w.shape
    rows, columns = ((x.shape[i] - 1) * stride + kernel for i in (2, 3))
    result = np.zeros((1, oc, rows, columns))
    for i in range(kernel):
        for j in range(kernel):
            result[:, :, i:i + stride * x.shape[2]:stride, j:j + stride * x.shape[3]:stride] += np.einsum("io,nihw->nohw", w[:, :, i, j], x)
    return result[:, :, pad:rows - pad, pad:columns - pad]


class RandomModel:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.nodes, self.constants, self.count = [], [], 0
        self.is_image = self.chance(0.7)
        size = (1, self.integer(1, 6), self.integer(4, 7), self.integer(4, 7)) if self.is_image else (1, self.integer(3, 20))
        self.input = self.random.uniform(-4, 4, size).astype(np.float32)
        exact = self.input.astype(np.float64)
        value = self.quantized(Value("x", exact, exact, is_exact=True))
        self.values = [value]
        for _ in range(self.integer(1, 3)):
            value = self.layer(value)
            self.values.append(value)
        self.output = value
        is_last = self.nodes[-1].op_type == "DequantizeLinear" and not value.levels.type.endswith("int4")  # NumPy has no 4 bits
        if is_last and self.chance(0.1):
            value = self.raw[value.name]  # dangling: an integer tensor is the output
            self.nodes.pop()
            self.output = value

    # Random choices.
    def chance(self, p):
        return self.random.random() < p

    def integer(self, least, most):
        return int(self.random.integers(least, most + 1))

    def pick(self, *choices):
        return choices[self.integer(0, len(choices) - 1)]

    # Nodes.
    def name(self, what):
        self.count += 1
        return f"{what}{self.count}"

    def constant(self, values, type=TensorProto.FLOAT):
        name = self.name("c")
        values = np.asarray(values)
        self.constants.append(helper.make_tensor(name, type, values.shape, values.ravel().tolist()))
        return name

    def node(self, op, inputs, **attributes):
        name = self.name(op.lower())
        self.nodes.append(helper.make_node(op, inputs, [name], name, **attributes))
        return name

    raw = None

    def levels_for(self, value, type):
        """Levels that hold most of the numbers, coarser or finer by chance; sometimes by channel."""
        _, least, most = TYPES[type]
        magnitudes = np.abs([value.low, value.high])
        largest = float(np.median(magnitudes) if self.chance(0.2) else magnitudes.max()) + 0.1
        by_axis = len(value.shape) > 1 and self.chance(0.1)
        count = value.shape[1] if by_axis else 1
        scales = [float(np.float32(2 * largest / (most - least) * self.pick(1, 1, 0.6, 1.7, self.random.uniform(0.3, 4)))) for _ in range(count)]
        if self.chance(0.2):
            scales = [float(2.0**np.ceil(np.log2(scale))) for scale in scales]
        middle = (least + most + 1) // 2
        zero = self.pick(middle, middle, least, self.integer(least, most))
        return Levels(type, tuple(scales), (zero,) * count)

    def other_levels(self, levels):
        """Levels of the same type."""
        _, least, most = TYPES[levels.type]
        change = self.pick("scale", "zero", "both")
        scale, zero = levels.scale, levels.zero
        if change != "zero":
            factor = self.pick(2, 0.5, self.random.uniform(0.3, 3))
            scale = tuple(float(np.float32(s * factor)) for s in scale)
        if change != "scale":
            zero = tuple(int(np.clip(z + self.integer(-20, 20), least, most)) for z in zero)
        return Levels(levels.type, scale, zero, levels.axis)

    def parameters(self, levels):
        shape = () if len(levels.scale) == 1 else (len(levels.scale),)
        scale = self.constant(np.reshape(levels.scale, shape))
        return [scale, self.constant(np.reshape(levels.zero, shape), TYPES[levels.type][0])]

    def conversion(self, op, name, levels):
        attributes = {"axis": levels.axis} if len(levels.scale) > 1 else {}
        return self.node(op, [name, *self.parameters(levels)], **attributes)

    def quantize(self, value, levels):
        steps, tie = (0, TIE) if value.is_exact else (1, 0)
        if value.levels == levels:
            steps, tie = 0, TIE
        name = self.conversion("QuantizeLinear", value.name, levels)
        return Value(name, levels.quantized(value.low, -tie, -steps), levels.quantized(value.high, tie, steps), levels)

    def dequantize(self, value, levels):
        name = self.conversion("DequantizeLinear", value.name, levels)
        self.raw = (self.raw or {}) | {name: value}
        return Value(name, levels.real(value.low), levels.real(value.high), levels)

    def clipped(self, value):
        """An integer operator between QuantizeLinear and DequantizeLinear."""
        type, least, most = TYPES[value.levels.type]
        op = self.pick("Clip", "Clip", "Relu") if value.levels.type == "int8" else "Clip"
        low, high = value.low, value.high
        if op == "Relu":
            name, bounds = self.node("Relu", [value.name]), (0, most)
        else:
            half = 2**(self.integer(2, 8) - 1)
            middle = self.pick((least + most + 1) // 2, value.levels.zero[0])
            bounds = self.pick((middle - half, middle + half - 1), (middle - half + 1, middle + half - 1), (middle, middle + half))
            bounds = tuple(int(np.clip(bound, least, most)) for bound in bounds)
            name = self.node("Clip", [value.name, self.constant(bounds[0], type), self.constant(bounds[1], type)])
        return Value(name, np.clip(low, *bounds), np.clip(high, *bounds), value.levels)

    def quantized(self, value):
        """QuantizeLinear, perhaps an integer operator, DequantizeLinear; sometimes a second pair."""
        type = self.pick("int8", "int8", "uint8", "uint8", "uint8", "int8", "int16", "uint16", "int4", "uint4")
        levels = self.levels_for(value, type)
        result = self.quantize(value, levels)
        if type in ("int8", "uint8") and self.chance(0.4):
            result = self.clipped(result)
        read = self.other_levels(levels) if self.chance(0.35) else levels
        if self.chance(0.1):  # two DequantizeLinear of one tensor
            both = [self.dequantize(result, read), self.dequantize(result, self.other_levels(levels))]
            name = self.node("Concat", [value.name for value in both], axis=1)
            result = Value(name, np.concatenate([value.low for value in both], 1), np.concatenate([value.high for value in both], 1))
        else:
            result = self.dequantize(result, read)
        return self.quantized(result) if self.chance(0.25) else result

    def make_odd(self, numbers):
        """Makes one of them up to 100,000 times as large."""
        odd = self.integer(0, len(numbers) - 1)
        numbers[odd] = float(np.float32(numbers[odd] * 10**self.random.uniform(0, 5)))

    def weights(self, dims, axis=0):
        """Real weights of these dims, of which `axis` is that of the output channels, and their name."""
        type = self.pick("int8", "int8", "int8", "uint8", "int4", "uint4")
        _, least, most = TYPES[type]
        by_axis = self.chance(0.5)
        scales = [float(np.float32(self.random.uniform(0.2, 1) * 2 / (most - least))) for _ in range(dims[axis] if by_axis else 1)]
        if self.chance(0.1):
            self.make_odd(scales)
        zero = 0 if type in ("int8", "int4") else self.pick((least + most + 1) // 2, self.integer(least, most))
        levels = Levels(type, tuple(scales), (zero,) * len(scales), axis)
        q = self.random.integers(least, most + 1, dims)
        real = levels.real(q.astype(np.float64)).astype(np.float32)
        form = self.pick("stored", "stored", "rounded", "folded")
        if form == "folded":
            return real.astype(np.float64), self.constant(real)
        stored = self.constant(q, TYPES[type][0])
        if form == "rounded":
            stored = self.conversion("QuantizeLinear", self.constant(real), levels)
        return real.astype(np.float64), self.conversion("DequantizeLinear", stored, levels)

    # Operators on real numbers.
    def linear(self, value, name, function, weights, bias):
        middle, spread = (value.low + value.high) / 2, (value.high - value.low) / 2
        error = ROUNDING * function(np.abs(middle) + spread, np.abs(weights)) + 1e-9
        result, radius = function(middle, weights) + bias, function(spread, np.abs(weights)) + error
        return Value(name, result - radius, result + radius)

    def bias(self, count, shape):
        bias = self.random.uniform(-1, 1, count).astype(np.float32)
        if self.chance(0.1):
            self.make_odd(bias)
        return bias.astype(np.float64).reshape(shape), self.constant(bias)

    def conv(self, value):
        channels, size = value.shape[1], min(value.shape[2:])
        kernel = min(self.pick(1, 2, 3), size)
        stride, pad = self.integer(1, 2), self.integer(0, kernel // 2)
        groups = channels if self.chance(0.2) else 1
        count = channels if groups > 1 else self.integer(1, 8)
        real, weights = self.weights((count, channels // groups, kernel, kernel))
        offset, bias = self.bias(count, (1, -1, 1, 1))
        name = self.node("Conv", [value.name, weights, bias], strides=[stride, stride], pads=[pad] * 4, group=groups)
        return self.linear(value, name, lambda x, w: convolved(x, w, stride, pad, groups), real, offset)

    def transposed_conv(self, value):
        kernel, stride = self.integer(1, 3), self.integer(1, 2)
        pad, count = self.integer(0, (kernel - 1) // 2), self.integer(1, 6)
        real, weights = self.weights((value.shape[1], count, kernel, kernel), axis=1)
        offset, bias = self.bias(count, (1, -1, 1, 1))
        name = self.node("ConvTranspose", [value.name, weights, bias], strides=[stride, stride], pads=[pad] * 4)
        return self.linear(value, name, lambda x, w: scattered(x, w, stride, pad), real, offset)

    def gemm(self, value):
        count = self.integer(1, 12)
        real, weights = self.weights((count, value.shape[1]))
        offset, bias = self.bias(count, (1, -1))
        name = self.node("Gemm", [value.name, weights, bias], transB=1)
        return self.linear(value, name, lambda x, w: x @ w.T, real, offset)

    def flattened(self, value):
        shape = (1, value.low.size)
        return Value(self.node("Flatten", [value.name], axis=1), value.low.reshape(shape), value.high.reshape(shape), value.levels)

    def add(self, value):
        other = self.requantized(value)
        return Value(self.node("Add", [value.name, other.name]), value.low + other.low, value.high + other.high)

    def concat(self, value):
        other = self.requantized(value)
        return Value(self.node("Concat", [value.name, other.name], axis=1), np.concatenate([value.low, other.low], 1),
                     np.concatenate([value.high, other.high], 1))

    def requantized(self, value):
        """Another branch: a layer of the value, a pair of its own, or the value itself."""
        kind = self.pick("layer", "pair", "itself")
        if kind == "itself":
            return value
        if kind == "pair":
            return self.quantized_alike(value)
        if self.is_image and len(value.shape) == 4:
            channels = value.shape[1]
            real, weights = self.weights((channels, channels, 1, 1))
            offset, bias = self.bias(channels, (1, -1, 1, 1))
            name = self.node("Conv", [value.name, weights, bias])
            return self.quantized_alike(self.linear(value, name, lambda x, w: convolved(x, w, 1, 0, 1), real, offset))
        return self.quantized_alike(value)

    def quantized_alike(self, value):
        levels = self.levels_for(value, self.pick("int8", "uint8"))
        result = self.quantize(value, levels)
        if self.chance(0.3):
            result = self.clipped(result)
        return self.dequantize(result, self.other_levels(levels) if self.chance(0.3) else levels)

    def pooled(self, value):
        kernel = min(2, *value.shape[2:])
        op = self.pick("MaxPool", "AveragePool")
        name = self.node(op, [value.name], kernel_shape=[kernel, kernel])
        rows, columns = (value.shape[i] - kernel + 1 for i in (2, 3))
        def pool(x):
            windows = [x[:, :, i:i + rows, j:j + columns] for i in range(kernel) for j in range(kernel)]
            return np.max(windows, 0) if op == "MaxPool" else np.mean(windows, 0)
        return Value(name, pool(value.low), pool(value.high))

    def global_average(self, value):
        return Value(self.node("GlobalAveragePool", [value.name]), value.low.mean((2, 3), keepdims=True),
                     value.high.mean((2, 3), keepdims=True))

    def activated(self, value):
        op = self.pick("Relu", "Clip", "Sigmoid")
        if op == "Sigmoid":
            sigmoid = lambda x: 1 / (1 + np.exp(-x))
            return Value(self.node(op, [value.name]), sigmoid(value.low) - 1e-6, sigmoid(value.high) + 1e-6)
        low, high = (0, np.inf) if op == "Relu" else (self.pick(-1.0, 0.0), self.pick(1.0, 6.0))
        inputs = [value.name] if op == "Relu" else [value.name, self.constant(low), self.constant(high)]
        return Value(self.node(op, inputs), np.clip(value.low, low, high), np.clip(value.high, low, high))

    def layer(self, value):
        image = len(value.shape) == 4
        choices = [self.conv] * 4 + [self.transposed_conv, self.pooled, self.global_average, self.flattened] if image else [self.gemm] * 3
        result = self.pick(*choices, self.add, self.concat)(value)
        if self.chance(0.4):
            result = self.activated(result)
        return self.quantized(result)

    def model(self):
        type = TYPES[self.output.levels.type][0] if self.output.name.startswith(("quantize", "clip", "relu")) else TensorProto.FLOAT
        graph = helper.make_graph(self.nodes, "random", [helper.make_tensor_value_info("x", TensorProto.FLOAT, self.input.shape)],
                                  [helper.make_tensor_value_info(self.output.name, type, self.output.shape)], self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
