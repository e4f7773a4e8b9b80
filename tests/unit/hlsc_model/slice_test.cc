// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/slice.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "hw/hlsc/schedule/scheduler.h"
#include "tests/unit/hlsc_schedule/compiled.h"

namespace vta::hlsc::model {
namespace {

struct Sliced {
  explicit Sliced(ir::Design given)
      : design(std::move(given)),
        slice(slice_of(design, schedule::schedule(design, {}), bind::ram_ports(design))) {}

  bool content(const std::string& object) const {
    for (size_t id = 0; id < design.objects.size(); ++id) {
      if (design.objects[id].name == object) return slice.contents[id];
    }
    ADD_FAILURE() << "no object " << object;
    return false;
  }
  // Operations of this kind in all processes.
  size_t count(ir::Opcode opcode, bool computed) const {
    size_t number = 0;
    for (size_t p = 0; p < design.processes.size(); ++p) {
      for (size_t value = 0; value < design.processes[p].ops.size(); ++value)
        number +=
            design.processes[p].ops[value].opcode == opcode && slice.values[p][value] == computed;
    }
    return number;
  }

  const ir::Design design;
  const Slice slice;
};

TEST(Slice, OfTheCoreHasControlAndNoData) {
  const Sliced core(compile_core("tiny_1x8"));
  for (const char* object : {"uop", "fetch_port", "uop_port", "gemm_queue", "load_plan"})
    EXPECT_TRUE(core.content(object)) << object;
  for (const char* object : {"inp", "wgt", "acc", "out", "load_port", "acc_port", "store_beats"})
    EXPECT_FALSE(core.content(object)) << object;
}

TEST(Slice, OfTheCoreHasWhatIsVisibleOutside) {
  const Sliced core(compile_core("tiny_1x8"));
  for (const char* object : {"gemm_counter", "out_store_nbytes", "alu_status_3", "finish_index"})
    EXPECT_TRUE(core.content(object)) << object;
}

TEST(Slice, LeavesOutTheProductsOfADotProduct) {
  const Sliced core(compile_core("tiny_1x8"));
  EXPECT_GE(core.count(ir::Opcode::kMul, false), 64u);  // GEMM's and the ALU's
  EXPECT_LT(core.count(ir::Opcode::kMul, true), 30u);   // of addresses
}

TEST(Slice, KeepsDataThatTimingDependsOn) {
  const Sliced divide(compile_kernel("collatz"));  // the number decides the trip count
  EXPECT_TRUE(divide.content("in"));
  const Sliced filter(compile_kernel("fir"));  // the trip count does not depend on data
  EXPECT_FALSE(filter.content("in"));
}

}  // namespace
}  // namespace vta::hlsc::model
