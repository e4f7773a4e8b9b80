# SPDX-License-Identifier: Apache-2.0
"""A process alone, placed and routed as the whole board is: nextpnr, vta-place and vta-route, in a harness with three pins."""
import sys

from scripts.fpga import harness, netlist, place_and_route, routed, routed_timing, source_map, synthesis, timing_report, tools

TOP = "harness"


def _say(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def timing_of(core, process, seed, period_ns):
    """The timing_report.Report of a core's process. Errors: tools.ToolError, also where it is not routed, and those of the
    modules used."""
    design = synthesis.mapped_harness(core, process)
    prepared = design.folder / "top.json"
    place_and_route.prepare(design.netlist, prepared, TOP)
    run, = place_and_route.route(prepared, synthesis.PART, 1e3 / period_ns, [seed], "static", 1, design.folder, _say, harness.constraints())
    _say("")
    if isinstance(run, place_and_route.Stuck):
        raise tools.ToolError(f"{process} is not routed: {run.overused[-1]} overused wires after {len(run.overused)} iterations")
    timing = routed_timing.load(run.folder, TOP, netlist.load(prepared, TOP))
    sources = source_map.SourceMap(synthesis.report_of_core(core), TOP, design.folder)
    return timing_report.Report(timing, sources, period_ns, routed.load(run.folder / "report.json").period_ns, [routed_timing.NOT_COVERED])
