// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_MODEL_NEST_BODY_H_
#define VTA_HW_HLSC_MODEL_NEST_BODY_H_

#include <set>
#include <string>
#include <vector>

#include "hw/hlsc/model/model_text.h"
#include "hw/hlsc/schedule/pipelined_body.h"

namespace vta::hlsc::model {

// The body of a nest's pipelined loop, by stages, while its text is written.
class NestBody : public schedule::PipelinedBody {
 public:
  // `number`: of the nest in its process.
  NestBody(ProcessText& text, const schedule::Nest& nest, size_t number);

  ProcessText& text() const { return t_; }
  const schedule::Nest& nest() const { return nest_; }
  // All of them, stage by stage.
  std::vector<ir::ValueId> in_order() const;

  // Late words of reads that happen in the stage in front.
  std::vector<ir::ValueId> waiting_words(uint32_t stage) const;

  bool has_streams() const;
  // Whether an iteration may have to wait in another stage than the first.
  bool waits_behind_first_stage() const;
  // Registers that it writes and that the counters look at.
  std::set<ir::ObjectId> written_late_registers() const;

  // A stage in which an older iteration keeps a read from happening in stage `at`, or its word from
  // leaving it: by an access with this predicate. A write only if it is of the same word.
  struct Hazard {
    uint32_t stage;
    ir::ValueId access;
  };
  std::vector<Hazard> hazards(ir::ValueId read, uint32_t at) const;

  // The variable with the cycle from which on the next iteration can be issued, where the interval
  // is more than one.
  std::string gap() const;
  bool has_variable(ir::ValueId value) const {
    return t_.is_computed(value) && t_.op(value).width > 0;
  }

 private:
  ProcessText& t_;
  const schedule::Nest& nest_;
  size_t number_;
};

// "" for nothing, else a line.
std::string line(const std::string& text);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_NEST_BODY_H_
