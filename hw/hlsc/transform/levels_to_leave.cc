// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/transform/levels_to_leave.h"

#include <algorithm>

namespace vta::hlsc::transform {

using ir::Loop;
using ir::LoopPhi;
using ir::ValueId;

namespace {

using Place = NestValues::Place;

bool hands_through(const LoopPhi& phi, const Loop& below) {
  return std::any_of(below.phis.begin(), below.phis.end(), [&](const LoopPhi& inner) {
    return inner.init == phi.phi && phi.next == inner.phi;
  });
}

bool uses(const ir::Process& process, const ir::Sequence& items, ValueId wanted) {
  return std::any_of(items.begin(), items.end(), [&](const ir::Item& item) {
    const ValueId* user = std::get_if<ValueId>(&item);
    if (user == nullptr) return false;
    const std::vector<ValueId>& operands = process.ops[*user].operands;
    return std::find(operands.begin(), operands.end(), wanted) != operands.end();
  });
}

// The levels by which the phi of level `own` is used otherwise than in its own head, in the
// innermost body if it is of the innermost level, and as what starts one phi of the level below:
// there only a register can stand for it.
size_t levels_that_look_at(const ir::Process& process, const NestLoops& nest, const LoopPhi& phi,
                           size_t own) {
  size_t levels = 0, starts = 0;
  for (size_t level = 0; level < nest.levels.size(); ++level) {
    const Loop& loop = *nest.levels[level];
    const bool innermost = level + 1 == nest.levels.size();
    bool looks = level != own && uses(process, loop.head, phi.phi);
    looks |= (level != own || !innermost) && uses(process, loop.body, phi.phi);
    for (const LoopPhi& other : loop.phis) {
      if (other.init != phi.phi) continue;
      looks |= level != own + 1 || ++starts > 1;
    }
    if (looks) levels = std::max(levels, std::min(level, own) + 1);
  }
  return levels;
}

}  // namespace

size_t levels_to_leave(const ir::Process& process, const NestLoops& nest, const NestValues& values,
                       const std::set<ValueId>& phis, const std::set<ValueId>& dynamic) {
  size_t leave = values.levels_read_by_body(dynamic);
  for (size_t level = 0; level < nest.levels.size(); ++level) {
    for (const LoopPhi& phi : nest.levels[level]->phis) {
      if (phis.contains(phi.phi))
        leave = std::max(leave, levels_that_look_at(process, nest, phi, level));
    }
  }
  for (size_t level = 0; level + 1 < nest.levels.size(); ++level) {
    const Loop& loop = *nest.levels[level];
    const Loop& below = *nest.levels[level + 1];
    bool fits = !dynamic.contains(loop.condition);
    for (const LoopPhi& phi : loop.phis) {
      if (phis.contains(phi.phi)) fits = fits && hands_through(phi, below);
    }
    for (const LoopPhi& phi : below.phis) {  // what starts it anew must be known to the counters
      if (phis.contains(phi.phi) && dynamic.contains(phi.init))
        fits = fits && values.place(phi.init) == Place::kPhi;
    }
    if (!fits) leave = std::max(leave, level + 1);
  }
  return leave;
}

}  // namespace vta::hlsc::transform
