// SPDX-License-Identifier: Apache-2.0
#include "tests/support/dropped_token.h"

#include <algorithm>

#include "hw/isa/program_bytes.h"

namespace vta::support {

bool drop_token(GeneratedProgram& program, const CoreConfig& config, TokenPath path, uint32_t k) {
  const std::vector<isa::InstructionBits> stream = program.instructions();
  const auto clear = [&](auto&& flag_of) {
    uint32_t seen = 0;
    for (size_t i = 0; i < stream.size(); ++i) {
      isa::Instruction in = isa::decode(stream[i], config);
      const isa::Stage stage = isa::stage_of(in);
      const bool plain = !in.split && (stage == isa::Stage::kGemm || stage == isa::Stage::kAlu);
      uint32_t* const flag =
          flag_of(in, plain ? isa::Stage::kGemm : stage, plain ? isa::Stage::kAlu : stage);
      if (flag == nullptr || *flag == 0 || seen++ != k) continue;
      *flag = 0;
      const isa::InstructionBits bits = isa::encode(in, config);
      const uint64_t at = program.program_offset_bytes + i * isa::kInstructionBytes;
      std::ranges::copy(isa::bytes_of({&bits, 1}), &program.arena[at]);
      return true;
    }
    return false;
  };
  const bool forward = path.from < path.to;
  const auto push_of = [&](isa::Instruction& in, isa::Stage prev_self,
                           isa::Stage next_self) -> uint32_t* {
    if ((forward ? next_self : prev_self) != path.from) return nullptr;
    return forward ? &in.push_next : &in.push_prev;
  };
  const auto pop_of = [&](isa::Instruction& in, isa::Stage prev_self,
                          isa::Stage next_self) -> uint32_t* {
    if ((forward ? prev_self : next_self) != path.to) return nullptr;
    return forward ? &in.pop_prev : &in.pop_next;
  };
  return clear(push_of) && clear(pop_of);
}

}  // namespace vta::support
