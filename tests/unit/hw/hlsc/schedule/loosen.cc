// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hw/hlsc/schedule/loosen.h"

#include <algorithm>
#include <vector>

#include "base/errors/error.h"
#include "base/numbers/random.h"
#include "hw/hlsc/schedule/check.h"

namespace vta::hlsc::schedule {
namespace {

class Loosener {
 public:
  Loosener(const ir::Design& design, Schedule& schedule, size_t process, Random& random)
      : design_(design),
        schedule_(schedule),
        process_(schedule.processes[process]),
        random_(random) {
    sequence(design.processes[process].body,
             process_.num_steps.at(&design.processes[process].body));
  }

  size_t accepted = 0;

 private:
  void sequence(const ir::Sequence& items, uint32_t& num_steps) {
    for (const ir::Item& item : items) {
      const auto* loop = std::get_if<std::unique_ptr<ir::Loop>>(&item);
      if (loop == nullptr) continue;
      if (const auto found = process_.nests.find(loop->get()); found != process_.nests.end()) {
        loosen(found->second.levels.back()->body, found->second.stages);
      } else {
        sequence((*loop)->head, process_.num_steps.at(&(*loop)->head));
        sequence((*loop)->body, process_.num_steps.at(&(*loop)->body));
      }
    }
    loosen(items, num_steps);
  }

  void loosen(const ir::Sequence& items, uint32_t& num_steps) {
    if (items.empty()) return;
    constexpr size_t kMaxTries = 300;
    constexpr uint32_t kMaxSteps = 12;
    const size_t tries = std::min(6 * items.size(), kMaxTries);
    for (size_t i = 0; i < tries; ++i) {
      const auto steps = process_.step;
      const auto entry_steps = process_.entry_step;
      const uint32_t steps_before = num_steps;
      if (num_steps < kMaxSteps && random_.between(0, 2) == 0) {
        insert_step(items, num_steps);
      } else {
        move(
            items[static_cast<size_t>(random_.between(0, static_cast<int64_t>(items.size()) - 1))]);
      }
      if (is_correct()) {
        ++accepted;
        continue;
      }
      // In several statements: num_steps is a reference into the rest.
      process_.step = steps;
      process_.entry_step = entry_steps;
      num_steps = steps_before;
    }
  }

  uint32_t& step_of(const ir::Item& item) {
    if (const ir::ValueId* value = std::get_if<ir::ValueId>(&item)) return process_.step[*value];
    return process_.entry_step.at(std::get<std::unique_ptr<ir::Loop>>(item).get());
  }
  void insert_step(const ir::Sequence& items, uint32_t& num_steps) {
    const uint32_t at = static_cast<uint32_t>(random_.between(0, num_steps));
    for (const ir::Item& item : items) step_of(item) += step_of(item) >= at ? 1 : 0;
    ++num_steps;
  }
  void move(const ir::Item& item) {
    uint32_t& step = step_of(item);
    if (random_.between(0, 1) == 0) {
      ++step;
    } else if (step > 0) {
      --step;
    }
  }

  bool is_correct() const {
    try {
      check(design_, schedule_);
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  const ir::Design& design_;
  Schedule& schedule_;
  ProcessSchedule& process_;
  Random& random_;
};

}  // namespace

size_t loosen(const ir::Design& design, Schedule& schedule, uint64_t seed) {
  Random random(seed);
  size_t accepted = 0;
  for (size_t i = 0; i < design.processes.size(); ++i)
    accepted += Loosener(design, schedule, i, random).accepted;
  return accepted;
}

}  // namespace vta::hlsc::schedule
