# SPDX-License-Identifier: Apache-2.0
"""The figures of a core that the project keeps: hw/fpga/boards/timing/<core>.json."""
import json
import pathlib
import subprocess

from hw.fpga.flow import synthesis, timing_report, tools
from hw.fpga.flow.netlist import Json, Netlist

FOLDER = synthesis.ROOT / "hw/fpga/boards/timing"
TOLERANCE = 1.02  # versions of yosys order their work differently


def resources(netlist: Netlist) -> dict[str, int]:
    """Counts of cells as the data sheet names them. A RAM32M takes four LUTs, so does a RAM64M."""
    count: dict[str, int] = {}
    for cell in netlist.cells:
        count[cell.type] = count.get(cell.type, 0) + 1
    luts = sum(number for kind, number in count.items() if kind.startswith("LUT") or kind == "INV")
    return {"lut": luts + 4 * (count.get("RAM32M", 0) + count.get("RAM64M", 0)),
            "ff": sum(number for kind, number in count.items() if kind.startswith("FD")),
            "dsp48e1": count.get("DSP48E1", 0), "ramb36": count.get("RAMB36E1", 0), "ramb18": count.get("RAMB18E1", 0)}


def _commit() -> str:
    return subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], cwd=synthesis.ROOT, stdout=subprocess.PIPE, text=True).stdout.strip()


def figures(report: timing_report.Report, core: str) -> Json:
    """The contents of a core's file; what place and route have written stays as it is there."""
    known = read(core) or {}
    blocks = report.blocks()
    processes = {name: round(blocks[name][0], 2) for name in report.sources.processes() if name in blocks}
    routed = {key: known[key] for key in ("routed_mhz", "routed") if key in known}
    return {**routed, "worst_ns": round(report.worst_ns(), 2), "processes_ns": processes,
            **resources(report.timing.netlist), "tools": known.get("tools", {}) | {"yosys": synthesis.yosys_version()},
            "commit": _commit()}


def with_routed(core: str, summary: Json) -> Json:
    """The contents of a core's file with the result of a build by the open tools (open_flow.build())."""
    kept = ("seed", "seeds", "cells", "added", "bits", "period_ns", "worst_setup_ns", "worst_hold_ns", "hold_violations", "unchecked_endpoints",
            "resources")
    versions = {"yosys": synthesis.yosys_version(), "nextpnr": tools.nextpnr_version()}
    schedule_ns = summary.get("schedule_ns", synthesis.PERIOD_NS)
    routed = {key: summary[key] for key in kept} | {"tools": versions, "commit": _commit(), "schedule_ns": schedule_ns,
                                                    "verilog_sha256": synthesis.verilog_sha256(core, schedule_ns)}
    return (read(core) or {}) | {"routed_mhz": summary["routed_mhz"], "routed": routed}


def read(core: str) -> Json | None:
    file = FOLDER / f"{core}.json"
    found: Json | None = json.loads(file.read_text()) if file.is_file() else None
    return found


def routed_mhz(core: str) -> float | None:
    """The clock of place and route by the open tools, with all margins of the sign-off, or None."""
    return (read(core) or {}).get("routed_mhz")


def stale(core: str) -> list[str]:
    """Why the routed figures of a core's file are not those of today's Verilog: a list of at most one line."""
    known = read(core) or {}
    if "routed_mhz" not in known:
        return []
    routed = known["routed"]
    if routed.get("verilog_sha256") != synthesis.verilog_sha256(core, routed.get("schedule_ns", synthesis.PERIOD_NS)):
        return [f"hw/fpga/boards/timing/{core}.json: routed_mhz is of other Verilog; hw/fpga/build_bitstream --tools open --core {core} --write makes it again"]
    return []


def write(core: str, contents: Json) -> pathlib.Path:
    FOLDER.mkdir(parents=True, exist_ok=True)
    file = FOLDER / f"{core}.json"
    file.write_text(json.dumps(contents, indent=2) + "\n")
    return file


def problems(core: str, contents: Json) -> list[str]:
    """In what the figures are worse than those of the core's file."""
    known = read(core)
    if known is None or "worst_ns" not in known:
        return [f"no {FOLDER}/{core}.json: hw/fpga/timing --core {core} --write makes it"]
    if contents["worst_ns"] <= known["worst_ns"] * TOLERANCE:
        return []
    return [f"the worst path takes {contents['worst_ns']:.2f} ns, {known['worst_ns']:.2f} ns in hw/fpga/boards/timing/{core}.json"]


def routed_problems(core: str, summary: Json) -> list[str]:
    """The same for a build by the open tools."""
    known = routed_mhz(core)
    if known is None:
        return [f"no routed_mhz in {FOLDER}/{core}.json: hw/fpga/build_bitstream --tools open --core {core} --write makes it"]
    if summary["routed_mhz"] * TOLERANCE >= known:
        return []
    return [f"routed at {summary['routed_mhz']:.2f} MHz, {known:.2f} MHz in hw/fpga/boards/timing/{core}.json"]
