// SPDX-License-Identifier: Apache-2.0
//
// The pipeline of a nest's body, shared by the parts of its engine: the stage of each operation,
// the net of each value, when a stage holds an iteration and when the iteration advances.
#ifndef VTA_HW_HLSC_EMIT_NEST_PIPELINE_H_
#define VTA_HW_HLSC_EMIT_NEST_PIPELINE_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "hw/hlsc/emit/control_flow.h"
#include "hw/hlsc/schedule/pipelined_body.h"

namespace vta::hlsc::emit {

class NestPipeline : public schedule::PipelinedBody {
 public:
  NestPipeline(ModuleState& state, const NestEntry& entry);
  NestPipeline(const NestPipeline&) = delete;  // contexts refer to it
  NestPipeline& operator=(const NestPipeline&) = delete;

  ModuleState& state() const { return state_; }
  const NestEntry& entry() const { return entry_; }
  const schedule::Nest& nest() const { return nest_; }
  uint32_t stages() const { return nest_.stages; }

  // Whether the nest computes it: in its body or for its counters.
  bool computes(ir::ValueId value) const { return contains(value) || counted_.contains(value); }

  Context& context(uint32_t stage) { return contexts_[stage]; }

  // Nets. The level is that of the counters (nest_counters.h).
  Expression level() const { return rtl::net(entry_.name + "_level", level_bits()); }
  uint32_t level_bits() const;
  Expression valid(uint32_t stage) const;
  // The register that pipes a value. A low product that is packed with its high one has the width
  // of both.
  Expression piped(ir::ValueId value, uint32_t stage) const;

  // The registers of a split sum's partial sums. A packed sum has one register for the low and the
  // high half, under the name of the low sum.
  std::vector<Expression> partial_sums(ir::ValueId sum) const;

  // The stage holds an iteration whose predicate of the operation is true.
  Expression wants(ir::ValueId operation, uint32_t stage);

  // The wire that is true when the iteration in the stage advances; absent if it never waits.
  Expression advances(uint32_t stage) const;
  // Adds such a wire for the stage.
  void add_stall(uint32_t stage, const Expression& condition);

  // The net of a read's word in the stage where it is available, or, if it passes through an output
  // register, in the stage before. To be set before values are used.
  void set_word(ir::ValueId read, const Expression& word) { words_[read] = word; }
  // The same net, which is that of the RAM if the word passes through the RAM's output register.
  const Expression& word(ir::ValueId read) const { return words_.at(read); }

 private:
  Expression source(ir::ValueId value, uint32_t stage);
  uint32_t piped_bits(ir::ValueId value) const;

  ModuleState& state_;
  const NestEntry& entry_;
  const schedule::Nest& nest_;
  std::set<ir::ValueId> counted_;
  std::vector<Context> contexts_;  // by stage
  std::set<uint32_t> stalling_;
  std::map<ir::ValueId, Expression> words_;
};

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_NEST_PIPELINE_H_
