# SPDX-License-Identifier: Apache-2.0
"""Logs of JSON lines: append-only, safe to kill, merged by concatenation."""
from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Iterable

from . import _library, errors


def parsed(line: str) -> Any:
    """The value of a line. Errors: ValueError, also for one that is nested too deeply."""
    try:
        return json.loads(line)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


class JsonLines:
    """A file of lines, each one JSON object; created when needed. A last line that is the beginning of an object is what a
    killed process left; it is cut off. Errors: CorruptError if it is anything else without a newline, and then the file stays
    as it is."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = pathlib.Path(path)
        _library.to_bytes(path)
        self.path.touch()
        data = self.path.read_bytes()
        size = data.rfind(b"\n") + 1
        last = data[size:].decode("utf-8", "replace")
        self._needs_newline = bool(last) and _is_complete(last)
        if last and not self._needs_newline:
            if not last.startswith("{"):
                raise errors.CorruptError(f"{self.path}: its last line is not one of JSON")
            os.truncate(self.path, size)
            last = ""
        # Not splitlines(), which also splits at U+2028 and others, legal in texts of JSON.
        self.lines: list[str] = [*data[:size].decode("utf-8", "replace").split("\n")[:-1], *([last] if last else [])]
        self._known = set(self.lines)

    def append(self, lines: Iterable[str]) -> None:
        """Adds the lines that the file does not have, by one write."""
        new = [line for line in dict.fromkeys(lines) if line not in self._known]
        if not new:
            return
        with open(self.path, "ab", buffering=0) as file:
            file.write(("\n" * self._needs_newline + "".join(line + "\n" for line in new)).encode())
        self._needs_newline = False
        self.lines += new
        self._known.update(new)


def _is_complete(line: str) -> bool:
    try:
        return isinstance(parsed(line), dict)
    except ValueError:
        return False
