# SPDX-License-Identifier: Apache-2.0
"""Places and routes a netlist of yosys, once for each seed: nextpnr places, vta-route (hw/router) routes, nextpnr adds
clocks, checks everything and reports the timing. Finished seeds are kept by the hash of their inputs, those that cannot be routed
included."""
import concurrent.futures
import hashlib
import json
import os
import re
import shutil
import subprocess
import threading
import time
import typing

from scripts.fpga import constant_addresses, constant_pins, global_resets, tools

HOOK = tools.ROOT / "scripts/fpga/nextpnr_hook.py"
ROUTER = tools.ROOT / "build/release/bin/vta-route"
# Its router1 would tear up what vta-route has routed, to route it again.
SETTINGS = {"router1/cleanupReroute": "0", "router1/fullCleanupReroute": "0"}
PROGRESS = re.compile(r"Info: +(at iteration #\d+|Running [^.\n]*|Routing \d+ arcs)")
OVERUSED = re.compile(r"^iteration \d+: .* (\d+) overused$", re.MULTILINE)
POLL_SECONDS = 2.0


class Routed(typing.NamedTuple):
    """A placed and routed design. `mhz`: nextpnr's figure, which has no delays of DSPs and the processing system."""

    seed: int
    folder: typing.Any
    mhz: float
    seconds: float


class Stuck(typing.NamedTuple):
    """A placement that is not routed. `overused`: the wires with several nets, after each iteration."""

    seed: int
    overused: list


def prepare(netlist, target, top):
    """Writes the netlist as nextpnr needs it: without library modules, with fewer wires to route."""
    with open(netlist, encoding="utf-8") as file:
        module = json.load(file)["modules"][top]
    constant_addresses.to_ones(module)
    constant_pins.free(module)
    global_resets.buffer(module)
    with open(target, "w", encoding="utf-8") as file:
        json.dump({"modules": {top: module | {"settings": SETTINGS}}}, file)


def _command(netlist, part, mhz, seed, placer, folder):
    return ["nextpnr-himbaechel-xilinx", "--device", part, "--json", netlist, "-o", f"xdc={folder / 'pins.xdc'}",
            "-o", f"fasm={folder / 'top.fasm'}", "--freq", f"{mhz:.6f}", "--seed", seed, "--placer", placer, "--router", "router1",
            "--pre-route", HOOK, "--report", folder / "report.json", "--write", folder / "placed.json",
            "--timing-allow-fail", "-q", "-l", folder / "nextpnr.log"]


def _last_of(pattern, log):
    return (pattern.findall(log.read_text(errors="replace")) or [None])[-1] if log.is_file() else None


class _Router:
    """vta-route beside nextpnr, which waits for it in its hook. Files in `folder`: those that the hook exchanges, and a log."""

    def __init__(self, part, folder):
        self.design, self.routes, self.log = folder / "design.json", folder / "routes.json", folder / "route.log"
        self._chip = tools.chip_database(part)
        self._process = None

    def environment(self):
        return os.environ | {"VTA_PLACED_DESIGN": str(self.design), "VTA_ROUTES": str(self.routes)}

    def poll(self):
        """Starts the router when the design is placed; lets nextpnr end if it fails."""
        if self._process is None and self.design.is_file():
            with open(self.log, "w", encoding="utf-8") as log:
                self._process = subprocess.Popen([ROUTER, self._chip, self.design, "-o", self.routes], stdout=log, stderr=log)
        if self._process is not None and self._process.poll() not in (None, 0) and not self.routes.exists():
            self.routes.write_text("")

    def progress(self):
        """What it is doing, or None before it begins and after it has ended."""
        if self._process is None or self._process.poll() is not None:
            return None
        overused = _last_of(OVERUSED, self.log)
        return f"vta-route: {overused} overused wires" if overused else "vta-route"

    def overused(self):
        """The overused wires after each iteration, if vta-route has ended with some. Errors: ToolError if it failed otherwise."""
        if self._process is None or self._process.poll() in (None, 0):
            return None
        text = self.log.read_text(errors="replace")
        counts = [int(count) for count in OVERUSED.findall(text)]
        if not counts or counts[-1] == 0:
            raise tools.ToolError(f"vta-route ended with status {self._process.returncode}: {text[-2000:].strip()}")
        return counts

    def stop(self):
        if self._process is not None:
            self._process.terminate()
            self._process.wait()


def _run(command, folders, folder, part, watch, stop):
    """Runs nextpnr and vta-route until they end or `stop` is set; calls `watch` with the progress. Returns the overused wires of
    each iteration if the design is not routed, and None if it is."""
    router = _Router(part, folder)
    log = folder / "nextpnr.log"
    process = subprocess.Popen(tools.command_line(command, folders), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               env=router.environment())
    try:
        while True:
            try:
                output, _ = process.communicate(timeout=POLL_SECONDS)
                break
            except subprocess.TimeoutExpired:
                router.poll()
                watch(router.progress() or _last_of(PROGRESS, log) or "starting")
                if stop.is_set():
                    process.terminate()
    finally:
        process.terminate()  # if an error has ended the loop
        router.stop()
    if stop.is_set():
        raise tools.ToolError("interrupted")
    overused = router.overused()
    if overused is None and process.returncode != 0:
        raise tools.ToolError(f"nextpnr ended with status {process.returncode}: {output[-2000:].strip()}; see {log}")
    return overused


def _result(key, overused, folder, seconds):
    if overused is not None:
        return {"key": key, "overused": overused}
    clocks = json.loads((folder / "report.json").read_text())["fmax"].values()
    return {"key": key, "mhz": min(clock["achieved"] for clock in clocks), "seconds": round(seconds, 1)}


def _route(netlist, part, mhz, seed, placer, out, watch, stop):
    folder = out / f"seed_{seed}"
    made_from = [netlist.read_bytes(), repr(_command("", part, mhz, seed, placer, out)).encode(), HOOK.read_bytes(), ROUTER.read_bytes()]
    key = hashlib.sha256(b"\0".join(made_from)).hexdigest()
    kept = folder / "result.json"
    if not kept.is_file() or json.loads(kept.read_text())["key"] != key:
        unfinished = out / f"seed_{seed}.unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        (unfinished / "pins.xdc").write_text("")  # the pins belong to the processing system
        begin = time.monotonic()
        overused = _run(_command(netlist, part, mhz, str(seed), placer, unfinished), [out], unfinished, part,
                        lambda text: watch(f"seed {seed}: {text}"), stop)
        (unfinished / "result.json").write_text(json.dumps(_result(key, overused, unfinished, time.monotonic() - begin)))
        shutil.rmtree(folder, ignore_errors=True)
        os.replace(unfinished, folder)
    result = json.loads(kept.read_text())
    if "overused" in result:
        return Stuck(seed, result["overused"])
    return Routed(seed, folder, result["mhz"], result["seconds"])


def route(netlist, part, mhz, seeds, placer, jobs, out, watch):
    """One Routed or Stuck for each of `seeds`. `watch(text)`: called with the progress. Errors: tools.ToolError."""
    stop = threading.Event()
    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            return list(pool.map(lambda seed: _route(netlist, part, mhz, seed, placer, out, watch, stop), seeds))
        except BaseException:  # an interrupt, or one seed's error: the others need not end
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
