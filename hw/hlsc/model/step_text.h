// SPDX-License-Identifier: Apache-2.0
//
// The statements of one step: a state, or the first stage of a pipeline.
#ifndef VTA_HW_HLSC_MODEL_STEP_TEXT_H_
#define VTA_HW_HLSC_MODEL_STEP_TEXT_H_

#include <set>
#include <string>
#include <vector>

#include "hw/hlsc/model/process_text.h"

namespace vta::hlsc::model {

// Lines in order without duplicates: the lanes of a word request one port.
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

// Operations of one step before their effects: waits for streams, then for ports, advance `now`;
// values are computed in between. Waits are reported from `since` on. If several operations wait,
// each takes effect as soon as it can.
std::string waiting_text(const ProcessText& text, const std::vector<ir::ValueId>& operations,
                         const std::string& since, bool several_waits);

// `phi = value` for all phis at once.
std::string assigned_phis(const ProcessText& text, const ir::Loop& loop, bool initial);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_STEP_TEXT_H_
