// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/passes/value_bits.h"

#include <algorithm>
#include <utility>

#include "hw/hlsc/ir/walk.h"
#include "hw/hlsc/passes/loop_limits.h"
#include "hw/hlsc/passes/operation_bits.h"

namespace vta::hlsc::passes {

using ir::LoopPhi;
using ir::ValueId;

namespace {

class BitCounter {
 public:
  explicit BitCounter(const ir::Process& process)
      : process_(process), bits_(process.ops.size(), 0) {
    for (size_t i = 0; i < bits_.size(); ++i) {
      if (process.ops[i].opcode == ir::Opcode::kConstant) update(static_cast<ValueId>(i));
    }
    ir::for_each_loop(process.body,
                      [&](const ir::Loop& loop) { limits_.emplace_back(process_, loop); });
  }

  // Bits only grow, so the iteration reaches a fixpoint.
  std::vector<uint32_t> run() {
    do {
      changed_ = false;
      size_t at = 0;
      sequence(process_.body, at);
    } while (changed_);
    return std::move(bits_);
  }

 private:
  void raise(ValueId value, uint32_t bits) {
    if (bits <= bits_[value]) return;
    bits_[value] = bits;
    changed_ = true;
  }
  void update(ValueId value) {
    raise(value,
          operation_bits(process_, process_.ops[value], [&](ValueId v) { return bits_[v]; }));
  }

  void sequence(const ir::Sequence& items, size_t& at) {
    ir::for_each_item(
        items, [&](ValueId value) { update(value); },
        [&](const ir::Loop& inner) { loop(inner, at); });
  }

  void loop(const ir::Loop& loop, size_t& at) {
    const LoopLimits& limits = limits_[at++];
    for (const LoopPhi& phi : loop.phis) raise(phi.phi, bits_[phi.init]);
    sequence(loop.head, at);
    sequence(loop.body, at);
    for (const LoopPhi& phi : loop.phis) {
      const uint32_t next = bits_[phi.next];
      if (next <= bits_[phi.phi]) continue;
      raise(phi.phi, std::min(next, limits.next_bits(phi, bits_).value_or(next)));
    }
  }

  const ir::Process& process_;
  std::vector<uint32_t> bits_;
  std::vector<LoopLimits> limits_;  // of each loop, in program order
  bool changed_ = false;
};

}  // namespace

std::vector<uint32_t> value_bits(const ir::Process& process) { return BitCounter(process).run(); }

}  // namespace vta::hlsc::passes
