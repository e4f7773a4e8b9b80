# SPDX-License-Identifier: Apache-2.0
"""Fits the model of nets to routed designs.

For the endpoints with the longest routed paths, the model's longest path should be as long as the routed one. That is linear in
the model's terms as long as the model's longest paths stay the same ones: least squares of the relative error, each
design with the same weight, repeated with the new paths (Gauss-Newton). Terms that no path has keep their value.

nextpnr knows no delays of DSP48E1 and does not care how long nets at one are. So paths through them are left out, and their
two terms are medians.
"""
import math
import statistics
import typing

from scripts.fpga import harness, net_delays, routed, static_timing

WORST_SHARE = 0.1  # of the endpoints of a design
MIN_ENDPOINTS = 100
ROUNDS = 6
DSP = "DSP48E1"
RIDGE = 1e-2  # keeps a term that few paths have near its value
MIN_STEP = 1 / 16


class Design:
    """A netlist and the SDF file of its routing. The registers of a harness do not count."""

    def __init__(self, name, netlist, sdf):
        self.name = name
        self.netlist = netlist
        model = routed.Model(sdf, netlist, net_delays.Model())
        timing = static_timing.Timing(netlist, model)
        ends = [end for end in timing.endpoints if end.cell is not None and not self._is_collected(end)]
        worst = ends[:max(MIN_ENDPOINTS, int(len(ends) * WORST_SHARE))]
        self.routed_ns = {_key(end): end.required_ns for end in worst if not _has_dsp(timing, end)}
        self.dsp_ns = self._dsp_nets(model)

    def _is_collected(self, end):
        nets = (self.netlist.nets[number] for _, _, number in end.cell.outputs)
        return any(name == harness.COLLECTED for net in nets for name, *_ in net.names)

    def _dsp_nets(self, model):
        """[(term, terms, routed ns)] of the nets at a DSP48E1."""
        found = []
        for net in self.netlist.nets.values():
            for sink, (ns, is_routed) in zip(net.sinks, model.delays(net)):
                terms = net_delays.terms(net, sink) if is_routed else {}
                of_dsp = [term for term in terms if term.endswith(DSP)]
                if len(of_dsp) == 1:
                    found.append((of_dsp[0], terms, ns - net_delays.entry_ns(net.driver, *sink[:2])))
        return found

    def rows(self, model):
        """[(terms of the model's worst path, ns without its routed nets, routed ns)] of the endpoints."""
        timing = static_timing.Timing(self.netlist, model)
        for end in timing.endpoints:
            target = self.routed_ns.get(_key(end)) if end.cell is not None else None
            if target is not None:
                yield *self._terms(timing, end), target

    @staticmethod
    def _terms(timing, end):
        found = {}
        nets_ns = 0.0
        path = timing.path(end)
        for index, step in enumerate(path):
            sink = (path[index + 1].cell, path[index + 1].input) if index + 1 < len(path) else (end.cell, end.port)
            if step.is_routed:
                nets_ns += step.net_ns - net_delays.entry_ns(step.net.driver, *sink)
                for term, factor in net_delays.terms(step.net, sink).items():
                    found[term] = found.get(term, 0.0) + factor
        return found, end.required_ns - nets_ns


def _has_dsp(timing, end):
    return end.cell.type == DSP or any(step.cell is not None and step.cell.type == DSP for step in timing.path(end))


def _key(end):
    return end.cell.name, end.port, end.bit


def _solve(matrix, vector):
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


def _solve_positive(matrix, vector):
    """A solution without negative values: those that would be negative are zero."""
    free = list(range(len(vector)))
    while True:
        found = dict(zip(free, _solve([[matrix[row][column] for column in free] for row in free], [vector[row] for row in free])))
        if min(found.values()) >= 0:
            return [found.get(index, 0.0) for index in range(len(vector))]
        free = [index for index in free if found[index] > 0]


def _improved(values, designs):
    """One step of least squares."""
    names = net_delays.TERMS
    matrix = [[RIDGE * (row == column) for column in range(len(names))] for row in range(len(names))]
    vector = [RIDGE * values[name] for name in names]
    for design in designs:
        rows = list(design.rows(net_delays.Model(values)))
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
    quartiles: tuple
    rms: float

    def as_json(self):
        return {"design": self.design, "endpoints": self.endpoints, "routed_ns": round(self.routed_ns, 2),
                "model_ns": round(self.model_ns, 2), "quartiles": [round(ratio, 2) for ratio in self.quartiles], "rms": round(self.rms, 3)}

    def text(self):
        return (f"{self.design:14} worst path {self.routed_ns:5.2f} ns routed, {self.model_ns:5.2f} ns by the model "
                f"({self.model_ns / self.routed_ns - 1:+.0%}); {self.endpoints} worst endpoints: rms error {self.rms:.1%}, "
                f"model / routed {' '.join(f'{ratio:.2f}' for ratio in self.quartiles)}")


def quality(design, model):
    found = [(end.required_ns, design.routed_ns[_key(end)]) for end in static_timing.Timing(design.netlist, model).endpoints
             if end.cell is not None and _key(end) in design.routed_ns]
    ratios = sorted(ns / target for ns, target in found)
    quartiles = tuple(ratios[int(share * (len(ratios) - 1))] for share in (0, 0.25, 0.5, 0.75, 1))
    rms = math.sqrt(sum((ratio - 1) ** 2 for ratio in ratios) / len(ratios))
    return Fit(design.name, len(ratios), max(target for _, target in found), max(ns for ns, _ in found), quartiles, rms)


def _with_dsp(values, designs):
    """The medians of what the nets at a DSP48E1 take longer than the other terms say."""
    excess = {}
    for design in designs:
        for term, terms, ns in design.dsp_ns:
            others = sum(values[name] * factor for name, factor in terms.items() if name != term)
            excess.setdefault(term, []).append(ns - others)
    return values | {term: max(0.0, statistics.median(found)) for term, found in excess.items()}


def _error(designs, values):
    return sum(quality(design, net_delays.Model(values)).rms ** 2 for design in designs)


def fit(designs, values):
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
    return _with_dsp(values, designs)
