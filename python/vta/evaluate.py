# SPDX-License-Identifier: Apache-2.0
"""Data sets and accuracy."""
from __future__ import annotations

import concurrent.futures
import contextlib
import dataclasses
import os
import threading
import time
from typing import Any, Sequence

import numpy as np

from . import _library, board_pool, errors, tensors
from ._library import lib
from .network import Network, Reference, compile as compile_network
from .program import Program
from .session import Session
from .tensors import Array

TOP = 5


class Dataset:
    """Labelled images as inputs of a program, one image each: "npz:FILE[:COUNT]", "imagefolder:DIR[:COUNT]",
    "cifar10:FILE[:COUNT]" or "mnist:FILE[:COUNT]". Images are decoded and preprocessed when they are read; threads may
    share a data set."""

    def __init__(self, text: str, program: Program) -> None:
        self._shape = (1, *program.inputs[0].shape[1:])
        self._dtype = program.inputs[0].dtype
        with program._handle as pointer:
            self._handle = _library.opened(
                lib.vta_dataset_free, lambda out: lib.vta_dataset_open(_library.to_bytes(text), pointer, out))
        with self._handle as dataset:
            self._size: int = lib.vta_dataset_size(dataset)
            labels = lib.vta_dataset_labels(dataset)
            self.labels: Array | None = np.array(labels[:self._size], np.int64) if labels else None
            """int64 [count]; None if the data set has none."""

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, index: int) -> Array:
        """The input [1, c, h, w] of an image."""
        if not 0 <= index < self._size:
            raise IndexError(f"image {index} of {self._size}")  # ends iteration
        image: Array = np.empty(self._shape, self._dtype)
        with self._handle as dataset:
            _library.check(lib.vta_dataset_read(dataset, index, tensors.one_buffer(image)))
        return image


@dataclasses.dataclass(frozen=True)
class Accuracy:
    """In percent, of the program in int8 and of the network in fp32; `agreement`: images that both put into the same
    class."""

    images: int
    top1: float
    top5: float
    fp32_top1: float
    fp32_top5: float
    agreement: float
    seconds: float


def top_classes(scores: Array, count: int = TOP) -> list[int]:
    """The best classes, best first; of equal scores the lower index, NaN last."""
    flat = np.asarray(scores, np.float64).ravel()
    order = np.argsort(-np.where(np.isnan(flat), -np.inf, flat), kind="stable")
    return [int(index) for index in order[:count]]


class _Evaluation:
    """Batches of images on several threads, each with its own session and reference."""

    def __init__(self, network: Network, program: Program, images: Sequence[Array] | Dataset, device: str) -> None:
        self._network, self._program, self._images, self._device = network, program, images, device
        self._own = threading.local()
        self._opened: list[Session | Reference] = []

    def _tools(self) -> tuple[Session, Reference]:
        if not hasattr(self._own, "session"):
            self._own.session = Session(self._program, self._device)
            self._own.reference = Reference(self._network)
            self._opened += [self._own.session, self._own.reference]
        return self._own.session, self._own.reference

    def ranks(self, first: int, count: int) -> list[tuple[list[int], list[int]]]:
        """The best classes of the images from `first`, in int8 and in fp32. A partial batch repeats its first image."""
        session, reference = self._tools()
        images = [self._images[first + i] for i in range(count)]
        batch = np.concatenate(images + images[:1] * (self._program.batch - count))
        scores = session.run(batch)[0]
        return [(top_classes(scores[i]), top_classes(reference.run(images[i])[0])) for i in range(count)]

    def close(self) -> None:
        for tool in self._opened:
            tool.close()


def evaluate(model: Network | str | os.PathLike[str], dataset: str | tuple[Array, Array], *,
             device: str = "functional", limit: int | None = None, threads: int | None = None,
             program: Program | None = None, **options: Any) -> Accuracy:
    """The accuracy of a network on labelled images: in int8 on a device, and in fp32 on the host.

    dataset: the text of a Dataset, or the pair of inputs, float32 [count, c, h, w], and labels, integers [count]
    limit: at most so many images
    threads: default: one for each processor
    program: the compiled network; without it the network is compiled, with `options` of compile()

    >>> vta.evaluate("digits.json", "npz:digits/test.npz").top1
    """
    start = time.perf_counter()
    network = model if isinstance(model, Network) else Network(model)
    if program is None:
        program = compile_network(network, **options)
    elif options:
        raise errors.InvalidArgumentError(f"the program is compiled already; unexpected {', '.join(options)}")
    images, labels = _images_and_labels(dataset, program)
    if limit is not None:
        labels = labels[:limit]
    starts = range(0, len(labels), program.batch)
    with contextlib.ExitStack() as stack:
        evaluation = _Evaluation(network, program, images, stack.enter_context(board_pool.reserved(device)))
        stack.callback(evaluation.close)
        with concurrent.futures.ThreadPoolExecutor(min(threads or os.cpu_count() or 1, len(starts))) as pool:
            futures = [pool.submit(evaluation.ranks, first, min(program.batch, len(labels) - first)) for first in starts]
            try:
                ranks = [pair for future in futures for pair in future.result()]
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise
    return _accuracy(ranks, labels, time.perf_counter() - start)


def _images_and_labels(dataset: str | tuple[Array, Array], program: Program) -> tuple[Sequence[Array] | Dataset, Array]:
    if isinstance(dataset, tuple):
        images, labels = dataset
        if len(images) != len(labels):
            raise errors.InvalidArgumentError(f"{len(images)} images, but {len(labels)} labels")
        return [image[np.newaxis] for image in images], np.asarray(labels)
    opened = Dataset(dataset, program)
    if opened.labels is None:
        raise errors.InvalidArgumentError(f"{dataset}: the data set has no labels")
    return opened, opened.labels


def _accuracy(ranks: list[tuple[list[int], list[int]]], labels: Array, seconds: float) -> Accuracy:
    if not ranks:
        raise errors.InvalidArgumentError("the data set has no images")

    def percent(hits: Sequence[bool]) -> float:
        return 100.0 * sum(hits) / len(ranks)

    both = list(zip(ranks, labels))
    return Accuracy(len(ranks),
                    percent([int8[0] == label for (int8, _), label in both]),
                    percent([label in int8 for (int8, _), label in both]),
                    percent([fp32[0] == label for (_, fp32), label in both]),
                    percent([label in fp32 for (_, fp32), label in both]),
                    percent([int8[0] == fp32[0] for (int8, fp32), _ in both]), seconds)
