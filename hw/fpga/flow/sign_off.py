# SPDX-License-Identifier: Apache-2.0
"""Setup, hold and pulse widths of a routed design with its clock tree, at both corners.

Setup is checked at the slow corner: the latest data against the earliest clock of the next edge, less the uncertainty of the clock. Hold
is checked at the fast and at the slow corner: the earliest data against the latest clock of the same edge. Clocks of both ends include the
routed tree of the global buffer; what both share counts once (clock_tree.py). Nets of resets on global buffers are nets like others.

An input that nothing checks is an error (cell_times.UntimedPinError); one that no clocked output reaches is counted in `unchecked`.
"""
import math
import operator
import typing

from hw.fpga.flow import Error, cell_delays, cell_times, clock_tree, placed_pins, sdf

Pin = cell_delays.Pin
CellPin = tuple[str, Pin]
ClockPin = tuple[str, str]  # cell and port
SYSTEM_JITTER_NS = 0.071  # of Xilinx' constraints
INPUT_JITTER = 0.03  # of the period, of FCLK
DUTY = 0.45  # the shorter part of a period

# Data sheet DS187, speed grade -1: the shortest period, and the shortest part of it, high or low.
MIN_PERIODS_NS = {"BUFGCTRL": 2.155, "RAMB18E1": 2.944, "RAMB36E1": 2.944, "DSP48E1": 2.154, "PS7": 4.0, "FDRE": 1.0, "FDSE": 1.0,
                  "FDCE": 1.0, "FDPE": 1.0}
MIN_PULSES_NS = {"RAMD32": 1.25, "RAMD64E": 1.25, "RAMS32": 1.25, "RAMS64E": 1.25, "FDRE": 0.5, "FDSE": 0.5, "FDCE": 0.5, "FDPE": 0.5}


class SignOffError(Error):
    """A design whose timing cannot be computed."""


class Mode(typing.NamedTuple):
    """Which of a Times counts. `is_late`: the latest data and the earliest clock at its end, for setup; else the reverse, for hold."""

    name: str
    data: str
    clock: str
    is_late: bool

    def data_of(self, times: sdf.Times) -> float:
        return float(getattr(times, self.data))

    def clock_of(self, times: sdf.Times) -> float:
        return float(getattr(times, self.clock))


SETUP = Mode("setup at slow", "slow_max", "slow_min", True)
HOLDS = (Mode("hold at fast", "fast_min", "fast_max", False), Mode("hold at slow", "slow_min", "slow_max", False))


class Way(typing.NamedTuple):
    """From one net to another through a cell."""

    net: int
    pin: CellPin  # at which the path enters the cell
    net_times: sdf.Times
    cell_times: sdf.Times


# net -> region of the clock at the start -> (ns, the Way or the clock pin that it comes by)
Arrivals = dict[int, dict[int, tuple[float, Way | ClockPin]]]


class Endpoint(typing.NamedTuple):
    cell: str
    type: str
    pin: Pin
    net: int
    times: sdf.Times  # of the net
    check: cell_times.Check


class Slack(typing.NamedTuple):
    """`region`: of the clock at the start of the path."""

    ns: float
    endpoint: Endpoint
    region: int
    mode: Mode


def uncertainty_ns(period_ns: float) -> float:
    """The uncertainty of the clock, for setup: half of what its jitters add up to."""
    return math.hypot(SYSTEM_JITTER_NS, INPUT_JITTER * period_ns) / 2


def shortest_period_ns(delay_ns: float) -> float:
    """The period whose paths may take `delay_ns`: the period is the delay and its own uncertainty."""
    period = delay_ns
    for _ in range(20):
        period = delay_ns + uncertainty_ns(period)
    return period


class SignOff:
    """`cells`: of placed_pins.cells(); `nets`: placed_pins.Nets; `timings`: sdf.Timings. Errors: SignOffError, and those of cell_times,
    sdf and placed_pins."""

    def __init__(self, cells: list[placed_pins.Cell], nets: placed_pins.Nets, timings: sdf.Timings) -> None:
        self.cells = {cell.name: cell for cell in cells}
        self.nets = nets
        self._timings = timings
        self._driver = {net: (cell, pin) for cell in cells for pin, net in cell.outputs.items()}
        self._times = {cell.name: self._times_of(cell) for cell in cells}
        self.tree, self._clock_nets = self._clock_tree()
        self._ways: dict[int, list[Way]] = {}
        self._launches: dict[int, list[tuple[ClockPin, sdf.Times]]] = {}  # net -> [(clock pin, Times)]
        self.endpoints: list[Endpoint] = []
        self.asynchronous: list[Endpoint] = []
        self.unchecked: list[Endpoint] = []
        self._connect()
        self._order = self._ordered()
        self._sort_endpoints()
        self._arrivals: dict[Mode, Arrivals] = {}

    # --- the netlist ---

    def _times_of(self, cell: placed_pins.Cell) -> cell_times.CellTimes:
        inputs = {pin: (cell.names[pin], self._source(cell, pin, net)) for pin, net in cell.inputs.items()}
        outputs = {pin: cell.names[pin] for pin in cell.outputs}
        try:
            return cell_times.of_cell(self._timings, cell.type, cell.parameters, cell.place, cell_times.Pins(inputs, outputs))
        except (sdf.SdfError, cell_times.UntimedPinError) as error:
            raise type(error)(f"{cell.name}: {error}") from None

    def _source(self, cell: placed_pins.Cell, pin: Pin, net: int) -> frozenset[str]:
        """The names in the SDF files of a driver within the slice; empty if the net comes from outside."""
        driver, (port, bit) = self._driver[net]
        if driver.type == "BUFGCTRL" or self.nets.sink(cell.name, pin).times.slow_max > 0 or driver.place.site != cell.place.site:
            return frozenset()
        return source_names(driver.type, driver.place.bel, port, bit)

    def _clock_tree(self) -> tuple[clock_tree.ClockTree, set[int]]:
        """The tree of the one clock, and the numbers of the nets that are clocks."""
        pins: dict[ClockPin, tuple[int, ...]] = {}
        names, numbers = set(), set()
        for cell in self.cells.values():
            for pin, net in cell.inputs.items():
                if not cell_times.is_clock(cell.type, pin[0]):
                    continue
                sink = self.nets.sink(cell.name, pin)
                pins[cell.name, pin[0]] = sink.branches
                names.add(self.nets.net_of.get((cell.name, pin)))
                numbers.add(net)
        name = names.pop() if len(names) == 1 else None
        if name is None:
            raise SignOffError(f"expected one clock on a global buffer, got {', '.join(sorted(map(str, names))) or 'none'}")
        return clock_tree.ClockTree(self.nets.branches[name], pins), numbers

    def _net_times(self, cell: placed_pins.Cell, pin: Pin, net: int) -> sdf.Times:
        """From the output of the driver's cell to an input pin."""
        sink, (driver, output) = self.nets.sink(cell.name, pin), self._driver[net]
        return sink.times.after(cell_times.exit_way(self._timings, driver.place, sink.exit, source_names(driver.type, driver.place.bel, *output)))

    def _connect(self) -> None:
        for cell in self.cells.values():
            times = self._times[cell.name]
            for pin, launch in times.launches.items():
                self._launches.setdefault(cell.outputs[pin], []).append(((cell.name, launch.clock), launch.times))
            for pin, net in cell.inputs.items():
                if net in self._clock_nets or cell_times.is_clock(cell.type, pin[0]):
                    continue
                net_times = self._net_times(cell, pin, net)
                if pin in times.checks:
                    self.endpoints.append(Endpoint(cell.name, cell.type, pin, net, net_times, times.checks[pin]))
                for to, to_net in cell.outputs.items():
                    way = times.through.get((pin, to))
                    if way is not None:
                        self._ways.setdefault(to_net, []).append(Way(net, (cell.name, pin), net_times, way))

    def _ordered(self) -> list[int]:
        """The nets, each after those that it depends on (Kahn)."""
        missing = {net: len(ways) for net, ways in self._ways.items()}
        after: dict[int, list[int]] = {}
        for net, ways in self._ways.items():
            for way in ways:
                after.setdefault(way.net, []).append(net)
        ready = [net for net in self._driver if not missing.get(net)]
        order = []
        while ready:
            order.append(ready.pop())
            for net in after.get(order[-1], ()):
                missing[net] -= 1
                if missing[net] == 0:
                    ready.append(net)
        loops = [net for net, count in missing.items() if count]
        if loops:
            raise SignOffError(f"{len(loops)} nets in or after combinational loops, one is driven by {self._driver[loops[0]][0].name}")
        return order

    def _sort_endpoints(self) -> None:
        """Endpoints that a clocked output reaches stay; others never change, are asynchronous, or are unchecked."""
        launched: set[int] = set()
        free: set[int] = set()
        constant: set[int] = set()
        for net in self._order:
            sources = [way.net for way in self._ways.get(net, ())]
            cell, pin = self._driver[net]
            if net in self._launches or launched.intersection(sources):
                launched.add(net)
            elif pin[0] in cell_times.ASYNCHRONOUS.get(cell.type, ()) or free.intersection(sources):
                free.add(net)
            elif cell_times.COMBINATIONAL.fullmatch(cell.type) and constant.issuperset(sources):
                constant.add(net)
        self.asynchronous = [end for end in self.endpoints if end.net in free]
        known = launched | free | constant
        self.unchecked = [end for end in self.endpoints if end.net not in known]
        self.endpoints = [end for end in self.endpoints if end.net in launched]

    # --- arrivals and slacks ---

    def arrivals(self, mode: Mode) -> Arrivals:
        if mode not in self._arrivals:
            self._arrivals[mode] = self._propagate(mode)
        return self._arrivals[mode]

    def _propagate(self, mode: Mode) -> Arrivals:
        is_better: typing.Callable[[float, float], bool] = operator.gt if mode.is_late else operator.lt
        arrivals: Arrivals = {}
        for net in self._order:
            found: dict[int, tuple[float, Way | ClockPin]] = {}
            for pin, times in self._launches.get(net, ()):
                ns, region = mode.data_of(self.tree.arrivals[pin]) + mode.data_of(times), self.tree.regions[pin]
                if region not in found or is_better(ns, found[region][0]):
                    found[region] = (ns, pin)
            for way in self._ways.get(net, ()):
                through = mode.data_of(way.net_times) + mode.data_of(way.cell_times)
                for region, (before, _) in arrivals.get(way.net, {}).items():
                    ns = before + through
                    if region not in found or is_better(ns, found[region][0]):
                        found[region] = (ns, way)
            arrivals[net] = found
        return arrivals

    def ways(self, net: int) -> typing.Sequence[Way]:
        """What leads to a net through the cell that drives it."""
        return self._ways.get(net, ())

    def clock_of(self, endpoint: Endpoint) -> ClockPin:
        return endpoint.cell, endpoint.check.clock

    def _credit(self, mode: Mode, region: int, endpoint: Endpoint) -> float:
        common = self.tree.common(region, self.tree.regions[self.clock_of(endpoint)])
        return abs(mode.data_of(common) - mode.clock_of(common))

    def delay_ns(self, endpoint: Endpoint, region: int) -> float:
        """Setup: what of a period the paths from a region take."""
        arrival = self.arrivals(SETUP)[endpoint.net][region][0] + endpoint.times.slow_max + endpoint.check.setup_ns
        return arrival - self.tree.arrivals[self.clock_of(endpoint)].slow_min - self._credit(SETUP, region, endpoint)

    def hold_slack_ns(self, mode: Mode, endpoint: Endpoint, region: int) -> float:
        arrival = self.arrivals(mode)[endpoint.net][region][0] + mode.data_of(endpoint.times)
        hold = endpoint.check.hold_fast_ns if mode.data == "fast_min" else endpoint.check.hold_slow_ns
        return arrival - hold - mode.clock_of(self.tree.arrivals[self.clock_of(endpoint)]) + self._credit(mode, region, endpoint)

    def setups(self, period_ns: float) -> list[Slack]:
        """The Slack of each endpoint, the worst first."""
        arrivals, limit = self.arrivals(SETUP), period_ns - uncertainty_ns(period_ns)
        return sorted((Slack(limit - ns, end, region, SETUP) for end in self.endpoints
                       for ns, region in [max((self.delay_ns(end, region), region) for region in arrivals[end.net])]),
                      key=lambda slack: slack.ns)

    def holds(self, mode: Mode) -> list[Slack]:
        arrivals = self.arrivals(mode)
        return sorted((Slack(ns, end, region, mode) for end in self.endpoints
                       for ns, region in [min((self.hold_slack_ns(mode, end, region), region) for region in arrivals[end.net])]),
                      key=lambda slack: slack.ns)

    def path(self, slack: Slack) -> tuple[list[tuple[Way | None, int]], ClockPin]:
        """[(Way or None at the start, net)] of a slack's path, from its start; and the clock pin there."""
        net = slack.endpoint.net
        steps: list[tuple[Way | None, int]] = []
        while True:
            _, before = self.arrivals(slack.mode)[net][slack.region]
            if not isinstance(before, Way):
                return [(None, net), *steps[::-1]], before
            steps.append((before, net))
            net = before.net

    def pulse_problems(self, period_ns: float) -> list[tuple[str, str, float, float]]:
        """Cells whose clock is too fast: (type, what, ns wanted, ns given)."""
        kinds = {cell.type for cell in self.cells.values()}
        pulse = DUTY * period_ns - uncertainty_ns(period_ns)
        return [(kind, "period", MIN_PERIODS_NS[kind], period_ns) for kind in sorted(kinds & MIN_PERIODS_NS.keys())
                if period_ns < MIN_PERIODS_NS[kind]] + [
            (kind, "pulse", MIN_PULSES_NS[kind], pulse) for kind in sorted(kinds & MIN_PULSES_NS.keys()) if pulse < MIN_PULSES_NS[kind]]


def source_names(cell_type: str, bel: str, port: str, bit: int) -> frozenset[str]:
    """How the SDF files name an output of a slice as the source of a way within it."""
    if cell_type == "CARRY4":
        return frozenset({f"carry4_{port.lower()}{bit}"})
    if bel.endswith("6LUT"):
        return frozenset({bel.lower(), "o6"})
    if bel.endswith("5LUT"):
        return frozenset({bel.lower(), "o5"})
    if bel.endswith(("MUX", "5FF")):
        return frozenset({bel.lower()})
    return frozenset()
