# SPDX-License-Identifier: Apache-2.0
"""A process alone, placed and routed as the whole board is: nextpnr, vta-place and vta-route, in a harness with three pins."""
from hw.fpga.flow import harness, netlist, open_flow, place_and_route, routed_timing, synthesis, timing_report

TOP = "harness"


def timing_of(core: str, process: str, seed: int, period_ns: float, schedule_ns: float = synthesis.PERIOD_NS) -> timing_report.Report:
    """The timing_report.Report of a core's process. Errors: open_flow.FlowError if it is not routed, and those of the modules used."""
    mapped = synthesis.mapped_harness(core, process, schedule_ns)
    design = open_flow.Design(TOP, [], {}, synthesis.PART, round(1e9 / period_ns), process, synthesis.report_of_core(core, schedule_ns))
    prepared = mapped.folder / "top.json"
    place_and_route.prepare(mapped.netlist, prepared, TOP)
    progress = open_flow.Progress()
    ended = place_and_route.route(prepared, design.part, design.clock_hz / 1e6, [seed], "static", 1, mapped.folder, progress.now,
                                  harness.constraints(), signs_off=False)
    run, = open_flow.routed_seeds(ended, progress)
    return open_flow.timing_of(design, netlist.load(prepared, TOP), run.folder, [routed_timing.NOT_COVERED])
