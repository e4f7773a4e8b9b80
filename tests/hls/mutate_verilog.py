#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutates the Verilog one place at a time and checks that a test fails: what the operator classes of tests/mutations
do not do, and the kernels, which it does not mutate.

usage: mutate_verilog.py BUILD_DIR [NAME...]

A mutation is a pattern that must still match, its replacement, and the test that must fail with it.
The model is Verilated from the mutated source and linked into the test instead of the original one.
First each test is built and run in the same way from the unchanged source, and must pass. The build
directory must contain the built tests. The script fails if a pattern no longer matches, or if a test
does not fail. A test that runs into TIMEOUT_SECONDS counts as failed if it takes less than a tenth of
that otherwise.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = "sim_rtl_programs_test", "sim/rtl/verilated_tiny_1x8_verilated/Vcore_tiny_1x8__ALL.a"
KERNELS = "hls_verilog_test", "tests/hls/verilated_kernels_verilated/Vkernels__ALL.a"
TIMEOUT_SECONDS = 900
CORE = "sim/rtl/core_tiny_1x8.sv"
KERNELS_SV = "tests/hls/kernels.sv"

# name, file, the module it is in (None: anywhere), pattern, replacement, test
MUTATIONS = [
    ("the carry between two products of one multiplier is dropped", KERNELS_SV, None,
     r"(_pair_product\[31:16\]) \+ \{15'd0, \w+_pair_product\[15\]\}", r"\g<1>", KERNELS),
    ("the lower of two sums borrows from the upper one", KERNELS_SV, None, r"34'sd32767", "34'sd0",
     KERNELS),
    ("a dependence token is pushed before the work is done", CORE, "Core_load_data",
     r"assign load_to_gemm_push = [^;]*;", "assign load_to_gemm_push = done_S1 & load_plan_data[1];",
     PROGRAMS),
    ("a word does not take lanes that are written while it waits", KERNELS_SV, "SlowLanes_run",
     r"(memory_\d+_now = )memory_we &", r"\g<1>4'd0 &", KERNELS),
]


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)


def link_command(build, test):
    commands = run(["ninja", "-C", str(build), "-t", "commands", test]).stdout.splitlines()
    return next(line for line in reversed(commands) if f"-o tests/{test} " in line)


def verilate_command(build, archive):
    commands = run(["ninja", "-C", str(build), "-t", "commands", archive]).stdout.splitlines()
    return next(line for line in reversed(commands) if "--Mdir" in line)


def mutated(text, module, pattern, replacement):
    if module is None:
        return re.subn(pattern, replacement, text)
    count = 0

    def damage(match):  # a module may have a synthesis view and a simulation view
        nonlocal count
        body, places = re.subn(pattern, replacement, match[0])
        count += places
        return body

    return re.sub(rf"module {module} .*?endmodule", damage, text, flags=re.DOTALL), count


def make(build, scratch, source, text, test, archive):
    """Builds the test with `text` as the source; returns the program and the error."""
    copy = scratch / pathlib.Path(source).name
    copy.write_text(text)
    sound = str(path_of(build, source))
    folder = str((build / archive).parent)
    command = verilate_command(build, archive).replace(folder, str(scratch)).replace(sound, str(copy))
    made = run(command, shell=True, cwd=build)
    if made.returncode != 0:
        return None, f"it does not build: {made.stdout[-500:]}"
    program = scratch / test
    link = link_command(build, test).replace(f"-o tests/{test} ", f"-o {program} ")
    link = link.replace(archive, str(scratch / pathlib.Path(archive).name))
    linked = run(link, shell=True, cwd=build)
    if linked.returncode != 0:
        return None, f"it does not link: {linked.stdout[-500:]}"
    return program, ""


def status_of(program, test):
    """The exit status of the test; None on timeout."""
    environment = dict(os.environ, VTA_TEST_COUNT="6" if test == KERNELS[0] else "2000")
    options = ["--gtest_filter=*tiny*"] if test == PROGRAMS[0] else []
    try:
        return run([str(program), *options, "--gtest_fail_fast"], cwd=ROOT, env=environment,
                   timeout=TIMEOUT_SECONDS).returncode
    except subprocess.TimeoutExpired:
        return None


def path_of(build, source):
    return ROOT / source if source.startswith("hw/") else build / source


def control(build, source, test, archive):
    """The duration of the test with the unchanged source, in seconds, and the error."""
    with tempfile.TemporaryDirectory() as scratch:
        text = path_of(build, source).read_text()
        program, problem = make(build, pathlib.Path(scratch), source, text, test, archive)
        if problem:
            return 0, problem
        begin = time.monotonic()
        status = status_of(program, test)
        return time.monotonic() - begin, "" if status == 0 else f"its status is {status}, not 0"


def outcome_of(build, source, damaged, test, archive, sound_seconds):
    """Empty if the test detects the mutation; otherwise the reason."""
    with tempfile.TemporaryDirectory() as scratch:
        program, problem = make(build, pathlib.Path(scratch), source, damaged, test, archive)
        if problem:
            return problem
        status = status_of(program, test)
    if status is None and 10 * sound_seconds >= TIMEOUT_SECONDS:
        return f"it takes too long, but without damage it takes {sound_seconds:.0f} s as well"
    return "no test notices" if status == 0 else ""


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    wanted = sys.argv[2:]
    mutations = [m for m in MUTATIONS if not wanted or any(part in m[0] for part in wanted)]
    problems = 0
    controls = {}
    for name, source, module, pattern, replacement, (test, archive) in mutations:
        if test not in controls:
            controls[test] = control(build, source, test, archive)
            print(f"{test} without damage: {controls[test][1] or 'passes'}", flush=True)
        sound_seconds, outcome = controls[test]
        damaged, count = mutated(path_of(build, source).read_text(), module, pattern, replacement)
        if count == 0:
            outcome = "its pattern no longer matches"
        elif outcome == "":
            outcome = outcome_of(build, source, damaged, test, archive, sound_seconds)
        else:
            outcome = f"without damage {outcome}"
        problems += outcome != ""
        print(f"{'noticed' if outcome == '' else 'FAILED '} {name} ({count} places)"
              f"{': ' + outcome if outcome else ''}", flush=True)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
