// SPDX-License-Identifier: Apache-2.0
//
// The pipeline of a nest's body as the parts of its engine see it: what stands in which stage,
// where values are, when a stage holds an iteration and when that moves on.
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

  // Names. The level is what the counters hold (nest_counters.h).
  std::string level() const { return entry_.name + "_level"; }
  uint32_t level_bits() const;
  std::string valid(uint32_t stage) const;
  std::string piped(ir::ValueId value, uint32_t stage) const;

  // When the stage has an iteration that wants the operation's effect.
  std::string wants(ir::ValueId operation, uint32_t stage);

  // The wire that is true when what is in the stage moves on; "" if it never has to wait.
  std::string advances(uint32_t stage) const;
  // From now on the stage has such a wire of its own, of which `condition` is the meaning.
  void add_hold(uint32_t stage, const std::string& condition);

  // The name of the word of a read where it is available; known before any value is asked for.
  void set_word(ir::ValueId read, const std::string& name) { words_[read] = name; }

 private:
  void add_counted(const ir::Sequence& items);
  std::string source(ir::ValueId value, uint32_t stage);

  ModuleState& state_;
  const NestEntry& entry_;
  const schedule::Nest& nest_;
  std::set<ir::ValueId> counted_;
  std::vector<Context> contexts_;  // by stage
  std::set<uint32_t> holding_;
  std::map<ir::ValueId, std::string> words_;
};

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_NEST_PIPELINE_H_
