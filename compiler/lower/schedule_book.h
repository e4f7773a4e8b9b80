// SPDX-License-Identifier: Apache-2.0
//
// ScheduleBook: tilings that were measured to be better than those of the search, by task. Lowering
// looks a convolution up here before it searches.
//
// A task is a convolution or dense layer in its place: what the search depends on, and the
// operators and shapes before and after it in its stream, which overlap with it. Layers of the same
// task are lowered alike.
#ifndef VTA_COMPILER_LOWER_SCHEDULE_BOOK_H_
#define VTA_COMPILER_LOWER_SCHEDULE_BOOK_H_

#include <cstddef>
#include <map>
#include <string>

#include "compiler/lower/tiling.h"

namespace vta::lower {

// A task and the tiling that its layer was lowered with.
struct TuningTask : ConvSchedule {
  std::string text;  // task_text()
};

// The canonical text of a task. `place`: the layer's neighbours in its stream.
std::string task_text(const TilingProblem& problem, const std::string& place);

class ScheduleBook {
 public:
  struct Entry {
    Tiling tiling;       // without cost
    std::string origin;  // for messages: "schedules.jsonl:12"
  };

  // Replaces the task's entry.
  void set(const std::string& task, Entry entry) { entries_[task] = std::move(entry); }
  // nullptr: none.
  const Entry* find(const std::string& task) const {
    const auto found = entries_.find(task);
    return found != entries_.end() ? &found->second : nullptr;
  }
  size_t size() const { return entries_.size(); }

 private:
  std::map<std::string, Entry> entries_;
};

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_SCHEDULE_BOOK_H_
