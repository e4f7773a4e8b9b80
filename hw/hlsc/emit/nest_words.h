// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_NEST_WORDS_H_
#define VTA_HW_HLSC_EMIT_NEST_WORDS_H_

#include <map>
#include <string>
#include <vector>

#include "hw/hlsc/emit/effects.h"
#include "hw/hlsc/emit/nest_pipeline.h"

namespace vta::hlsc::emit {

// The words that a nest's body reads of RAMs. They are kept where another read may follow at the
// port before they are used. A read that meets an older iteration's write of its word in the same
// cycle takes the word from there, lane by lane, since RAMs give what they held before. So does a
// word that waits a stage (schedule.h) with the writes that happen meanwhile.
class NestWords {
 public:
  // Tells the pipeline what the words are called.
  explicit NestWords(NestPipeline& pipeline);

  // What the stage writes to a RAM, and the wire that is true when it does.
  void write(ir::ObjectId ram, uint32_t stage, const std::string& happens,
             const JoinedWrite& joined);

  // Declares them; `happens`: the wire that is true when a read happens, by the read.
  void emit(const std::map<ir::ValueId, std::string>& happens);

 private:
  bool needs_keeping(ir::ValueId read) const;
  bool meets_writes(ir::ValueId read) const;
  std::string site(ir::ValueId read) const;
  std::string read_word(ir::ValueId read) const;
  void forward(ir::ValueId read, const std::string& happens);

  // The writes of older iterations that a read may meet.
  struct Writes {
    std::string enables, address, data;
  };
  Writes older_writes(ir::ValueId read);
  void wait(ir::ValueId read, const std::string& happens, const std::string& meets,
            const Writes& writes);
  std::string merged(ir::ValueId read, const std::string& lanes, const std::string& chosen,
                     const std::string& otherwise) const;

  NestPipeline& pipeline_;
  ModuleState& state_;
  struct Write {
    uint32_t stage;
    std::string happens;
    JoinedWrite joined;
  };
  std::map<ir::ObjectId, std::vector<Write>> writes_;  // by stage
};

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_NEST_WORDS_H_
