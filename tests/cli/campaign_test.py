#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/campaign, with programs in place of the tests. It gives each seed to one slice, resumes after kill -9, repeats slices that
failed, adds up what has ended, continues the totals of another machine, and ends at a goal.

Usage:
  tests/cli/campaign_test.py SOURCE_DIR
"""
import importlib.machinery
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

SOURCE_DIR = pathlib.Path(sys.argv[1])

# Passes three tests, unless its seed is in the file "bad"; waits while there is a file "wait".
TEST = """#!/bin/sh
while [ -e "{folder}/wait" ]; do sleep 0.05; done
echo "[==========] Running 3 tests from 1 test suite."
grep -qx "$VTA_TEST_SEED" "{folder}/bad" && exit 1
echo "[  PASSED  ] 3 tests."
"""


def expect(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")


def campaign_module(folder=SOURCE_DIR):
    return importlib.machinery.SourceFileLoader("campaign", str(folder / "scripts/campaign")).load_module()


class Place:
    """A folder with the script, totals of no kind, and a test."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.script = self.folder / "scripts/campaign"
        self.totals = self.folder / "tests/campaign_totals.json"
        self.script.parent.mkdir()
        shutil.copy(SOURCE_DIR / "scripts/campaign", self.script)
        self.totals.parent.mkdir()
        self.set_totals({})
        (self.folder / "bad").write_text("")
        test = self.folder / "hls_random_kernels_test"
        test.write_text(TEST.format(folder=folder))
        test.chmod(0o755)
        self.results_file = self.folder / "out/results.jsonl"

    def set_totals(self, totals):
        self.totals.write_text(json.dumps(totals))

    def command(self, *options):
        return [self.script, "kernels", "--folder", self.folder / "out", "--tests", self.folder, *options]

    def run(self, *options):
        return subprocess.run(self.command(*options), capture_output=True, text=True, timeout=60)

    def results(self):
        lines = [json.loads(line) for line in self.results_file.read_text().splitlines() if line.endswith("}")]
        return [line for line in lines if line["seeds"] == 40]

    def seeds(self):
        return sorted(result["first_seed"] for result in self.results())


def check_patterns():
    """The numbers of cases in the outputs of scripts."""
    campaign = campaign_module()
    fuzz, mutants = campaign.KINDS["fuzz_json"], campaign.KINDS["mutants"]
    expect(fuzz.cases("== json: 9 inputs\nstat::number_of_executed_units: 11\ncoverage: 1 of 2 edges\n") == 11, "inputs")
    expect(fuzz.cases("failed: json") == 0, "no input")
    expect(fuzz.command(None, 7)[-1] == "json", fuzz.command(None, 7))
    models = campaign.KINDS["onnxruntime"]
    expect(models.cases("998 of 1000 models agree; ONNX Runtime refuses 2") == 998, "models that agree")
    expect(models.command("tests", 7)[-5:] == ["tests/write_random_models", "--seed", "7", "--count", "1000"], models.command("tests", 7))
    expect(mutants.cases("| all | 200 |\n94.5 % of 200 noticed, in 3 worker minutes") == 200, "mutants")
    expect(mutants.command(None, 7)[-4:] == ["--seed", "7", "--workers", "1"], mutants.command(None, 7))


def check_missing_tests(place):
    """An error before the first slice, as a test that cannot start is not a slice that failed."""
    done = subprocess.run([place.script, "kernels", "odd", "--folder", place.folder / "none", "--tests", place.folder],
                          capture_output=True, text=True, timeout=60)
    expect(done.returncode == 1 and "has no odd_cores_test" in done.stderr, done.stderr)
    expect(not (place.folder / "none").exists(), "results of no slice")


def check_options(place):
    """A report runs no slice, so that limits of a run beside it are a mistake."""
    for options in ["--totals", "--to-goal"], ["--list", "--minutes", "1"], ["--totals", "--write-totals"]:
        done = subprocess.run([place.script, *options], capture_output=True, text=True, timeout=60)
        expect(done.returncode == 2 and "exclude each other" in done.stderr, done)


def check_kept_output(place):
    """The latencies of a server at load belong to the results."""
    test = place.folder / "rpc_load_test"
    test.write_text("#!/bin/sh\necho '[==========] Running 1 test from 1 test suite.'\necho 'runs of clients that stay: 9, median 1 ms'\n"
                    "echo '[  PASSED  ] 1 test.'\n")
    test.chmod(0o755)
    out = place.folder / "soak"
    subprocess.run([place.script, "soak", "--folder", out, "--tests", place.folder, "--workers", "1", "--slices", "1"],
                   capture_output=True, check=True, timeout=60)
    result = json.loads((out / "results.jsonl").read_text())
    expect(result["first_seed"] == 1_000_000 and result["cases"] == 10 and result["output"] == ["runs of clients that stay: 9, median 1 ms"], result)


def check_stopping(place):
    """A campaign that is stopped leaves no process of its slices, and no line of them."""
    test = place.folder / "rpc_clients_test"
    started = place.folder / "started"
    test.write_text(f"#!/bin/sh\nsleep 600 &\necho $! > {started}\nwait\n")
    test.chmod(0o755)
    for stop in signal.SIGTERM, signal.SIGINT:
        out = place.folder / "stopped"
        process = subprocess.Popen([place.script, "cuts", "--folder", out, "--tests", place.folder, "--workers", "1"],
                                   stdout=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while (not started.exists() or not started.read_text().strip()) and time.monotonic() < end:
            time.sleep(0.05)
        process.send_signal(stop)
        expect(process.wait(60) == 0, "a campaign that is stopped has not failed")
        expect(not pathlib.Path("/proc", started.read_text().strip(), "cwd").exists(), "what a slice has started is gone")
        expect((out / "results.jsonl").read_text() == "", "a slice that was stopped is not one")
        started.unlink()


def check_failure_after_the_deadline(place):
    """A slice that is in progress at the end of --minutes, and fails, is recorded."""
    test = place.folder / "sim_cycle_programs_test"
    test.write_text("#!/bin/sh\nsleep 2\nexit 1\n")
    test.chmod(0o755)
    out = place.folder / "late"
    done = subprocess.run([place.script, "cycles", "--folder", out, "--tests", place.folder, "--workers", "1", "--minutes", "0.01"],
                          capture_output=True, text=True, timeout=60)
    expect(done.returncode == 1 and json.loads((out / "results.jsonl").read_text())["failed"], done.stdout)


def check_failures_in_a_row(place):
    """A kind that only fails, as its test's files are missing, ends; the others go on."""
    test = place.folder / "core_vs_golden_test"
    test.write_text("#!/bin/sh\nexit 1\n")
    test.chmod(0o755)
    out = place.folder / "row"
    done = subprocess.run([place.script, "programs", "kernels", "--folder", out, "--tests", place.folder, "--workers", "1", "--slices", "60"],
                          capture_output=True, text=True, timeout=60)
    lines = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    failed = [line for line in lines if line["failed"]]
    expect(done.returncode == 1 and "programs: 10 slices failed in a row; left out\n" in done.stdout, done.stdout)
    expect(len(failed) == 10 and all(line["kind"] == "programs" for line in failed), failed)
    expect(len(lines) == 60, lines)


def total(cases, failed, hours, next_seed):
    return {"cases": cases, "failed": failed, "core_seconds": 3600 * hours, "next_seed": next_seed}


def check_continued_totals(place):
    """A kind without a line begins with its total and its next seed, also on a third machine."""
    place.set_totals({"programs": total(4500, 0, 0.001, 1_000_500), "kernels": total(1200, 2, 0.1, 1_000_480), "gone": total(1, 0, 0.1, 1)})
    illegal = {"kind": "illegal", "first_seed": 1_000_000, "seeds": 100, "cases": 900, "failed": False, "core_seconds": 1}
    for machine, first, slices in ("second", 1_000_480, [1, 2]), ("third", 1_000_600, [2]):
        results_file = place.folder / machine / "results.jsonl"
        results_file.parent.mkdir()
        results_file.write_text(json.dumps(illegal) + "\n")
        command = [place.script, "kernels", "--folder", results_file.parent, "--tests", place.folder, "--workers", "1"]
        for count in slices:
            subprocess.run([*command, "--slices", str(count)], capture_output=True, check=True, timeout=60)
        lines = [json.loads(line) for line in results_file.read_text().splitlines()]
        seeds = [line["first_seed"] for line in lines[1:] if "first_seed" in line]
        expect(seeds == [first + 40 * i for i in range(sum(slices))], seeds)
        for _ in range(2):  # nothing is added twice
            subprocess.run([*command, "--write-totals"], check=True, timeout=60)
    text = place.totals.read_text()
    written = json.loads(text)
    expect(written["kernels"] | {"core_seconds": 0} == total(1800, 2, 0, 1_000_680), text)
    expect(written["kernels"]["core_seconds"] >= 360, text)
    expect(written["programs"] == total(4500, 0, 0.001, 1_000_500) and written["illegal"]["cases"] == 900 and "gone" not in written, text)
    shown = subprocess.run([place.script, "--totals", "--folder", place.folder / "none"], capture_output=True, text=True, check=True)
    for part in "| 1,800 | 20,000 | 2 | 0.1", "| 4,500 | 1,000,000 | 0 | 0.001 | 4,500,000 |", "| 900 | 100,000 | 0 |", "| 1000680 |":
        expect(part in shown.stdout, f"{part} in {shown.stdout}")

    lower = subprocess.run([place.script, "--write-totals", "--folder", place.folder / "second"], capture_output=True, text=True)
    expect(lower.returncode == 1 and "has 1,800 cases of kernels, these results only 1,560" in lower.stderr, lower.stderr)
    expect(place.totals.read_text() == text, "totals that were refused")
    for wrong in "{", "[1]", '{"kernels": 1}', '{"kernels": {"cases": 1}}', json.dumps({"kernels": total(1, 0, 1, "x")}):
        place.totals.write_text(wrong)
        done = subprocess.run([place.script, "--totals", "--folder", place.folder / "none"], capture_output=True, text=True)
        expect(done.returncode == 1 and f"{place.totals}" in done.stderr and "expected" in done.stderr, f"{wrong}: {done.stderr}")
    place.set_totals({})


def check_goal(place):
    """With --to-goal a kind ends there, earlier totals among its cases, and has no slice afterwards."""
    place.set_totals({"kernels": total(19_800, 0, 0.1, 1_000_480)})
    for _ in range(2):
        done = subprocess.run([place.script, "kernels", "--folder", place.folder / "goal", "--tests", place.folder, "--workers", "1",
                               "--to-goal"], capture_output=True, text=True, timeout=60)
        lines = [json.loads(line) for line in (place.folder / "goal/results.jsonl").read_text().splitlines()]
        expect("kernels: at its goal of 20,000 cases\n" in done.stdout, done.stdout)
        expect(done.returncode == 0 and [line.get("first_seed") for line in lines] == [None, 1_000_480, 1_000_520], lines)
    place.set_totals({})


def check_repository():
    """The repository's totals, and the readers of scripts/fuzz."""
    campaign = campaign_module()
    expect(len(campaign.read_totals()) > 10, "kinds with totals")
    formats = re.search(r"formats=\((\w[\w ]+)\)", (SOURCE_DIR / "scripts/fuzz").read_text())
    expect(formats[1].split() == campaign.READERS, formats[1])


def main():
    check_patterns()
    check_repository()
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        check_continued_totals(place)
        check_missing_tests(place)
        check_options(place)
        check_kept_output(place)
        check_stopping(place)
        check_failure_after_the_deadline(place)
        check_failures_in_a_row(place)
        check_goal(place)
        done = place.run("--workers", "3", "--slices", "5")
        expect(done.returncode == 0, done.stderr)
        expect(place.seeds() == [1_000_000 + 40 * i for i in range(5)], place.seeds())
        expect("| 600 | 20,000 | 0 |" in done.stdout, done.stdout)  # 5 slices, 40 seeds, 3 tests

        # Killed while two slices run, and in the middle of a line.
        (place.folder / "wait").touch()
        process = subprocess.Popen(place.command("--workers", "2"), stdout=subprocess.DEVNULL)
        time.sleep(1)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        with place.results_file.open("a") as out:
            # A line of a campaign whose slices were smaller: neither its cases nor its seeds count.
            out.write('{"kind": "kernels", "first_seed": 1000280, "seeds": 10, "cases": 9999, "failed": false, "seconds": 1}\n')
            out.write('{"kind": "kernels", "first')
        (place.folder / "wait").unlink()
        expect(len(place.results()) == 5, "slices that were killed have lines")
        (place.folder / "bad").write_text("1000240\n")
        done = place.run("--workers", "1", "--slices", "3")
        expect(done.returncode == 1, "a failed slice is a failure")
        expect(place.seeds() == [1_000_000 + 40 * i for i in range(8)], place.seeds())
        failed = (place.folder / "out/failed/kernels-1000240.txt").read_text()
        expect("VTA_TEST_SEED=1000240 VTA_TEST_COUNT=40" in failed, failed)
        expect("| 840 | 20,000 | 1 |" in done.stdout, done.stdout)

        (place.folder / "bad").write_text("")
        done = place.run("--workers", "1", "--slices", "1")
        expect(done.returncode == 0 and "| 960 | 20,000 | 0 |" in done.stdout, done.stdout)
    print("every seed once; resumed, repeated, added up, continued")


main()
