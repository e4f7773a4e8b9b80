# SPDX-License-Identifier: Apache-2.0
"""Programs: networks compiled for a core."""
from __future__ import annotations

import ctypes
import dataclasses
import functools
import os
import pathlib
import tempfile
from typing import Callable

import numpy as np

from . import _library, errors, tables, tensors
from ._library import lib
from .tensors import Array, TensorInfo


@dataclasses.dataclass(frozen=True)
class Layer:
    """A step of a program."""

    name: str
    op: str  # "qconv2d", "pack", ...
    where: str  # "core", "host"
    macs: int  # multiply-accumulates of one image
    gemm_counter: int  # GEMM micro-ops without reset
    alu_counter: int
    dram_bytes: int  # loads and stores
    shapes: str  # of operands and results, packed on the core, with weights and bias: "int8[1, 4, 56, 56, 1, 16], ..."


class Layers(tables.Table[Layer]):
    """The steps of a program, in order. Prints as a table."""


class Program:
    """A network compiled for a core: `vta.compile()` makes one, `Program.load()` reads one from a .vta file.

    Programs do not change; threads may share them. Pickled, they are the bytes of their files, so that processes get copies.

    >>> program = vta.compile("digits.json")
    >>> program.save("digits.vta")
    >>> print(program.layers)
    """

    def __init__(self, handle: _library.Handle) -> None:
        self._handle = handle
        with handle as pointer:
            info = lib.vta_program_info_of(pointer).contents
            self.network: str = _library.text(info.network)
            self.core: str = _library.text(info.core)
            self.mode: str = _library.text(info.mode)
            """Schedule: "fused" or "compatible"."""
            self.quantize: str = _library.text(info.quantize)
            """Method that chose the scales, and its options."""
            self.weights: str = _library.text(info.weights)
            """A file's name, or "synthetic:SEED"."""
            self.calibration: str = _library.text(info.calibration)
            """What the scales were chosen on; "" for a program from a file."""
            self.macs: int = info.macs
            """Multiply-accumulates of one image."""
            self.macs_on_core: int = info.macs_on_core
            self.arena_bytes: int = info.arena_bytes
            """Device memory that a session needs."""
            self.output_kind: str = _library.text(info.output_kind)
            """Meaning of the outputs: "classes" (scores), "yolo" (grids of boxes) or "image"."""
            self.inputs: tuple[TensorInfo, ...] = tuple(
                tensors.tensor_info(lib.vta_program_input(pointer, i)) for i in range(info.num_inputs))
            self.outputs: tuple[TensorInfo, ...] = tuple(
                tensors.tensor_info(lib.vta_program_output(pointer, i)) for i in range(info.num_outputs))
            self._batch: int = info.batch
            self._num_layers: int = info.num_layers
            self._num_labels: int = info.num_labels

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Program:
        """Reads a program file (.vta)."""
        return cls(_library.opened(lib.vta_program_free, lambda out: lib.vta_program_open(path, out)))

    @classmethod
    def from_bytes(cls, file: bytes) -> Program:
        """From the bytes of a program file."""
        if not isinstance(file, (bytes, bytearray, memoryview)):
            raise errors.InvalidArgumentError(f"expected the bytes of a program file, got {type(file).__name__}")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "program.vta"
            path.write_bytes(file)
            try:
                return cls.load(path)
            except errors.Error as error:
                raise type(error)(str(error).replace(str(path), "the program in memory")) from None

    def to_bytes(self) -> bytes:
        """The bytes of the program file."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "program.vta"
            self.save(path)
            return path.read_bytes()

    def __reduce__(self) -> tuple[Callable[[bytes], Program], tuple[bytes]]:
        return Program.from_bytes, (self.to_bytes(), )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a program file, which `vta-sim run` and `Program.load()` accept."""
        with self._handle as pointer:
            _library.check(lib.vta_program_save(pointer, path))

    @functools.cached_property
    def layers(self) -> Layers:
        with self._handle as pointer:
            return Layers(self._layer(pointer, i) for i in range(self._num_layers))

    @staticmethod
    def _layer(pointer: ctypes.c_void_p, index: int) -> Layer:
        info = lib.vta_program_layer(pointer, index).contents
        return Layer(_library.text(info.name), _library.text(info.op), _library.text(info.where), info.macs,
                     info.gemm_counter, info.alu_counter, info.dram_bytes, _library.text(info.shapes))

    @functools.cached_property
    def labels(self) -> tuple[str, ...]:
        """The names of the classes; empty if the network has none."""
        label = ctypes.c_char_p()
        labels = []
        with self._handle as pointer:
            for i in range(self._num_labels):
                _library.check(lib.vta_program_label(pointer, i, ctypes.byref(label)))
                labels.append(_library.text(label.value))
        return tuple(labels)

    @property
    def batch(self) -> int:
        """Images of one inference: rows of all inputs and outputs. 1: the inputs are one sample."""
        return self._batch

    def read_input(self, file: str | os.PathLike[str] | None = None) -> Array:
        """The network's input from a JPEG, PNG, WebP or BMP file, preprocessed as the network defines it; "noise:SEED": standard
        normals; None: the network's sample image. If the input is a batch, every element is this image."""
        input_ = self._empty_input()
        with self._handle as pointer:
            _library.check(lib.vta_program_read_input(pointer, file, tensors.one_buffer(input_)))
        return input_

    def decode_input(self, file: bytes) -> Array:
        """The network's input from the bytes of a JPEG, PNG, WebP or BMP file, for example a frame of a camera."""
        input_ = self._empty_input()
        data = np.frombuffer(file, np.uint8).ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))
        with self._handle as pointer:
            _library.check(lib.vta_program_decode_input(pointer, data, len(file), tensors.one_buffer(input_)))
        return input_

    def preprocess(self, image: Array) -> Array:
        """The network's input from pixels: uint8 [height, width, 3], RGB (Pillow: `numpy.asarray(image)`)."""
        pixels: Array = np.ascontiguousarray(image)
        if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3:
            raise errors.InvalidArgumentError(
                f"expected an image, uint8 [height, width, 3], got {pixels.dtype.name}{list(pixels.shape)}")
        input_ = self._empty_input()
        data = pixels.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))
        with self._handle as pointer:
            _library.check(lib.vta_program_preprocess(pointer, data, pixels.shape[0], pixels.shape[1],
                                                      tensors.one_buffer(input_)))
        return input_

    def _empty_input(self) -> Array:
        if len(self.inputs) != 1:
            raise errors.UnsupportedError(f"{self.network}: {tables.counted(len(self.inputs), 'input')}; expected one")
        array: Array = np.empty(self.inputs[0].shape, self.inputs[0].dtype)
        return array

    def close(self) -> None:
        """Releases the memory now instead of when the object is collected."""
        self._handle.close()

    def __repr__(self) -> str:
        return f"<vta.Program {self.network} for {self.core}, {self.mode}, {tables.counted(len(self.inputs), 'input')}, " \
               f"{tables.counted(self._num_layers, 'layer')}, {self.macs} MACs>"
