# SPDX-License-Identifier: Apache-2.0
"""The open flow of hw/fpga/build_bitstream: yosys, nextpnr with several seeds, timing, FASM, vta.bit."""
import datetime
import os
import pathlib
import subprocess
import sys
import time
import typing

from hw.fpga.flow import (Error, bitstream, database, golden, netlist, nextpnr_report, place_and_route, placed_cells, routed_sign_off, routed_timing,
                          source_map, synthesis, timing_report, tools)

TOP = "vta_zynq_top"
PROOF = tools.ROOT / "hw/fpga/prove_bits"


class FlowError(Error):
    """No seed is routed, or the timing is not met."""


class Design(typing.NamedTuple):
    """`parameters`: of the top. `schedule`: JSON of vta-hlsc report, or None. `title`: for the header of the .bit file."""

    top: str
    files: typing.Sequence[str | pathlib.Path]
    parameters: dict[str, int]
    part: str
    clock_hz: int
    title: str
    schedule: netlist.Json | None


def title_of(core: str, clock_hz: int) -> str:
    """The title of a board's design, in the header of its .bit file."""
    return f"{TOP};core={core};clock={clock_hz}"


class Progress:
    """A line for each step with its minutes; on a terminal also what it is doing now."""

    def __init__(self, stream: typing.TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._begin = time.monotonic()

    def _minutes(self) -> str:
        return f"{(time.monotonic() - self._begin) / 60:5.1f} min"

    def now(self, text: str) -> None:
        if self._stream.isatty():
            print(f"\r\033[K{self._minutes()}  {text}", end="", file=self._stream, flush=True)

    def done(self, text: str) -> None:
        start = "\r\033[K" if self._stream.isatty() else ""
        print(f"{start}{self._minutes()}  {text}", file=self._stream, flush=True)


def moment_of_source() -> datetime.datetime:
    """The time in the header: SOURCE_DATE_EPOCH, or that of the last commit. The same sources give the same file."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    if seconds is None:
        run = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=tools.ROOT, capture_output=True, text=True, check=False)
        seconds = run.stdout.strip() or "0"
    return datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc)


def timing_of(design: Design, mapped: netlist.Netlist, folder: pathlib.Path, notes: typing.Sequence[str]) -> timing_report.Report:
    """The timing_report.Report of a routed design, with an ideal clock. `mapped`: the netlist before packing; `notes`: lines of its head."""
    timing = routed_timing.load(folder, design.top, mapped)
    sources = source_map.SourceMap(design.schedule, design.top, folder.parent)
    return timing_report.Report(timing, sources, 1e9 / design.clock_hz, nextpnr_report.load(folder / "report.json").period_ns,
                                notes)


def routed_seeds(ended: list[place_and_route.Routed | place_and_route.Stuck], progress: Progress) -> list[place_and_route.Routed]:
    """The seeds that are routed, after a line for each seed. Errors: FlowError if there are none."""
    for run in ended:
        if isinstance(run, place_and_route.Stuck):
            progress.done(f"seed {run.seed}: not routed, {run.overused[-1]} overused wires after {len(run.overused)} iterations")
        else:
            progress.done(f"seed {run.seed}: routed in {run.seconds / 60:.1f} min")
    runs = [run for run in ended if isinstance(run, place_and_route.Routed)]
    if not runs:
        fewest = min((run for run in ended if isinstance(run, place_and_route.Stuck)), key=lambda run: run.overused[-1])
        raise FlowError(f"no seed of {len(ended)} is routed: seed {fewest.seed} comes closest, with {fewest.overused[-1]} wires that "
                        f"several nets use after {len(fewest.overused)} iterations; seed_{fewest.seed}/design.log lists them; give more --seeds or another --placer")
    return runs


def _is_better(a: routed_sign_off.Summary, b: routed_sign_off.Summary) -> bool:
    """Whether a sign-off Summary is better than another one."""
    return (a.hold_violations, a.unchecked, a.shortest_ns) < (b.hold_violations, b.unchecked, b.shortest_ns)


def fastest(design: Design, mapped: netlist.Netlist, runs: list[place_and_route.Routed], out: pathlib.Path,
            progress: Progress) -> tuple[place_and_route.Routed, dict[place_and_route.Routed, routed_sign_off.Summary]]:
    """The best of the routed seeds and the routed_sign_off.Summary of each; writes the timing of the best to out/timing.txt. Errors: FlowError
    if that misses a check at the design's clock, and any error of the modules used."""
    found: dict[place_and_route.Routed, routed_sign_off.Summary] = {}
    best = runs[0]
    for run in runs:
        progress.now(f"timing of seed {run.seed}")
        found[run] = routed_sign_off.Summary(routed_sign_off.load(run.folder, design.part), 1e9 / design.clock_hz)
        if _is_better(found[run], found[best]):
            best = run
    report = timing_of(design, mapped, best.folder, [routed_timing.NOT_COVERED, "", *found[best].lines()])
    (out / "timing.txt").write_text(report.text(20, None, False, False) + "\n")
    progress.done(f"timing: {', '.join(f'seed {run.seed}: {1e3 / summary.shortest_ns:.1f} MHz' for run, summary in found.items())}; {out}/timing.txt")
    problems = found[best].problems()
    if problems:
        holds = found[best].hold_violations == 0
        cure = "more --seeds or a slower --clock" if holds else "more --seeds; no slower clock mends hold"
        raise FlowError(f"timing is not met: {'; '.join(problems)}; see {out}/timing.txt, or give {cure}")
    return best, found


def prove(part: str, placed: pathlib.Path, bit: pathlib.Path) -> str:
    """What prove_bits says of a bitstream: a program of its own, which shares no code with this flow. A bitstream that is not the placed netlist
    is removed. Errors: tools.ToolError with what differs."""
    try:
        return tools.run_own([PROOF, "--part", part, "--placed", placed, bit]).strip()
    except BaseException:  # also an interruption: no bitstream without its proof
        bit.unlink(missing_ok=True)
        raise


def build(design: Design, out: pathlib.Path, seeds: typing.Iterable[int], placer: str, jobs: int,
          progress: Progress) -> dict[str, typing.Any]:
    """Writes out/vta.bit, out/timing.txt and each seed's results; returns a summary as a dictionary. Errors: tools.ToolError,
    FlowError, bitstream.BitstreamError and those of the modules used."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "vta.bit").unlink(missing_ok=True)
    part = database.Part(tools.database(), design.part)
    progress.now("yosys")
    parameters = "".join(f"chparam -set {name} {value} {design.top}; " for name, value in sorted(design.parameters.items()))
    mapped = synthesis.map_files(out, design.files, design.top, parameters=parameters)
    progress.done(f"yosys: {mapped}")
    prepared = out / "top.json"
    place_and_route.prepare(mapped, prepared, design.top)
    ended = place_and_route.route(prepared, design.part, design.clock_hz / 1e6, seeds, placer, jobs, out, progress.now)
    runs = routed_seeds(ended, progress)
    whole = netlist.load(prepared, design.top)
    best, found = fastest(design, whole, runs, out, progress)
    made, added, checked = bitstream.checked_frames(part, best.folder / "top.fasm", best.folder / "placed.json")
    counts = ", ".join(f"{count} {name}" for name, count in sorted(checked.items()))
    progress.done(f"features of {counts} checked, {len(added)} added")
    bit = bitstream.write(part, made, out, design.title, moment_of_source())
    progress.done(f"{bit}: {len(made.set_bits())} bits, read back")
    progress.now("proof of the bits")
    progress.done(prove(design.part, best.folder / "placed.json", bit))
    return {"seed": best.seed, **found[best].figures(), "added": len(added), "cells": checked, "bits": len(made.set_bits()),
            "resources": golden.resources(whole) | {"lut": placed_cells.num_luts(best.folder / "placed.json")},
            "seeds": {run.seed: [summary.figures()["routed_mhz"], run.seconds] for run, summary in found.items()}}
