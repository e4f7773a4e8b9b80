// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/transform/prepare.h"

#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/transform/carry.h"
#include "hw/hlsc/transform/collect_sums.h"
#include "hw/hlsc/transform/drop_unused_bits.h"
#include "hw/hlsc/transform/forward.h"
#include "hw/hlsc/transform/narrow_counters.h"
#include "hw/hlsc/transform/narrow_streams.h"
#include "hw/hlsc/transform/read_behind_nests.h"
#include "hw/hlsc/transform/rewriter.h"
#include "hw/hlsc/transform/simplify.h"
#include "hw/hlsc/transform/speculate.h"
#include "hw/hlsc/transform/test_first.h"

namespace vta::hlsc::transform {

namespace {

void narrow(ir::Process& process) {
  narrow_counters(process);
  simplify(process);
  drop_unused_bits(process);
  simplify(process);
}

}  // namespace

void prepare(ir::Design& design) {
  for (ir::Process& process : design.processes) simplify(process);
  narrow_streams(design);
  for (ir::Process& process : design.processes) {
    simplify(process);
    forward_memory(design, process);
    simplify(process);
    narrow(process);  // what is carried in registers as well
    test_first(process);
    carry_in_registers(design, process);
    read_behind_nests(process);
    // Copies of register reads in bodies meet the ones that are there.
    forward_memory(design, process);
    simplify(process);
    speculate_reads(process);
    simplify(process);
    narrow(process);
    collect_sums(process);
    drop_unused(process);
  }
  ir::verify(design);
}

}  // namespace vta::hlsc::transform
