#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The mutants of a small module and of a small model, and the sources that have them all.

Usage:
  tests/mutations/mutator_test.py
"""
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import aiger  # noqa: E402
import exclusions  # noqa: E402
import model  # noqa: E402
import model_operators  # noqa: E402
import operators  # noqa: E402
import schemata  # noqa: E402
import verilog  # noqa: E402
import write_mutants  # noqa: E402

SMALL = """// A small module.
module Small (
  input wire clk,
  input wire [7:0] a,
  input wire b,
  output wire c,
  output wire d
);
  localparam [2:0] LAST = 3'd4;
  reg [7:0] sum;
  wire [3:0] part = a[4:1];
  assign c = b ? sum == 8'd3 : ~b;
  always @(posedge clk) begin
    if (b & (a < 8'd9)) begin : add
      reg [7:0] more;
      more = a + {4'd0, part};
      sum <= more;
    end
  end
  hls_fifo #(.WIDTH(1), .DEPTH(4)) queue (.clk(clk), .push(b & c), .full(d));
endmodule
"""

SMALL_MODEL = """namespace vta::process_network {
struct Model_small {
void run_fetch() {
[[maybe_unused]] bits<8> v1 = 0;
[[maybe_unused]] bits<4> v2 = 0;
++now;
v2 = bits<4>(v1 >> 4);
if (v2 != 0) stream_queue.push(now, v1);
if (log != nullptr) log->push_back({now, v1});
process.heartbeat();
ready = std::max(ready, stream_queue.space_at());
}

};
}  // namespace vta::process_network
"""


def expect(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")


def check_mutants(module):
    found = {}
    for mutant in operators.mutants_of(SMALL, module):
        found.setdefault(mutant.operator_class, set()).add(mutant.text or mutant.what)
    expected = {
        "arithmetic": {"a - {4'd0, part}"},
        "comparison": {"sum != 8'd3", "a <= 8'd9", "a >= 8'd9"},
        "assignment": {"dropped"},
        "depth": {"one item less"},
        "enable": {"!(b & (a < 8'd9))", "1'b1", "1'b0"},
        "slice": {"a[5:2]", "a[3:0]"},
    }
    for name, texts in expected.items():
        expect(found.get(name) == texts, f"{name}: {found.get(name)}")
    expect({"b", "b | (a < 8'd9)", "(a < 8'd9)", "b | c", "c"} == found["logical"], found["logical"])
    expect({"8'h4", "8'h2", "8'hA", "8'h8"} <= found["constant"], found["constant"])
    expect("(b) ? (~b) : (sum == 8'd3)" in found["mux"], found["mux"])


def check_source(module):
    mutants = operators.mutants_of(SMALL, module)
    chosen = [m for m in mutants if m.operator_class in ("arithmetic", "assignment", "depth")]
    text = schemata.write(SMALL, [module], list(enumerate(chosen, start=1)))
    for part in ("module Small (\n  input wire [15:0] hls_mutant,", "(hls_mutant == 16'd1 ? (a - {4'd0, part}) : (a + {4'd0, part}))",
                 "begin if (!(hls_mutant == 16'd2)) sum <= more; end",
                 "(.hls_mutant(hls_mutant), .hls_shallow((hls_mutant == 16'd3)), .clk(clk)"):
        expect(part in text, f"{part} in:\n{text}")


def check_model():
    process, = model.parse(SMALL_MODEL)
    mutants = model_operators.mutants_of(SMALL_MODEL, process)
    found = {}
    for mutant in mutants:
        found.setdefault(mutant.operator_class, set()).add(mutant.text or mutant.what)
    expected = {
        "assignment": {"assignment dropped", "call dropped"},
        "comparison": {"v2 == 0"},
        "cycle": {"dropped", "++now;"},
        "enable": {"!(v2 != 0)", "true", "false"},
        "max": {"ready", "stream_queue.space_at()"},
        "slice": {"v1 >> 3", "v1 >> 5"},
    }
    expect(found == expected, found)
    text = schemata.write_model(SMALL_MODEL, [process], list(enumerate(mutants, start=1)))
    number = next(i for i, mutant in enumerate(mutants, start=1) if mutant.form == "twice")
    for part in ("struct MutatedModel {", "extern uint16_t hls_mutant;", f"{{ if (hls_mutant == {number}) {{ ++now; }} ",
                 ": (std::max(ready, stream_queue.space_at()))"):
        expect(part in text, f"{part} in:\n{text}")


def check_samples():
    given = write_mutants.shares({"many": 900, "few": 90, "one": 1}, 100)
    expect(sum(given.values()) == 100 and given["one"] == 1 and given["many"] > 85, given)
    with tempfile.TemporaryDirectory() as folder:
        sample = pathlib.Path(folder) / "sample.txt"
        sample.write_text("--count 70000 --seed 1\n")
        source = pathlib.Path(folder) / "small.sv"
        source.write_text(SMALL)
        command = [write_mutants.__file__, source, "--sample", sample, "--out", sample, "--list", sample]
        result = subprocess.run(command, capture_output=True, text=True)
        expect(result.returncode == 2 and "expected 1 to 65535, got 70000" in result.stderr, result.stderr)


def check_errors():
    try:
        verilog.parse("module M (\n  input wire clk\n);\n  assign a = b +;\nendmodule\n")
    except ValueError as error:
        expect("line" in str(error), error)
    else:
        expect(False, "a wrong module is parsed")


def check_exclusions():
    entries = exclusions.read_lines(exclusions.PATH)
    expect(entries and len(exclusions.reasons()) == len(entries), "a mutant is excluded twice")
    for entry in entries:
        expect(set(entry) == {*exclusions.KEYS, "reason"} and entry["reason"], entry)
    mutant = {key: key for key in exclusions.KEYS} | {"mutant": 5}
    expect(exclusions.key_of(exclusions.entry_of(mutant, "why")) == exclusions.key_of(mutant), "a key of an entry")


def check_graphs():
    """A register that an input toggles, and whether both are 1, written and read."""
    builder = aiger.Builder()
    toggle, register = 2 * builder.variable(), 2 * builder.variable()
    expect(builder.conjunction(toggle, register) == builder.conjunction(register, toggle), "equal gates are one")
    expect(builder.conjunction(toggle, toggle ^ 1) == 0 and builder.difference(toggle, toggle) == 0, "constants")
    changed = builder.difference(toggle, register)
    with tempfile.TemporaryDirectory() as folder:
        path, names = pathlib.Path(folder) / "graph.aig", pathlib.Path(folder) / "graph.map"
        names.write_text("input 0 0 toggle\nlatch 0 0 register\noutput 0 0 both\n")
        sizes = aiger.write(path, builder, {register >> 1: changed}, builder.conjunction(toggle, register))
        graph = aiger.read(path, names)
    expect(sizes == (1, 4), sizes)
    expect(graph.names == {("input", 0): ("toggle", 0), ("output", 0): ("both", 0)}, graph.names)
    for value in range(4):
        values = {0: 0, graph.inputs[0]: value & 1, graph.latches[0]: value >> 1}
        for variable, pair in graph.gates.items():
            values[variable] = int(all(values[literal >> 1] ^ literal & 1 for literal in pair))
        found = [values[literal >> 1] ^ literal & 1 for literal in (graph.nexts[0], graph.outputs[0])]
        expect(found == [(value & 1) ^ value >> 1, int(value == 3)], f"{value}: {found}")


module = verilog.parse(SMALL)[0]
check_mutants(module)
check_source(module)
check_model()
check_samples()
check_errors()
check_exclusions()
check_graphs()
print("classes, sources, samples, graphs")
