# SPDX-License-Identifier: Apache-2.0
"""Runs vta-sim and vta-compile."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
from typing import Any, Mapping

from . import _library, errors

_EXIT_USAGE = 2


def find(name: str) -> str:
    """The path of a tool: in $VTA_TOOLS, beside the library that this package uses, or in $PATH.

    Errors: NotFoundError."""
    library = pathlib.Path(_library.lib._name).resolve()
    folders = [folder / "bin" for folder in library.parents[1:4]]
    if named := os.environ.get("VTA_TOOLS"):
        folders = [pathlib.Path(named)]
    for folder in folders:
        if os.access(folder / name, os.X_OK):
            return str(folder / name)
    if not named and (found := shutil.which(name)):
        return found
    raise errors.NotFoundError(f"no {name} in {', '.join(map(str, folders))}" + ("" if named else " or $PATH") +
                               ": install the toolkit, or name the folder in $VTA_TOOLS")


def arguments(options: Mapping[str, Any]) -> list[str]:
    """Options of a tool: `tuner_seed=3` is "--tuner-seed 3", True a flag, a list its values between commas; None and False
    are left out."""
    words = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        words.append("--" + name.replace("_", "-"))
        if isinstance(value, (list, tuple)):
            words.append(",".join(map(str, value)))
        elif value is not True:
            words.append(os.fspath(value) if isinstance(value, os.PathLike) else str(value))
    return words


def output(tool: str, *words: str) -> str:
    """What the tool prints.

    Errors: InvalidArgumentError for wrong usage and for words with a NUL; vta.Error with the tool's message; ChildProcessError if a signal ended
    it."""
    for word in words:
        _library.to_bytes(word)
    run = subprocess.run([find(tool), *words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if run.returncode == 0:
        return run.stdout
    message = run.stderr.strip().removeprefix(f"{tool}: error: ")
    if run.returncode < 0 or not message:
        raise ChildProcessError(f"{tool} ended with status {run.returncode}: {message}")
    raise (errors.InvalidArgumentError if run.returncode == _EXIT_USAGE else errors.Error)(message)


def json_output(tool: str, *words: str) -> Any:
    """What the tool prints with --json. Errors: as output()."""
    return json.loads(output(tool, *words, "--json"))
