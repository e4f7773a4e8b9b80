# SPDX-License-Identifier: Apache-2.0
"""Fits the model of nets to routed designs.

For the endpoints with the longest routed paths, the model's longest path should be as long as the routed one. That is linear in
the model's terms as long as the model's longest paths stay the same ones. Least squares of the relative error, each design with the same
weight, are repeated with the new paths (Gauss-Newton). Terms that no path has keep their value.

nextpnr knows no delays of DSP48E1, so its paths do not go through them, and the model's must not either. No path of a process
alone has a block RAM. The terms of these two are not fitted: they are typical of the nets that nextpnr leaves there.
"""
import math
import typing

from hw.fpga.flow import blocks, harness, net_delays, nextpnr_report, static_timing
from hw.fpga.flow.netlist import Cell, Netlist

WORST_SHARE = 0.1  # of the endpoints of a design
MIN_ENDPOINTS = 100
ROUNDS = 6
DSP = "DSP48E1"
RIDGE = 1e-1  # keeps a term that few paths have near its value
MIN_STEP = 1 / 16


class Design:
    """A netlist and nextpnr's report of its routing. The registers of a harness do not count."""

    def __init__(self, name: str, netlist: Netlist, report: nextpnr_report.Routed) -> None:
        self.name = name
        self.netlist = netlist
        self.sizes = blocks.sizes(netlist)
        collected = {cell.name.replace("\\", "") for cell in netlist.cells if self._is_collected(cell)}
        required = {end: ns for end, ns in report.required_ns.items() if end[0] not in collected}
        worst = sorted(required, key=lambda end: (-required[end], end))
        self.routed_ns = {end: required[end] for end in worst[:max(MIN_ENDPOINTS, int(len(worst) * WORST_SHARE))]}

    def _is_collected(self, cell: Cell) -> bool:
        nets = (self.netlist.nets[number] for _, _, number in cell.outputs)
        return any(name == harness.COLLECTED for net in nets for name, *_ in net.names)

    def timing(self, values: dict[str, float]) -> static_timing.Timing:
        return static_timing.Timing(self.netlist, net_delays.Model(self.sizes, values), {DSP})

    def rows(self, values: dict[str, float]) -> typing.Iterator[tuple[dict[str, float], float, float]]:
        """[(terms of the model's worst path, ns without its routed nets, routed ns)] of the endpoints."""
        timing = self.timing(values)
        for end in timing.endpoints:
            target = self.routed_ns.get(nextpnr_report.key(end)) if end.cell is not None else None
            if target is not None:
                yield *self._terms(timing, end), target

    def _terms(self, timing: static_timing.Timing, end: static_timing.Endpoint) -> tuple[dict[str, float], float]:
        found: dict[str, float] = {}
        nets_ns = 0.0
        path = timing.path(end)
        for index, step in enumerate(path):
            cell, port = (path[index + 1].cell, path[index + 1].input) if index + 1 < len(path) else (end.cell, end.port)
            if step.is_routed and cell is not None:
                nets_ns += step.net_ns - net_delays.entry_ns(step.net.driver, cell, port)
                for term, factor in net_delays.terms(step.net, (cell, port, 0), self.sizes).items():
                    found[term] = found.get(term, 0.0) + factor
        return found, end.required_ns - nets_ns


def _solve(matrix: list[list[float]], vector: list[float]) -> list[float]:
    """Gaussian elimination with pivots; the matrix is positive definite."""
    size = len(vector)
    rows = [list(row) + [value] for row, value in zip(matrix, vector)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(size):
            if row != column and rows[row][column]:
                factor = rows[row][column] / rows[column][column]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column])]
    return [rows[index][size] / rows[index][index] for index in range(size)]


def _solve_positive(matrix: list[list[float]], vector: list[float]) -> list[float]:
    """A solution without negative values: those that would be negative are zero."""
    free = list(range(len(vector)))
    while True:
        found = dict(zip(free, _solve([[matrix[row][column] for column in free] for row in free], [vector[row] for row in free])))
        if min(found.values()) >= 0:
            return [found.get(index, 0.0) for index in range(len(vector))]
        free = [index for index in free if found[index] > 0]


def _improved(values: dict[str, float], designs: list[Design]) -> dict[str, float]:
    """One step of least squares."""
    names = net_delays.TERMS
    matrix = [[RIDGE * (row == column) for column in range(len(names))] for row in range(len(names))]
    vector = [RIDGE * values[name] for name in names]
    for design in designs:
        rows = list(design.rows(values))
        for found, fixed_ns, target in rows:
            weight = 1.0 / (len(rows) * target * target)
            entries = [(index, found[name]) for index, name in enumerate(names) if name in found]
            for row, a in entries:
                vector[row] += weight * a * (target - fixed_ns)
                for column, b in entries:
                    matrix[row][column] += weight * a * b
    return dict(zip(names, _solve_positive(matrix, vector)))


class Fit(typing.NamedTuple):
    """How well a model meets one routed design: the worst path, and model / routed at the worst endpoints."""

    design: str
    endpoints: int
    routed_ns: float
    model_ns: float
    quartiles: tuple[float, ...]
    rms: float

    def as_json(self) -> dict[str, typing.Any]:
        return {"design": self.design, "endpoints": self.endpoints, "routed_ns": round(self.routed_ns, 2),
                "model_ns": round(self.model_ns, 2), "quartiles": [round(ratio, 2) for ratio in self.quartiles], "rms": round(self.rms, 3)}

    def text(self) -> str:
        return (f"{self.design:14} worst path {self.routed_ns:5.2f} ns routed, {self.model_ns:5.2f} ns by the model "
                f"({self.model_ns / self.routed_ns - 1:+.0%}); {self.endpoints} worst endpoints: rms error {self.rms:.1%}, "
                f"model / routed {' '.join(f'{ratio:.2f}' for ratio in self.quartiles)}")


def quality(design: Design, values: dict[str, float]) -> Fit:
    found = [(end.required_ns, design.routed_ns[nextpnr_report.key(end)]) for end in design.timing(values).endpoints
             if end.cell is not None and nextpnr_report.key(end) in design.routed_ns]
    ratios = sorted(ns / target for ns, target in found)
    quartiles = tuple(ratios[int(share * (len(ratios) - 1))] for share in (0, 0.25, 0.5, 0.75, 1))
    rms = math.sqrt(sum((ratio - 1) ** 2 for ratio in ratios) / len(ratios))
    return Fit(design.name, len(ratios), max(target for _, target in found), max(ns for ns, _ in found), quartiles, rms)


def _error(designs: list[Design], values: dict[str, float]) -> float:
    return sum(quality(design, values).rms ** 2 for design in designs)


def fit(designs: list[Design], values: dict[str, float]) -> dict[str, float]:
    """The values of the terms with the least error that the rounds find."""
    error = _error(designs, values)
    for _ in range(ROUNDS):
        target = _improved(values, designs)
        share = 1.0
        while share >= MIN_STEP:
            tried = {name: ns + share * (target[name] - ns) for name, ns in values.items()}
            tried_error = _error(designs, tried)
            if tried_error < error:
                break
            share /= 2
        else:
            break
        error, values = tried_error, tried
    return values
