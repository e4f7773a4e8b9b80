# SPDX-License-Identifier: Apache-2.0
"""Static timing of a netlist with one ideal clock: the latest arrival at every net, and the paths that cause it."""
import re
import typing

from hw.fpga.flow import Error, cell_delays
from hw.fpga.flow.netlist import Cell, Net, Netlist

# Ports of the top: as if registers were outside, except the AXI ports, which belong to PS7.
AXI_PORT = re.compile(r".*_(ar|r|aw|w|b)(ready|valid|data|addr|len|last|resp)(\[\d+\])?$")


class TimingError(Error):
    """A netlist that has no static timing."""


class Model(typing.Protocol):
    """Delays of nets in ns: for each sink of a net (delay, is routed)."""

    def delays(self, net: Net) -> list[tuple[float, bool]]:
        ...


class Step(typing.NamedTuple):
    """A net on a path with the cell that drives it."""

    cell: Cell | None  # None for an input of the top
    input: str  # port of the cell at which the path enters; "" at its start
    output: tuple[str, int]  # (port, bit) of the cell
    cell_ns: float
    net: Net
    net_ns: float  # to the next cell of the path
    is_routed: bool


class Endpoint(typing.NamedTuple):
    cell: Cell | None  # None for an output of the top
    port: str
    bit: int
    net: int
    setup_ns: float
    net_ns: float
    is_routed: bool
    required_ns: float  # the shortest period: arrival, net and setup


def _is_axi(net: Net) -> bool:
    return any(AXI_PORT.match(name) for name, *_ in net.names)


class Timing:
    """Arrivals of all nets. Nets are numbers of netlist.nets."""

    def __init__(self, netlist: Netlist, model: Model, without: typing.Collection[str] = frozenset()) -> None:
        """`without`: types of cells whose delays are not known; no path starts, ends or goes through there."""
        self.netlist = netlist
        self.arrival: dict[int, float] = {}
        self.through: dict[tuple[str, str, int], list[tuple[int, float]]] = {}  # input pin (cell, port, bit) -> [(net that depends on it, ns)]
        self._from: dict[int, tuple[int, str, float, float, bool]] = {}  # net -> (net before, input port, delay of the cell, delay of the net before, is routed)
        self._net_delays = {number: model.delays(net) for number, net in netlist.nets.items()}
        self._arcs = {cell.name: cell_delays.Arcs() if cell.type in without else self._arcs_of(cell) for cell in netlist.cells}
        self._propagate()
        self.endpoints = sorted(self._endpoints(), key=lambda end: -end.required_ns)

    @staticmethod
    def _arcs_of(cell: Cell) -> cell_delays.Arcs:
        ports = {port: False for port, _, _ in cell.inputs} | {port: True for port, _, _ in cell.outputs}
        return cell_delays.arcs_of(cell.type, cell.parameters, ports)

    def _propagate(self) -> None:
        """Kahn's order over the nets. A net is ready as soon as each input with a way to it has been seen."""
        missing, self.through = self._ways()
        ready = []
        for number, net in self.netlist.nets.items():
            launch = self._launch(net)
            if launch is not None:
                self.arrival[number] = launch
            if not missing.get(number):
                self.arrival.setdefault(number, 0.0)
                ready.append(number)
        while ready:
            number = ready.pop()
            net = self.netlist.nets[number]
            base = self.arrival[number]
            for sink, (net_ns, is_routed) in zip(net.sinks, self._net_delays[number]):
                cell, port, bit = sink
                for to, ns in self.through.get((cell.name, port, bit), ()):
                    if base + net_ns + ns > self.arrival.get(to, -1.0):
                        self.arrival[to] = base + net_ns + ns
                        self._from[to] = (number, port, ns, net_ns, is_routed)
                    missing[to] -= 1
                    if missing[to] == 0:
                        ready.append(to)
        loops = [number for number, count in missing.items() if count]
        if loops:
            names = sorted(filter(None, (self.netlist.nets[number].name() for number in loops)))[:3]
            raise TimingError(f"{self.netlist.name}: {len(loops)} nets in or after combinational loops: {', '.join(names)}")

    def net_delays(self, number: int) -> list[tuple[float, bool]]:
        """For each sink of the net (delay, is routed)."""
        return self._net_delays[number]

    def _ways(self) -> tuple[dict[int, int], dict[tuple[str, str, int], list[tuple[int, float]]]]:
        """How many ways lead to each net, and for each input pin of a cell the nets that depend on it."""
        missing: dict[int, int] = {}
        through = {}
        for cell in self.netlist.cells:
            table = self._arcs[cell.name].through
            if not table:
                continue
            for port, bit, _ in cell.inputs:
                found = []
                for to_port, to_bit, to in cell.outputs:
                    ns = cell_delays.of_way(table, (port, bit), (to_port, to_bit))
                    if ns is not None:
                        found.append((to, ns))
                        missing[to] = missing.get(to, 0) + 1
                if found:
                    through[cell.name, port, bit] = found
        return missing, through

    def _launch(self, net: Net) -> float | None:
        """When a register, a memory or a port drives the net; None if only logic does."""
        if net.driver is None:
            return cell_delays.PS7_TO_PORT_NS if _is_axi(net) else cell_delays.FF_TO_Q_NS
        cell, port, bit = net.driver
        return cell_delays.of_pin(self._arcs[cell.name].launches, (port, bit))

    def _endpoints(self) -> typing.Iterator[Endpoint]:
        for number, net in self.netlist.nets.items():
            for (cell, port, bit), (net_ns, is_routed) in zip(net.sinks, self._net_delays[number]):
                setup = cell_delays.of_pin(self._arcs[cell.name].setups, (port, bit))
                if setup is not None:
                    yield Endpoint(cell, port, bit, number, setup, net_ns, is_routed, self.arrival[number] + net_ns + setup)
            if net.port == "output":
                setup = cell_delays.PS7_PORT_NS if _is_axi(net) else cell_delays.FF_D_NS
                yield Endpoint(None, "", 0, number, setup, 0.0, False, self.arrival[number] + setup)

    def path(self, endpoint: Endpoint) -> list[Step]:
        """The steps of the latest path to an endpoint, from its start."""
        steps = []
        number, net_ns, is_routed = endpoint.net, endpoint.net_ns, endpoint.is_routed
        while True:
            net = self.netlist.nets[number]
            driver, port, bit = net.driver or (None, "", 0)
            before = self._from.get(number)
            if before is None:
                steps.append(Step(driver, "", (port, bit), self.arrival[number], net, net_ns, is_routed))
                return steps[::-1]
            steps.append(Step(driver, before[1], (port, bit), before[2], net, net_ns, is_routed))
            number, net_ns, is_routed = before[0], before[3], before[4]
