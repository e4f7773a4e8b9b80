# SPDX-License-Identifier: Apache-2.0
"""Data sets and accuracy."""
from __future__ import annotations

import concurrent.futures
import contextlib
import dataclasses
import os
import threading
import time
from typing import Any, Iterator, List, Mapping, Sequence, Union

import numpy as np

from . import _library, board_pool, errors, progress as progress_module, tables, tensors, work
from ._library import lib
from .hit_log import HitLog, Hits, check_hits, content_key
from .network import Network, Reference, compile as compile_network
from .program import Program
from .session import ProgressFunction, Session, require_reachable
from .tensors import Array

TOP = 5
_SHARD_IMAGES = 100  # of an executor's worker
_LOGGED_IMAGES = 16  # of a thread, if there is a log


class Dataset:
    """Labelled images as inputs of a program, one image each: "npz:FILE[:COUNT]", "imagefolder:DIR[:COUNT]",
    "cifar10:FILE[:COUNT]" or "mnist:FILE[:COUNT]". For a program with several inputs, "npz:FILE" has an array [count, ...]
    for each, of its name, and "npz:DIR" is a folder of such files. Images are decoded and preprocessed when they are read;
    threads may share a data set."""

    def __init__(self, text: str, program: Program) -> None:
        self._inputs = program.inputs
        with program._handle as pointer:
            self._handle = _library.opened(lib.vta_dataset_free, lambda out: lib.vta_dataset_open(text, pointer, out))
        with self._handle as dataset:
            self._size: int = lib.vta_dataset_size(dataset)
            labels = lib.vta_dataset_labels(dataset)
            self.labels: Array | None = np.array(labels[:self._size], np.int64) if labels else None
            """int64 [count]; None if the data set has none."""

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, index: int) -> Array | dict[str, Array]:
        """The input [1, c, h, w] of an image; of a program with several inputs a dict by their names."""
        arrays = self._read(index)
        return arrays[0] if len(arrays) == 1 else {info.name: array for info, array in zip(self._inputs, arrays)}

    def _read(self, index: int) -> list[Array]:
        if not 0 <= index < self._size:
            raise IndexError(f"image {index} of {self._size}")  # ends iteration
        arrays: list[Array] = [np.empty((1, *info.shape[1:]), info.dtype) for info in self._inputs]
        with self._handle as dataset:
            _library.check(lib.vta_dataset_read(dataset, index, tensors.buffers(arrays)))
        return arrays


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
    """The best classes of one image, best first; of equal scores the lower index, NaN last. scores: [classes] or [1, classes].
    Errors: InvalidArgumentError for scores of several images."""
    array = np.asarray(scores, np.float64)
    if array.ndim > 1 and array.shape[0] > 1:
        raise errors.InvalidArgumentError(f"scores of {array.shape[0]} images, shape {array.shape}: pass one of them, such as scores[0]")
    flat = array.ravel()
    order = np.argsort(-np.where(np.isnan(flat), -np.inf, flat), kind="stable")
    return [int(index) for index in order[:count]]


Inputs = Union[Array, Mapping[str, Array]]
"""Inputs of many images, [count, ...]; by their names if the network has several."""
Images = Union[Sequence[List[Array]], Dataset]
"""All inputs, [1, ...] each, of each image."""


class _Evaluation:
    """Images on several threads, each with its own session and reference."""

    def __init__(self, network: Network, program: Program, images: Images, labels: Array, device: str) -> None:
        self.network, self.program, self.images, self.labels, self._device = network, program, images, labels, device
        self._own = threading.local()
        self._opened: list[Session | Reference] = []

    def _tools(self) -> tuple[Session, Reference]:
        if not hasattr(self._own, "session"):
            self._own.session = Session(self.program, self._device)
            self._own.reference = Reference(self.network)
            self._opened += [self._own.session, self._own.reference]
        return self._own.session, self._own.reference

    def hits(self, images: range) -> Hits:
        """The hits of consecutive images. A partial batch repeats its first image."""
        session, reference = self._tools()
        rows = []
        for first in range(images.start, images.stop, self.program.batch):
            images_of_run = [self._inputs_of(i) for i in range(first, min(first + self.program.batch, images.stop))]
            padded = images_of_run + images_of_run[:1] * (self.program.batch - len(images_of_run))
            stacked = [np.concatenate(arrays) for arrays in zip(*padded)]
            scores = session.run(*stacked)[0]
            # The network in fp32 takes the program's batch, or one image.
            if reference.inputs[0].shape == self.program.inputs[0].shape:
                exact = reference.run(*stacked)[0]
            else:
                exact = np.concatenate([reference.run(*inputs)[0] for inputs in images_of_run])
            rows += [_hits_of(top_classes(scores[i]), top_classes(exact[i]), int(self.labels[first + i]))
                     for i in range(len(images_of_run))]
        return np.array(rows, np.int8)

    def _inputs_of(self, image: int) -> list[Array]:
        return self.images._read(image) if isinstance(self.images, Dataset) else self.images[image]

    def close(self) -> None:
        for tool in self._opened:
            tool.close()


def _hits_of(int8: list[int], fp32: list[int], label: int) -> tuple[bool, ...]:
    """In the order of MEASURES."""
    return int8[0] == label, label in int8, fp32[0] == label, label in fp32, int8[0] == fp32[0]


@dataclasses.dataclass(frozen=True)
class _Shard:
    """What a worker needs to evaluate some images."""

    model: str
    dataset: str
    device: str
    options: tuple[tuple[str, Any], ...]  # of compile()
    images: range
    content: str  # of the network and the program, as the caller has them


_opened_here: dict[tuple[Any, ...], _Evaluation] = {}  # the last one, of this process
_opening = threading.Lock()


def _evaluate_shard(shard: _Shard) -> Hits:
    """In a worker, which compiles the network once."""
    key = (os.getpid(), shard.model, shard.dataset, shard.device, repr(shard.options), shard.content)
    with _opening:
        evaluation = _opened_here.get(key)
        if evaluation is None:
            network = Network(shard.model)
            program = compile_network(network, **dict(shard.options))
            images, labels = _images_and_labels(shard.dataset, program)
            evaluation = _Evaluation(network, program, images, labels, shard.device)
            _opened_here.clear()
            _opened_here[key] = evaluation
    return evaluation.hits(shard.images)


def evaluate(model: Network | str | os.PathLike[str], dataset: str | tuple[Inputs, Array], *,
             device: str = "functional", limit: int | None = None, threads: int | None = None,
             program: Program | None = None, log: str | os.PathLike[str] | None = None,
             executor: concurrent.futures.Executor | None = None, shard: int | None = None,
             resubmit_after: float | None = None, progress: ProgressFunction | bool | None = None,
             **options: Any) -> Accuracy:
    """The accuracy of a network on labelled images: in int8 on a device, and in fp32 on the host.

    dataset: the text of a Dataset, or the pair of inputs, float32 [count, c, h, w], and labels, integers [count]; of a network
        with several inputs, the inputs are a dict of arrays [count, ...] by name
    limit: at most so many images
    threads: default: one for each processor; an executor's workers have one each
    program: the compiled network; without it the network is compiled, with `options` of compile()
    log: JSON lines, appended after each shard; a later call with the same network, options, data set and device does not
        repeat the images in it. Logs of several calls may be concatenated
    executor: evaluates shards; its workers compile the network themselves and see the files under the same paths. It takes
        the name of a network and the text of a data set
    shard: images that a worker evaluates at a time: 100 for an executor. The accuracy does not depend on it
    resubmit_after: seconds without any result after which open work is submitted again, for an executor that may drop work
    progress: a function of what is in progress and a fraction; an exception that it raises ends the call. True: a bar by tqdm.
        None: a bar in Jupyter, if tqdm is installed

    >>> vta.evaluate("digits.json", "npz:digits/test.npz").top1
    """
    start = time.perf_counter()
    for name, count in (("limit", limit), ("threads", threads), ("shard", shard)):
        _check_count(name, count)
    network = model if isinstance(model, Network) else Network(model)
    if executor is not None and (network is model or program is not None or not isinstance(dataset, str)):
        raise errors.InvalidArgumentError("an executor's workers take the name of a network and the text of a data set")
    if executor is None:  # whose workers may reach what this machine cannot
        require_reachable(device)
    if program is None:
        program = compile_network(network, **options)
    elif options:
        raise errors.InvalidArgumentError(f"the program is compiled already; unexpected {', '.join(options)}")
    images, labels = _images_and_labels(dataset, program)
    has_key = log is not None or executor is not None
    key = content_key(program, str(model), dataset, images, labels, device) if has_key else ""
    labels = labels[:limit]
    if len(labels) == 0:
        raise errors.InvalidArgumentError("the data set has no images")
    known = HitLog(log, key, len(labels))
    with contextlib.ExitStack() as stack:
        show = stack.enter_context(progress_module.shown(progress))
        results: Iterator[tuple[Any, Hits]]
        if executor is not None:
            shards = [_Shard(os.fspath(model), str(dataset), device, tuple(options.items()), part, key)  # type: ignore[arg-type]
                      for part in known.missing(shard or _SHARD_IMAGES)]
            results = ((unit.images, hits) for unit, hits in
                       work.results(_evaluate_shard, shards, executor, check=lambda unit, hits: check_hits(hits, len(unit.images)),
                                    resubmit_after=resubmit_after))
        else:
            evaluation = _Evaluation(network, program, images, labels, stack.enter_context(board_pool.reserved(device)))
            stack.callback(evaluation.close)
            parts = known.missing(shard or (_LOGGED_IMAGES if log else program.batch))
            pool = stack.enter_context(
                concurrent.futures.ThreadPoolExecutor(max(1, min(threads or os.cpu_count() or 1, len(parts)))))
            results = work.results(evaluation.hits, parts, pool, check=lambda part, hits: check_hits(hits, len(part)))
        for part, hits in stack.enter_context(contextlib.closing(results)):  # type: ignore[type-var]
            known.add(part, hits)
            if show is not None:
                show(f"{known.count} of {len(labels)} images", known.count / len(labels))
    return _accuracy(known.hits, time.perf_counter() - start)


def _rows(inputs: Inputs, program: Program) -> list[list[Array]]:
    """All inputs of each image."""
    if isinstance(inputs, Mapping):
        arrays = tensors.by_name(inputs, program.inputs)
    elif len(program.inputs) == 1:
        arrays = [np.asarray(inputs)]
    else:
        names = ", ".join(info.name for info in program.inputs)
        raise errors.InvalidArgumentError(f"expected inputs {names}, got one array")
    counts = [len(array) for array in arrays]
    if len(set(counts)) > 1:
        texts = (f"{info.name}: {count}" for info, count in zip(program.inputs, counts))
        raise errors.InvalidArgumentError(f"inputs with different counts ({', '.join(texts)})")
    return [[array[i:i + 1] for array in arrays] for i in range(counts[0])]


def _images_and_labels(dataset: str | tuple[Inputs, Array], program: Program) -> tuple[Images, Array]:
    if isinstance(dataset, tuple):
        images, labels = _rows(dataset[0], program), dataset[1]
        if len(images) != len(labels):
            raise errors.InvalidArgumentError(f"{tables.counted(len(images), 'image')}, but {tables.counted(len(labels), 'label')}")
        return images, _checked_labels(labels)
    opened = Dataset(dataset, program)
    if opened.labels is None:
        raise errors.InvalidArgumentError(f"{dataset}: the data set has no labels")
    return opened, opened.labels


def _check_count(name: str, count: Any) -> None:
    if count is not None and (isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1):
        raise errors.InvalidArgumentError(f"{name}: expected an integer of at least 1, got {count!r}")


def _checked_labels(labels: Any) -> Array:
    array: Array = np.asarray(labels)
    if array.ndim != 1 or (array.dtype.kind not in "iu" and array.size > 0):
        raise errors.InvalidArgumentError(f"labels: expected integers [count], got {array.dtype.name}{list(array.shape)}")
    return array


def _accuracy(hits: Hits, seconds: float) -> Accuracy:
    top1, top5, fp32_top1, fp32_top5, agreement = (100.0 * int(count) / len(hits) for count in hits.sum(0, np.int64))
    return Accuracy(len(hits), top1, top5, fp32_top1, fp32_top5, agreement, seconds)
