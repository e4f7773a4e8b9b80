// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_NEST_HOLDS_H_
#define VTA_HW_HLSC_EMIT_NEST_HOLDS_H_

#include <map>
#include <string>
#include <vector>

#include "hw/hlsc/emit/nest_pipeline.h"

namespace vta::hlsc::emit {

// Why stages have to wait: for a stream, for a RAM's port that another process or an older
// iteration has, for an older iteration's write of the word that they want to read, or have read if
// it waits a stage (schedule.h).
class NestHolds {
 public:
  explicit NestHolds(NestPipeline& pipeline);

  // Declares when stages move on, those at the end first.
  void emit();

  // When an access of a RAM is asked for: while neither its stage nor a later one waits for a
  // stream. Meanwhile other processes can have the port. Grants are left out, lest they depend on
  // each other.
  std::string asks(const std::string& wanted, uint32_t stage) const;

 private:
  // A write of a RAM, for what reads it in younger iterations.
  struct PendingWrite {
    uint32_t stage;
    ir::ValueId index;
    std::vector<ir::ValueId> predicates;
  };
  void add_pending(ir::ValueId value);

  // Of one stage: why it waits, and those of the reasons that are streams.
  struct Reasons {
    std::vector<std::string> all, streams;
  };
  void hold(uint32_t stage);
  void add_reasons(ir::ValueId value, uint32_t stage, Reasons& reasons);
  // `outside`: it is not the process itself that makes it wait.
  void because(const std::string& reason, ir::ValueId value, uint32_t stage, Reasons& reasons,
               bool outside = true);
  void wait_for_writes(ir::ValueId read, uint32_t stage, Reasons& reasons);
  std::string none_ahead(uint32_t stage) const;
  std::string older_reads(ir::ObjectId ram, uint32_t stage);
  std::string pending_writes(const ir::Op& read, uint32_t stage);
  std::string will_write(const PendingWrite& write, uint32_t at);
  std::string same_word(const ir::Op& read, uint32_t stage, const PendingWrite& write, uint32_t at);
  std::string waits(uint32_t stage) const;

  NestPipeline& pipeline_;
  ModuleState& state_;
  std::map<ir::ObjectId, std::vector<PendingWrite>> pending_;
  std::vector<uint32_t> stream_waits_;  // stages
};

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_NEST_HOLDS_H_
