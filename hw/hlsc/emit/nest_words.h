// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_NEST_WORDS_H_
#define VTA_HW_HLSC_EMIT_NEST_WORDS_H_

#include <map>
#include <string>
#include <vector>

#include "hw/hlsc/emit/effects.h"
#include "hw/hlsc/emit/nest_pipeline.h"

namespace vta::hlsc::emit {

// The words that a nest's body reads from RAMs. A word is kept in a register if another read may
// use the port before the word is used. RAMs return the old word on a write in the same cycle, so a
// read that coincides with an older iteration's write of its word takes the written lanes instead.
// A word that waits a stage (schedule.h) takes the lanes that are written while it waits as well.
class NestWords {
 public:
  // Sets the nets of the words in the pipeline.
  explicit NestWords(NestPipeline& pipeline);

  // Adds the write of a stage to a RAM; `happens`: the wire that is true when the stage writes.
  void write(ir::ObjectId ram, uint32_t stage, const Expression& happens,
             const JoinedWrite& joined);

  // Whether the RAM's port may read in each iteration, also where the read's predicate is false.
  // The port and its word have no other user, so the word of such an iteration does not matter.
  // Then the predicate, often a long path, does not reach the enables of the block RAMs.
  bool may_read_always(ir::ValueId read) const;

  // Adds the words to the module; `happens`: by the read, the wire that is true when it happens.
  void emit(const std::map<ir::ValueId, Expression>& happens);

 private:
  bool needs_keeping(ir::ValueId read) const;
  // Whether an older iteration's write can coincide with the read.
  bool needs_forwarding(ir::ValueId read) const;
  const ir::Object& ram_of(ir::ValueId read) const {
    return state_.design.objects[state_.op(read).object];
  }
  // <ram>_<read>, and nets whose names begin with it.
  std::string site(ir::ValueId read) const;
  Expression site_word(ir::ValueId read, const char* suffix) const;
  Expression site_lanes(ir::ValueId read, const char* suffix) const;
  Expression read_word(ir::ValueId read) const;
  // Adds the registers <site>_met, the lanes that were written in the cycle of the read, and
  // <site>_new, the written word.
  void forward(ir::ValueId read, const Expression& happens);

  // The writes of older iterations that may coincide with a read.
  struct Writes {
    Expression enables, address, data;
  };
  Writes older_writes(ir::ValueId read);
  // For a word that waits a stage: also the lanes that are written in that stage.
  void forward_late(ir::ValueId read, const Expression& happens, const rtl::Statement& meets,
                    const Writes& writes);
  Expression merged(ir::ValueId read, const Expression& lanes, const Expression& chosen,
                    const Expression& otherwise) const;

  NestPipeline& pipeline_;
  ModuleState& state_;
  struct Write {
    uint32_t stage;
    Expression happens;
    JoinedWrite joined;
  };
  std::map<ir::ObjectId, std::vector<Write>> writes_;  // by stage
};

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_NEST_WORDS_H_
