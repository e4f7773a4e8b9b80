// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <functional>

#include "base/numbers/random.h"
#include "hw/isa/program_bytes.h"
#include "tests/support/golden_instruction.h"
#include "tests/support/golden_interpreter.h"
#include "tests/support/program_generator.h"

namespace vta::support {
namespace {

constexpr uint64_t kMaxMicroOps = 200'000;
constexpr int kMaxAttempts = 300;

// Other orders of the stages, and other cores: how many plain compute instructions the queues hold.
// That is from a third of the entries of one, as an instruction takes up to three, to the entries
// of gemm's and alu's together (docs/instruction_set.md, Order).
std::array<GoldenOptions, 4> other_options(const CoreConfig& config) {
  return {{{.schedule_seed = 1},
           {.schedule_seed = 2},
           {.compute_queue_depth = std::max(1u, config.command_queue_depth / 3)},
           {.compute_queue_depth = 2 * config.command_queue_depth}}};
}

// Makes one mistake in a program.
class Mistake {
 public:
  Mistake(const CoreConfig& config, GeneratedProgram& program, Random& random)
      : config_(config), program_(program), random_(random), stream_(program.instructions()) {}

  // False if no instruction of the program allows this mistake.
  bool make(isa::FaultCode fault);

 private:
  using Change = std::function<void(isa::Instruction&)>;
  using Condition = std::function<bool(const isa::Instruction&)>;

  bool change(const Condition& condition, const Change& change);
  bool flip_bits();
  bool set_reserved_bit();
  bool illegal_opcode();
  bool illegal_memory();
  bool illegal_padding();
  bool scratchpad_range();
  bool dram_range();
  bool alu_opcode();
  bool req_immediate();
  bool uop_range();
  bool operand_index(isa::FaultCode fault);
  bool token_between_gemm_and_alu();
  bool move_finish();
  bool drop_finish();
  bool extra_push();
  bool missing_push();

  uint32_t draw(int64_t low, int64_t high) {
    return static_cast<uint32_t>(random_.between(low, high));
  }
  uint32_t any_index() { return draw(0, static_cast<int64_t>(stream_.size()) - 1); }

  const CoreConfig& config_;
  GeneratedProgram& program_;
  Random& random_;
  std::vector<isa::InstructionBits> stream_;
};

bool is_memory(const isa::Instruction& in) {
  return in.opcode == isa::kLoad || in.opcode == isa::kStore;
}
bool moves_data(const isa::Instruction& in) {
  return is_memory(in) && in.x_size > 0 && in.y_size > 0;
}
bool is_nest(const isa::Instruction& in) {
  return in.opcode == isa::kGemm || in.opcode == isa::kAlu;
}

uint32_t depth_of(const isa::Instruction& in, const CoreConfig& config) {
  if (in.memory == isa::kUop) return config.uop_depth();
  if (in.memory == isa::kWgt) return config.wgt_depth();
  if (in.memory == isa::kInp) return config.inp_depth();
  return config.acc_depth();
}

bool Mistake::make(isa::FaultCode fault) {
  const auto made = [&] {
    switch (fault) {
      case isa::kNoFault:
        return flip_bits();
      case isa::kIllegalOpcode:
        return illegal_opcode();
      case isa::kReservedBits:
        return set_reserved_bit();
      case isa::kIllegalMemory:
        return illegal_memory();
      case isa::kIllegalPadding:
        return illegal_padding();
      case isa::kScratchpadRange:
        return scratchpad_range();
      case isa::kDramRange:
        return dram_range();
      case isa::kIllegalAluOpcode:
        return alu_opcode();
      case isa::kIllegalReq:
        return req_immediate();
      case isa::kUopRange:
        return uop_range();
      case isa::kDstIndex:
      case isa::kSrcIndex:
      case isa::kWgtIndex:
        return operand_index(fault);
      case isa::kTokensAtChange:
        return token_between_gemm_and_alu();
      case isa::kAfterFinish:
        return move_finish();
      case isa::kNoFinish:
        return drop_finish();
      case isa::kTokensLeft:
        return extra_push();
      case isa::kDeadlock:
        return missing_push();
    }
    return false;
  }();
  program_.num_instructions = static_cast<uint32_t>(stream_.size());
  std::ranges::copy(isa::bytes_of(stream_), &program_.arena[program_.program_offset_bytes]);
  return made;
}

// Modifies a random instruction that satisfies the condition.
bool Mistake::change(const Condition& condition, const Change& change) {
  std::vector<uint32_t> candidates;
  for (uint32_t i = 0; i < stream_.size(); ++i) {
    if (condition(isa::decode(stream_[i], config_))) candidates.push_back(i);
  }
  if (candidates.empty()) return false;
  isa::InstructionBits& bits =
      stream_[candidates[draw(0, static_cast<int64_t>(candidates.size()) - 1)]];
  isa::Instruction in = isa::decode(bits, config_);
  change(in);
  bits = isa::encode(in, config_);
  return true;
}

bool Mistake::flip_bits() {
  for (uint32_t left = draw(1, 3); left > 0; --left) {
    isa::InstructionBits& bits = stream_[any_index()];
    (random_.chance(50) ? bits.lo : bits.hi) ^= uint64_t{1} << draw(0, 63);
  }
  return true;
}

bool Mistake::set_reserved_bit() {
  for (int attempt = 0; attempt < 100; ++attempt) {
    isa::InstructionBits& bits = stream_[any_index()];
    const isa::InstructionBits before = bits;
    if (random_.chance(50)) {
      bits.lo |= uint64_t{1} << draw(45, 63);
    } else {
      bits.hi |= uint64_t{1} << draw(32, 63);
    }
    const auto fault = decode_golden(isa::bytes_of({&bits, 1}), config_).encoding_fault;
    if (fault && fault->code == isa::kReservedBits) return true;
    bits = before;
  }
  return false;
}

bool Mistake::illegal_opcode() {
  isa::InstructionBits& bits = stream_[any_index()];
  bits.lo = (bits.lo & ~uint64_t{7}) | draw(5, 7);
  return true;
}

bool Mistake::illegal_memory() {
  constexpr uint32_t kNotLoaded[] = {isa::kOut, 6, 7};
  constexpr uint32_t kNotStored[] = {isa::kUop,     isa::kWgt, isa::kInp, isa::kAcc,
                                     isa::kAcc8Bit, 6,         7};
  const bool load = random_.chance(60);
  return change(
      [&](const isa::Instruction& in) {
        return moves_data(in) && (in.opcode == isa::kLoad) == load;
      },
      [&](isa::Instruction& in) {
        in.split = false;
        in.memory = load ? kNotLoaded[draw(0, 2)] : kNotStored[draw(0, 6)];
      });
}

bool Mistake::illegal_padding() {
  return change(
      [](const isa::Instruction& in) {
        const bool pads =
            in.opcode == isa::kLoad && in.memory != isa::kUop && in.memory != isa::kWgt;
        return moves_data(in) && !pads;
      },
      [&](isa::Instruction& in) {
        uint32_t* pads[] = {&in.y_pad_0, &in.y_pad_1, &in.x_pad_0, &in.x_pad_1};
        *pads[draw(0, 3)] = draw(1, 15);
      });
}

bool Mistake::scratchpad_range() {
  return change(moves_data, [&](isa::Instruction& in) {
    const uint64_t elements =
        uint64_t{in.y_pad_0 + in.y_size + in.y_pad_1} * (in.x_pad_0 + in.x_size + in.x_pad_1);
    const uint32_t depth = depth_of(in, config_);
    switch (draw(0, 3)) {
      case 0:  // by one element
        in.sram_base = elements > depth ? depth : static_cast<uint32_t>(depth + 1 - elements);
        break;
      case 1:
        in.sram_base = draw(depth, 0xffff);
        break;
      case 2:
        in.x_size = draw(0x8000, 0xffff);
        break;
      default:
        in.y_size = 0xffff;
        in.x_size = 0xffff;
    }
  });
}

bool Mistake::dram_range() {
  const uint64_t arena_bytes = program_.arena.size();
  return change(moves_data, [&](isa::Instruction& in) {
    const uint64_t bytes = in.memory == isa::kUop   ? config_.uop_elem_bytes()
                           : in.memory == isa::kWgt ? config_.wgt_elem_bytes()
                           : in.memory == isa::kInp ? config_.inp_elem_bytes()
                           : in.memory == isa::kAcc ? config_.acc_elem_bytes()
                                                    : config_.out_elem_bytes();
    const uint64_t extent = uint64_t{in.y_size - 1} * in.x_stride + in.x_size;
    switch (draw(0, 2)) {
      case 0:  // only the last element is outside
        in.dram_base =
            static_cast<uint32_t>(arena_bytes / bytes + 1 - std::min(extent, arena_bytes / bytes));
        break;
      case 1:
        in.dram_base = draw(static_cast<int64_t>(arena_bytes / bytes), 0xffffffff);
        break;
      default:
        in.dram_base = 0xffffffff;
        in.x_stride = 0xffff;
    }
  });
}

bool Mistake::alu_opcode() {
  const std::vector<uint32_t> illegal = alu_opcodes(false, config_.extension);
  return change([](const isa::Instruction& in) { return in.opcode == isa::kAlu; },
                [&](isa::Instruction& in) {
                  in.alu_opcode = illegal[draw(0, static_cast<int64_t>(illegal.size()) - 1)];
                });
}

bool Mistake::req_immediate() {
  return change(
      [](const isa::Instruction& in) { return in.opcode == isa::kAlu; },
      [&](isa::Instruction& in) {
        in.alu_opcode = isa::kReq;
        in.imm = static_cast<int16_t>(static_cast<uint16_t>(draw(128, 254) << 8 | draw(0, 255)));
      });
}

bool Mistake::uop_range() {
  return change(is_nest, [&](isa::Instruction& in) {
    if (random_.chance(50)) {
      in.uop_bgn = draw(1, config_.uop_depth() - 1);
      in.uop_end = draw(0, in.uop_bgn - 1);
    } else {
      const uint32_t largest = 2 * config_.uop_depth() - 1;
      in.uop_end =
          random_.chance(50) ? config_.uop_depth() + 1 : draw(config_.uop_depth() + 1, largest);
    }
    if (random_.chance(20)) in.iter_out = 0;
  });
}

bool Mistake::operand_index(isa::FaultCode fault) {
  return change(
      [&](const isa::Instruction& in) {
        if (!is_nest(in) || in.uop_bgn >= in.uop_end) return false;
        if (fault == isa::kDstIndex) return true;
        const bool multiplies = in.opcode == isa::kGemm && (!in.reset || in.split);
        return fault == isa::kWgtIndex ? multiplies
                                       : multiplies || (in.opcode == isa::kAlu && !in.use_imm);
      },
      [&](isa::Instruction& in) {
        const bool out = random_.chance(50);
        in.iter_out = std::max<uint32_t>(in.iter_out, out ? draw(2, 5) : 1);
        in.iter_in = std::max<uint32_t>(in.iter_in, out ? 1 : draw(2, 5));
        uint32_t* factors[] = {&in.dst_factor_out, &in.dst_factor_in,  &in.src_factor_out,
                               &in.src_factor_in,  &in.wgt_factor_out, &in.wgt_factor_in};
        const uint32_t depths[] = {
            config_.acc_depth(), in.opcode == isa::kAlu ? config_.acc_depth() : config_.inp_depth(),
            config_.wgt_depth()};
        const uint32_t operand = fault - isa::kDstIndex;
        *factors[2 * operand + (out ? 0 : 1)] = draw(depths[operand] / 3, depths[operand] - 1);
      });
}

bool Mistake::token_between_gemm_and_alu() {
  const auto is_gemm = [](const isa::Instruction& in) {
    return in.opcode == isa::kGemm || in.memory == isa::kUop;
  };
  return change([](const isa::Instruction& in) { return in.split; },
                [&](isa::Instruction& in) { (is_gemm(in) ? in.push_next : in.push_prev) = 1; });
}

bool Mistake::move_finish() {
  isa::InstructionBits finish = stream_.back();
  if (random_.chance(50)) {
    stream_[any_index()] = finish;
  } else {
    const uint32_t index = any_index();
    std::swap(stream_[index], stream_.back());
  }
  return true;
}

bool Mistake::drop_finish() {
  if (random_.chance(50)) {
    stream_.pop_back();
    return true;
  }
  const isa::Instruction finish = isa::decode(stream_.back(), config_);
  isa::Instruction other;  // with the same pops
  other.opcode = random_.chance(50) ? isa::kGemm : isa::kAlu;
  other.pop_prev = finish.pop_prev;
  other.pop_next = finish.pop_next;
  stream_.back() = isa::encode(other, config_);
  return true;
}

bool Mistake::extra_push() {
  if (random_.chance(30)) {
    return change(
        [](const isa::Instruction& in) { return in.opcode != isa::kFinish; },
        [&](isa::Instruction& in) { (random_.chance(50) ? in.pop_prev : in.pop_next) = 0; });
  }
  return change([](const isa::Instruction& in) { return in.opcode != isa::kFinish; },
                [&](isa::Instruction& in) {
                  const bool only_prev = in.opcode == isa::kStore;
                  const bool only_next =
                      in.opcode == isa::kLoad && (in.memory == isa::kInp || in.memory == isa::kWgt);
                  const bool prev = only_prev || (!only_next && random_.chance(50));
                  (prev ? in.push_prev : in.push_next) = 1;
                });
}

bool Mistake::missing_push() {
  const bool prev = random_.chance(50);
  if (random_.chance(30)) {
    return change([](const isa::Instruction&) { return true; },
                  [&](isa::Instruction& in) { (prev ? in.pop_prev : in.pop_next) = 1; });
  }
  return change([&](const isa::Instruction& in) { return prev ? in.push_prev : in.push_next; },
                [&](isa::Instruction& in) { (prev ? in.push_prev : in.push_next) = 0; });
}

struct Outcome {
  GoldenResult result;
  std::vector<uint8_t> arena;
};

Outcome run(const CoreConfig& config, const GeneratedProgram& program, GoldenOptions options) {
  Outcome outcome{{}, program.arena};
  options.max_micro_ops = kMaxMicroOps;
  outcome.result = run_golden(config, outcome.arena, program.program_offset_bytes,
                              program.num_instructions, options);
  return outcome;
}

bool is_defined(const Outcome& outcome) {
  return !outcome.result.race && !outcome.result.unwritten_read;
}

// Whether the program ends as in `first` with all options.
bool always_ends_so(const CoreConfig& config, const GeneratedProgram& program,
                    const Outcome& first) {
  return is_defined(first) &&
         std::ranges::all_of(other_options(config), [&](const GoldenOptions& options) {
           const Outcome other = run(config, program, options);
           return is_defined(other) && other.result.fault == first.result.fault &&
                  other.arena == first.arena;
         });
}

}  // namespace

GeneratedProgram generate_mistaken_program(const CoreConfig& config, isa::FaultCode fault,
                                           uint64_t seed) {
  Random random(~seed);
  GeneratedProgram program = generate_legal_program(config, seed);
  Mistake(config, program, random).make(fault);
  // A second mistake elsewhere, so that it matters which fault is reported.
  if (random.chance(30)) {
    Mistake(config, program, random)
        .make(static_cast<isa::FaultCode>(random.between(isa::kIllegalOpcode, isa::kDeadlock)));
  }
  return program;
}

std::optional<GeneratedProgram> find_illegal_program(const CoreConfig& config, isa::FaultCode fault,
                                                     uint64_t seed) {
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    GeneratedProgram program = generate_mistaken_program(config, fault, seed + attempt);
    const Outcome first = run(config, program, {});
    const auto& found = first.result.fault;
    if (first.result.gave_up || !found || (fault != isa::kNoFault && found->code != fault))
      continue;
    if (always_ends_so(config, program, first)) return program;
  }
  return std::nullopt;
}

std::vector<IllegalProgram> illegal_programs(const CoreConfig& config, uint64_t per_fault) {
  constexpr uint64_t kSeedStride = 1000;
  static_assert(kSeedStride >= kMaxAttempts);
  std::vector<IllegalProgram> programs;
  for (int code = isa::kNoFault + 1; code <= isa::kDeadlock; ++code) {
    const auto fault = static_cast<isa::FaultCode>(code);
    for (uint64_t seed = 0; seed < per_fault; ++seed) {
      if (auto program = find_illegal_program(config, fault, seed * kSeedStride))
        programs.push_back({fault, seed, std::move(*program)});
    }
  }
  return programs;
}

}  // namespace vta::support
