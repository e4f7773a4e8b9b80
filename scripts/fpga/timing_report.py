# SPDX-License-Identifier: Apache-2.0
"""Reports of static timing by process, stage and line of the source."""
import collections

WITHIN_SHARE = 0.15
WITHIN_NS = 0.7


def _base(name):
    return name.partition("[")[0]


class Report:
    """`timing`: static_timing.Timing, `sources`: source_map.SourceMap."""

    def __init__(self, timing, sources, period_ns):
        self.timing = timing
        self.sources = sources
        self.period_ns = period_ns
        self._net = timing.netlist.nets

    def end_place(self, endpoint, path=None):
        """The register's own name, or the pin of a RAM, DSP or port with the last named net before it."""
        sources = self.sources
        if endpoint.cell is not None and endpoint.cell.type.startswith("FD"):
            place = sources.of_net(self._net[endpoint.cell.outputs[0][2]]) if endpoint.cell.outputs else None
            if place is not None:
                return place
        for step in reversed(path or self.timing.path(endpoint)):
            place = sources.of_net(step.net)
            if place is not None:
                return place
        return sources.of_name("")

    def blocks(self):
        """For each process or instance: (worst ns, endpoints over the period, endpoints)."""
        found = {}
        for endpoint in self.timing.endpoints:
            block = self.end_place(endpoint).block or "(top)"
            worst, over, total = found.get(block, (0.0, 0, 0))
            found[block] = (max(worst, endpoint.required_ns), over + (endpoint.required_ns > self.period_ns), total + 1)
        return dict(sorted(found.items(), key=lambda item: -item[1][0]))

    def histogram(self):
        """Endpoints by whole ns of their required period."""
        return dict(sorted(collections.Counter(int(endpoint.required_ns) for endpoint in self.timing.endpoints).items()))

    def paths(self, count, block=None):
        """The worst paths, without those that are alike: of the bits of a register, of the lanes of a stage (the same line of
        C++), of the registers that one net enables."""
        seen = set()
        found = []
        for endpoint in self.timing.endpoints:
            if len(found) >= count:
                break
            path = self.timing.path(endpoint)
            end = self.end_place(endpoint, path)
            if block is not None and end.block != block:
                continue
            start = self.sources.of_net(path[0].net, end.block)
            key = (start and (start.block, start.line or start.name), end.block, end.stage, end.line or end.name, endpoint.port)
            if not {key, endpoint.net} & seen:
                seen |= {key, endpoint.net}
                found.append(self._path(endpoint, path, end))
        return found

    def _path(self, endpoint, path, end):
        steps = []
        block = end.block
        for step in path:
            place = self.sources.of_net(step.net, block)
            block = place.block if place is not None and place.block else block
            steps.append({"cell": step.cell.type if step.cell else "port", "pin": step.output[0], "cell_ns": round(step.cell_ns, 3),
                          "net": step.net.name(), "fan_out": len(step.net.sinks), "net_ns": round(step.net_ns, 3),
                          "block": place.block if place else "", "stage": place.stage if place else "",
                          "name": place.name if place else "", "operation": place.operation if place else "",
                          "line": place.line if place else ""})
        net_ns = sum(step.net_ns for step in path)
        cell = endpoint.cell
        return {"required_ns": round(endpoint.required_ns, 3), "slack_ns": round(self.period_ns - endpoint.required_ns, 3),
                "logic_ns": round(endpoint.required_ns - net_ns, 3), "net_ns": round(net_ns, 3),
                "setup_ns": round(endpoint.setup_ns, 3), "levels": sum(1 for step in path[1:]),
                "end": {"cell": cell.type if cell else "port", "pin": endpoint.port, "block": end.block, "name": end.name,
                        "stage": end.stage, "operation": end.operation, "line": end.line, "estimate_ns": end.estimate_ns},
                "steps": steps}

    def stages(self):
        """For each process and stage whose results go to registers: the scheduler's latest result and the latest
        arrival at these registers, for the same operation where it is the worst."""
        found = {}
        for endpoint in self.timing.endpoints:
            if endpoint.port != "D" or endpoint.cell is None or not endpoint.cell.type.startswith("FD") or not endpoint.cell.outputs:
                continue
            place = self.sources.of_net(self._net[endpoint.cell.outputs[0][2]])
            if place is None or not place.is_first:
                continue
            entry = found.setdefault((place.block, place.stage), {"estimate_ns": 0.0, "measured_ns": 0.0, "registers": set()})
            entry["registers"].add(place.name)
            entry["estimate_ns"] = max(entry["estimate_ns"], place.estimate_ns)
            if endpoint.required_ns > entry["measured_ns"]:
                entry |= {"measured_ns": round(endpoint.required_ns, 3), "name": place.name, "operation": place.operation,
                          "line": place.line, "operation_estimate_ns": place.estimate_ns}
        rows = []
        for (block, stage), entry in sorted(found.items()):
            error = entry["estimate_ns"] - entry["measured_ns"]
            is_near = abs(error) <= max(WITHIN_NS, WITHIN_SHARE * entry["measured_ns"])
            rows.append({"process": block, "stage": stage, **entry, "registers": len(entry["registers"]), "within": is_near})
        return rows


def text_of_path(path, number, with_steps):
    end = path["end"]
    lines = [f"{number}. {path['required_ns']:.2f} ns (slack {path['slack_ns']:+.2f}): logic {path['logic_ns']:.2f}, nets "
             f"{path['net_ns']:.2f}, {path['levels']} levels"]
    lines.append(f"   to {end['block']}.{end['name']} ({end['cell']} {end['pin']})  {end['stage']}  {end['operation']}  {end['line']}"
                 + (f"  scheduled at {end['estimate_ns']:.1f} ns" if end["estimate_ns"] is not None else ""))
    at = 0.0
    for step in path["steps"]:
        at += step["cell_ns"]
        if with_steps or step["name"]:
            what = f"{step['block']}.{step['name']}  {step['stage']}  {step['operation']}  {step['line']}" if step["name"] else ""
            lines.append(f"   {at:6.2f}  {step['cell']:8} {step['cell_ns']:5.3f} + {step['net_ns']:5.3f} ({step['fan_out']:4})  {what}".rstrip())
        at += step["net_ns"]
    return "\n".join(lines)


def text(report, paths, with_steps, with_stages):
    worst = report.timing.endpoints[0].required_ns if report.timing.endpoints else 0.0
    over = sum(1 for endpoint in report.timing.endpoints if endpoint.required_ns > report.period_ns)
    lines = [f"{report.timing.netlist.name}: worst path {worst:.2f} ns ({1000 / worst if worst else 0:.1f} MHz), {over} of "
             f"{len(report.timing.endpoints)} endpoints over {report.period_ns:g} ns", "",
             f"{'process':24}{'worst ns':>10}{'slack':>8}{'over':>8}{'endpoints':>11}"]
    for block, (ns, count, total) in report.blocks().items():
        lines.append(f"{block:24}{ns:10.2f}{report.period_ns - ns:8.2f}{count:8}{total:11}")
    lines += ["", "endpoints by ns: " + ", ".join(f"{ns}: {count}" for ns, count in report.histogram().items()), ""]
    lines += [text_of_path(path, number, with_steps) for number, path in enumerate(paths, 1)]
    if with_stages:
        lines += ["", *text_of_stages(report.stages())]
    return "\n".join(lines)


def text_of_stages(rows):
    lines = [f"{'process':14}{'stage':30}{'scheduler':>10}{'timing':>8}{'error':>8}  worst register"]
    for row in sorted(rows, key=lambda row: -row["measured_ns"]):
        lines.append(f"{row['process']:14}{row['stage']:30}{row['estimate_ns']:10.2f}{row['measured_ns']:8.2f}"
                     f"{row['estimate_ns'] - row['measured_ns']:+8.2f}{' ' if row['within'] else '!'} {row['name']}  {row['line']}")
    within = sum(row["within"] for row in rows)
    lines.append(f"{within} of {len(rows)} stages ({100 * within / max(1, len(rows)):.0f} %) within {WITHIN_SHARE:.0%} or "
                 f"{WITHIN_NS} ns of the scheduler's estimate")
    return lines
