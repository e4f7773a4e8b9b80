# SPDX-License-Identifier: Apache-2.0
"""Models that are not files: ONNX in memory, PyTorch modules."""
from __future__ import annotations

import contextlib
import inspect
import os
import pathlib
import sys
import tempfile
from typing import Any, Iterable, Iterator, Mapping, Sequence, Union

import numpy as np

from . import errors

Source = Union[str, "os.PathLike[str]", bytes, Any]
"""A path or the name of an installed network; the bytes of an ONNX model; an onnx.ModelProto; a torch.nn.Module."""

_OPSET = 17  # of exported modules


@contextlib.contextmanager
def file_of(model: Source, example: Any = None, shapes: Mapping[str, Sequence[int]] | None = None) -> Iterator[str | os.PathLike[str]]:
    """The model as a file, for as long as the context lasts.

    example: inputs to trace a module with: a tensor or array, a tuple of them, or a dictionary by the parameters of its forward()
    shapes: of the inputs of a module, by name; without `example`, zeros of these shapes are traced
    """
    if isinstance(model, (str, os.PathLike)):
        yield model
        return
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "model.onnx"
        if is_module(model):
            _export(model, example, shapes or {}, file)
        elif isinstance(model, (bytes, bytearray, memoryview)):
            file.write_bytes(model)
        elif hasattr(model, "SerializeToString"):  # ModelProto; onnx need not be installed to tell
            file.write_bytes(model.SerializeToString())
        else:
            raise errors.InvalidArgumentError("model: expected a Network, a file, the bytes of an ONNX model, an onnx.ModelProto or a "
                                              f"torch.nn.Module, got {type(model).__name__}")
        try:
            yield file
        except errors.Error as error:
            raise type(error)(str(error).replace(str(file), "the model in memory")) from None


def is_module(model: Any) -> bool:
    """Whether it is a torch.nn.Module. Does not import torch: a caller with a module has done so."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(model, torch.nn.Module)


def example_of(calibrate: Any) -> Any:
    """An input to trace a module with: the first of calibration arrays; None if there are none."""
    if calibrate is None or isinstance(calibrate, (str, os.PathLike)) or len(calibrate) == 0:
        return None
    if isinstance(calibrate, Mapping):
        return {name: np.asarray(array)[:1] for name, array in calibrate.items()}
    first = calibrate[0]
    if isinstance(first, Mapping):
        return first
    return np.asarray(calibrate)[:1] if isinstance(calibrate, np.ndarray) else np.asarray(first)


def _export(module: Any, example: Any, shapes: Mapping[str, Sequence[int]], file: pathlib.Path) -> None:
    """Writes a module by torch's own exporter, in evaluation mode."""
    torch: Any = sys.modules["torch"]
    if example is None and not shapes:
        raise errors.InvalidArgumentError(f"a {type(module).__name__} does not state the shape of its input; give example=torch.zeros(1, 3, 224, "
                                          "224), input_shapes={'x': (1, 3, 224, 224)} or calibrate=images")
    names = list(shapes)
    if isinstance(example, Mapping):
        names = _in_order_of_parameters(module, example)
        example = tuple(example[name] for name in names)
    given = tuple(torch.zeros(*shape) for shape in shapes.values()) if example is None else example
    modes = [(part, part.training) for part in module.modules()]
    module.eval()
    try:
        tensors = tuple(value if isinstance(value, torch.Tensor) else torch.from_numpy(np.ascontiguousarray(value))
                        for value in (given if isinstance(given, tuple) else (given, )))
        _need_equal(shapes, tensors)
        old_exporter = {"dynamo": False} if "dynamo" in inspect.signature(torch.onnx.export).parameters else {}
        torch.onnx.export(module, tensors, str(file), opset_version=_OPSET, **old_exporter, **({"input_names": names} if names else {}))
    except errors.Error:
        raise
    except Exception as error:  # the exporter's errors have no common class
        raise errors.UnsupportedError(f"torch.onnx.export does not export this {type(module).__name__}: {error}") from error
    finally:
        for part, was_training in modes:
            part.training = was_training


def _in_order_of_parameters(module: Any, names: Iterable[str]) -> list[str]:
    """Errors: InvalidArgumentError for a name that is not a parameter of forward()."""
    parameters = list(inspect.signature(module.forward).parameters)
    for name in names:
        if name not in parameters:
            raise errors.InvalidArgumentError(f"a {type(module).__name__} has no input {name!r}: its forward() takes {', '.join(parameters)}")
    return sorted(names, key=parameters.index)


def _need_equal(shapes: Mapping[str, Sequence[int]], tensors: Sequence[Any]) -> None:
    """Errors: InvalidArgumentError if both are given and differ."""
    traced = [tuple(tensor.shape) for tensor in tensors]
    stated = [tuple(shape) for shape in shapes.values()]
    if stated and traced != stated:
        raise errors.InvalidArgumentError(f"input_shapes are {stated}, the example has {traced}: give one of both")
