#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves the rules of the modules of hw/rtl, and that a proof fails for each of them when the module is changed.

Example:
  tests/formal/rtl_test.py --core-verilog build/release/sim/rtl/core_tiny_1x8.sv
  tests/formal/rtl_test.py --long --only hls_fifo
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import proof  # noqa: E402

FIFO = ("hls_fifo",)
ADDRESS_GATE, READ_GATE, WRITE_GATE = (f"board/vta_axi_{gate}_gate" for gate in ("address", "read", "write"))
RAM = {"WIDTH": 32, "DEPTH": 37, "LANE": 8}
STORE = "Core_store_write"  # of the emitted core

# Both sides of what hls_fifo distinguishes: depths 1 and 2, powers of two and others, registers and block RAM.
PROOFS = [
    *(proof.Proof("hls_fifo", (), {"WIDTH": 4, "DEPTH": depth}, 2 * depth + 2, 2) for depth in (1, 2, 3)),
    proof.Proof("hls_fifo", (), {"WIDTH": 4, "DEPTH": 33}, 6, 2),
    *(proof.Proof("hls_tokens", (), {"DEPTH": depth}, 2 * min(depth, 4) + 2, 2) for depth in (1, 2, 1023)),
    proof.Proof("hls_ram", (), RAM, 6, 2),
    proof.Proof("hls_ram_tdp", (), {"WIDTH": 8, "DEPTH": 37}, 6, 2),
    *(proof.Proof("hls_axi_read", FIFO, {"BURSTS": bursts}, 5, 2) for bursts in (1, 8)),
    *(proof.Proof("hls_axi_write", FIFO, {"BURSTS": bursts}, 6, 2) for bursts in (1, 8)),
    proof.Proof(READ_GATE, (ADDRESS_GATE,), {}, 8, 2),
    proof.Proof(WRITE_GATE, (ADDRESS_GATE, *FIFO), {}, 5, 2),
    proof.Proof(STORE, (), {}, 16, 0),
]
LONG_PROOFS = [
    *(proof.Proof("hls_fifo", (), {"WIDTH": 4, "DEPTH": depth}, bound, 2) for depth, bound in ((5, 14), (32, 12), (512, 8))),
    *(proof.Proof("hls_axi_read", FIFO, {"BURSTS": bursts}, 8, 2) for bursts in (1, 3)),
    *(proof.Proof("hls_axi_write", FIFO, {"BURSTS": bursts}, 10, 2) for bursts in (1, 3, 8)),
    proof.Proof(READ_GATE, (ADDRESS_GATE,), {}, 16, 2),
    proof.Proof(WRITE_GATE, (ADDRESS_GATE, *FIFO), {}, 8, 2),
]

# What is wrong, the index of its module's proof in PROOFS by name, the text, its replacement.
MUTATIONS = [
    ("a push does not fill the FIFO", "hls_fifo.WIDTH4.DEPTH2", "count == COUNT_BITS'(DEPTH - 1)", "1'b0"),
    ("the read index does not wrap around", "hls_fifo.WIDTH4.DEPTH3", "head == LAST ? '0 : head + 1'b1", "head + 1'b1"),
    ("a token is counted late", "hls_tokens.DEPTH2", "push | (count != BITS'(1))", "count != BITS'(1)"),
    ("a lane is written with its neighbour's enable", "hls_ram.WIDTH32.DEPTH37.LANE8", "if (we[lane])", "if (we[lane / 2])"),
    ("a write changes the output", "hls_ram_tdp.WIDTH8.DEPTH37", "b_wrote ? b_kept : b_word", "b_word"),
    ("a burst is issued without space for 16 beats", "hls_axi_read.BURSTS1", "left[CREDIT_BITS-1:4] != '0",
     "left[CREDIT_BITS-1:3] != '0"),
    ("a burst is one beat too long", "hls_axi_read.BURSTS1", "request[39:32] - 8'd1", "request[39:32]"),
    ("a beat takes no credit", "hls_axi_read.BURSTS1", "credits - taken + ", "credits + "),
    ("idle does not wait for responses", "hls_axi_write.BURSTS1", "(unanswered == '0) & beats_empty", "beats_empty"),
    ("data does not wait for its address", "hls_axi_write.BURSTS1", "wvalid  = ~length_empty & ~beats_empty",
     "wvalid  = ~beats_empty"),
    ("the last beat comes early", "hls_axi_write.BURSTS1", "wlast   = beat == length", "wlast   = beat >= 8'd1"),
    ("a request is withdrawn by a reset of the core", "vta_axi_read_gate", "if (ready) valid <= 1'b0;",
     "if (ready | drop) valid <= 1'b0;"),
    ("beats from before a reset reach the core", "vta_axi_read_gate", "c_rvalid = rvalid & ~drop", "c_rvalid = rvalid"),
    ("a beat of a design before this one is counted", "vta_axi_read_gate", "rvalid & rready & rlast & ~stale",
     "rvalid & rready & rlast"),
    ("a beat of a design before this one reaches the core", "vta_axi_read_gate", "rvalid & ~drop & ~stale", "rvalid & ~drop"),
    ("a response of a design before this one is counted", "vta_axi_write_gate", "bvalid & bready & ~stale", "bvalid & bready"),
    ("a response before a burst's last beat is counted", "vta_axi_write_gate", "written == '0 | no_address", "no_address"),
    ("a response before a burst's address is counted", "vta_axi_write_gate", "'0 | no_address", "'0"),
    ("a burst that was cut off is written with strobes", "vta_axi_write_gate", "fills ? 8'h00 : 8'hFF", "8'hFF"),
    ("a beat is replaced while the bus waits", "vta_axi_write_gate", "free = ~wvalid | wready", "free = 1'b1"),
    ("a store's token does not wait for idle", STORE, "in_S3 & store_port_idle;", "in_S3;"),
]


def prove(wanted, folder, core_verilog):
    for kind, prover, cycles in (("bounded", proof.holds_to_bound, wanted.bound),
                                 ("induction", proof.holds_by_induction, wanted.induction)):
        if cycles == 0:
            continue
        holds, output = prover(wanted, folder, core_verilog=core_verilog)
        print(f"{wanted.name()}: {kind} of {cycles} cycles: {'holds' if holds else 'FAILS'}", flush=True)
        if not holds:
            raise proof.Broken(output)


def expect_failure(mutation, folder, core_verilog):
    what, name, old, new = mutation
    wanted = next(item for item in PROOFS if item.name() == name)
    edit = proof.replacement(name, what, old, new)
    # Induction finds most failures sooner.
    provers = [proof.holds_to_bound, *([proof.holds_by_induction] if wanted.induction else [])]
    if all(prover(wanted, folder, edit, core_verilog)[0] for prover in provers[::-1]):
        raise proof.Broken(f"{name}: no proof fails although {what}")
    print(f"{name}: fails when {what}", flush=True)


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--core-verilog", type=pathlib.Path, metavar="FILE",
                        help=f"an emitted core, for the proof of {STORE}; without it that one is left out")
    parser.add_argument("--long", action="store_true", help="the long proofs instead, without mutations")
    parser.add_argument("--only", metavar="NAME", help="only proofs and mutations whose name contains NAME")
    return parser.parse_args()


def run(arguments, folder):
    def is_wanted(name):
        return (not arguments.only or arguments.only in name) and (name != STORE or arguments.core_verilog)

    for wanted in LONG_PROOFS if arguments.long else PROOFS:
        if is_wanted(wanted.name()):
            prove(wanted, folder, arguments.core_verilog)
    for mutation in [] if arguments.long else MUTATIONS:
        if is_wanted(mutation[1]):
            expect_failure(mutation, folder, arguments.core_verilog)


if __name__ == "__main__":
    chosen = options()
    proof.main("rtl_test", lambda folder: run(chosen, folder))
