// SPDX-License-Identifier: Apache-2.0
//
// The statements of one step: a state, or the first stage of a pipeline.
#ifndef VTA_HW_HLSC_MODEL_STEP_TEXT_H_
#define VTA_HW_HLSC_MODEL_STEP_TEXT_H_

#include <set>
#include <string>
#include <vector>

#include "hw/hlsc/model/model_text.h"

namespace vta::hlsc::model {

bool is_wait(const ir::Op& op);
// What is only computed, in no time.
bool is_value(const ir::Op& op);

// Different lines in the order in which they come: the lanes of a word ask for one port.
class Lines {
 public:
  void add(const std::string& line) {
    if (known_.insert(line).second) text_ += line;
  }
  const std::string& text() const { return text_; }
  size_t count() const { return known_.size(); }

 private:
  std::set<std::string> known_;
  std::string text_;
};

// Operations of one step, up to and without what they do: waits for streams, then for ports, move
// `now`; values are computed on the way. Waits show from `since` on. Where several operations wait,
// each happens at once.
std::string waiting_text(const ProcessText& text, const std::vector<ir::ValueId>& operations,
                         const std::string& since, bool several_waits);

// `phi = value` for all of them at once.
std::string assigned_phis(const ProcessText& text, const ir::Loop& loop, bool initial);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_STEP_TEXT_H_
