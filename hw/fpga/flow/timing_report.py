# SPDX-License-Identifier: Apache-2.0
"""Reports of static timing by process, stage and line of the source."""
import collections
import typing

from hw.fpga.flow import source_map, static_timing
from hw.fpga.flow.netlist import Json

# How near vta-hlsc's estimate of a stage should be.
WITHIN_SHARE = 0.15
WITHIN_NS = 0.7


def _words(*words: str) -> str:
    return "  ".join(filter(None, words))


class Report:
    """`timing`: static_timing.Timing, `sources`: source_map.SourceMap, `nextpnr_ns`: the period by nextpnr's own report of the
    routed design, if there is one, `notes`: lines for the head of the text."""

    def __init__(self, timing: static_timing.Timing, sources: source_map.SourceMap, period_ns: float,
                 nextpnr_ns: float | None = None, notes: typing.Sequence[str] = ()) -> None:
        self.timing = timing
        self.sources = sources
        self.period_ns = period_ns
        self.nextpnr_ns = nextpnr_ns
        self.notes = notes

    def worst_ns(self) -> float:
        return self.timing.endpoints[0].required_ns if self.timing.endpoints else 0.0

    def _register(self, endpoint: static_timing.Endpoint) -> source_map.Place | None:
        """The place of the register that the endpoint is a pin of; None for other endpoints."""
        cell = endpoint.cell
        is_register = cell is not None and cell.type.startswith("FD") and bool(cell.outputs)
        return self.sources.of_net(self.timing.netlist.nets[cell.outputs[0][2]]) if cell and is_register else None

    def end_place(self, endpoint: static_timing.Endpoint, path: list[static_timing.Step] | None = None) -> source_map.Place:
        """The register, or for the pin of a RAM, DSP or port the last named net before it."""
        place = self._register(endpoint)
        for step in () if place else reversed(path or self.timing.path(endpoint)):
            place = place or self.sources.of_net(step.net)
        return place or self.sources.of_name("")

    def blocks(self) -> dict[str, tuple[float, int, int]]:
        """For each process or instance: (worst ns, endpoints over the period, endpoints)."""
        found: dict[str, tuple[float, int, int]] = {}
        for endpoint in self.timing.endpoints:
            block = self.end_place(endpoint).block or "(top)"
            worst, over, total = found.get(block, (0.0, 0, 0))
            found[block] = (max(worst, endpoint.required_ns), over + (endpoint.required_ns > self.period_ns), total + 1)
        return dict(sorted(found.items(), key=lambda item: -item[1][0]))

    def histogram(self) -> dict[int, int]:
        """Endpoints by whole ns of their required period."""
        return dict(sorted(collections.Counter(int(endpoint.required_ns) for endpoint in self.timing.endpoints).items()))

    def paths(self, count: int, block: str | None = None) -> list[Json]:
        """The worst paths, without those that are alike: of the bits of a register, of the lanes of a stage (the same line of
        C++), of the registers that one net enables."""
        seen: set[typing.Any] = set()
        found: list[Json] = []
        for endpoint in self.timing.endpoints:
            if len(found) >= count:
                break
            if endpoint.net in seen:
                continue
            path = self.timing.path(endpoint)
            end = self.end_place(endpoint, path)
            if block is not None and end.block != block:
                continue
            start = self.sources.of_net(path[0].net, end.block)
            alike = (start and (start.block, start.line or start.name), end.block, end.stage, end.line or end.name, endpoint.port)
            if alike not in seen:
                found.append(self._path(endpoint, path, end))
            seen |= {alike, endpoint.net}
        return found

    def _path(self, endpoint: static_timing.Endpoint, path: list[static_timing.Step], end: source_map.Place) -> Json:
        """A path as JSON."""
        steps = []
        block = end.block
        for step in path:
            place = self.sources.of_net(step.net, block)
            block = place.block if place and place.block else block
            steps.append({"cell": step.cell.type if step.cell else "port", "input": step.input, "output": step.output[0],
                          "cell_ns": round(step.cell_ns, 3), "net": step.net.name(), "fan_out": len(step.net.sinks),
                          "net_ns": round(step.net_ns, 3), **(place or self.sources.of_name("")).as_json()})
        net_ns = sum(step.net_ns for step in path)
        return {"required_ns": round(endpoint.required_ns, 3), "slack_ns": round(self.period_ns - endpoint.required_ns, 3),
                "logic_ns": round(endpoint.required_ns - net_ns, 3), "net_ns": round(net_ns, 3),
                "setup_ns": round(endpoint.setup_ns, 3), "levels": len(path) - 1,
                "end": {"cell": endpoint.cell.type if endpoint.cell else "port", "input": endpoint.port, **end.as_json(),
                        "scheduled_ns": end.scheduled_ns},
                "steps": steps}

    def stages(self) -> list[Json]:
        """For each process and stage whose results go to registers: when the scheduler has the last of them, when these
        registers have theirs by vta-hlsc's estimate of the netlist, the latest arrival at them, and at their enables and resets."""
        found: dict[tuple[str, str], Json] = {}
        controls: dict[tuple[str, str], float] = {}
        for endpoint in self.timing.endpoints:  # the slowest one comes first
            place = self._register(endpoint)
            if place is None or not place.is_first:
                continue
            if endpoint.port != "D":
                controls.setdefault((place.block, place.stage), round(endpoint.required_ns, 3))
                continue
            entry = found.setdefault((place.block, place.stage), {
                "process": place.block, "stage": place.stage, "scheduled_ns": 0.0, "estimated_ns": 0.0,
                "measured_ns": round(endpoint.required_ns, 3), "name": place.name, "operation": place.operation, "line": place.line})
            entry["scheduled_ns"] = max(entry["scheduled_ns"], place.scheduled_ns)
            entry["estimated_ns"] = max(entry["estimated_ns"], place.estimated_ns or 0.0)
        for key, entry in found.items():
            entry["control_ns"] = controls.get(key)
            error = abs(entry["estimated_ns"] - entry["measured_ns"])
            entry["within"] = error <= max(WITHIN_NS, WITHIN_SHARE * entry["measured_ns"])
        return list(found.values())

    def as_json(self, paths: int, block: str | None) -> Json:
        blocks = {name: {"worst_ns": round(ns, 3), "over": over, "endpoints": total}
                  for name, (ns, over, total) in self.blocks().items()}
        return {"top": self.timing.netlist.name, "period_ns": self.period_ns, "worst_ns": round(self.worst_ns(), 3),
                "nextpnr_ns": self.nextpnr_ns,
                "blocks": blocks, "histogram": self.histogram(), "paths": self.paths(paths, block), "stages": self.stages()}

    def _text_of_nextpnr(self) -> list[str]:
        if self.nextpnr_ns is None:
            return []
        return [f"nextpnr's own figure: {self.nextpnr_ns:.2f} ns ({1000 / self.nextpnr_ns:.1f} MHz), without delays of DSP48E1 and PS7 and "
                "with its own of registers and LUT RAMs"]

    def text(self, paths: int, block: str | None, with_steps: bool, with_stages: bool) -> str:
        worst = self.worst_ns()
        over = sum(1 for endpoint in self.timing.endpoints if endpoint.required_ns > self.period_ns)
        lines = [f"{self.timing.netlist.name}: worst path {worst:.2f} ns ({1000 / worst if worst else 0:.1f} MHz), {over} of "
                 f"{len(self.timing.endpoints)} endpoints over {self.period_ns:g} ns", *self._text_of_nextpnr(), *self.notes, "",
                 f"{'into':28}{'worst ns':>10}{'slack':>8}{'over':>8}{'endpoints':>11}"]
        for name, (ns, count, total) in self.blocks().items():
            lines.append(f"{name:28}{ns:10.2f}{self.period_ns - ns:8.2f}{count:8}{total:11}")
        lines += ["", "endpoints by ns: " + ", ".join(f"{ns}: {count}" for ns, count in self.histogram().items()), ""]
        lines += [_text_of_path(path, number, with_steps) for number, path in enumerate(self.paths(paths, block), 1)]
        return "\n".join(lines + (["", *_text_of_stages(self.stages())] if with_stages else []))


def _text_of_place(place: Json) -> str:
    name = f"{place['block']}.{place['name']}" if place["block"] else place["name"]
    return _words(name, place["stage"], place["operation"], place["line"])


def _text_of_path(path: Json, number: int, with_steps: bool) -> str:
    end = path["end"]
    scheduled = "" if end["scheduled_ns"] is None else f"scheduled at {end['scheduled_ns']:.1f} ns"
    lines = [f"{number}. {path['required_ns']:.2f} ns (slack {path['slack_ns']:+.2f}): logic {path['logic_ns']:.2f}, nets "
             f"{path['net_ns']:.2f}, {path['levels']} levels",
             f"   to {_words(_text_of_place(end), end['cell'] + ' ' + end['input'], scheduled)}"]
    at = 0.0
    last = None
    for step in path["steps"]:
        at += step["cell_ns"]
        if with_steps or step["name"] and step["name"] != last:
            lines.append(f"   {at:6.2f}  {step['cell']:8} {step['cell_ns']:5.3f} + {step['net_ns']:5.3f} ({step['fan_out']:4})  "
                         f"{_text_of_place(step)}".rstrip())
        last = step["name"]
        at += step["net_ns"]
    return "\n".join(lines)


def _text_of_stages(rows: list[Json]) -> list[str]:
    lines = [f"{'process':16}{'stage':28}{'scheduler':>10}{'estimate':>10}{'timing':>8}{'error':>8}{'enables':>9}  worst register"]
    for row in rows:
        enables = "-" if row["control_ns"] is None else f"{row['control_ns']:.2f}"
        lines.append(f"{row['process']:16}{row['stage']:28}{row['scheduled_ns']:10.2f}{row['estimated_ns']:10.2f}"
                     f"{row['measured_ns']:8.2f}{row['estimated_ns'] - row['measured_ns']:+8.2f}"
                     f"{' ' if row['within'] else '!'}{enables:>8}  {row['name']}  {row['line']}")
    within = sum(row["within"] for row in rows)
    lines.append(f"{within} of {len(rows)} stages ({100 * within / max(1, len(rows)):.0f} %) within {WITHIN_SHARE:.0%} or "
                 f"{WITHIN_NS} ns of the estimate")
    return lines
