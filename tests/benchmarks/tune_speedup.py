#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how much faster `vta-sim tune NET` is with several workers than with one, and where the rest of their time goes.

Runs the same search with one worker and with --workers, in turn, --rounds times. Of each call: elapsed seconds, processor
seconds, and from the kernel's statistics of its threads (schedstat) how long the workers ran, waited for a processor and
had nothing to do. The last line has two ratios: of elapsed times, and the forecast for cores without other work. The forecast is the
loading on one core, plus the workers' processor time over their number and over the share of time that they have work. The first means
little on a machine that does other work, whose share of the processors is the column "others". Exits with 1 if the speed-up is below
--at-least: the ratio of elapsed times if others had at most 5 % in all calls, else the forecast.

Example:
  tests/benchmarks/tune_speedup.py configs/networks/resnet18.json --trials 64 --at-least 1.8
"""
import argparse
import dataclasses
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SAMPLE_SECONDS = 0.02
MAX_OTHERS = 0.05  # of the processors' time, on a machine without other work


@dataclasses.dataclass
class Thread:
    first: float  # elapsed seconds at the first and the last sample
    last: float
    ran: float = 0.0  # seconds
    ready: float = 0.0  # waited for a processor


@dataclasses.dataclass
class Call:
    elapsed: float
    processor: float
    loading: float  # processor seconds before the workers began
    worked: float  # processor seconds of the workers
    idle: float  # share of the workers' time in which they had nothing to do
    others: float  # share of the processors' time that other processes had

    def forecast(self, workers):
        return self.loading + self.worked / (workers * (1 - self.idle))


def sample(pid, threads, now):
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat"):
        try:
            ran, ready, _ = (int(word) for word in task.read_text().split())
        except (OSError, ValueError):
            continue  # the thread has ended
        thread = threads.setdefault(int(task.parent.name), Thread(now, now))
        thread.last, thread.ran, thread.ready = now, ran / 1e9, ready / 1e9


def busy_seconds():
    """Busy time of all processors since the machine started."""
    user, nice, system, _, _, irq, softirq, steal = map(int, pathlib.Path("/proc/stat").read_text().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def call(program, network, trials, workers, log):
    start, busy = time.monotonic(), busy_seconds()
    tool = subprocess.Popen([program, "tune", network, "--trials", str(trials), "--workers", str(workers), "--log", log],
                            stdout=subprocess.DEVNULL)
    threads, history = {}, []  # history: elapsed seconds, and processor seconds until then
    while True:
        done, status, usage = os.wait4(tool.pid, os.WNOHANG)
        if done:
            break
        now = time.monotonic() - start
        sample(tool.pid, threads, now)
        history.append((now, sum(thread.ran for thread in threads.values())))
        time.sleep(SAMPLE_SECONDS)
    elapsed, processor = time.monotonic() - start, usage.ru_utime + usage.ru_stime
    others = max(0.0, busy_seconds() - busy - processor) / (elapsed * len(os.sched_getaffinity(0)))
    if status != 0:
        sys.exit(f"vta-sim tune failed with status {os.waitstatus_to_exitcode(status)}")
    judges = sorted((t for tid, t in threads.items() if tid != tool.pid), key=lambda t: t.ran)[-workers:]
    if len(judges) < workers:
        sys.exit("the search ended too early to be measured: take more --trials")
    began = min(t.first for t in judges)
    loading = max((ran for now, ran in history if now < began), default=0.0)
    lived = sum(t.last - t.first for t in judges)
    ran = sum(t.ran for t in judges)
    idle = max(0.0, 1 - (ran + sum(t.ready for t in judges)) / lived)
    return Call(elapsed, processor, loading, ran, idle, others)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", help="as vta-sim tune takes it")
    parser.add_argument("--build", default=ROOT / "build/release", help="build folder (default: build/release)")
    parser.add_argument("--trials", type=int, default=64, help="of each task (64)")
    parser.add_argument("--workers", type=int, default=2, help="compared with one (2)")
    parser.add_argument("--rounds", type=int, default=3, help="calls of each kind (3)")
    parser.add_argument("--at-least", type=float, default=0, help="speed-up that is required (0)")
    args = parser.parse_args()
    calls = {1: [], args.workers: []}
    print("| workers | elapsed s | processor s | loading s | workers idle | forecast s | others |")
    print("|---|---|---|---|---|---|---|")
    for _ in range(args.rounds):
        for workers, of_kind in calls.items():
            with tempfile.TemporaryDirectory() as folder:
                one = call(f"{args.build}/bin/vta-sim", args.network, args.trials, workers, f"{folder}/log")
            of_kind.append(one)
            print(f"| {workers} | {one.elapsed:.1f} | {one.processor:.1f} | {one.loading:.1f} | {one.idle:.1%} | "
                  f"{one.forecast(workers):.1f} | {one.others:.1%} |", flush=True)

    def ratio(value):
        return (statistics.median(value(c, 1) for c in calls[1]) /
                statistics.median(value(c, args.workers) for c in calls[args.workers]))

    elapsed, forecast = ratio(lambda c, _: c.elapsed), ratio(lambda c, workers: c.forecast(workers))
    print(f"speed-up with {args.workers} workers: {elapsed:.2f} elapsed, {forecast:.2f} forecast for "
          f"cores without other work; processor time {1 / ratio(lambda c, _: c.processor):.2f} times that of one worker")
    is_quiet = max(c.others for of_kind in calls.values() for c in of_kind) <= MAX_OTHERS
    name, speed_up = ("elapsed", elapsed) if is_quiet else ("forecast, as the machine did other work", forecast)
    if speed_up < args.at_least:
        sys.exit(f"below {args.at_least} ({name})")


if __name__ == "__main__":
    main()
