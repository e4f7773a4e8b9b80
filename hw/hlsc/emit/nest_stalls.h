// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_NEST_STALLS_H_
#define VTA_HW_HLSC_EMIT_NEST_STALLS_H_

#include <map>
#include <string>
#include <vector>

#include "hw/hlsc/emit/nest_pipeline.h"

namespace vta::hlsc::emit {

// Stall conditions of the stages. A stage waits for a stream, for a RAM port that another process
// or an older iteration uses, or for an older iteration's write of the word that the stage reads
// (or has read, if the word waits a stage: schedule.h).
class NestStalls {
 public:
  explicit NestStalls(NestPipeline& pipeline);

  // Adds the wires that tell when stages advance, the last stage first.
  void emit();

  // The request for an access of a RAM: `wanted` while neither its stage nor a later one waits for
  // a stream, so that other processes can use the port meanwhile. Grants are not part of the
  // condition: they would depend on each other.
  Expression request(const Expression& wanted, uint32_t stage) const;

 private:
  // A write of a RAM, which reads in younger iterations may have to wait for.
  struct PendingWrite {
    ir::ValueId write;  // the first one of its stage and index
    ir::ValueId index;
    std::vector<ir::ValueId> predicates;
  };
  void add_pending(ir::ValueId value);

  // Why one stage waits; `streams`: the reasons among them that are streams.
  struct Reasons {
    std::vector<Expression> all, streams;
  };
  // Later stages must have been added.
  void add_stage(uint32_t stage);
  Expression condition(uint32_t stage, const Expression& moves);
  void add_reasons(ir::ValueId value, uint32_t stage, Reasons& reasons);
  // `outside`: the cause is outside the process, so the process may report that it waits.
  void add_reason(const Expression& reason, ir::ValueId value, uint32_t stage, Reasons& reasons,
                  bool outside = true);
  void add_write_reason(ir::ValueId read, uint32_t stage, Reasons& reasons);
  Expression stalls_process(const Expression& reason, uint32_t stage) const;
  Expression older_reads(ir::ValueId read);
  Expression pending_writes(ir::ValueId read);
  Expression will_write(const PendingWrite& write, uint32_t at);
  Expression same_word(ir::ValueId read, const PendingWrite& write, uint32_t at);
  Expression waits(uint32_t stage) const;

  NestPipeline& pipeline_;
  ModuleState& state_;
  std::map<ir::ObjectId, std::vector<PendingWrite>> pending_;
  std::vector<uint32_t> stream_waits_;  // the stages that wait for streams
  Expression later_move_;               // of all stages so far, each by itself
};

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_NEST_STALLS_H_
