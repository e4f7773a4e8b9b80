# SPDX-License-Identifier: Apache-2.0
"""The time of inferences: of each layer, and in total."""
from __future__ import annotations

import dataclasses
import time
from typing import Any, Callable, Sequence

from . import errors, tables
from .report import Report


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
    min_ms: float
    share: float  # of the sum of all means


class Profile(tables.Table[LayerTime]):
    """The layers of a program, in order. Prints as a table."""

    @property
    def mean_ms(self) -> float:
        """The mean time of an inference: the sum of its layers."""
        return sum(layer.mean_ms for layer in self)


@dataclasses.dataclass(frozen=True)
class ProfileResult:
    """Elapsed seconds of calls. Prints as TVM's: ProfileResult(mean=0.5, results=(0.4, 0.6))."""

    mean: float
    results: tuple[float, ...]  # of each call

    @staticmethod
    def of(seconds: Sequence[float]) -> ProfileResult:
        return ProfileResult(sum(seconds) / len(seconds), tuple(seconds))


def measure(call: Callable[[], Any], repeat: int = 10) -> ProfileResult:
    """Calls it `repeat` times, after one call that is not counted.

    >>> vta.measure(lambda: other_runtime.run(None, feed))
    """
    if repeat < 1:
        raise errors.InvalidArgumentError(f"repeat is {repeat}, expected at least 1")
    call()
    seconds = []
    for _ in range(repeat):
        begin = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - begin)
    return ProfileResult.of(seconds)


def of(reports: Sequence[Report]) -> Profile:
    """`reports`: of at least one run of the same program."""
    columns = [[1e3 * report.layers[i].seconds for report in reports] for i in range(len(reports[0].layers))]
    means = [sum(column) / len(column) for column in columns]
    whole = sum(means)
    return Profile(
        LayerTime(layer.name, layer.op, layer.where, layer.macs, layer.counters.cycles, mean, min(column),
                  mean / whole if whole > 0 else 0.0)
        for layer, column, mean in zip(reports[-1].layers, columns, means))
