// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/shorten_recurrences.h"

#include <set>
#include <vector>

#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/ir/walk.h"
#include "hw/hlsc/passes/nest.h"
#include "hw/hlsc/passes/passes.h"
#include "hw/hlsc/schedule/body_scheduler.h"
#include "hw/hlsc/schedule/carried_forms.h"
#include "hw/hlsc/schedule/recurrences.h"

namespace vta::hlsc::schedule {

using ir::ValueId;
using Levels = std::vector<const ir::Loop*>;

namespace {

class Bodies {
 public:
  Bodies(const ir::Design& design, ir::Process& process, const Options& options)
      : design_(design), process_(process), options_(options) {}

  // Whether anything has changed.
  bool run() {
    sequence(process_.body);
    return changed_;
  }

 private:
  void sequence(ir::Sequence& items) {
    ir::for_each_item(
        items, [](ValueId) {},
        [&](ir::Loop& loop) {
          const Levels levels = passes::engine_of(process_, loop).levels;
          if (!levels.empty()) return nest(loop, levels);
          sequence(loop.head);
          sequence(loop.body);
        });
  }
  void nest(ir::Loop& loop, const Levels& levels) {
    if (&loop != levels.back()) {
      ir::for_each_item(loop.body, [](ValueId) {}, [&](ir::Loop& inner) { nest(inner, levels); });
    } else if (!is_achievable(design_, process_, options_, levels)) {
      shorten(loop);
    }
  }
  void shorten(ir::Loop& loop) {
    for (ir::ObjectId reg : Recurrences(design_, process_, loop).registers()) {
      const Recurrences recurrences(design_, process_, loop);  // others may have changed
      const std::set<ValueId> recurrence = recurrences.through(reg);
      if (!recurrences.is_slow(recurrence, options_)) continue;
      CarriedForms forms(process_, recurrence);
      const auto of_op = [&](ValueId value, ir::Sequence& out) {
        if (recurrence.contains(value)) forms.shorten(value, out);
      };
      ir::rebuild(loop.body, of_op, [](const ir::Loop&) {});
      changed_ = true;
    }
  }

  const ir::Design& design_;
  ir::Process& process_;
  const Options& options_;
  bool changed_ = false;
};

}  // namespace

void shorten_recurrences(ir::Design& design, const Options& options) {
  bool changed = false;
  for (ir::Process& process : design.processes) {
    if (!Bodies(design, process, options).run()) continue;
    passes::eliminate_dead_ops(design, process);
    changed = true;
  }
  if (changed) ir::verify(design);
}

}  // namespace vta::hlsc::schedule
