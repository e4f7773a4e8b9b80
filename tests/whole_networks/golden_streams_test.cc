// SPDX-License-Identifier: Apache-2.0
//
// Compiled streams on the golden interpreter, which shares no code with the core, the decoder or
// the stream checker: the results equal the reference for every order of the stages, without races.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/numbers/random.h"
#include "configs/core_config.h"
#include "driver/memory_device.h"
#include "tests/support/golden_interpreter.h"
#include "tests/support/integer_reference.h"
#include "tests/support/random_tensor.h"
#include "tests/unit/compiler/lower/core_run.h"

namespace vta::test {
namespace {

using graph::NodeId;

constexpr uint64_t kMemoryBytes = uint64_t{1} << 30;

// A device that runs programs on the golden interpreter.
class GoldenDevice : public driver::MemoryDevice {
 public:
  GoldenDevice(CoreConfig core, uint64_t schedule_seed)
      : MemoryDevice(kMemoryBytes), core_(std::move(core)), schedule_seed_(schedule_seed) {}

  driver::DeviceDescription describe() const override { return {"golden", core_, false}; }
  hw::Counters run(const driver::RunRequest& request) override {
    support::GoldenOptions options;
    options.schedule_seed = schedule_seed_;
    const auto result =
        support::run_golden(core_, {arena_of(request), request.arena_bytes},
                            request.program_offset_bytes, request.num_instructions, options);
    EXPECT_FALSE(result.fault.has_value()) << "code " << (result.fault ? result.fault->code : 0);
    EXPECT_FALSE(result.race.has_value());
    return result.counters;
  }

 private:
  const CoreConfig core_;
  const uint64_t schedule_seed_;
};

// Two convolutions and an add, small enough for a slow interpreter.
graph::Graph residual_block(Random& random, const TensorType& type) {
  graph::Graph graph;
  OpAttrs attrs;
  attrs.kernel = {3, 3};
  attrs.pad = {1, 1, 1, 1};
  attrs.shift = 8;
  attrs.relu = true;
  attrs.lo = 0;
  attrs.hi = 127;
  const int64_t c = type.shape[1];
  const NodeId data = graph.add_input("x", type);
  NodeId value = data;
  for (const char* name : {"conv1", "conv2"}) {
    const NodeId w = graph.add_constant(fmt::format("{}.w", name),
                                        random_tensor<int8_t>(random, {c, c, 3, 3}, -40, 40));
    const NodeId b = graph.add_constant(fmt::format("{}.b", name),
                                        random_tensor<int32_t>(random, {c}, -5000, 5000));
    value = graph.add(OpKind::kQConv2d, name, {value, w, b}, attrs);
    graph.node(value).on_core = true;
  }
  OpAttrs add;
  add.shift_b = 1;
  add.shift = 1;
  add.lo = -127;
  add.hi = 127;
  const NodeId sum = graph.add(OpKind::kQAdd, "add", {value, data}, add);
  graph.node(sum).on_core = true;
  graph.set_outputs({sum});
  return graph;
}

class GoldenStreams : public testing::TestWithParam<std::string> {};

TEST_P(GoldenStreams, ComputeTheReferencesBytesInAnyOrderOfTheStages) {
  Random random(3);
  const CoreConfig with_extension = core_named(GetParam());
  const TensorType type{DType::kInt8, {with_extension.batch, 20, 7, 6}};
  const graph::Graph graph = residual_block(random, type);
  const Tensor x = random_tensor<int8_t>(random, type.shape, -127, 127);
  const Tensor expected = run_by_reference(graph, {x}).at(0);
  for (bool extension : {true, false}) {
    for (lower::Mode mode : {lower::Mode::kFused, lower::Mode::kCompatible}) {
      const CoreConfig core = core_named(GetParam(), extension);
      const Program program = lower::lower(graph, core, mode).program;
      for (uint64_t schedule_seed : {0, 1, 2}) {
        SCOPED_TRACE(fmt::format("extension {}, {}, schedule {}", extension, lower::to_string(mode),
                                 schedule_seed));
        GoldenDevice device(core, schedule_seed);
        Session session(program, device, reference_execute);
        EXPECT_TRUE(std::ranges::equal(session.run({x}).at(0).bytes(), expected.bytes()));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cores, GoldenStreams, testing::ValuesIn(installed_core_names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace vta::test
