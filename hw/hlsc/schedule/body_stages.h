// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_SCHEDULE_BODY_STAGES_H_
#define VTA_HW_HLSC_SCHEDULE_BODY_STAGES_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hw/hlsc/passes/literals.h"
#include "hw/hlsc/schedule/deadline.h"
#include "hw/hlsc/schedule/schedule.h"
#include "hw/hlsc/schedule/timing.h"

namespace vta::hlsc::schedule {

// Stages of a pipelined body during scheduling: as early as data, chaining, the order of operations
// that may wait, and the requested delays allow. A constraint that does not hold requests a delay
// of one of its operations; place() follows, until all hold (body_scheduler.cc).
class BodyStages {
 public:
  // `levels`: of a nest; the last is the pipelined loop. `shared`: memory that other processes use
  // as well. All arguments must outlive this.
  BodyStages(const ir::Design& design, const ir::Process& process,
             const std::vector<const ir::Loop*>& levels, double budget_ns,
             const std::set<ir::ObjectId>& shared);

  // In program order.
  const std::vector<ir::ValueId>& order() const { return order_; }
  uint32_t stage(ir::ValueId value) const { return at_[value].step; }
  double ready_ns(ir::ValueId value) const { return at_[value].ns; }
  uint32_t last() const;

  // From the next place() on the operation is in this stage or a later one. False if it is already.
  bool delay(ir::ValueId value, uint32_t stage);
  void place();

  // From the next place() on the word of the read waits one more stage.
  void make_late(ir::ValueId read) { late_words_.insert(read); }
  const std::set<ir::ValueId>& late_words() const { return late_words_; }
  // From the next place() on the word of the read passes through the RAM's output register.
  void make_registered(ir::ValueId read) { registered_words_.insert(read); }
  const std::set<ir::ValueId>& registered_words() const { return registered_words_; }
  bool is_split(ir::ValueId value) const { return is_split_[value]; }
  // When the operands are available, from the beginning of the operation's stage.
  double operands_ready_ns(ir::ValueId value) const;

  // The interval is not achievable. The first reason is kept.
  struct Refusal {
    ir::Location location;
    std::string what;
    std::optional<size_t> shortest = std::nullopt;  // interval for which this reason does not hold
  };
  void refuse(Refusal refusal);
  const std::optional<Refusal>& refusal() const { return refusal_; }

  // Delays an operation because the interval is short. An operation that has been delayed so many
  // times since begin() cannot be placed: the interval is refused for `reason()`, a Refusal.
  template <class Reason>
  bool delay_for_interval(ir::ValueId value, uint32_t stage, Reason&& reason) {
    if (++delays_[value] > kMaxDelays) refuse(reason());
    return delay(value, stage);
  }
  void begin() { delays_.clear(); }

  struct State {
    std::vector<uint32_t> earliest;  // by ValueId
    std::vector<Time> at;
    std::set<ir::ValueId> late_words, registered_words;
  };
  State state() const { return {earliest_, at_, late_words_, registered_words_}; }
  // Also clears a refusal.
  void restore(State state);

 private:
  uint32_t stage_after(const std::vector<std::pair<passes::Literals, uint32_t>>& waits,
                       const passes::Literals& literals) const;
  Time operands_ready(const ir::Op& op) const;
  Time partial_sums_time(const ir::Op& op, const Time& start) const;
  Time available(ir::ValueId value) const;

  static constexpr int kMaxDelays = 100;
  const ir::Process& process_;
  const Deadlines deadlines_;
  const double budget_ns_;
  const std::set<ir::ObjectId>& shared_;
  const std::map<ir::ValueId, double> counter_delays_ns_;
  std::vector<bool> in_body_, is_split_;  // by ValueId
  std::set<ir::ObjectId> written_;        // RAMs that the body writes
  std::vector<ir::ValueId> order_;
  std::vector<uint32_t> earliest_;  // by ValueId
  std::vector<Time> at_;
  std::set<ir::ValueId> late_words_, registered_words_;
  std::map<ir::ValueId, int> delays_;
  std::optional<Refusal> refusal_;
};

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_BODY_STAGES_H_
