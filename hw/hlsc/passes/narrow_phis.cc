// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/passes/narrow_phis.h"

#include <algorithm>
#include <utility>

#include "hw/hlsc/ir/builder.h"
#include "hw/hlsc/ir/walk.h"

namespace vta::hlsc::passes {

using ir::LoopPhi;
using ir::Op;
using ir::Opcode;
using ir::Sequence;
using ir::ValueId;

namespace {

class PhiNarrower {
 public:
  PhiNarrower(ir::Process& process, const std::vector<uint32_t>& bits)
      : process_(process), bits_(bits) {}

  void sequence(Sequence& items) {
    Sequence out;
    for (ir::Item& item : items) {
      if (ir::Loop* loop = ir::as_loop(item)) narrow(*loop, out);
      out.push_back(std::move(item));
    }
    items = std::move(out);
  }

 private:
  void narrow(ir::Loop& loop, Sequence& before) {
    sequence(loop.head);
    sequence(loop.body);
    Sequence extensions;
    for (LoopPhi& phi : loop.phis) {
      const uint32_t bits = std::max(bits_[phi.phi], 1u);
      if (bits >= process_.ops[phi.phi].width) continue;
      phi.init = slice(phi.init, bits, before);
      phi.next = slice(phi.next, bits, loop.body);
      Op narrow = process_.ops[phi.phi];
      narrow.width = bits;
      const ValueId made = ir::Builder(process_).add(std::move(narrow));
      // The wide value keeps its ValueId, and with it its uses.
      Op& wide = process_.ops[phi.phi];
      wide.opcode = Opcode::kZext;
      wide.operands = {made};
      extensions.emplace_back(phi.phi);
      phi.phi = made;
    }
    loop.head.insert(loop.head.begin(), std::make_move_iterator(extensions.begin()),
                     std::make_move_iterator(extensions.end()));
  }

  ValueId slice(ValueId value, uint32_t width, Sequence& out) {
    ir::Builder builder(process_, &out);
    builder.set_origin(process_.ops[value].location, "");
    return builder.append(Opcode::kSlice, width, {value});
  }

  ir::Process& process_;
  const std::vector<uint32_t>& bits_;
};

}  // namespace

void narrow_phis(ir::Process& process, const std::vector<uint32_t>& bits) {
  PhiNarrower(process, bits).sequence(process.body);
}

}  // namespace vta::hlsc::passes
