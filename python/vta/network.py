# SPDX-License-Identifier: Apache-2.0
"""Networks and the compiler."""
from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import itertools
import os
import pathlib
import sys
import tempfile
import warnings
import zipfile
from typing import Any, Iterator, Mapping, Sequence, Union

import numpy as np

from . import _library, errors, model_source, progress as progress_module, tensors
from ._library import lib
from .program import Program
from .session import ProgressFunction
from .tensors import Array, TensorInfo

Calibration = Union[str, "os.PathLike[str]", Array, Sequence[Array], Mapping[str, Array], Sequence[Mapping[str, Array]]]
Values = Union[float, Sequence[float], Array]


class Network:
    """A network from a file: JSON, ONNX (.onnx) or quantized (.vtaq). Networks do not change; threads may share them.

    `model`: a path, or the name of an installed network ("resnet18"); the bytes of an ONNX model or an onnx.ModelProto; or a
    torch.nn.Module, which torch exports in evaluation mode. A module is traced with `example`, a tensor or array or a tuple of
    them, or with zeros of `input_shapes`, which name its inputs in order.
    `weights`: a file (.safetensors, .npz) that replaces the network's, or "synthetic".
    `input_size`: height and width of the image, if not the network's. `seed`: of synthetic weights.

    Sizes that an ONNX model leaves open: `batch_axis`: the axis of the inputs, or a dict of axes by input, that is the batch,
    if its name does not say so. `input_shapes`: shapes by the names of inputs: {"ids": (1, 128)}.
    `input_values`: inputs of an ONNX model that become constants, which branches and shapes may need: {"sr": 16000}; one number
    fills the input, a sequence or array has all its numbers. What the model says wrongly of its outputs is a ModelWarning.

    How images become the input, if not as the network says: (pixel * scale - mean) / std.
    `preprocess`: what the others change: "imagenet", "none" (pixels from 0 to 255), "0-1", "-1-1".
    `mean`, `std`: a number, or one per channel. `scale`: a number or "1/255". `channels`: "rgb", "bgr", "gray".
    `layout`: "nchw", "nhwc". `resize`: the short side or (height, width), before a center crop; "stretch"; "letterbox[:LEVEL]".
    """

    def __init__(self, model: model_source.Source, *, example: Any = None, weights: str | os.PathLike[str] | None = None,
                 input_size: int | tuple[int, int] | None = None,
                 batch_axis: int | Mapping[str, int] | None = None,
                 input_shapes: Mapping[str, Sequence[int]] | None = None,
                 input_values: Mapping[str, Values] | None = None, seed: int | None = None,
                 preprocess: str | None = None, mean: float | Sequence[float] | None = None, std: float | Sequence[float] | None = None,
                 scale: float | str | None = None, channels: str | None = None, layout: str | None = None,
                 resize: int | tuple[int, int] | str | None = None) -> None:
        if seed is not None and not 0 <= seed < 2**64:
            raise errors.InvalidArgumentError(f"seed: expected an integer from 0 to {2**64 - 1}, got {seed}")
        options = _library.NetworkOptions(ctypes.sizeof(_library.NetworkOptions), weights, _size_text(input_size), seed or 0,
                                          seed is not None, preprocess, _numbers_text(mean), _numbers_text(std),
                                          None if scale is None else str(scale), channels, layout,
                                          str(resize) if isinstance(resize, (int, str)) else _size_text(resize))
        is_module = model_source.is_module(model)
        if example is not None and not is_module:
            raise errors.InvalidArgumentError(f"example: it traces a torch.nn.Module; the model is a {type(model).__name__}")
        shapes = [] if is_module else [f"{name}={_shape_text(shape)}" for name, shape in (input_shapes or {}).items()]
        axes = _axis_texts(batch_axis)
        values = [f"{name}={_values_text(value)}" for name, value in (input_values or {}).items()]
        options.batch_axes, options.num_batch_axes = _library.texts(axes), len(axes)
        options.input_shapes, options.num_input_shapes = _library.texts(shapes), len(shapes)
        options.input_values, options.num_input_values = _library.texts(values), len(values)
        with model_source.file_of(model, example, input_shapes) as file:
            self._handle = _library.opened(lib.vta_network_free,
                                           lambda out: lib.vta_network_load(file, ctypes.byref(options), out))
        with self._handle as pointer:
            self.name: str = _library.text(lib.vta_network_name(pointer))
            self.inputs: tuple[TensorInfo, ...] = tuple(
                tensors.tensor_info(lib.vta_network_input(pointer, i))
                for i in range(lib.vta_network_num_inputs(pointer)))
            self.outputs: tuple[TensorInfo, ...] = tuple(
                tensors.tensor_info(lib.vta_network_output(pointer, i))
                for i in range(lib.vta_network_num_outputs(pointer)))
            self._batch: int = lib.vta_network_batch(pointer)
            notes = list(itertools.takewhile(lambda note: note is not None,
                                             (lib.vta_network_note(pointer, i) for i in itertools.count())))
        for note in notes:
            _warn(f"{self.name}: {_library.text(note)}", errors.ModelWarning)

    @property
    def batch(self) -> int:
        """Samples of an inference as the network declares them: rows of the first axis that no operator combines; else 1."""
        return self._batch

    def close(self) -> None:
        """Releases the memory now instead of when the object is collected."""
        self._handle.close()

    def __repr__(self) -> str:
        return f"<vta.Network {self.name}: {', '.join(map(str, self.inputs))} -> {', '.join(map(str, self.outputs))}>"


def node_refusals(model: str | os.PathLike[str]) -> list[str]:
    """Why the compiler does not take a node of an ONNX model as a model of its own, for each node; empty if it does.

    All its values are inputs or outputs, which state their types.
    """
    handle = _library.opened(lib.vta_node_refusals_free, lambda out: lib.vta_node_refusals_of(model, out))
    try:
        with handle as pointer:
            return [_library.text(lib.vta_node_refusals_at(pointer, i)) for i in range(lib.vta_node_refusals_size(pointer))]
    finally:
        handle.close()


class Reference:
    """A network on the host in fp32 (a quantized one in integers), for comparison with the core.

    Use it in one thread at a time.

    >>> fp32 = vta.Reference(vta.Network("digits.json"))
    >>> scores = fp32.run(image)[0]
    """

    def __init__(self, network: Network) -> None:
        self.inputs = network.inputs
        self.outputs = network.outputs
        with network._handle as pointer:
            self._handle = _library.opened(lib.vta_reference_free, lambda out: lib.vta_reference_open(pointer, out))

    def run(self, *inputs: Array) -> list[Array]:
        """The network's outputs."""
        arrays = tensors.checked_inputs(inputs, self.inputs)
        results: list[Array] = [np.empty(info.shape, info.dtype) for info in self.outputs]
        with self._handle as pointer:
            _library.check(lib.vta_reference_run(pointer, tensors.buffers(arrays), len(arrays),
                                                 tensors.buffers(results), len(results)))
            return tensors.of_run(results, [lib.vta_reference_output(pointer, i) for i in range(len(results))])

    def close(self) -> None:
        self._handle.close()


def compile(model: Network | model_source.Source, *, core: str | os.PathLike[str] | None = None,
            calibrate: Calibration | None = None, quantize: str | None = None,
            scales: str | None = None, requantize: bool = False, per_channel: bool | None = None,
            equalize: bool | None = None, rounding: str | None = None, keep_float: str | Sequence[str] = (),
            mode: str | None = None, first_convolution: str | None = None,
            start: str | None = None, stop: str | None = None,
            per_layer_streams: bool = False, schedules: str | os.PathLike[str] | None = None, tuned_for: str | None = None,
            preprocess: str | None = None, example: Any = None, weights: str | os.PathLike[str] | None = None,
            input_size: int | tuple[int, int] | None = None, batch_axis: int | Mapping[str, int] | None = None,
            input_shapes: Mapping[str, Sequence[int]] | None = None,
            input_values: Mapping[str, Values] | None = None, seed: int | None = None,
            labels: str | os.PathLike[str] | Sequence[str] | None = None,
            progress: ProgressFunction | bool | None = None) -> Program:
    """Compiles a network. The options are those of `vta-compile`; None stands for its default.

    model: a Network or what Network() takes: a file or installed network ("model.onnx", "resnet18"), bytes or a ModelProto of
        ONNX, a torch.nn.Module
    core: name or file of the core ("vta_1x16")
    calibrate: calibration inputs: a data set ("npz:FILE[:COUNT]", "imagefolder:DIR", ...), an array [count, c, h, w] or
        a sequence of arrays [1, c, h, w], preprocessed, float32. A network with a fixed batch takes them in such batches; one
        whose first axis is time or tokens takes arrays [count, time, ...] or a sequence of arrays [time, ...]. Of a network
        with several inputs: a dictionary of arrays [count, ...] by input, or a sequence of dictionaries of single inputs.
        None: the network's own images; without any, noise, which a CalibrationWarning says
    quantize: method that chooses the scales: "mse", "kl", "max", "global"
    scales: "power-of-two"; "free": scales of any value and zero points, weights per channel; or "auto" (the default): free with at
        least 16 calibration inputs of a trained network, if no other option excludes them
    requantize: drop the scales of a network that is quantized already
    keep_float: the name of a layer that computes in fp32 on the host, or a sequence of names; "auto:30" instead of a name: the
        layers that a signal-to-noise ratio of 30 dB on calibration inputs needs
    per_channel, equalize, rounding ("nearest", "adaptive"): see `vta-compile --help`
    mode: schedule: "fused", "compatible"
    first_convolution: where a first convolution of few channels runs: "core", "host"
    start, stop: the first layer that may be on the core, and the first one after it that is on the host again, as all after
        it: names of layers, or operators ("max_pool2d"); VTA's start_name and stop_name
    per_layer_streams: run each layer by itself
    schedules: tilings to use instead of the search's: "zoo" (the tuned ones that ship, the default), "none", or a log of
        `vta-sim tune`
    tuned_for: the memory that they were measured with ("ideal64")
    preprocess, example, weights, input_size, batch_axis, input_shapes, input_values, seed: of Network(), for a model that is
        not one.
        A module without `example` is traced with the first of `calibrate`, if that is an array
    labels: the names of the classes, or a file with one per line; the program holds them (`Program.labels`) on any machine.
        None: the names that the network has
    progress: a function of what is in progress and a fraction; an exception that it raises cancels. True: a bar by tqdm.
        None: a bar in Jupyter, if tqdm is installed

    Ctrl-C cancels.
    """
    of_network = {"preprocess": preprocess, "example": example, "weights": weights, "input_size": input_size,
                  "batch_axis": batch_axis, "input_shapes": input_shapes, "input_values": input_values, "seed": seed}
    calibrate = _listed(calibrate)
    if not isinstance(model, Network):
        if model_source.is_module(model) and example is None and input_shapes is None:
            of_network["example"] = model_source.example_of(calibrate)
        model = Network(model, **of_network)
    elif given := [name for name, value in of_network.items() if value is not None]:
        raise errors.InvalidArgumentError(f"{given[0]} is an option of the Network; give it to vta.Network()")
    options = _library.CompileOptions(ctypes.sizeof(_library.CompileOptions))
    options.core = core
    options.quantize = quantize
    options.scales = scales
    options.requantize = requantize
    options.per_channel = _on_off(per_channel)
    options.equalize = _on_off(equalize)
    options.rounding = rounding
    float_layers = [keep_float] if isinstance(keep_float, str) else list(keep_float)
    options.keep_float = _library.texts(float_layers)
    options.num_keep_float = len(float_layers)
    options.mode = mode
    options.first_convolution = first_convolution
    options.start = start
    options.stop = stop
    options.per_layer_streams = per_layer_streams
    options.schedules = schedules
    options.tuned_for = tuned_for
    with _label_file(labels) as options.labels:
        with _calibration(options, calibrate, model), progress_module.shown(progress) as report, model._handle as pointer, \
                _library.Watch(report) as watch:
            options.progress = watch.function
            handle = ctypes.c_void_p()
            status = lib.vta_compile(pointer, ctypes.byref(options), ctypes.byref(handle))
        watch.finish(status)
    program = Program(_library.Handle(handle, lib.vta_program_free))
    if program.calibration == NOISE:
        warn_of_noise(program.network)
    return program


def _listed(calibrate: Any) -> Any:
    """Iterables as lists; what compile() documents as it is. Errors: InvalidArgumentError for other values."""
    if calibrate is None or isinstance(calibrate, (str, os.PathLike, Mapping)) or (isinstance(calibrate, np.ndarray) and calibrate.ndim > 0):
        return calibrate
    try:
        return list(calibrate)
    except TypeError:
        raise errors.InvalidArgumentError("calibrate: expected a data set, an array, a sequence of arrays, a dictionary of arrays by input or a "
                                          f"sequence of such dictionaries, got {type(calibrate).__name__}") from None


NOISE = "noise"


def warn_of_noise(network: str) -> None:
    _warn(f"{network}: the scales were calibrated on noise; choose inputs with calibrate=", errors.CalibrationWarning)


def _warn(message: str, category: type[Warning]) -> None:
    """The warning points to the line that called the package, through whichever of its functions."""
    package, level, frame = os.path.dirname(__file__), 1, sys._getframe()
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == package:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


@contextlib.contextmanager
def _label_file(labels: str | os.PathLike[str] | Sequence[str] | None) -> Iterator[str | os.PathLike[str] | None]:
    """Errors: InvalidArgumentError for names that are not one line each."""
    if labels is None or isinstance(labels, (str, os.PathLike)):
        yield labels
        return
    names = list(labels)
    for name in names:
        is_text = isinstance(name, str) and not any("\ud800" <= letter <= "\udfff" for letter in name)
        if not is_text or "\n" in name or "\r" in name:
            raise errors.InvalidArgumentError(f"labels: expected names of one line each, got {name!r}")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "labels.txt"
        file.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
        try:
            yield file
        except errors.Error as error:
            raise type(error)(str(error).replace(str(file), "labels")) from None


@contextlib.contextmanager
def _calibration(options: _library.CompileOptions, calibrate: Calibration | None, network: Network) -> Iterator[None]:
    """Sets the options. What they refer to lives as long as the context."""
    if isinstance(calibrate, (str, os.PathLike)):
        options.calibrate = calibrate
        yield
    elif calibrate is None:
        yield
    elif len(network.inputs) > 1:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "calibration.npz"
            _write_arrays(file, _named_arrays(calibrate, network))
            options.calibrate = f"npz:{file}"
            yield
    else:
        images = _set_images(options, calibrate, network)
        yield
        del images


def _write_arrays(file: pathlib.Path, arrays: Mapping[str, Array]) -> None:
    """As numpy.savez(), whose parameters some names would be."""
    with zipfile.ZipFile(file, "w") as members:
        for name, array in arrays.items():
            with members.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.save(member, array, allow_pickle=False)


def _named_arrays(calibrate: Any, network: Network) -> dict[str, Array]:
    """The samples of each input, one after another, for a network with several inputs."""
    if isinstance(calibrate, Mapping):
        feeds = [calibrate]
    else:
        feeds = list(calibrate)
        if not all(isinstance(feed, Mapping) for feed in feeds):
            raise errors.InvalidArgumentError(f"{network.name} has {len(network.inputs)} inputs; calibrate must be a dictionary of arrays "
                                              "by input, or a sequence of dictionaries")
    if not feeds:
        raise errors.InvalidArgumentError("calibrate holds no inputs")
    by_input = zip(*(tensors.by_name(feed, network.inputs) for feed in feeds))
    return {info.name: _rows(arrays, info) for info, arrays in zip(network.inputs, by_input)}


def _rows(arrays: Sequence[Array], info: TensorInfo) -> Array:
    """The samples of an input, one after another. The reader of the file checks their shape and converts types; here is refused what
    cannot be one array. Errors: InvalidArgumentError, naming the input."""
    parts = [np.asarray(array) for array in arrays]
    for part in parts:
        is_odd = len(parts) > 1 and part.shape[1:] != info.shape[1:]
        if is_odd or part.ndim != len(info.shape) or part.dtype != info.dtype:
            tensors.fitting(part, info)
    return np.concatenate(parts)


def _set_images(options: _library.CompileOptions, calibrate: Any, network: Network) -> Array:
    """Returns the memory that the options refer to."""
    if isinstance(calibrate, Mapping):
        calibrate = tensors.by_name(calibrate, network.inputs)[0]
    elif len(calibrate) > 0 and isinstance(calibrate[0], Mapping):
        calibrate = [tensors.by_name(feed, network.inputs)[0] for feed in calibrate]
    arrays = _calibration_arrays(calibrate, network)
    if len(arrays) == 0:
        raise errors.InvalidArgumentError("calibrate holds no images")
    images = np.concatenate([tensors.fitting(array, network.inputs[0]) for array in arrays])
    options.calibration_data = images.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
    options.num_calibration_inputs = len(arrays)
    return images


def _calibration_arrays(calibrate: Array | Sequence[Array], network: Network) -> list[Array]:
    """Each of the shape of the input. The last batch of samples repeats its first one where it has too few."""
    info = network.inputs[0]
    rank = len(info.shape)
    arrays: list[Array] = list(calibrate)
    is_rows = isinstance(calibrate, np.ndarray) and calibrate.ndim == rank and (network.batch > 1 or info.shape[0] == 1)
    if not is_rows and network.batch == 1:
        return arrays
    of_sample = dataclasses.replace(info, shape=info.shape[1:])
    samples: list[Array] = []
    for array in arrays:
        samples += [tensors.fitting(sample, of_sample) for sample in (list(array) if np.ndim(array) == rank else [array])]
    batch = info.shape[0]
    parts = [samples[first:first + batch] for first in range(0, len(samples), batch)]
    return [np.stack([*part, *[part[0]] * (batch - len(part))]) for part in parts]


def _axis_texts(batch_axis: int | Mapping[str, int] | None) -> list[str]:
    if batch_axis is None:
        return []
    return [f"{name}={axis}" for name, axis in batch_axis.items()] if isinstance(batch_axis, Mapping) else [str(batch_axis)]


def _values_text(values: Values) -> str:
    """Row by row, as the library reads them; bools are 0 or 1."""
    return ",".join(str(int(value) if isinstance(value, bool) else value) for value in np.ravel(values).tolist())


def _shape_text(shape: Sequence[int]) -> str:
    return "x".join(str(size) for size in shape)


def _size_text(size: int | tuple[int, int] | None) -> str | None:
    if size is None:
        return None
    height, width = (size, size) if isinstance(size, int) else size
    return f"{height}x{width}"


def _numbers_text(numbers: float | Sequence[float] | None) -> str | None:
    if numbers is None:
        return None
    return ",".join(str(number) for number in ([numbers] if isinstance(numbers, (int, float)) else numbers))


def _on_off(value: bool | None) -> str | None:
    return None if value is None else "on" if value else "off"
