# SPDX-License-Identifier: Apache-2.0
"""Delays and timing checks of cells, as Project X-Ray's database has them in SDF files (zynq7/timings).

A delay has four values: minimum and maximum at the fast and at the slow corner. Of a check, the files have two numbers of the slow
corner only (prjxray's utils/makesdf.py writes SLOW_MIN and SLOW_MAX); the larger one is the requirement, in either order.
"""
import functools
import pathlib
import re
import typing

from hw.fpga.flow import Error

CELL = re.compile(r'\(CELLTYPE "([^"]+)"\)\s*\(INSTANCE ([^)\s]+)\)')
TIMES = r"\(([-\d.]+)::([-\d.]+)\)"
DELAY = re.compile(rf"\((?:IOPATH|INTERCONNECT) (\S+) (\S+) {TIMES}{TIMES}\)")
CHECK = re.compile(rf"\((SETUP|HOLD|RECOVERY|REMOVAL) (\S+) \(posedge (\S+)\) {TIMES}\)")


class SdfError(Error):
    """The database lacks a cell, a path or a check."""


class Times(typing.NamedTuple):
    """A delay in ns: the range at each corner."""

    fast_min: float
    fast_max: float
    slow_min: float
    slow_max: float

    def after(self, other: "Times") -> "Times":
        return Times(*(a + b for a, b in zip(self, other)))


NO_TIME = Times(0.0, 0.0, 0.0, 0.0)


def hull(times: typing.Iterable[Times]) -> Times:
    """The range that covers all of `times`."""
    times = list(times)
    return Times(min(each.fast_min for each in times), max(each.fast_max for each in times),
                 min(each.slow_min for each in times), max(each.slow_max for each in times))


class Entry:
    """One cell type at one place of a site. `delays`: (input, output) -> Times; `checks`: (kind, pin) -> (ns, clock pin)."""

    def __init__(self) -> None:
        self.delays: dict[tuple[str, str], Times] = {}
        self.checks: dict[tuple[str, str], tuple[float, str]] = {}

    def read(self, text: str) -> None:
        for match in DELAY.finditer(text):
            key, found = (match[1], match[2]), Times(*map(float, match.groups()[2:]))
            self.delays[key] = hull([found, self.delays.get(key, found)])
        for match in CHECK.finditer(text):
            kind, pin, clock, *values = match.groups()
            key, ns = (kind, pin), max(map(float, values))
            self.checks[key] = (max(ns, self.checks.get(key, (ns, clock))[0]), clock)


class File:
    """The entries of one SDF file by (cell type, instance)."""

    def __init__(self, path: pathlib.Path) -> None:
        self._path = path
        self._entries: dict[tuple[str, str], Entry] = {}
        try:
            text = path.read_text(encoding="ascii")
        except OSError as error:
            raise SdfError(f"{path}: {error.strerror}") from None
        heads = list(CELL.finditer(text))
        for head, end in zip(heads, [*(head.start() for head in heads[1:]), len(text)]):
            self._entries.setdefault((head[1], head[2]), Entry()).read(text[head.end():end])

    def _entry(self, cell: str, instance: str) -> Entry:
        entry = self._entries.get((cell, instance))
        if entry is None:
            raise SdfError(f"{self._path}: no {cell} at {instance}")
        return entry

    def names(self) -> typing.KeysView[tuple[str, str]]:
        """(cell type, instance) of each entry."""
        return self._entries.keys()

    def has(self, cell: str, instance: str) -> bool:
        return (cell, instance) in self._entries

    def delays(self, cell: str, instance: str) -> dict[tuple[str, str], Times]:
        return self._entry(cell, instance).delays

    def checks(self, cell: str, instance: str) -> dict[tuple[str, str], tuple[float, str]]:
        return self._entry(cell, instance).checks

    def delay(self, cell: str, instance: str, source: str, to: str) -> Times:
        found = self.delays(cell, instance).get((source, to))
        if found is None:
            raise SdfError(f"{self._path}: {cell} at {instance} has no path from {source} to {to}")
        return found

    def check(self, cell: str, instance: str, kind: str, pin: str) -> tuple[float, str]:
        """(ns, clock pin)."""
        found = self.checks(cell, instance).get((kind, pin))
        if found is None:
            raise SdfError(f"{self._path}: {cell} at {instance} has no {kind} of {pin}")
        return found


class Timings:
    """The files of a folder, each read when it is needed."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder

    @functools.cache
    def file(self, name: str) -> File:
        return File(self._folder / f"{name}.sdf")
