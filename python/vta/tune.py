# SPDX-License-Identifier: Apache-2.0
"""Search for faster tilings, on one machine or many."""
from __future__ import annotations

import concurrent.futures
import dataclasses
import html
import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any

from . import errors, tables, tools, work
from .json_lines import JsonLines, parsed

if TYPE_CHECKING:
    import pandas

_QUANTIZED = ".vtaq"
_OF_SEARCH = ("memory", "clock", "trials", "tuner", "tuner_seed", "workers")
_MAX_THREADS = 256  # of vta-sim
_OF_BOTH = ("core", "schedules", "first_convolution")


@dataclasses.dataclass(frozen=True)
class TunedTask:
    """A convolution or dense layer with its neighbours' operators and shapes."""

    task: str
    layers: tuple[str, ...]
    before: str  # tilings
    after: str
    window_cycles_before: int  # of the layer and its neighbours
    window_cycles_after: int
    trials: int
    saved_cycles: int  # of the whole network, not by passes; 0: nothing was kept


class TunedTasks(tables.Table[TunedTask]):
    """Prints as a table."""


@dataclasses.dataclass(frozen=True)
class TuneResult:
    """What a search has found; its log has the tilings. Prints as a table of its tasks."""

    cycles_before: int
    cycles_after: int
    tasks: TunedTasks
    log: pathlib.Path

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each task. Needs pandas."""
        return self.tasks.to_pandas()

    def _summary(self) -> str:
        return f"{self.cycles_before} cycles before, {self.cycles_after} after; {self.log}"

    def __str__(self) -> str:
        return f"{self.tasks}\n{self._summary()}"

    def _repr_html_(self) -> str:
        return f"{self.tasks._repr_html_()}<p>{html.escape(self._summary())}</p>"


@dataclasses.dataclass(frozen=True)
class _TaskUnit:
    words: tuple[str, ...]  # of vta-sim
    number: int


def tune(model: str | os.PathLike[str], *, log: str | os.PathLike[str] | None = None,
         executor: concurrent.futures.Executor | None = None, resubmit_after: float | None = None,
         **options: Any) -> TuneResult:
    """Searches for faster tilings of a network's layers, as `vta-sim tune --independent` does.

    model: a file, or the name of an installed network
    log: JSON lines of measurements, which a later call does not repeat; `vta.compile(schedules=log)` takes it. Default:
        <network>.schedules.jsonl
    executor: measures tasks, each in one call of a worker; workers need the toolkit and see the files under the same paths.
        None: this machine. What this process does itself takes `workers=N` threads, by default one for each processor
    resubmit_after: seconds without any result after which open work is submitted again, for an executor that may drop work
    options: core, memory, clock, trials, tuner, tuner_seed, workers and schedules, as `vta-sim tune` has them; and those of `vta-compile` that
        say how the network is quantized. There is no pass over the whole network, as with --independent

    The result does not depend on the executor. A worker that is lost, or a call that is killed, loses the tasks that it was
    measuring, and nothing else.

    >>> vta.tune("resnet18", trials=32, executor=concurrent.futures.ProcessPoolExecutor()).cycles_after
    """
    log = pathlib.Path(log if log is not None else f"{pathlib.Path(model).stem}.schedules.jsonl").absolute()
    log.parent.mkdir(parents=True, exist_ok=True)
    lines = JsonLines(log)
    search = {name: options[name] for name in (*_OF_SEARCH, *_OF_BOTH) if name in options}
    of_network = {name: value for name, value in options.items() if name not in _OF_SEARCH}
    with _quantized(model, log.with_name(log.name + _QUANTIZED), of_network) as network:
        words = ("tune", network, "--independent", *tools.arguments({**search, "workers": None}))
        if executor is not None:
            _measure(words, lines, executor, resubmit_after)
        threads = tools.arguments({"workers": search.get("workers") or min(os.cpu_count() or 1, _MAX_THREADS)})
        tuned = tools.json_output("vta-sim", *words, *threads, "--log", str(log))
    return TuneResult(tuned["cycles_before"], tuned["cycles_after"], TunedTasks(map(_tuned_task, tuned["tasks"])), log)


def _tuned_task(task: dict[str, Any]) -> TunedTask:
    fields = {field.name: task[field.name] for field in dataclasses.fields(TunedTask)}
    fields["layers"] = tuple(task["layers"])
    return TunedTask(**fields)


class _quantized:
    """A file of the network, quantized once for all workers; removed at the end."""

    def __init__(self, model: str | os.PathLike[str], file: pathlib.Path, options: dict[str, Any]) -> None:
        self._model, self._file, self._options = os.fspath(model), file, options
        self._is_quantized = self._model.endswith(_QUANTIZED)

    def __enter__(self) -> str:
        if self._is_quantized:
            if without_effect := sorted(self._options.keys() - _OF_BOTH):
                raise errors.InvalidArgumentError(f"{self._model} is quantized already; unexpected {', '.join(without_effect)}")
            return os.path.abspath(self._model)
        tools.output("vta-compile", self._model, "--save-quantized", str(self._file), *tools.arguments(self._options))
        return str(self._file)

    def __exit__(self, *_: object) -> None:
        if not self._is_quantized:
            self._file.unlink(missing_ok=True)


def _measure(words: tuple[str, ...], log: JsonLines, executor: concurrent.futures.Executor,
             resubmit_after: float | None) -> None:
    """Adds to the log what it lacks."""
    plan = tools.json_output("vta-sim", *words, "--tasks", "none", "--log", str(log.path))
    units = [_TaskUnit(words, i + 1) for i, task in enumerate(plan["tasks"]) if task["open"]]
    for _, lines in work.results(_measure_task, units, executor, check=_check_lines, resubmit_after=resubmit_after):
        log.append(lines)


def _measure_task(unit: _TaskUnit) -> list[str]:
    """In a worker: the lines of a log."""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log.jsonl")
        tools.output("vta-sim", *unit.words, "--tasks", str(unit.number), "--log", log)
        return JsonLines(log).lines


def _check_lines(_: _TaskUnit, lines: Any) -> None:
    if not isinstance(lines, list):
        raise ValueError(f"expected lines, got {type(lines).__name__}")
    for line in lines:
        if not isinstance(line, str) or "\n" in line or not isinstance(parsed(line), dict):
            raise ValueError("not a line of a schedule log")
