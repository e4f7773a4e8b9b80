# SPDX-License-Identifier: Apache-2.0
"""Arrival of the clock at each clock pin, by the routed tree of its global buffer.

Two pins share the way from the buffer to where their branches part. What the minimum and the maximum of that way differ by is not skew
(common path pessimism). Pins are grouped by regions: the deepest branch above a pin that drives at least a fiftieth of all pins. The credit
of two pins is that of their regions, which is never more than their own.
"""
import typing

from hw.fpga.flow import sdf

ClockPin = tuple[str, str]  # cell and port
REGION_SHARE = 0.02
ROOT = -1


class ClockTree:
    """`branches`: [(driver or ROOT, Times from the buffer)]; `pins`: clock pin -> its branches, several where one pin has several
    wires."""

    def __init__(self, branches: list[tuple[int, sdf.Times]], pins: typing.Mapping[ClockPin, typing.Sequence[int]]) -> None:
        self._branches = branches
        self.arrivals = {pin: sdf.hull(self._times(branch) for branch in found) for pin, found in pins.items()}
        below = [0] * len(branches)
        for found in pins.values():
            for branch in found:
                for above in self._way(branch):
                    below[above] += 1
        least = REGION_SHARE * sum(map(len, pins.values()))
        self.regions = {pin: self._common([next((above for above in self._way(branch) if below[above] >= least), ROOT) for branch in found])
                        for pin, found in pins.items()}
        self._credits: dict[tuple[int, int], sdf.Times] = {}

    def _times(self, branch: int) -> sdf.Times:
        return sdf.NO_TIME if branch == ROOT else self._branches[branch][1]

    def _way(self, branch: int) -> typing.Iterator[int]:
        """The branch and those above it, up to the buffer."""
        while branch != ROOT:
            yield branch
            branch = self._branches[branch][0]

    def _common(self, branches: typing.Iterable[int]) -> int:
        """The deepest branch that all of `branches` are below."""
        first, *others = [list(self._way(branch)) for branch in branches]
        return next((branch for branch in first if all(branch in other for other in others)), ROOT)

    def common(self, a: int, b: int) -> sdf.Times:
        """Times of the way that two regions share."""
        key = (a, b)
        if key not in self._credits:
            self._credits[key] = self._times(self._common([a, b]))
        return self._credits[key]

    def skew(self) -> tuple[float, float]:
        """The largest and the smallest arrival at the slow corner."""
        return max(times.slow_max for times in self.arrivals.values()), min(times.slow_max for times in self.arrivals.values())
