# SPDX-License-Identifier: Apache-2.0
"""Where the time of inferences goes, layer by layer."""
from __future__ import annotations

import dataclasses
from typing import Sequence

from . import tables
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


def of(reports: Sequence[Report]) -> Profile:
    """`reports`: of at least one run of the same program."""
    columns = [[1e3 * report.layers[i].seconds for report in reports] for i in range(len(reports[0].layers))]
    means = [sum(column) / len(column) for column in columns]
    whole = sum(means)
    return Profile(
        LayerTime(layer.name, layer.op, layer.where, layer.macs, layer.counters.cycles, mean, min(column),
                  mean / whole if whole > 0 else 0.0)
        for layer, column, mean in zip(reports[-1].layers, columns, means))
