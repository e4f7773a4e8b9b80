# SPDX-License-Identifier: Apache-2.0
"""Places and routes a netlist of yosys, once for each seed: nextpnr places, vta-place (hw/fpga/placer) improves that, vta-route
(hw/fpga/router) routes, nextpnr adds clocks, checks everything and reports the timing. Where data would arrive before a hold time has passed,
vta-route makes connections longer (hold_repair.py) by the clock tree that nextpnr has made. Then nextpnr runs again with the same places
and the new routes: a second nextpnr, which places beside the first one and waits for them. Finished seeds are kept by the hash of their
inputs, those that cannot be routed included."""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import threading
import time
import typing

from hw.fpga.flow import (cell_times, clock_tree, constant_addresses, constant_blocks, constant_pins, database, global_resets,
                          hold_repair, netlist, nextpnr_hook, placed_pins, routed_sign_off, routed_wires, sdf, sign_off, tools)

HOOK = tools.ROOT / "hw/fpga/flow/nextpnr_hook.py"
HOOK_FILES = [HOOK, *(HOOK.with_name(f"{module}.py") for module in ("pin_timing", "cell_delays", "placed_cells"))]
SIGN_OFF_FILES = [pathlib.Path(str(module.__file__)) for module in (cell_times, clock_tree, hold_repair, placed_pins, routed_sign_off, routed_wires, sdf,
                                                               sign_off)]  # that decide which routes get longer
PLACER = tools.ROOT / "build/release/bin/vta-place"
ROUTER = routed_sign_off.ROUTER
# nextpnr's router1 would rip up what vta-route has routed, and route it again.
SETTINGS = {"router1/cleanupReroute": "0", "router1/fullCleanupReroute": "0"}
PROGRESS = re.compile(r"Info: +(at iteration #\d+|Running [^.\n]*|Routing \d+ arcs)")
OVERUSED = re.compile(r"^iteration \d+: .* (\d+) overused$", re.MULTILINE)
LONGEST = re.compile(r"longest path ([\d.]+ ns)")
POLL_SECONDS = 2.0
GLOBAL_WIRES = nextpnr_hook.EVERYWHERE[nextpnr_hook.GLOBAL_BUFFER]
MAX_REPAIRS = 6  # of hold, before nextpnr runs again
MAX_RUNS = 3  # of nextpnr after repairs
RESULTS = ("placed.json", "top.fasm", "report.json", "nextpnr.log", "design.json")  # of nextpnr
AGAIN = "again"  # the folder of nextpnr's second run


Watch = typing.Callable[[str], None]  # called with the progress


class Routed(typing.NamedTuple):
    """A placed and routed design; routed_sign_off has its clock."""

    seed: int
    folder: pathlib.Path
    seconds: float


class Stuck(typing.NamedTuple):
    """A placement that is not routed. `overused`: the wires with several nets, after each iteration."""

    seed: int
    overused: list[int]


def prepare(netlist: pathlib.Path, target: pathlib.Path, top: str) -> None:
    """Writes the netlist as nextpnr needs it: without library modules, with fewer wires to route."""
    with open(netlist, encoding="utf-8") as file:
        module = json.load(file)["modules"][top]
    constant_addresses.to_ones(module)
    constant_blocks.to_ones(module)
    constant_pins.free(module)
    global_resets.buffer(module)
    with open(target, "w", encoding="utf-8") as file:
        json.dump({"modules": {top: module | {"settings": SETTINGS}}}, file)


def _command(netlist: tools.Word, part: str, mhz: float, seed: tools.Word, placer: str, folder: pathlib.Path) -> list[tools.Word]:
    # One thread: the static placer adds up floating-point sums of its threads in the order in which they end.
    return ["nextpnr-himbaechel-xilinx", "--device", part, "--json", netlist, "-o", f"xdc={folder / 'pins.xdc'}",
            "-o", f"fasm={folder / 'top.fasm'}", "--freq", f"{mhz:.6f}", "--seed", seed, "--threads", "1", "--placer", placer,
            "--router", "router1", "--pre-route", HOOK, "--report", folder / "report.json", "--write", folder / "placed.json",
            "--timing-allow-fail", "-q", "-l", folder / "nextpnr.log"]


def _last_of(pattern: re.Pattern[str], log: pathlib.Path) -> str | None:
    return (pattern.findall(log.read_text(errors="replace")) or [None])[-1] if log.is_file() else None


class _Tool:
    """A tool that runs beside nextpnr, which asks for it in its hook: `question` and `answer` are the files that they exchange."""

    def __init__(self, program: pathlib.Path, part: str, question: pathlib.Path, answer: pathlib.Path,
                 options: typing.Sequence[tools.Word] = ()) -> None:
        self.question, self.answer = question, answer
        self.log = question.with_suffix(".log")
        self.name = program.name
        self._command = [str(word) for word in (program, tools.chip_database(part), question, "-o", answer, *options)]
        self._process: subprocess.Popen[bytes] | None = None

    def poll(self) -> None:
        """Starts the tool when there is a question without an answer; lets nextpnr end if it fails."""
        if self._process is None and self.question.is_file() and not self.answer.exists():
            with open(self.log, "w", encoding="utf-8") as log:
                self._process = subprocess.Popen(self._command, stdout=log, stderr=log)
        if self.status() and not self.answer.exists():
            self.answer.write_text("")

    def status(self) -> int | None:
        return None if self._process is None else self._process.poll()

    def is_running(self) -> bool:
        return self._process is not None and self.status() is None

    def text(self) -> str:
        return self.log.read_text(errors="replace")

    def stop(self) -> None:
        """Ends the tool. One that had to be ended has no status."""
        if self._process is not None and self.status() is None:
            self._process.terminate()
            self._process.wait()
            self._process = None


class _Tools:
    """vta-place and vta-route."""

    def __init__(self, part: str, seed: int, folder: pathlib.Path, places: pathlib.Path) -> None:
        self._placer = _Tool(PLACER, part, folder / "placement.json", places, ["--seed", str(seed)])
        self._router = _Tool(ROUTER, part, folder / "design.json", folder / "routes.json",
                             ["--database", str(database.Part(tools.database(), part).folder)])
        self._tools = [self._placer, self._router]

    def environment(self) -> dict[str, str]:
        return os.environ | {"PYTHONPATH": str(tools.ROOT), "VTA_PLACEMENT": str(self._placer.question), "VTA_PLACES": str(self._placer.answer),
                             "VTA_PLACED_DESIGN": str(self._router.question), "VTA_ROUTES": str(self._router.answer)}

    def poll(self) -> None:
        for tool in self._tools:
            tool.poll()

    def progress(self) -> str | None:
        """What they are doing, or None if neither runs."""
        for tool, pattern, what in ((self._placer, LONGEST, "longest path "), (self._router, OVERUSED, "overused wires: ")):
            if tool.is_running():
                last = _last_of(pattern, tool.log)
                return f"{tool.name}: {what}{last}" if last else tool.name
        return None

    def overused(self) -> list[int] | None:
        """The overused wires after each iteration, if vta-route has ended with some. Errors: ToolError if one failed otherwise."""
        for tool in self._tools:
            status = tool.status()
            if not status:
                continue
            text = tool.text()
            counts = [int(count) for count in OVERUSED.findall(text)]
            was_killed = status < 0
            if tool is self._placer or was_killed or not counts or counts[-1] == 0:
                raise tools.ToolError(f"{tool.name} ended with status {status}: {text[-2000:].strip()}")
            return counts
        return None

    def stop(self) -> None:
        for tool in self._tools:
            tool.stop()


class _Nextpnr:
    """A run of nextpnr in `folder`, and the tools `beside` it."""

    def __init__(self, command: list[tools.Word], folders: list[tools.Word], folder: pathlib.Path, beside: _Tools) -> None:
        self.folder, self._beside = folder, beside
        self._log, self._output = folder / "nextpnr.log", folder / "nextpnr.out"
        with open(self._output, "w", encoding="utf-8") as output:  # a full pipe without a reader would stop it
            self._process = subprocess.Popen(tools.command_line(command, folders), stdout=output, stderr=output, env=beside.environment())

    def wait(self, watch: Watch, stop: threading.Event) -> list[int] | None:
        """Runs the tools until all have ended or `stop` is set; calls `watch` with the progress. Returns the overused wires of each iteration if
        the design is not routed, and None if it is."""
        try:
            while True:
                try:
                    self._process.wait(timeout=POLL_SECONDS)
                    break
                except subprocess.TimeoutExpired:
                    self._beside.poll()
                    watch(self._beside.progress() or _last_of(PROGRESS, self._log) or "starting")
                    if stop.is_set():
                        self._process.terminate()
        finally:
            self.end()  # if an error has ended the loop
        if stop.is_set():
            raise tools.ToolError("interrupted")
        overused = self._beside.overused()
        if overused is None and self._process.returncode != 0:
            output = self._output.read_text(errors="replace")
            raise tools.ToolError(f"nextpnr ended with status {self._process.returncode}: {output[-2000:].strip()}; see {self._log}")
        return overused

    def end(self) -> None:
        self._process.terminate()
        self._process.wait()
        self._beside.stop()


def _result(key: str, overused: list[int] | None, seconds: float) -> netlist.Json:
    return {"key": key, "seconds": round(seconds, 1)} if overused is None else {"key": key, "overused": overused}


def _longer_routes(folder: pathlib.Path, part: str, missing: dict[sign_off.CellPin, float]) -> tuple[str, netlist.Json]:
    """Writes routes.json with longer connections; nets of global buffers keep the routes that nextpnr has given them. Returns the log, and the
    routes of all nets as nextpnr would have them."""
    design, routes, final = (json.loads((folder / name).read_text()) for name in ("design.json", "routes.json", "final_routes.json"))
    final_of = {net["name"]: net["switches"] for net in final["nets"]}
    buffered = {net["name"] for net in design["nets"] if net.get("everywhere") == GLOBAL_WIRES}
    for net in routes["nets"]:
        if net["name"] in buffered:
            net["switches"] = final_of[net["name"]]
    (folder / "routes.json").write_text(json.dumps(routes))
    (folder / "longer.json").write_text(json.dumps(hold_repair.longer_sinks(missing, design)))
    log = tools.run_own([*routed_sign_off.of_routes(database.Part(tools.database(), part), folder), "--routes", folder / "routes.json", "--longer",
                         folder / "longer.json", "-o", folder / "longer_routes.json"])
    os.replace(folder / "longer_routes.json", folder / "routes.json")  # no tool writes over its input
    longer = {net["name"]: net["switches"] for net in json.loads((folder / "routes.json").read_text())["nets"]}
    return log, {"nets": [net | {"switches": longer.get(net["name"], net["switches"])} for net in final["nets"]]}


def _repair_hold(run: typing.Callable[[], object], folder: pathlib.Path, part: str, watch: Watch) -> list[int]:
    """Makes connections longer until none misses hold with the clock tree that nextpnr has made; then `run()` runs nextpnr again, with the
    places and routes of `folder`. A sink of a net may get earlier when another one leaves its way. Returns how many connections got longer before each
    run."""
    counts: list[int] = []
    while len(counts) < MAX_RUNS:
        watch("timing")
        checked, count = routed_sign_off.load(folder, part), 0
        logs: list[str] = []
        while len(logs) < MAX_REPAIRS and (missing := hold_repair.missing_ns(checked)):
            count += len(missing)
            watch(f"{len(missing)} connections get longer")
            log, routes = _longer_routes(folder, part, missing)
            logs.append(log)
            checked = routed_sign_off.load(folder, part, routes)
        if not logs:
            break
        counts.append(count)
        (folder / f"longer_{len(counts)}.log").write_text("".join(logs))
        run()
    return counts


def _key(made_from: list[bytes]) -> str:
    return hashlib.sha256(b"\0".join(made_from)).hexdigest()


def _start(out: pathlib.Path, seed: int, key: str) -> pathlib.Path:
    """The folder of a seed that is placed and routed, with the places of vta-place of an earlier run if that had the same `key`. Then only
    the router has changed, or the run was interrupted."""
    unfinished = out / f"seed_{seed}.unfinished"
    places = ""
    for folder in (unfinished, out / f"seed_{seed}"):
        mark, file = folder / "places.key", folder / "places.json"
        if not places and file.is_file() and mark.is_file() and mark.read_text() == key:
            places = file.read_text()
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    if places:
        (unfinished / "places.json").write_text(places)
    (unfinished / "places.key").write_text(key)
    return unfinished


def _finish_again(again: _Nextpnr, folder: pathlib.Path, watch: Watch, stop: threading.Event) -> None:
    """Lets a nextpnr that waits for routes end with those of `folder`, and takes its results there."""
    copied = again.folder / "routes.json.unfinished"
    shutil.copyfile(folder / "routes.json", copied)
    os.replace(copied, again.folder / "routes.json")
    again.wait(watch, stop)
    for name in RESULTS:
        os.replace(again.folder / name, folder / name)


def _route_and_repair(start: typing.Callable[[pathlib.Path], _Nextpnr], folder: pathlib.Path, part: str, signs_off: bool, watch: Watch,
                      stop: threading.Event) -> tuple[list[int] | None, list[int]]:
    """`start(folder)`: starts nextpnr there. Returns the overused wires as _Nextpnr.wait(), and the longer connections as _repair_hold()."""
    first = start(folder)
    waiting: list[_Nextpnr] = []
    try:
        if signs_off:
            waiting.append(start(folder / AGAIN))
        overused = first.wait(watch, stop)

        def run() -> None:
            if waiting:
                _finish_again(waiting[0], folder, watch, stop)
                waiting.clear()
            else:
                start(folder).wait(watch, stop)

        return overused, _repair_hold(run, folder, part, watch) if signs_off and overused is None else []
    finally:
        for nextpnr in (first, *waiting):
            nextpnr.end()
        shutil.rmtree(folder / AGAIN, ignore_errors=True)


def _route(netlist: pathlib.Path, part: str, mhz: float, seed: int, placer: str, pins: str, out: pathlib.Path, watch: Watch,
           stop: threading.Event, signs_off: bool) -> Routed | Stuck:
    folder = out / f"seed_{seed}"
    placed_from = [repr(_command("", part, mhz, seed, placer, out)).encode(), pins.encode(),
                   f"{tools.nextpnr_version()} {tools.database_version()}".encode(),
                   *(path.read_bytes() for path in (netlist, *HOOK_FILES, PLACER))]
    places = _key(placed_from)
    key = _key([*placed_from, *(path.read_bytes() for path in (*(SIGN_OFF_FILES if signs_off else ()), ROUTER))])
    kept = folder / "result.json"
    if not kept.is_file() or json.loads(kept.read_text())["key"] != key:
        unfinished = _start(out, seed, places)
        begin = time.monotonic()

        def watch_seed(text: str) -> None:
            watch(f"seed {seed}: {text}")

        def start(into: pathlib.Path) -> _Nextpnr:
            into.mkdir(exist_ok=True)
            (into / "pins.xdc").write_text(pins)
            return _Nextpnr(_command(netlist, part, mhz, str(seed), placer, into), [out], into,
                            _Tools(part, seed, into, unfinished / "places.json"))

        overused, repairs = _route_and_repair(start, unfinished, part, signs_off, watch_seed, stop)
        (unfinished / "result.json").write_text(json.dumps(_result(key, overused, time.monotonic() - begin) | {"longer": repairs}))
        shutil.rmtree(folder, ignore_errors=True)
        os.replace(unfinished, folder)
    result = json.loads(kept.read_text())
    if "overused" in result:
        return Stuck(seed, result["overused"])
    return Routed(seed, folder, result["seconds"])


def route(netlist: pathlib.Path, part: str, mhz: float, seeds: typing.Iterable[int], placer: str, jobs: int, out: pathlib.Path,
          watch: Watch, pins: str = "", signs_off: bool = True) -> list[Routed | Stuck]:
    """One Routed or Stuck for each of `seeds`. `watch(text)`: called with the progress. `pins`: XDC; the board's belong to the
    processing system. `signs_off`: repair hold. Errors: tools.ToolError, and those of routed_sign_off."""
    stop = threading.Event()
    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            return list(pool.map(lambda seed: _route(netlist, part, mhz, seed, placer, pins, out, watch, stop, signs_off), seeds))
        except BaseException:  # an interrupt, or one seed's error: the others need not end
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
