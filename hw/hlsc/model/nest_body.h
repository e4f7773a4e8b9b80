// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_MODEL_NEST_BODY_H_
#define VTA_HW_HLSC_MODEL_NEST_BODY_H_

#include <set>
#include <string>
#include <vector>

#include "hw/hlsc/model/process_text.h"
#include "hw/hlsc/schedule/pipelined_body.h"

namespace vta::hlsc::model {

// The stages of a nest's pipelined loop, for the parts that write its text.
class NestBody : public schedule::PipelinedBody {
 public:
  // `number`: index of the nest in its process.
  NestBody(ProcessText& text, const schedule::Nest& nest, size_t number);

  ProcessText& text() const { return t_; }
  const schedule::Nest& nest() const { return nest_; }
  // All operations, stage by stage.
  std::vector<ir::ValueId> in_order() const;

  // Late words that are updated in stage `at`: of the reads of the stage before it.
  std::vector<ir::ValueId> waiting_words(uint32_t at) const;

  bool has_streams() const;
  // Whether an iteration may wait in a stage other than the first.
  bool waits_after_first_stage() const;
  // Late registers (late_registers()) that the body writes.
  std::set<ir::ObjectId> written_late_registers() const;

  // An access of an older iteration in `stage` that stalls a read in stage `at`, or its word
  // (bind/ram_hazards.h); a write only if it is to the same word.
  struct Hazard {
    uint32_t stage;
    ir::ValueId access;
  };
  std::vector<Hazard> hazards(ir::ValueId read, uint32_t at) const;

  // The variable with the earliest cycle of the next iteration, if the interval is more than one.
  std::string gap() const;
  bool has_variable(ir::ValueId value) const {
    return t_.is_computed(value) && t_.op(value).width > 0;
  }

 private:
  ProcessText& t_;
  const schedule::Nest& nest_;
  size_t number_;
};

// `text` and a newline; "" for "".
std::string line(const std::string& text);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_NEST_BODY_H_
