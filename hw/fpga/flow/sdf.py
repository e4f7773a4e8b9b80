# SPDX-License-Identifier: Apache-2.0
"""Delays and timing checks of cells, as Project X-Ray's database has them in SDF files (zynq7/timings).

A delay has four values: minimum and maximum at the fast and at the slow corner. Of a check, the files have two numbers of the slow
corner only (prjxray's utils/makesdf.py writes SLOW_MIN and SLOW_MAX); the larger one is the requirement, in either order.
"""
import functools
import re
import typing

CELL = re.compile(r'\(CELLTYPE "([^"]+)"\)\s*\(INSTANCE ([^)\s]+)\)')
TIMES = r"\(([-\d.]+)::([-\d.]+)\)"
DELAY = re.compile(rf"\((?:IOPATH|INTERCONNECT) (\S+) (\S+) {TIMES}{TIMES}\)")
CHECK = re.compile(rf"\((SETUP|HOLD|RECOVERY|REMOVAL) (\S+) \(posedge (\S+)\) {TIMES}\)")


class SdfError(Exception):
    """The database lacks a cell, a path or a check."""


class Times(typing.NamedTuple):
    """A delay in ns: the range at each corner."""

    fast_min: float
    fast_max: float
    slow_min: float
    slow_max: float

    def after(self, other):
        return Times(*(a + b for a, b in zip(self, other)))


NO_TIME = Times(0.0, 0.0, 0.0, 0.0)


def hull(times):
    """The range that covers all of `times`."""
    times = list(times)
    return Times(min(each.fast_min for each in times), max(each.fast_max for each in times),
                 min(each.slow_min for each in times), max(each.slow_max for each in times))


class Entry:
    """One cell type at one place of a site. `delays`: (input, output) -> Times; `checks`: (kind, pin) -> (ns, clock pin)."""

    def __init__(self):
        self.delays = {}
        self.checks = {}

    def read(self, text):
        for match in DELAY.finditer(text):
            key, found = match.groups()[:2], Times(*map(float, match.groups()[2:]))
            self.delays[key] = hull([found, self.delays.get(key, found)])
        for match in CHECK.finditer(text):
            kind, pin, clock, *values = match.groups()
            key, ns = (kind, pin), max(map(float, values))
            self.checks[key] = (max(ns, self.checks.get(key, (ns, clock))[0]), clock)


class File:
    """The entries of one SDF file by (cell type, instance)."""

    def __init__(self, path):
        self._path = path
        self._entries = {}
        try:
            text = path.read_text(encoding="ascii")
        except OSError as error:
            raise SdfError(f"{path}: {error.strerror}") from None
        heads = list(CELL.finditer(text))
        for head, end in zip(heads, [*(head.start() for head in heads[1:]), len(text)]):
            self._entries.setdefault(head.groups(), Entry()).read(text[head.end():end])

    def _entry(self, cell, instance):
        entry = self._entries.get((cell, instance))
        if entry is None:
            raise SdfError(f"{self._path}: no {cell} at {instance}")
        return entry

    def names(self):
        """(cell type, instance) of each entry."""
        return self._entries.keys()

    def has(self, cell, instance):
        return (cell, instance) in self._entries

    def delays(self, cell, instance):
        return self._entry(cell, instance).delays

    def checks(self, cell, instance):
        return self._entry(cell, instance).checks

    def delay(self, cell, instance, source, to):
        found = self.delays(cell, instance).get((source, to))
        if found is None:
            raise SdfError(f"{self._path}: {cell} at {instance} has no path from {source} to {to}")
        return found

    def check(self, cell, instance, kind, pin):
        """(ns, clock pin)."""
        found = self.checks(cell, instance).get((kind, pin))
        if found is None:
            raise SdfError(f"{self._path}: {cell} at {instance} has no {kind} of {pin}")
        return found


class Timings:
    """The files of a folder, each read when it is needed."""

    def __init__(self, folder):
        self._folder = folder

    @functools.cache
    def file(self, name):
        return File(self._folder / f"{name}.sdf")
