# SPDX-License-Identifier: Apache-2.0
"""The time of inferences: of each layer, and in total."""
from __future__ import annotations

import dataclasses
import statistics
import time
from typing import Any, Callable, Sequence

from . import errors, tables
from .program import Layer
from .report import Report

_MAX_GROWTH = 100  # of a sample's calls, when one was too short to be measured


@dataclasses.dataclass(frozen=True)
class LayerTime:
    """A layer over several runs. Layers of one run of the device share its seconds in proportion to their cycles; if the
    device counts none, the last of them has all."""

    name: str
    op: str
    where: str  # "core", "host"
    macs: int  # of one image
    cycles: int | None  # None: on the host, or the device counts none
    mean_ms: float
    stddev_ms: float
    min_ms: float
    share: float  # of the sum of all means
    shapes: str  # as in Layer


class Profile(tables.Table[LayerTime]):
    """The layers of a program, in order. Prints as a table, with lines for their sum, for these inferences with the reading of
    their reports, and for plain ones, which ran between them."""

    samples_ms: tuple[tuple[float, ...], ...] = ()  # of each layer, by inference
    total: ProfileResult | None = None  # elapsed seconds of the inferences
    plain: ProfileResult | None = None

    @property
    def mean_ms(self) -> float:
        """The mean time of an inference: the sum of its layers."""
        return sum(layer.mean_ms for layer in self)

    def __str__(self) -> str:
        lines = [super().__str__(), f"Sum: {self.mean_ms:.6f} ms"]
        for name, result in (("Total", self.total), ("Plain", self.plain)):
            if result:
                lines.append(f"{name}: {1e3 * result.mean:.6f} ms, {result}")
        return "\n".join(lines)


@dataclasses.dataclass(frozen=True)
class ProfileResult:
    """Elapsed seconds of calls. Prints as TVM's: ProfileResult(mean=0.5, results=(0.4, 0.6))."""

    mean: float
    results: tuple[float, ...]  # of each sample, the mean of its calls

    @staticmethod
    def of(seconds: Sequence[float]) -> ProfileResult:
        return ProfileResult(sum(seconds) / len(seconds), tuple(seconds))


def measure(call: Callable[[], Any], repeat: int = 10, number: int = 1, min_repeat_ms: float = 0) -> ProfileResult:
    """Takes `repeat` samples of `number` calls each, after one call that is not counted. While a sample is shorter than `min_repeat_ms`, it is
    taken again with more calls; the arguments are those of TVM's time_evaluator. The time is the caller's: on a remote device it has the network's.

    >>> vta.measure(lambda: other_runtime.run(None, feed))
    """
    for name, count in (("repeat", repeat), ("number", number)):
        if count < 1:
            raise errors.InvalidArgumentError(f"{name} is {count}, expected at least 1")
    call()
    results: list[float] = []
    while len(results) < repeat:
        begin = time.perf_counter()
        for _ in range(number):
            call()
        seconds = time.perf_counter() - begin
        if 1e3 * seconds < min_repeat_ms:
            number = min(_MAX_GROWTH * number, max(number + 1, int(1.2 * number * min_repeat_ms / (1e3 * seconds))))
        else:
            results.append(seconds / number)
    return ProfileResult.of(results)


def of(layers: Sequence[Layer], reports: Sequence[Report], seconds: Sequence[float], plain_seconds: Sequence[float]) -> Profile:
    """`reports`: of at least one run of a program with these layers; `seconds`: how long each took."""
    columns = [[1e3 * report.layers[i].seconds for report in reports] for i in range(len(reports[0].layers))]
    means = [sum(column) / len(column) for column in columns]
    whole = sum(means)
    profile = Profile(
        LayerTime(layer.name, layer.op, layer.where, layer.macs, layer.counters.cycles, mean, statistics.pstdev(column),
                  min(column), mean / whole if whole > 0 else 0.0, described.shapes)
        for described, layer, column, mean in zip(layers, reports[-1].layers, columns, means))
    profile.samples_ms = tuple(map(tuple, columns))
    profile.total = ProfileResult.of(seconds)
    profile.plain = ProfileResult.of(plain_seconds)
    return profile
