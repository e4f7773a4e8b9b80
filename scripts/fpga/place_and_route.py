# SPDX-License-Identifier: Apache-2.0
"""Places and routes a netlist of yosys with nextpnr, once for each seed. Finished seeds are kept by the hash of their inputs,
those that nextpnr cannot route included."""
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

from scripts.fpga import constant_pins, global_resets, tools

# A net of the processing system begins and ends up to 42 rows away from where nextpnr has its cell. With the margins of the
# router (3 columns, 3 rows) it fails within the box around such a net, after having searched all of it, and then searches the
# whole chip. estimateWeight: how strictly the search goes straight to the sink. With 3, the same placement of tiny_1x8 took 6 % more
# wires than with 1.5, and 22 % more of them were overused, for 10 % less search; with 1 the search doubles.
SETTINGS = {"router2/bbMargin/x": "5", "router2/bbMargin/y": "45", "router2/estimateWeight": "1.5"}
PROGRESS = re.compile(r"Info: +(iter=\d+ wires=\d+ overused=\d+|at iteration #\d+|Running [^.\n]*|Setting up routing)")
OVERUSED = re.compile(r"Info: +iter=\d+ wires=\d+ overused=(\d+)")
POLL_SECONDS = 2.0
# A route that succeeds halves the overused wires at each of the first iterations; a few dozen can take many, but quick ones.
FEW_WIRES = 500
PATIENCE = 3  # iterations
LEAST_DECLINE = 0.1


class Routed(typing.NamedTuple):
    """A placed and routed design. `mhz`: nextpnr's figure, which has no delays of DSPs and the processing system."""

    seed: int
    folder: typing.Any
    mhz: float
    seconds: float


class Stuck(typing.NamedTuple):
    """A placement that nextpnr does not get routed. `overused`: the wires with several nets, after each iteration."""

    seed: int
    overused: list


def stagnates(overused):
    """Whether the router gets nowhere: too many wires are overused, and PATIENCE iterations have hardly changed it."""
    if len(overused) <= PATIENCE or overused[-1] <= FEW_WIRES:
        return False
    return min(overused[-PATIENCE:]) > (1 - LEAST_DECLINE) * overused[-PATIENCE - 1]


def prepare(netlist, target, top):
    """Writes the netlist as nextpnr needs it: with its settings, without library modules, with fewer wires to route."""
    with open(netlist, encoding="utf-8") as file:
        module = json.load(file)["modules"][top]
    constant_pins.free(module)
    global_resets.buffer(module)
    with open(target, "w", encoding="utf-8") as file:
        json.dump({"modules": {top: module | {"settings": SETTINGS}}}, file)


def _command(netlist, part, mhz, seed, placer, folder):
    return ["nextpnr-himbaechel-xilinx", "--device", part, "--json", netlist, "-o", f"xdc={folder / 'pins.xdc'}",
            "-o", f"fasm={folder / 'top.fasm'}", "--freq", f"{mhz:.6f}", "--seed", seed, "--placer", placer, "--router", "router2",
            "--report", folder / "report.json", "--write", folder / "placed.json",
            "--timing-allow-fail", "-q", "-l", folder / "nextpnr.log"]


def _run(command, folders, log, watch, stop):
    """Runs nextpnr until it ends, stagnates, or `stop` is set; calls `watch` with its progress. Returns the overused wires of each
    iteration if it stagnates, and None if it has routed."""
    process = subprocess.Popen(tools.command_line(command, folders), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    overused = []
    while True:
        try:
            output, _ = process.communicate(timeout=POLL_SECONDS)
            break
        except subprocess.TimeoutExpired:
            text = log.read_text(errors="replace") if log.is_file() else ""
            watch((PROGRESS.findall(text) or ["starting"])[-1])
            overused = [int(count) for count in OVERUSED.findall(text)]
            if stop.is_set() or stagnates(overused):
                process.terminate()
    if process.returncode != 0 and not stop.is_set() and stagnates(overused):
        return overused
    if process.returncode != 0:
        raise tools.ToolError(f"nextpnr ended with status {process.returncode}: {output[-2000:].strip()}; see {log}")
    return None


def _result(key, stuck, folder, seconds):
    if stuck is not None:
        return {"key": key, "stuck": stuck}
    clocks = json.loads((folder / "report.json").read_text())["fmax"].values()
    return {"key": key, "mhz": min(clock["achieved"] for clock in clocks), "seconds": round(seconds, 1)}


def _route(netlist, part, mhz, seed, placer, out, watch, stop):
    folder = out / f"seed_{seed}"
    key = hashlib.sha256(netlist.read_bytes() + repr(_command("", part, mhz, seed, placer, out)).encode()).hexdigest()
    kept = folder / "result.json"
    if not kept.is_file() or json.loads(kept.read_text())["key"] != key:
        unfinished = out / f"seed_{seed}.unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        (unfinished / "pins.xdc").write_text("")  # the pins belong to the processing system
        begin = time.monotonic()
        stuck = _run(_command(netlist, part, mhz, str(seed), placer, unfinished), [out], unfinished / "nextpnr.log",
                     lambda text: watch(f"seed {seed}: {text}"), stop)
        (unfinished / "result.json").write_text(json.dumps(_result(key, stuck, unfinished, time.monotonic() - begin)))
        shutil.rmtree(folder, ignore_errors=True)
        os.replace(unfinished, folder)
    result = json.loads(kept.read_text())
    if "stuck" in result:
        return Stuck(seed, result["stuck"])
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
