# SPDX-License-Identifier: Apache-2.0
"""Networks on many cores, on one machine or many."""
from __future__ import annotations

import concurrent.futures
import dataclasses
import html
import itertools
import logging
import os
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from . import errors, tables, tools, work

if TYPE_CHECKING:
    import pandas

_FIELDS = ("block", "batch", "block_in", "block_out", "uop_buffer", "inp_buffer", "wgt_buffer", "acc_buffer",
           "command_queue_depth", "token_queue_depth", "alu_folding", "pixels", "clock")
_log = logging.getLogger("vta")


@dataclasses.dataclass(frozen=True)
class ExploredCore:
    """A row of the table of cores."""

    core: str
    best: bool  # on the Pareto front of time and share
    fits: bool  # the FPGA
    clock_mhz: float
    estimated_mhz: float | None
    routed_mhz: float | None
    share_percent: float | None  # of the resource that the core needs most of
    share_of: str | None
    resources: Mapping[str, float]
    milliseconds: Mapping[str, float | None]  # of an image, by network and memory; None: it does not run
    mean_ms: float | None
    error: str | None  # why there is nothing else


class ExploredCores(tables.Table[ExploredCore]):
    """Prints as a table."""


class ExploreResult(dict[str, Any]):
    """The keys of `vta-sim explore --json`. Prints as a table of the cores; those that fit are first, in order of time."""

    @property
    def table(self) -> ExploredCores:
        rows = [_row(core) for core in self["cores"]]
        return ExploredCores(sorted(rows, key=lambda row: (not row.fits, row.mean_ms is None, row.mean_ms or 0)))

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each core, with columns such as "milliseconds.digits ideal64" and "resources.lut". Needs pandas."""
        return self.table.to_pandas()

    def _refused(self) -> str:
        number = self["num_illegal"]
        return f"{tables.counted(number, 'combination')} refused, such as {self['first_illegal']}" if number else ""

    def __str__(self) -> str:
        return f"{self.table}\n{self._refused()}".rstrip()

    def _repr_html_(self) -> str:
        return self.table._repr_html_() + (f"<p>{html.escape(self._refused())}</p>" if self._refused() else "")


def _row(core: Mapping[str, Any]) -> ExploredCore:
    runs = {f"{run['network']} {run['memory']}": run.get("ms") for run in core.get("runs", ())}
    return ExploredCore(core["name"], core.get("on_front", False), core.get("fits", False), core["clock_mhz"],
                        core.get("estimated_mhz"), core.get("routed_mhz"), core.get("share_percent"), core.get("share_of"),
                        core.get("resources", {}), runs, core.get("mean_ms"), core.get("error"))


def explore(models: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], *, cache: str | os.PathLike[str],
            executor: concurrent.futures.Executor | None = None, resubmit_after: float | None = None,
            **options: Any) -> ExploreResult:
    """Measures networks on many cores, as `vta-sim explore` does; returns the keys of its --json, which print as a table.

    models: files or names of networks
    cache: the folder of models and results: what is in it is not measured again
    executor: measures cores, each in one call of a worker; workers need the toolkit and see the files and the folder under
        the same paths. None: this machine, with `workers=N` threads
    resubmit_after: seconds without any result after which open work is submitted again, for an executor that may drop work
    options: as `vta-sim explore` has them; lists for its lists

    >>> vta.explore("resnet18", cache="cores", block=[8, 16], inp_buffer="16K", wgt_buffer=["64K", "128K"], acc_buffer="32K")["front"]
    """
    names = [models] if isinstance(models, (str, os.PathLike)) else list(models)
    words = ["explore", *(os.fspath(name) for name in names), "--cache", os.path.abspath(cache)]
    if executor is not None:
        for message in _measure(words, options, executor, resubmit_after):
            _log.info("no core of this combination: %s", message)
    return ExploreResult(tools.json_output("vta-sim", *words, *tools.arguments(options)))


def _measure(words: list[str], options: dict[str, Any], executor: concurrent.futures.Executor,
             resubmit_after: float | None) -> list[str]:
    """Fills the folder; returns why combinations were not measured."""
    lists = [(name, options[name] if isinstance(options[name], (list, tuple)) else str(options[name]).split(","))
             for name in _FIELDS if options.get(name) is not None]
    others = {name: value for name, value in options.items()
              if name not in _FIELDS and name not in ("out", "choose", "page", "workers")}
    units = [tuple(words + tools.arguments({**others, **dict(zip([name for name, _ in lists], values))}))
             for values in itertools.product(*(values for _, values in lists))]
    return [message for _, message in work.results(_measure_core, units, executor, check=_check_message,
                                                 resubmit_after=resubmit_after) if message]


def _check_message(_: tuple[str, ...], message: Any) -> None:
    if not isinstance(message, str):
        raise ValueError(f"expected a text, got {type(message).__name__}")


def _measure_core(words: tuple[str, ...]) -> str:
    """In a worker: measures a core into the folder. An error, as of a combination that is not a legal core, is returned: the
    call that reads the folder raises it if it is one of the whole exploration."""
    try:
        tools.json_output("vta-sim", *words)
    except errors.Error as error:
        return str(error)
    return ""
