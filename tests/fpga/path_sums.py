# SPDX-License-Identifier: Apache-2.0
"""The sums of sign-off on sampled paths of a routed design, computed again from the text of Project X-Ray's database: switches from
tile_type_*.json, wires by the connections of tiles (tileconn.json), registers and LUTs by a search in the SDF files. nextpnr's file of the chip
and vta-route have no part in it."""
import collections
import functools
import json
import re

from hw.fpga.flow import pin_timing, sign_off

TOLERANCE_NS = 0.003  # nextpnr's file rounds resistances and capacitances down, vta-route delays to ps
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
        return min(seen), sum(int(float(entry.get("res", 0))) for entry in data), sum(float(entry.get("cap", 0)) for entry in data)

    @functools.cache
    def _switches(self, kind):
        return {(pip["src_wire"], pip["dst_wire"]): pip["src_to_dst"] for pip in self._tile_type(kind)["pips"].values()} | {
            (pip["dst_wire"], pip["src_wire"]): pip["dst_to_src"] for pip in self._tile_type(kind)["pips"].values() if pip["is_directional"] == "0"}

    def switch_ns(self, at, source, target):
        """At each corner, with the conductor that it drives."""
        found = self._switches(self._type_at[at])[source, target]
        _, resistance, capacitance = self.conductor((at, target))
        wire_ns = (float(found["res"] or 0) + resistance / 2) * capacitance / 1e6
        return [wire_ns + ns for ns in (map(float, found["delay"]) if found["delay"] else UNKNOWN_NS)]


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
    def _drivers(self, net):
        """node -> (node before, the switch)."""
        found = {}
        for at, source, target in map(self._parse, self._switches[net]):
            found[self._node(at, target)] = (self._node(at, source), (at, source, target))
        return found

    @staticmethod
    def _parse(text):
        x, y, target, source = SWITCH.match(text).groups()
        return (int(x), int(y)), source, target

    def _wire_ns(self, net, wire):
        x, y, name = WIRE.match(wire).groups()
        node, total = self._node((int(x), int(y)), name), [0.0] * len(CORNERS)
        drivers = self._drivers(net)
        while node in drivers:
            node, (at, source, target) = drivers[node]
            if not _is_in_site(source) and not _is_in_site(target):
                total = [a + b for a, b in zip(total, self._chip.switch_ns(at, source, target))]
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
