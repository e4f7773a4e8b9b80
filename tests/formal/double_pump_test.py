#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves that a sum of the doubled clock (hw/rtl/double_pump) is that of one clock, in every cycle, and that the proof fails for each of
them when the module is changed.

Example:
  tests/formal/double_pump_test.py
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import proof  # noqa: E402

FILES = [proof.RTL / "double_pump/hls_clock_half.sv", proof.RTL / "double_pump/hls_double_pumped_sum.sv",
         pathlib.Path(__file__).resolve().parent / "double_pumped_sum.sv"]
TOP = "double_pumped_sum"
# Parameters, and steps, four for a cycle of clk. Five cycles fill the registers. Nothing moves in a cycle without `advance`, so that a
# few of them show what any number does. With waits operands have one bit, as the solver does not see that both views multiply the same.
# Of 3 bits it also proves that the sums of low and of high products are what emit takes from the sum.
PROOFS = [({"BITS": 8, "WAITS": 0}, 32), ({"BITS": 3, "WAITS": 0}, 8), ({"BITS": 1, "WAITS": 1}, 36)]

# What is wrong, the text, its replacement; in the proof with waits.
MUTATIONS = [
    ("the halves are exchanged", "second <= parity ^ seen", "second <= ~(parity ^ seen)"),
    ("the second product is that of the first half", "second ? high_1 : high_0", "second ? high_0 : high_1"),
    ("the sum does not start with the bias", "(second ? BIAS : p)", "p"),
    ("the edge in the middle waits for the step after it", "second ? advance : advanced", "advance"),
    ("the edge in the middle does not wait", "second ? advance : advanced", "second ? advance : 1'b1"),
    ("the sum waits for the products", "if (advance_sum) sum <= p", "if (advance) sum <= p"),
    ("the sum is kept without a step", "if (advance_sum) sum <= p", "sum <= p"),
    ("the low factor has no sign", "FACTOR'(low)", "{1'b0, low}"),
    ("the high factor has no sign", "{high[BITS-1], high,", "{1'b0, high,"),
]


def holds(parameters, steps, folder, edit=str):
    """Whether the sums are equal in all runs of so many steps, and the solver's output. Errors: tools.ToolError."""
    (folder / "model.sv").write_text(edit("\n".join(file.read_text() for file in FILES)))
    values = " ".join(f"-set {key} {value}" for key, value in parameters.items())
    proof.tools.run(["yosys", "-q", "-p", f"read_verilog -formal -sv model.sv; chparam {values} {TOP}; hierarchy -top {TOP}; proc; "
                     "setattr -mod -unset keep_hierarchy A:keep_hierarchy; flatten; opt_clean; setundef -undriven -anyseq; "
                     "clk2fflogic; opt; write_smt2 -wires model.smt2"], [folder], cwd=folder)
    return proof.smtbmc(folder, "-t", str(steps))


def run(folder):
    for parameters, steps in PROOFS:
        is_equal, output = holds(parameters, steps, folder)
        print(f"{parameters}: {steps} steps: {'equal' if is_equal else 'DIFFERENT'}", flush=True)
        if not is_equal:
            raise proof.Broken(output)
    for what, old, new in MUTATIONS:
        if holds(*PROOFS[-1], folder, proof.replacement(TOP, what, old, new))[0]:
            raise proof.Broken(f"the proof does not fail although {what}")
        print(f"fails when {what}", flush=True)


if __name__ == "__main__":
    proof.main("double_pump_test", run)
