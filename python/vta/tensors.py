# SPDX-License-Identifier: Apache-2.0
"""Inputs and outputs: their types, and NumPy arrays as the library's buffers."""
from __future__ import annotations

import ctypes
import dataclasses
import math
from typing import Any, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _library, errors, tables

Array = NDArray[Any]

_DTYPES: tuple[np.dtype[Any], ...] = (np.dtype(np.float32), np.dtype(np.int8), np.dtype(np.int32))


@dataclasses.dataclass(frozen=True)
class TensorInfo:
    """An input or output of a network or program. Images are [n, c, h, w]."""

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.name}: {self.dtype.name}{list(self.shape)}"


def tensor_info(pointer: Any) -> TensorInfo:
    """From a vta_tensor_info*."""
    info = pointer.contents
    return TensorInfo(_library.text(info.name), _DTYPES[info.dtype], tuple(info.shape[i] for i in range(info.rank)))


def of_run(results: Sequence[Array], pointers: Sequence[Any]) -> list[Array]:
    """The results, each with the sizes of its vta_tensor_info*: its elements are the first of the array."""
    shapes = [tensor_info(pointer).shape for pointer in pointers]
    return [array if array.shape == shape else array.reshape(-1)[:math.prod(shape)].reshape(shape).copy()
            for array, shape in zip(results, shapes)]


def fitting(array: Any, info: TensorInfo) -> Array:
    """The array in C order. A wrong type or shape is an error, not a conversion: it would hide mistakes."""
    array = np.asarray(array)
    if array.dtype != info.dtype:
        order = "" if array.dtype.isnative else " in the other byte order"
        raise errors.InvalidArgumentError(f"input {info.name}: expected {info.dtype.name}, got {array.dtype.name}{order}; "
                                          f"convert it with .astype('{info.dtype.name}')")
    if array.shape != info.shape:
        raise errors.InvalidArgumentError(
            f"input {info.name}: expected shape {list(info.shape)}, got {list(array.shape)}")
    return np.ascontiguousarray(array)


def buffers(arrays: Sequence[Array]) -> Any:
    """A vta_buffer[]; the arrays, in C order, must outlive it."""
    result = (_library.Buffer * len(arrays))()
    for buffer, array in zip(result, arrays):
        buffer.data = array.ctypes.data
        buffer.num_bytes = array.nbytes
    return result


def one_buffer(array: Array) -> Any:
    """A vta_buffer*."""
    return ctypes.byref(_library.Buffer(array.ctypes.data, array.nbytes))


def by_name(arrays: Mapping[str, Array], infos: Sequence[TensorInfo]) -> list[Array]:
    """The arrays in the order of the inputs."""
    names = [info.name for info in infos]
    if set(arrays) != set(names):
        raise errors.InvalidArgumentError(f"expected inputs {', '.join(names)}, got {', '.join(arrays) or 'none'}")
    return [arrays[name] for name in names]


def checked_inputs(arrays: Sequence[Array | Mapping[str, Array]], infos: Sequence[TensorInfo]) -> list[Array]:
    """The inputs in order; a single mapping holds them by name."""
    if len(arrays) == 1 and isinstance(arrays[0], Mapping):
        arrays = by_name(arrays[0], infos)
    if len(arrays) != len(infos):
        raise errors.InvalidArgumentError(f"expected {tables.counted(len(infos), 'input')} ({', '.join(i.name for i in infos)}), "
                                          f"got {len(arrays)}")
    return [fitting(array, info) for array, info in zip(arrays, infos)]
