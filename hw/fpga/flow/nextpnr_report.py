# SPDX-License-Identifier: Apache-2.0
"""Timing of a routed design, from the report of nextpnr (--report, --detailed-timing-report)."""
import json
import os
import typing

from hw.fpga.flow import Error, cell_delays, static_timing

# nextpnr's registers lack the clock's way inside the slice.
TO_Q_NS = cell_delays.FF_TO_Q_NS - 0.350
SETUPS_NS = {"D": cell_delays.FF_D_NS, "CE": cell_delays.FF_CE_NS, "SR": cell_delays.FF_R_NS}


class ReportError(Error):
    """A file that is not a report of nextpnr."""


class Routed(typing.NamedTuple):
    """`required_ns`: (register, port) -> the shortest period, with the delays of cell_delays. Ports are D, CE, SR."""

    period_ns: float  # as nextpnr computes it
    required_ns: dict[tuple[str, str], float]


def _name(text: str) -> str:
    return text.replace("\\", "")


def load(path: str | os.PathLike[str]) -> Routed:
    """Errors: ReportError. Without the detailed part only the critical path's register is known."""
    try:
        with open(path) as file:
            report: typing.Any = json.load(file)
        paths = [path for path in report["critical_paths"] if path["from"] == path["to"]]
        steps = max((path["path"] for path in paths), key=lambda steps: float(sum(step["delay"] for step in steps)))
        end = steps[-1]["to"]
        arrival = sum(step["delay"] for step in steps if step["type"] != "setup")
        arrivals = {(_name(to["cell"]), to["port"]): to["delay"][1] for net in report.get("detailed_net_timings", ())
                    for to in net["endpoints"]}
    except (ValueError, KeyError, TypeError, IndexError):
        raise ReportError(f"{path}: not a timing report of nextpnr with a critical path") from None
    # The detailed arrivals include the clock's way to the first register.
    clock = arrivals.get((_name(end["cell"]), end["port"]), arrival) - arrival
    arrivals[_name(end["cell"]), end["port"]] = arrival + clock
    required = {(cell, port): ns - clock + TO_Q_NS + SETUPS_NS[port] for (cell, port), ns in arrivals.items() if port in SETUPS_NS}
    return Routed(sum(step["delay"] for step in steps), required)


def key(endpoint: static_timing.Endpoint) -> tuple[str, str]:
    """The key of Routed.required_ns for a static_timing.Endpoint."""
    assert endpoint.cell is not None
    return _name(endpoint.cell.name), "SR" if endpoint.port in ("R", "S", "CLR", "PRE") else endpoint.port
