#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`prove` on mutants of a small process: it proves those without effect and no others. Ends with status 77, skipped, without
yosys (scripts/install_fpga_tools).

Usage:
  tests/mutations/prove_test.py
"""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from hw.fpga.flow import tools  # noqa: E402

SKIPPED = 77
# Counts to 5 and starts again; pushes the number if it is even. Mutant 1: 7 is not reached. 2: 5 is. 3: the data of a queue
# that nothing is pushed to. 4: the data that is pushed.
SOURCE = """module Core_small (
  input wire [15:0] hls_mutant,
  input wire clk,
  input wire rst,
  input wire queue_full,
  output wire queue_push,
  output wire [2:0] queue_data
);
  reg [2:0] number;
  assign queue_push = ~number[0] & ~queue_full;
  assign queue_data = (hls_mutant == 16'd4 ? (3'd0) : ((hls_mutant == 16'd3 ? (number & 3'h6) : (number))));
  always @(posedge clk) begin
    number <= number == 3'd5 ? 3'd0 : number + 3'd1;
    if ((hls_mutant == 16'd1 ? (number == 3'd7) : (1'b0))) number <= 3'd2;
    if ((hls_mutant == 16'd2 ? (number == 3'd5) : (1'b0))) number <= 3'd2;
    if (rst) number <= 3'd0;
  end
endmodule
"""
WITHOUT_EFFECT = [1, 3]


def main():
    try:
        tools.command_line(["yosys-abc"])
    except tools.ToolError as error:
        print(f"[SKIP] {error}")
        sys.exit(SKIPPED)
    mutants = [{"mutant": number, "module": "Core_small", "class": "logical", "what": str(number), "original": "", "replacement": "",
                "line": ""} for number in range(1, 5)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "mutants.sv").write_text(SOURCE)
        (folder / "mutants.jsonl").write_text("".join(json.dumps(mutant) + "\n" for mutant in mutants))
        command = [pathlib.Path(__file__).with_name("prove"), folder, "1", "2", "3", "4"]
        result = subprocess.run(command, capture_output=True, text=True)
    proved = [int(json.loads(line)["what"]) for line in result.stdout.splitlines()]
    if result.returncode != 0 or proved != WITHOUT_EFFECT:
        sys.exit(f"expected {WITHOUT_EFFECT} to be proved, got {proved} and status {result.returncode}: {result.stderr}")


if __name__ == "__main__":
    main()
