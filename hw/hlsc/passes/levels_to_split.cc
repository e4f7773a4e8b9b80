// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/passes/levels_to_split.h"

#include <algorithm>

#include "hw/hlsc/ir/walk.h"

namespace vta::hlsc::passes {

using ir::Loop;
using ir::LoopPhi;
using ir::ValueId;

namespace {

using Place = NestValues::Place;

bool passes_through(const LoopPhi& phi, const Loop& below) {
  return std::any_of(below.phis.begin(), below.phis.end(), [&](const LoopPhi& inner) {
    return inner.init == phi.phi && phi.next == inner.phi;
  });
}

bool uses(const ir::Process& process, const ir::Sequence& items, ValueId wanted) {
  return std::any_of(items.begin(), items.end(), [&](const ir::Item& item) {
    const ValueId* user = ir::as_op(item);
    if (user == nullptr) return false;
    const std::vector<ValueId>& operands = process.ops[*user].operands;
    return std::find(operands.begin(), operands.end(), wanted) != operands.end();
  });
}

// The number of outer levels that must be split off because they use the phi of level `own` where a
// register cannot replace it. A register can in the level's own head, in the innermost body if the
// level is the innermost, and as the initial value of one phi of the next level.
size_t levels_that_use(const ir::Process& process, const NestLoops& nest, const LoopPhi& phi,
                       size_t own) {
  size_t levels = 0, starts = 0;
  for (size_t level = 0; level < nest.levels.size(); ++level) {
    const Loop& loop = *nest.levels[level];
    const bool innermost = level + 1 == nest.levels.size();
    bool used = level != own && uses(process, loop.head, phi.phi);
    used |= (level != own || !innermost) && uses(process, loop.body, phi.phi);
    for (const LoopPhi& other : loop.phis) {
      if (other.init != phi.phi) continue;
      used |= level != own + 1 || ++starts > 1;
    }
    if (used) levels = std::max(levels, std::min(level, own) + 1);
  }
  return levels;
}

}  // namespace

size_t levels_to_split(const ir::Process& process, const NestLoops& nest, const NestValues& values,
                       const std::set<ValueId>& phis, const std::set<ValueId>& dynamic) {
  size_t split = values.levels_read_by_body(dynamic);
  for (size_t level = 0; level < nest.levels.size(); ++level) {
    for (const LoopPhi& phi : nest.levels[level]->phis) {
      if (phis.contains(phi.phi))
        split = std::max(split, levels_that_use(process, nest, phi, level));
    }
  }
  for (size_t level = 0; level + 1 < nest.levels.size(); ++level) {
    const Loop& loop = *nest.levels[level];
    const Loop& below = *nest.levels[level + 1];
    bool fits = !dynamic.contains(loop.condition);
    for (const LoopPhi& phi : loop.phis) {
      if (phis.contains(phi.phi)) fits = fits && passes_through(phi, below);
    }
    for (const LoopPhi& phi : below.phis) {  // the counters must know its initial value
      if (phis.contains(phi.phi) && dynamic.contains(phi.init))
        fits = fits && values.place(phi.init) == Place::kPhi;
    }
    if (!fits) split = std::max(split, level + 1);
  }
  return split;
}

}  // namespace vta::hlsc::passes
