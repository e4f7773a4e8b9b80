# SPDX-License-Identifier: Apache-2.0
"""Units of work on any concurrent.futures.Executor: processes, Dask, MPI.

A unit may run any number of times, on any worker, with the same result: that is what makes a lost worker only work that is
done again.
"""
from __future__ import annotations

import concurrent.futures
import logging
from typing import Any, Callable, Generic, Iterator, Sequence, TypeVar

from . import errors

Unit = TypeVar("Unit")
Result = TypeVar("Result")

MAX_LOSSES = 3  # of a unit, before it is done in this process

_log = logging.getLogger("vta")


def results(function: Callable[[Unit], Result], units: Sequence[Unit], executor: concurrent.futures.Executor, *,
            check: Callable[[Unit, Any], None], resubmit_after: float | None = None) -> Iterator[tuple[Unit, Result]]:
    """Each unit and its result, once, in the order in which they are ready.

    check: raises ValueError for a result that the function never gives: a worker with another version, or one that is broken,
        has then lost its unit

    A vta.Error of the function is raised. Any other exception, and a future that is cancelled, means that a worker was lost. The unit is
    submitted again, and after MAX_LOSSES, or if the executor takes no work any more, done in this process.
    resubmit_after: seconds without any result after which all open units count as lost; None: never
    """
    if not callable(getattr(executor, "submit", None)):
        raise errors.InvalidArgumentError(f"executor {executor!r} has no submit(): expected a concurrent.futures.Executor")
    return _Work(function, units, executor, check, resubmit_after).results()


class _Work(Generic[Unit, Result]):
    def __init__(self, function: Callable[[Unit], Result], units: Sequence[Unit], executor: concurrent.futures.Executor,
                 check: Callable[[Unit, Any], None], resubmit_after: float | None) -> None:
        self._function, self._units, self._executor, self._patience = function, units, executor, resubmit_after
        self._check = check
        self._losses = {index: 0 for index in range(len(units))}  # of open units
        self._futures: dict[concurrent.futures.Future[Result], int] = {}
        self._here: list[int] = []  # open units that this process does itself

    def results(self) -> Iterator[tuple[Unit, Result]]:
        try:
            for index in list(self._losses):
                self._submit(index)
            while self._losses:
                for index, result in self._next():
                    if self._losses.pop(index, None) is not None:  # else a second result
                        yield self._units[index], result
        finally:
            for future in self._futures:
                future.cancel()

    def _submit(self, index: int) -> None:
        if self._losses[index] < MAX_LOSSES:
            try:
                future = self._executor.submit(self._function, self._units[index])
            except Exception as error:  # a broken pool, one that is shut down, a scheduler that is gone
                _log.warning("the executor takes no work: %s: %s", type(error).__name__, error)
            else:
                if not isinstance(future, concurrent.futures.Future):
                    raise errors.InvalidArgumentError(f"executor: its submit() gives {type(future).__name__}, not concurrent.futures."
                                                      "Future; of a dask.distributed.Client take get_executor()")
                self._futures[future] = index
                return
        self._here.append(index)

    def _next(self) -> Iterator[tuple[int, Result]]:
        patience = 0 if self._here else self._patience
        done, _ = concurrent.futures.wait(self._futures, patience, concurrent.futures.FIRST_COMPLETED)
        for future in done:
            index = self._futures.pop(future)
            try:
                result = future.result()
                self._check(self._units[index], result)
            except errors.Error:
                raise
            except (Exception, concurrent.futures.CancelledError) as error:
                self._lose(index, f"{type(error).__name__}: {error}")
            else:
                yield index, result
        if self._here and not done:
            index = self._here.pop()
            if index in self._losses:
                yield index, self._function(self._units[index])
        elif not done:
            for index in list(self._losses):
                self._lose(index, f"no result for {self._patience} s")

    def _lose(self, index: int, reason: str) -> None:
        if index not in self._losses:
            return
        self._losses[index] += 1
        _log.warning("a worker was lost, its work is done again: %s", reason)
        self._submit(index)
