# SPDX-License-Identifier: Apache-2.0
"""Logs of JSON lines: append-only, safe to kill, merged by concatenation."""
from __future__ import annotations

import os
import pathlib
from typing import Iterable

from . import errors


class JsonLines:
    """A file of lines, each one JSON object; created when needed. A last line without its newline is what a killed process
    left; it is cut off. Errors: CorruptError if it is not the beginning of an object."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = pathlib.Path(path)
        self.path.touch()
        data = self.path.read_bytes()
        size = data.rfind(b"\n") + 1
        if size < len(data):
            if data[size:size + 1] != b"{":
                raise errors.CorruptError(f"{self.path}: its last line is not one of JSON")
            os.truncate(self.path, size)
        self.lines: list[str] = data[:size].decode("utf-8", "replace").splitlines()
        self._known = set(self.lines)

    def append(self, lines: Iterable[str]) -> None:
        """Adds the lines that the file does not have, by one write."""
        new = [line for line in dict.fromkeys(lines) if line not in self._known]
        if not new:
            return
        with open(self.path, "ab", buffering=0) as file:
            file.write("".join(line + "\n" for line in new).encode())
        self.lines += new
        self._known.update(new)
