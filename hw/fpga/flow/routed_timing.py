# SPDX-License-Identifier: Apache-2.0
"""Static timing of a routed design: the cells as nextpnr has packed and placed them (--write), with the delays of the nets as
vta-route has routed them.

nextpnr's own report differs: it has no delays of DSP48E1 and PS7, other delays of registers and LUT RAMs, and shorter ones of wires.

After its report and before --write, nextpnr permutes the pins of LUTs, and connects every pin that one LUT of a LUT5/LUT6 pair
uses to both. A pin is read if the cell's attribute X_ORIG_PORT_<pin> names its ports before packing, such as "I0", or "I0 I3" for
two on one pin. Names of pins in its report are those before the permutation.

Not covered (NOT_COVERED): the clock is ideal, and nets of global buffers are routed by nextpnr.
"""
import json
import pathlib
import re

from hw.fpga.flow import Error, netlist, pin_timing, placed_cells, static_timing

LUT = re.compile(r"LUT(\d)$")
INSERTED = re.compile(r"\$legal\d+$")  # of a net between a LUT that nextpnr inserted and a carry chain
NOT_TIMED = {"BUFGCTRL", "PSEUDO_GND", "PSEUDO_VCC", "PAD", "IOB33_INBUF_EN", "IOB33_OUTBUF"}
NOT_COVERED = "not covered: the skew and the jitter of the clock, and resets on global buffers: times are too short"


class RoutedTimingError(Error):
    """Files of a routed design that do not fit together."""


def is_constant(cell: netlist.Json) -> bool:
    """Whether a LUT has the same output for all inputs."""
    match = LUT.match(placed_cells.original_type(cell))
    ones = (1 << (1 << int(match[1]))) - 1 if match else 0
    return match is not None and netlist.parameter(cell["parameters"]["INIT"]) & ones in (0, ones)


def _logical_cell(cell: netlist.Json, driven: set[int]) -> netlist.Json:
    """A cell before packing. Its pins at nets that are not in `driven` are constant, or not timed."""
    ports: dict[str, dict[int, int]] = {}
    directions = {}
    for physical, bits in cell["connections"].items():
        for port, bit in pin_timing.logical_pins(cell["attributes"], cell["type"], physical) if bits and bits[0] in driven else ():
            ports.setdefault(port, {})[bit] = bits[0]
            directions[port] = cell["port_directions"][physical]
    connections = {port: [bits.get(bit, "x") for bit in range(max(bits) + 1)] for port, bits in ports.items()}
    return {"type": placed_cells.original_type(cell), "parameters": cell["parameters"], "attributes": cell["attributes"], "port_directions": directions,
            "connections": connections}


def _add_names(found: netlist.Netlist, placed_names: netlist.Json, mapped: netlist.Netlist | None) -> None:
    """Names of nets: all that the netlist before packing has for the net of a driver, otherwise the one that nextpnr kept."""
    kept = {bits["bits"][0]: INSERTED.sub("", name) for name, bits in placed_names.items() if not bits.get("hide_name")}
    names = {(net.driver[0].name, *net.driver[1:]): net.names for net in mapped.nets.values() if net.driver} if mapped else {}
    for number, net in found.nets.items():
        net.names = names.get((net.driver[0].name, *net.driver[1:]), []) if net.driver else []
        if not net.names and number in kept:
            match = pin_timing.BIT.match(kept[number])
            net.names = [(match[1], int(match[2]), 0, "") if match else (kept[number], 0, 1, "")]


def logical_netlist(name: str, module: netlist.Json, mapped: netlist.Netlist | None = None) -> netlist.Netlist:
    """The netlist of a module that nextpnr has written, with ports and cell types as before packing. `mapped`: the netlist
    before packing, for the names of nets."""
    timed = {cell_name: cell for cell_name, cell in module["cells"].items()
             if cell["type"] not in NOT_TIMED and not is_constant(cell)}
    driven = {bits[0] for cell in timed.values() for port, bits in cell["connections"].items()
              if bits and cell["port_directions"][port] == "output"}
    cells = {cell_name: _logical_cell(cell, driven) for cell_name, cell in timed.items()}
    found = netlist.Netlist(name, {"cells": cells, "ports": {}, "netnames": {}})
    _add_names(found, module["netnames"], mapped)
    return found


class RoutedNets:
    """Delays of nets, a model for static_timing.Timing. `design`, `routes`: the two files of hw/fpga/router/design_file.h."""

    def __init__(self, design: netlist.Json, routes: netlist.Json) -> None:
        self._ns: dict[tuple[str, str, int], float] = {}  # (cell, port, bit) -> ns; the longest where several physical pins are one
        delays = {route["name"]: dict(route["delays"]) for route in routes["nets"]}
        for net in design["nets"]:
            for wire, (cell, ports) in zip(net["sinks"], net["pins"]):
                for port in ports.split():
                    key = (cell, *pin_timing.logical_pin(port))
                    self._ns[key] = max(self._ns.get(key, 0.0), delays[net["name"]][wire] / 1000)

    def _delay(self, cell: netlist.Cell, port: str, bit: int) -> tuple[float, bool]:
        ns = self._ns.get((cell.name, port, bit))
        if ns is None:
            raise RoutedTimingError(f"{cell.name}: vta-route has routed no net to {port}[{bit}]")
        return ns, ns > 0.0  # nets inside a slice take no time

    def delays(self, net: netlist.Net) -> list[tuple[float, bool]]:
        """For each sink of the net (delay, is routed). Errors: RoutedTimingError."""
        return [self._delay(*sink) for sink in net.sinks]


def _load(path: pathlib.Path) -> netlist.Json:
    found: netlist.Json = json.loads(path.read_text(encoding="utf-8"))
    return found


def load(folder: pathlib.Path, top: str, mapped: netlist.Netlist | None = None) -> static_timing.Timing:
    """The static_timing.Timing of a folder of place_and_route. Errors: RoutedTimingError, and those of static_timing."""
    try:
        module, = _load(folder / "placed.json")["modules"].values()
        model = RoutedNets(_load(folder / "design.json"), _load(folder / "routes.json"))
    except (ValueError, KeyError, TypeError) as error:
        raise RoutedTimingError(f"{folder}: not a routed design with delays: {error!r}") from None
    return static_timing.Timing(logical_netlist(top, module, mapped), model)
