# SPDX-License-Identifier: Apache-2.0
"""Which images a network classifies correctly, image by image, and the log of an evaluation."""
from __future__ import annotations

import hashlib
import json
import os
import pathlib
import re
import tempfile
from typing import Any, Iterator

import numpy as np
import numpy.typing as npt

from . import _library, errors
from .json_lines import JsonLines, parsed
from .program import Program
from .tensors import Array

MEASURES = ("top1", "top5", "fp32_top1", "fp32_top5", "agreement")
Hits = npt.NDArray[np.int8]
"""[images, MEASURES]: 1 or 0; -1: not evaluated yet."""

_BLOCK_BYTES = 1 << 20


def check_hits(hits: Any, count: int) -> None:
    """Errors: ValueError for what no evaluation of `count` images gives."""
    if not isinstance(hits, np.ndarray) or hits.dtype != np.int8 or hits.shape != (count, len(MEASURES)):
        raise ValueError(f"expected int8 [{count}, {len(MEASURES)}], got {_type_of(hits)}")
    if not np.isin(hits, (0, 1)).all():
        raise ValueError("a hit is 0 or 1")
    top1, top5, fp32_top1, fp32_top5, agreement = hits.T.astype(bool)
    if (top1 & ~top5).any() or (fp32_top1 & ~fp32_top5).any():
        raise ValueError("the best class is not among the best five")
    if (agreement & (top1 != fp32_top1)).any() or (~agreement & top1 & fp32_top1).any():
        raise ValueError("the agreement contradicts the hits")


def _type_of(hits: Any) -> str:
    return f"{hits.dtype.name}{list(hits.shape)}" if isinstance(hits, np.ndarray) else type(hits).__name__


class HitLog:
    """The hits of all images, also in a file. Each image counts once, however often the file has it.

    A line is an object: `key` (content_key()), `first` (index of an image), and for each of MEASURES a text of 0 and 1, one
    for each image from `first` on."""

    def __init__(self, path: str | os.PathLike[str] | None, key: str, count: int) -> None:
        """path: None: no file. Lines of other keys are passed over. Errors: CorruptError, naming the line."""
        self._key = key
        self.hits: Hits = np.full((count, len(MEASURES)), -1, np.int8)
        self._file = None if path is None else JsonLines(path)
        for number, line in enumerate(self._file.lines if self._file else [], 1):
            try:
                self._read(parsed(line))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise errors.CorruptError(f"{path}:{number}: not a line of an evaluation's log ({error})") from error

    def _read(self, line: Any) -> None:
        if line["key"] != self._key:
            return
        first, texts = line["first"], [line[name] for name in MEASURES]
        if type(first) is not int or first < 0 or any(not re.fullmatch("[01]+", text) or len(text) != len(texts[0])
                                                      for text in texts):
            raise ValueError("its texts are not 0 and 1 of the same images")
        hits = np.array([[int(digit) for digit in text] for text in texts], np.int8).T
        check_hits(hits, len(texts[0]))
        self._set(first, hits)

    def _set(self, first: int, hits: Hits) -> None:
        place = self.hits[first:first + len(hits)]
        np.copyto(place, hits[:len(place)], where=place < 0)

    @property
    def count(self) -> int:
        """The number of images that are evaluated."""
        return int((self.hits[:, 0] >= 0).sum())

    def missing(self, most: int) -> list[range]:
        """The images that are not evaluated, in parts of consecutive ones, at most so many each."""
        if most < 1:
            raise errors.InvalidArgumentError(f"a shard of {most} images")
        open_images = np.flatnonzero(self.hits[:, 0] < 0)
        runs = np.split(open_images, np.flatnonzero(np.diff(open_images) > 1) + 1) if len(open_images) else []
        return [range(int(run[0]) + at, min(int(run[0]) + at + most, int(run[-1]) + 1))
                for run in runs for at in range(0, len(run), most)]

    def add(self, images: range, hits: Hits) -> None:
        self._set(images.start, hits)
        if self._file is not None:
            texts = {name: "".join(map(str, hits[:, i])) for i, name in enumerate(MEASURES)}
            self._file.append([json.dumps({"key": self._key, "first": images.start, **texts})])


def content_key(program: Program, model: str, dataset: str | tuple[Any, Array], images: Any, labels: Array,
                device: str) -> str:
    """Changes with what the hits depend on: this version, the program with its weights, the network's name, the labels, the
    device, and the data set: its text; of a file its content; of a folder its files' names and sizes; arrays."""
    key = hashlib.sha256()
    for part in _parts(program, model, dataset, images, labels, device):
        key.update(len(part).to_bytes(8, "little"))
        key.update(part)
    return key.hexdigest()


def _parts(program: Program, model: str, dataset: str | tuple[Any, Array], images: Any, labels: Array,
           device: str) -> Iterator[bytes]:
    yield _library.lib.vta_version()
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "program.vta"
        program.save(file)
        yield file.read_bytes()
    yield os.fsencode(model)
    yield os.fsencode(device)
    yield np.asarray(labels, np.int64).tobytes()
    if not isinstance(dataset, str):
        for inputs in images:
            for array in inputs:
                yield np.ascontiguousarray(array).tobytes()
        return
    yield os.fsencode(dataset)
    path = pathlib.Path(re.sub(r":\d+$", "", dataset.partition(":")[2]))
    yield from _names_and_sizes(path) if path.is_dir() else _content(path)


def _content(path: pathlib.Path) -> Iterator[bytes]:
    if path.is_file():
        with open(path, "rb") as file:
            while block := file.read(_BLOCK_BYTES):
                yield block


def _names_and_sizes(folder: pathlib.Path) -> Iterator[bytes]:
    for parent, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(parent, name)
            yield os.fsencode(f"{os.path.relpath(path, folder)} {os.path.getsize(path)}")
