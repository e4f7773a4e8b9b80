# SPDX-License-Identifier: Apache-2.0
"""The model of block RAMs (cells/block_rams.sv) on collisions: both ports have one address, and one or both write."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
OLD, NEW, OTHER = 0x1234, 0xABCD, 0x5A5A
GARBAGE = OLD ^ 0xFFFF

# Port A writes `OLD` to word 3; then one edge with the inputs of a test; then port A reads the word.
BENCH = """
module bench;
  reg clk = 0, ena = 1, enb = 0, wa = 1, wb = 0;
  reg [13:0] a = 3 << 4, b = 3 << 4;
  reg [15:0] da = 16'h{old:x}, db = 0;
  wire [15:0] qa, qb;
  RAMB18E1 #(.RAM_MODE("TDP"), .WRITE_MODE_A("{mode_a}"), .WRITE_MODE_B("{mode_b}"), .READ_WIDTH_A({read_a}), .READ_WIDTH_B({read_b}),
             .WRITE_WIDTH_A(18), .WRITE_WIDTH_B(18)) ram (
      .CLKARDCLK(clk), .CLKBWRCLK(clk), .ENARDEN(ena), .ENBWREN(enb), .REGCEAREGCE(1'b0), .REGCEB(1'b0), .RSTRAMARSTRAM(1'b0), .RSTRAMB(1'b0),
      .RSTREGARSTREG(1'b0), .RSTREGB(1'b0), .ADDRARDADDR(a), .ADDRBWRADDR(b), .DIADI(da), .DIBDI(db), .DIPADIP(2'b0), .DIPBDIP(2'b0),
      .WEA({{2{{wa}}}}), .WEBWE({{4{{wb}}}}), .DOADO(qa), .DOBDO(qb), .DOPADOP(), .DOPBDOP());
  task edge_of_clock;
    begin
      #1 clk = 1;
      #1 clk = 0;
    end
  endtask
  initial begin
    edge_of_clock;
    wa = 0;
    {inputs}
    edge_of_clock;
    $display("%h %h", qa, qb);
    ena = 1; enb = 1; wa = 0; wb = 0; a = 3 << 4; b = 3 << 4;
    edge_of_clock;
    $display("%h %h", qa, qb);
  end
endmodule
"""


def simulated(inputs, mode_a="READ_FIRST", mode_b="READ_FIRST", read_a=18, read_b=18):
    """(A, B) at the outputs after the edge, and after one more read of word 3."""
    text = BENCH.format(old=OLD, mode_a=mode_a, mode_b=mode_b, read_a=read_a, read_b=read_b, inputs=inputs)
    with tempfile.TemporaryDirectory() as folder:
        bench, program = pathlib.Path(folder) / "bench.sv", pathlib.Path(folder) / "bench"
        bench.write_text(text)
        subprocess.run(["iverilog", "-g2012", "-s", "bench", "-o", program, bench, FOLDER / "cells/block_rams.sv"], check=True)
        lines = subprocess.run(["vvp", "-n", program], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return [tuple(int(word, 16) for word in line.split()) for line in lines]


class Collisions(unittest.TestCase):
    def test_a_read_beside_a_read_first_write_returns_the_old_word(self):
        (_, read), (_, after) = simulated(f"enb = 1; wa = 1; da = 16'h{NEW:x};")
        self.assertEqual((read, after), (OLD, NEW))

    def test_a_read_beside_another_write_returns_garbage(self):
        for mode in ("WRITE_FIRST", "NO_CHANGE"):
            (_, read), (_, after) = simulated(f"enb = 1; wa = 1; da = 16'h{NEW:x};", mode_a=mode, read_a=0)
            self.assertEqual((read, after), (GARBAGE, NEW))
            (read, _), (after, _) = simulated(f"enb = 1; wb = 1; db = 16'h{NEW:x};", mode_b=mode, read_b=0)
            self.assertEqual((read, after), (GARBAGE, NEW))

    def test_another_word_or_a_port_that_is_not_enabled_does_not_collide(self):
        (_, read), _ = simulated(f"enb = 1; wa = 1; a = 5 << 4; da = 16'h{NEW:x};", mode_a="NO_CHANGE", read_a=0)
        self.assertEqual(read, OLD)
        (_, read), (_, after) = simulated(f"ena = 0; enb = 1; wa = 1; da = 16'h{NEW:x};", mode_a="NO_CHANGE", read_a=0)
        self.assertEqual((read, after), (OLD, OLD))

    def test_two_writes_of_one_word_leave_garbage(self):
        _, (after, _) = simulated(f"enb = 1; wa = 1; wb = 1; da = 16'h{NEW:x}; db = 16'h{OTHER:x};")
        self.assertNotIn(after, (OLD, NEW, OTHER))


if __name__ == "__main__":
    if shutil.which("iverilog") is None:
        print("iverilog is missing")
        sys.exit(SKIPPED)
    unittest.main()
