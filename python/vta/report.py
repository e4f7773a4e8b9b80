# SPDX-License-Identifier: Apache-2.0
"""What a run counted: totals and layers."""
from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Mapping

from . import _library, tables
from ._library import lib

if TYPE_CHECKING:
    import pandas


@dataclasses.dataclass(frozen=True)
class Counters:
    """The same on every device."""

    inp_load_nbytes: int
    wgt_load_nbytes: int
    acc_load_nbytes: int
    uop_load_nbytes: int
    out_store_nbytes: int
    gemm_counter: int
    alu_counter: int
    cycles: int | None  # None: the device counts none
    stages: Mapping[str, Mapping[str, int]] | None  # cycles by stage ("gemm") and state ("wait_token")


@dataclasses.dataclass(frozen=True)
class LayerReport:
    name: str
    op: str  # "qconv2d", "pack", ...
    where: str  # "core", "host"
    macs: int  # of one image
    seconds: float
    ends_run: bool  # a run of the device ends with the layer
    counters: Counters


class LayerReports(tables.Table[LayerReport]):
    """The layers of a run, in order. Prints as a table."""


@dataclasses.dataclass(frozen=True)
class Report:
    """One inference."""

    counters: Counters  # sums over the layers
    device_seconds: float  # of a device on another machine by its clock
    host_seconds: float  # host operators, packing, copies, the connection
    wait_seconds: float  # until the device was free
    copied_bytes: int  # of inputs and outputs, besides packing, unpacking and dequantizing
    layers: LayerReports

    @property
    def cycles(self) -> int | None:
        return self.counters.cycles

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each layer, with the stages' cycles in columns such as "stages.gemm.wait_token". Needs pandas."""
        return self.layers.to_pandas()

    def __str__(self) -> str:
        return str(self.layers)

    def _repr_html_(self) -> str:
        return self.layers._repr_html_()


def _stages(c: Any) -> Mapping[str, Mapping[str, int]] | None:
    if not c.has_stages:
        return None
    return {stage: {state: c.stages[i][j] for j, state in enumerate(_library.STAGE_STATES)}
            for i, stage in enumerate(_library.STAGES)}


def _counters(c: Any) -> Counters:
    return Counters(c.inp_load_nbytes, c.wgt_load_nbytes, c.acc_load_nbytes, c.uop_load_nbytes, c.out_store_nbytes,
                    c.gemm_counter, c.alu_counter, c.cycles if c.has_cycles else None, _stages(c))


def _layer(c: Any) -> LayerReport:
    return LayerReport(_library.text(c.name), _library.text(c.op), _library.text(c.where), c.macs, c.seconds,
                       bool(c.ends_run), _counters(c.counters))


def read(handle: _library.Handle) -> Report:
    """Copies a vta_report."""
    with handle as pointer:
        totals = lib.vta_report_totals(pointer).contents
        layers = LayerReports(_layer(lib.vta_report_layer(pointer, i).contents) for i in range(totals.num_layers))
        return Report(_counters(totals.counters), totals.device_seconds, totals.host_seconds, totals.wait_seconds,
                      totals.copied_bytes, layers)
