# SPDX-License-Identifier: Apache-2.0
"""sign_off.SignOff of a routed design, and its lines in timing.txt."""
import json
import pathlib
import typing

from hw.fpga.flow import database, placed_pins, routed_wires, sdf, sign_off, tools
from hw.fpga.flow.netlist import Json

ROUTER = tools.ROOT / "build/release/bin/vta-route"

MAX_LISTED = 10


def of_routes(part: database.Part, folder: pathlib.Path) -> list[tools.Word]:
    """How vta-route is called for a routed design of a folder of place_and_route: with the routes that nextpnr has in the end."""
    return [ROUTER, tools.chip_database(part.name), folder / "design.json", "--database", part.folder]


def measured(folder: pathlib.Path, part: database.Part, routes: Json) -> Json:
    """The delays of all nets of a folder of place_and_route. `routes`: of routed_wires. Errors: tools.ToolError."""
    final, delays = folder / "final_routes.json", folder / "delays.json"
    final.write_text(json.dumps(routes))
    tools.run_own([*of_routes(part, folder), "--routes", final, "-o", delays])
    found: Json = json.loads(delays.read_text())
    return found


def load(folder: pathlib.Path, device: str, routes: Json | None = None) -> sign_off.SignOff:
    """The SignOff of a folder of place_and_route. `routes`: of routed_wires, instead of those that nextpnr has made. Errors: tools.ToolError, and
    those of sign_off."""
    module, = json.loads((folder / "placed.json").read_text())["modules"].values()
    part = database.Part(tools.database(), device)
    routes = routes or routed_wires.routes(module)
    nets = placed_pins.Nets(json.loads((folder / "design.json").read_text()), measured(folder, part, routes), routed_wires.exits(routes))
    return sign_off.SignOff(placed_pins.cells(module, placed_pins.slice_type(part)), nets, sdf.Timings(part.folder / "timings"))


class Summary:
    """The figures of a SignOff at a period."""

    def __init__(self, checked: sign_off.SignOff, period_ns: float) -> None:
        self._checked = checked
        self.period_ns = period_ns
        self._setups = checked.setups(period_ns)
        self._holds = {mode: checked.holds(mode) for mode in sign_off.HOLDS}
        self.pulses = checked.pulse_problems(period_ns)
        self.worst_setup_ns = self._setups[0].ns
        self.worst_hold_ns = min(slacks[0].ns for slacks in self._holds.values())
        self.hold_violations = len({slack.endpoint[:3] for slacks in self._holds.values() for slack in slacks if slack.ns < 0})
        self.unchecked = len(checked.unchecked)
        limit = period_ns - sign_off.uncertainty_ns(period_ns)
        self.shortest_ns = sign_off.shortest_period_ns(limit - self.worst_setup_ns)

    def figures(self) -> dict[str, float]:
        """For hw/fpga/boards/timing: the clock after all margins, and the slacks at the period."""
        return {"routed_mhz": round(1e3 / self.shortest_ns, 2), "period_ns": round(self.period_ns, 3),
                "worst_setup_ns": round(self.worst_setup_ns, 3), "worst_hold_ns": round(self.worst_hold_ns, 3),
                "hold_violations": self.hold_violations, "unchecked_endpoints": self.unchecked}

    def problems(self) -> list[str]:
        """What keeps the design from running at its period."""
        found = []
        if self.worst_setup_ns < 0:
            found.append(f"setup is missed by {-self.worst_setup_ns:.3f} ns at {self.period_ns:g} ns")
        if self.hold_violations:
            found.append(f"{self.hold_violations} endpoints miss hold, by up to {-self.worst_hold_ns:.3f} ns")
        if self.unchecked:
            found.append(f"{self.unchecked} endpoints are unchecked")
        return found + [f"{kind} needs a {what} of {wanted:g} ns, has {given:.3f}" for kind, what, wanted, given in self.pulses]

    def lines(self) -> typing.Iterator[str]:
        late, early = self._checked.tree.skew()
        yield (f"with the clock tree, jitter, resets and pulse widths: {self.shortest_ns:.2f} ns ({1e3 / self.shortest_ns:.1f} MHz); "
               f"worst setup {self.worst_setup_ns:+.3f} ns at {self.period_ns:g} ns, worst hold {self.worst_hold_ns:+.3f} ns, "
               f"{self.hold_violations} hold violations, {self.unchecked} unchecked endpoints")
        yield (f"clock: {sign_off.uncertainty_ns(self.period_ns):.3f} ns of uncertainty, arrivals from {early:.3f} to {late:.3f} ns after its buffer; "
               f"{len(self._checked.endpoints)} endpoints, {len(self._checked.asynchronous)} asynchronous inputs; pulse widths "
               f"{'met' if not self.pulses else 'missed'}")
        for mode, slacks in self._holds.items():
            yield f"{mode.name}: worst {slacks[0].ns:+.3f} ns, {sum(slack.ns < 0 for slack in slacks)} violations"
            yield from (f"   {self._text(slack)}" for slack in slacks[:MAX_LISTED] if slack.ns < 0)
        yield f"setup at slow: {self._text(self._setups[0])}"

    def _text(self, slack: sign_off.Slack) -> str:
        steps, (start, clock) = self._checked.path(slack)
        end = slack.endpoint
        return (f"{slack.ns:+.3f} ns from {start}.{clock} through {len(steps) - 1} cells to {end.cell}.{end.pin[0]}[{end.pin[1]}] ({end.type}), "
                f"last net {getattr(end.times, slack.mode.data):.3f} ns")
