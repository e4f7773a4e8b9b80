# SPDX-License-Identifier: Apache-2.0
"""Networks on many cores, on one machine or many."""
from __future__ import annotations

import concurrent.futures
import itertools
import logging
import os
from typing import Any, Sequence

from . import errors, tools, work

_FIELDS = ("block", "batch", "block_in", "block_out", "uop_buffer", "inp_buffer", "wgt_buffer", "acc_buffer",
           "command_queue_depth", "token_queue_depth", "alu_folding", "clock")
_log = logging.getLogger("vta")


def explore(models: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], *, cache: str | os.PathLike[str],
            executor: concurrent.futures.Executor | None = None, resubmit_after: float | None = None,
            **options: Any) -> dict[str, Any]:
    """Measures networks on many cores, as `vta-sim explore` does; returns the keys of its --json.

    models: files or names of networks
    cache: the folder of models and results: what is in it is not measured again
    executor: measures cores, each in one call of a worker; workers need the toolkit and see the files and the folder under
        the same paths. None: this machine, with `workers=N` threads
    resubmit_after: seconds without any result after which open work is submitted again, for an executor that may drop work
    options: as `vta-sim explore` has them; lists for its lists

    >>> vta.explore("resnet18", cache="cores", block=[8, 16], wgt_buffer=["64K", "128K"], out="core.json")["front"]
    """
    names = [models] if isinstance(models, (str, os.PathLike)) else list(models)
    words = ["explore", *(os.fspath(name) for name in names), "--cache", os.path.abspath(cache)]
    if executor is not None:
        for message in _measure(words, options, executor, resubmit_after):
            _log.info("no core of this combination: %s", message)
    return dict(tools.json_output("vta-sim", *words, *tools.arguments(options)))


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
