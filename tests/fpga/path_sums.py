# SPDX-License-Identifier: Apache-2.0
"""The sums of sign-off on sampled paths of a routed design, computed again from the text of Project X-Ray's database. It has switches and
pins of sites from tile_type_*.json, wires by the connections of tiles (tileconn.json), with Elmore delays. nextpnr's file of the chip and
vta-route have no part in it. And whether cell_times.FAST_SHARE bounds what it stands for."""
import collections
import functools
import json
import re

from hw.fpga.flow import cell_times, pin_timing, sdf, sign_off

TOLERANCE_NS = 0.002  # vta-route rounds delays to ps
UNKNOWN_NS = (0.0, 0.1, 0.0, 0.1)  # of a switch without a delay
CORNERS = ("fast_min", "fast_max", "slow_min", "slow_max")
SWITCH = re.compile(r"X(\d+)Y(\d+)/([^/]+)/([^/]+)$")
WIRE = re.compile(r"X(\d+)Y(\d+)/([^/]+)$")


class Chip:
    """The tiles of a chip. A wire is ((x, y), name)."""

    def __init__(self, part):
        self._folder = part.folder
        self._type_at = {(tile["grid_x"], tile["grid_y"]): tile["type"] for tile in part.tiles.values()}
        self._connections = collections.defaultdict(list)
        for entry in json.loads((part.folder / part._fabric() / "tileconn.json").read_text()):
            (dx, dy), (a, b) = entry["grid_deltas"], entry["tile_types"]
            for wire_a, wire_b in entry["wire_pairs"]:
                self._connections[a, wire_a].append((dx, dy, b, wire_b))
                self._connections[b, wire_b].append((-dx, -dy, a, wire_a))

    @functools.cache
    def _tile_type(self, name):
        return json.loads((self._folder / f"tile_type_{name}.json").read_text())

    @functools.cache
    def conductor(self, wire):
        """(number to tell it from others, resistance in ohm, capacitance in fF)."""
        seen, queue = {wire}, [wire]
        while queue:
            at, name = queue.pop()
            for dx, dy, kind, other in self._connections[self._type_at[at], name]:
                there = (at[0] + dx, at[1] + dy)
                if self._type_at.get(there) == kind and (there, other) not in seen:
                    seen.add((there, other))
                    queue.append((there, other))
        data = [self._tile_type(self._type_at[at])["wires"].get(name) or {} for at, name in seen]
        return min(seen), sum(float(entry.get("res") or 0) for entry in data), sum(float(entry.get("cap") or 0) for entry in data)

    @functools.cache
    def _switches(self, kind):
        pips = self._tile_type(kind)["pips"].values()
        return {(pip["src_wire"], pip["dst_wire"]): (pip, pip["src_to_dst"]) for pip in pips} | {
            (pip["dst_wire"], pip["src_wire"]): (pip, pip["dst_to_src"]) for pip in pips if pip["is_directional"] == "0"}

    @functools.cache
    def _pins(self, kind):
        return {pin["wire"]: pin for site in self._tile_type(kind)["sites"] for pin in site["site_pins"].values() if pin}

    def driver(self, at, source, target):
        """(ns at each corner, ohm, fF of its input or None for a pass transistor) of a switch, or of the pin between a site and its tile."""
        kind = self._type_at[at]
        if _is_in_site(source) and _is_in_site(target):
            return (0.0,) * len(CORNERS), 0.0, 0.0
        if _is_in_site(source) or _is_in_site(target):
            pin = self._pins(kind).get(target if _is_in_site(source) else source, {"delay": (0,) * len(CORNERS)})
            return tuple(map(float, pin["delay"])), float(pin.get("res") or 0), float(pin.get("cap") or 0)
        pip, found = self._switches(kind)[source, target]
        is_buffer = int(pip["is_pass_transistor"]) == 0
        delays = tuple(map(float, found["delay"])) if found["delay"] else UNKNOWN_NS if is_buffer else (0.0,) * len(CORNERS)
        return delays, float(found["res"] or 0), float(found["in_cap"] or 0) if is_buffer else None


def _is_in_site(wire):
    return "." in wire


class Routes:
    """Delays of a folder of place_and_route by the text of the database."""

    def __init__(self, folder, part):
        self._chip = Chip(part)
        self._switches = {net["name"]: net["switches"] for net in json.loads((folder / "final_routes.json").read_text())["nets"]}
        self._wires = collections.defaultdict(list)  # (cell, pin) -> [(net, wire)]
        for net in json.loads((folder / "design.json").read_text())["nets"]:
            for wire, (cell, ports) in zip(net["sinks"], net["pins"]):
                for port in ports.split():
                    self._wires[cell, pin_timing.logical_pin(port)].append((net["name"], wire))

    def _node(self, at, wire):
        return (at, wire) if _is_in_site(wire) else self._chip.conductor((at, wire))[0]

    @functools.cache
    def _net(self, net):
        """The tree of a net: node -> (node before, driver, ohm and fF of the node), and node -> the nodes that it drives."""
        drivers, driven = {}, collections.defaultdict(list)
        for at, source, target in map(self._parse, self._switches[net]):
            before, node = self._node(at, source), self._node(at, target)
            conductor = (0.0, 0.0) if _is_in_site(target) else self._chip.conductor((at, target))[1:]
            drivers[node] = (before, self._chip.driver(at, source, target), conductor)
            driven[before].append(node)
        return drivers, driven

    @staticmethod
    def _parse(text):
        x, y, target, source = SWITCH.match(text).groups()
        return (int(x), int(y)), source, target

    def _load_ff(self, net, node):
        """The capacitance of a node and of what follows, up to buffers."""
        drivers, driven = self._net(net)
        inputs = [(next_node, drivers[next_node][1][2]) for next_node in driven[node]]
        return drivers[node][2][1] + sum(self._load_ff(net, next_node) if ff is None else ff for next_node, ff in inputs)

    def _wire_ns(self, net, wire):
        x, y, name = WIRE.match(wire).groups()
        node, total, (drivers, _) = self._node((int(x), int(y)), name), [0.0] * len(CORNERS), self._net(net)
        while node in drivers:
            before, (delays, drive_ohm, _), (ohm, ff) = drivers[node]
            load = self._load_ff(net, node)
            charged = (drive_ohm * load + ohm * (load - ff / 2)) / 1e6
            total = [sum_ns + ns + charged for sum_ns, ns in zip(total, delays)]
            node = before
        return total

    def ns(self, cell, pin):
        """The range of the net to an input at each corner."""
        found = [self._wire_ns(*place) for place in self._wires[cell, pin]]
        return [(max if corner.endswith("max") else min)(column) for corner, column in zip(CORNERS, zip(*found))]


def _sampled(slacks, count):
    """The worst ones, and others evenly."""
    return slacks[:count // 2] + slacks[count // 2::max(1, len(slacks) // (count // 2))][:count // 2]


def problems(checked, nets, folder, part, count):
    """Connections of `count` sampled paths, for setup and for hold, whose delays differ, and the number of those that were compared."""
    routes, found, compared = Routes(folder, part), [], 0
    for slacks in (checked.setups(10.0), *(checked.holds(mode) for mode in sign_off.HOLDS)):
        for slack in _sampled(slacks, count):
            steps, clock = checked.path(slack)
            pins = [way.pin for way, _ in steps if way] + [(slack.endpoint.cell, slack.endpoint.pin)]
            for cell, pin in [*pins, *((name, (port, 0)) for name, port in (clock, checked.clock_of(slack.endpoint)))]:
                measured, computed = nets.sink(cell, pin), routes.ns(cell, pin)
                compared += 1
                for corner, a, b in zip(CORNERS, measured.times, computed):
                    if abs(a - b) > TOLERANCE_NS:
                        found.append(f"{cell}.{pin[0]}[{pin[1]}]: {corner} is {a:.3f} ns, and {b:.3f} ns by the database")
    return found, compared


CLOCKED = {"slicel": r"CLK", "slicem": r"CLK", "BRAM_L": r"CLK\w+U", "PSS2": r"(?!TEST)\w*ACLK"}  # SDF file -> clocks whose outputs count


def share_problems(part):
    """Delays from a clock to an output that take more than cell_times.FAST_SHARE of their slow time at the fast corner, and the number of delays."""
    timings, found, compared = sdf.Timings(part.folder / "timings"), [], 0
    for name, clock in CLOCKED.items():
        file = timings.file(name)
        for entry in file.names():
            for (source, to), times in file.delays(*entry).items():
                if re.fullmatch(clock, source):
                    compared += 1
                    if times.fast_max > cell_times.FAST_SHARE * times.slow_max:
                        found.append(f"{name}: {entry[0]} from {source} to {to} takes {times.fast_max} ns at fast and {times.slow_max} ns at slow")
    return found, compared
