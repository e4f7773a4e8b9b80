// SPDX-License-Identifier: Apache-2.0
#include "tests/support/other_vta.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <set>
#include <span>
#include <vector>

#include "driver/memory_device.h"
#include "hw/isa/instruction.h"
#include "hw/isa/program_bytes.h"
#include "runtime/program/dram_address.h"

namespace vta::support {
namespace {

enum Stage { kLoadStage, kComputeStage, kStoreStage, kNumStages };

// VTA's ALU without MUL of other widths: 32 bits, wrapping.
int32_t operate(uint32_t opcode, int32_t x, int32_t y) {
  switch (opcode) {
    case isa::kMin:
      return std::min(x, y);
    case isa::kMax:
      return std::max(x, y);
    case isa::kAdd:
      return static_cast<int32_t>(static_cast<uint32_t>(x) + static_cast<uint32_t>(y));
    case isa::kMul:
      return static_cast<int32_t>(static_cast<uint32_t>(x) * static_cast<uint32_t>(y));
    default:
      return y >= 0 ? x >> y : static_cast<int32_t>(static_cast<uint32_t>(x) << -y);
  }
}

class Run {
 public:
  Run(const CoreConfig& core, std::span<uint8_t> arena)
      : core_(core),
        arena_(arena),
        uop_(core.uop_depth()),
        inp_(core.inp_buffer_bytes),
        wgt_(core.wgt_buffer_bytes),
        acc_(core.acc_buffer_bytes / sizeof(int32_t)),
        out_(acc_.size()) {}

  void execute(std::span<const isa::InstructionBits> stream) {
    for (size_t i = 0; i < stream.size(); ++i) {
      const isa::Instruction instruction = isa::decode(stream[i], core_);
      queues_[stage_of(instruction)].push_back({i, instruction});
    }
    while (!finished_) {
      // As late as possible: loads if compute waits, stores if nothing else can go on.
      if (step(kComputeStage) || step(kLoadStage) || step(kStoreStage)) continue;
      fail(ErrorCode::kDevice, "deadlock");
    }
  }

 private:
  struct Queued {
    size_t index;
    isa::Instruction instruction;
  };

  static Stage stage_of(const isa::Instruction& i) {
    if (i.opcode == isa::kStore) return kStoreStage;
    const bool loads = i.opcode == isa::kLoad && (i.memory == isa::kInp || i.memory == isa::kWgt);
    return loads ? kLoadStage : kComputeStage;
  }

  bool step(Stage stage) {
    if (queues_[stage].empty()) return false;
    const Queued& queued = queues_[stage].front();
    const isa::Instruction& i = queued.instruction;
    const int prev = stage - 1, next = stage + 1;
    const bool pops_prev = i.pop_prev && stage != kLoadStage,
               pops_next = i.pop_next && stage != kStoreStage;
    if (pops_prev && tokens_[prev][stage] == 0) return false;
    if (pops_next && tokens_[next][stage] == 0) return false;
    if (pops_prev) --tokens_[prev][stage];
    if (pops_next) --tokens_[next][stage];
    index_ = queued.index;
    perform(i);
    if (i.push_prev && stage != kLoadStage) ++tokens_[stage][prev];
    if (i.push_next && stage != kStoreStage) ++tokens_[stage][next];
    queues_[stage].pop_front();
    return true;
  }

  void perform(const isa::Instruction& i) {
    if (i.split) refuse(i, "has split");
    switch (i.opcode) {
      case isa::kLoad:
        return i.x_size == 0 ? void() : load(i);
      case isa::kStore:
        return i.x_size == 0 ? void() : store(i);
      case isa::kGemm:
        return gemm(i);
      case isa::kAlu:
        return alu(i);
      default:
        finished_ = true;
    }
  }

  [[noreturn]] void refuse(const isa::Instruction& i, const std::string& why) const {
    fail(ErrorCode::kDevice, "instruction {} ({}): {}", index_, isa::disassemble(i), why);
  }

  std::span<uint8_t> dram(const isa::Instruction& i, uint64_t element) const {
    const uint64_t bytes = dram_elem_bytes(i.memory, core_), first = element * bytes;
    if (first + bytes > arena_.size()) refuse(i, "is outside the arena");
    return arena_.subspan(first, bytes);
  }

  void load(const isa::Instruction& i) {
    const uint32_t width = i.x_pad_0 + i.x_size + i.x_pad_1;
    const uint32_t height = i.y_pad_0 + i.y_size + i.y_pad_1;
    for (uint32_t y = 0; y < height; ++y) {
      for (uint32_t x = 0; x < width; ++x) {
        const bool is_data = y >= i.y_pad_0 && y < i.y_pad_0 + i.y_size && x >= i.x_pad_0 &&
                             x < i.x_pad_0 + i.x_size;
        const uint64_t element =
            uint64_t{i.dram_base} + uint64_t{y - i.y_pad_0} * i.x_stride + (x - i.x_pad_0);
        write_element(i, i.sram_base + y * width + x,
                      is_data ? dram(i, element) : std::span<uint8_t>());
      }
    }
  }

  // Zeros if `data` is empty.
  void write_element(const isa::Instruction& i, uint32_t element, std::span<const uint8_t> data) {
    const auto copy = [&](auto& memory, size_t elem_bytes) {
      auto* bytes = reinterpret_cast<uint8_t*>(memory.data()) + element * elem_bytes;
      std::memset(bytes, 0, elem_bytes);
      if (!data.empty()) std::memcpy(bytes, data.data(), elem_bytes);
    };
    switch (i.memory) {
      case isa::kUop:
        return copy(uop_, sizeof uop_[0]);
      case isa::kInp:
        return copy(inp_, core_.inp_elem_bytes());
      case isa::kWgt:
        return copy(wgt_, core_.wgt_elem_bytes());
      case isa::kAcc:
        return copy(acc_, core_.acc_elem_bytes());
      default:
        for (size_t lane = 0; lane < lanes(); ++lane)
          acc_[element * lanes() + lane] = data.empty() ? 0 : static_cast<int8_t>(data[lane]);
    }
  }

  void store(const isa::Instruction& i) {
    for (uint32_t y = 0; y < i.y_size; ++y) {
      for (uint32_t x = 0; x < i.x_size; ++x) {
        const std::span<uint8_t> to = dram(i, uint64_t{i.dram_base} + uint64_t{y} * i.x_stride + x);
        std::memcpy(to.data(), &out_[(i.sram_base + y * i.x_size + x) * lanes()], to.size());
      }
    }
  }

  // Visits the micro-ops in order with their indices.
  template <typename Visit>
  void for_each(const isa::Instruction& i, Visit&& visit) {
    for (uint32_t out = 0; out < i.iter_out; ++out) {
      for (uint32_t in = 0; in < i.iter_in; ++in) {
        for (uint32_t u = i.uop_bgn; u < i.uop_end; ++u) {
          isa::Uop at = isa::decode_uop(uop_[u], core_);
          at.dst += out * i.dst_factor_out + in * i.dst_factor_in;
          at.src += out * i.src_factor_out + in * i.src_factor_in;
          at.wgt += out * i.wgt_factor_out + in * i.wgt_factor_in;
          visit(at);
        }
      }
    }
  }

  void gemm(const isa::Instruction& i) {
    std::array<int64_t, 2> last{-1, -1};  // accumulators of the two micro-ops before
    bool is_close = false;
    for_each(i, [&](const isa::Uop& at) {
      is_close |= std::ranges::find(last, int64_t{at.dst}) != last.end();
      last = {last[1], at.dst};
      if (i.reset) {
        std::fill_n(&acc_[at.dst * lanes()], lanes(), 0);
      } else {
        multiply(at);
      }
      write_out(at.dst);
    });
    if (is_close && num_accumulators(i) > last.size())
      refuse(i, "writes an accumulator in micro-ops closer than VTA allows");
  }

  size_t num_accumulators(const isa::Instruction& i) {
    std::set<uint32_t> accumulators;
    for_each(i, [&](const isa::Uop& at) { accumulators.insert(at.dst); });
    return accumulators.size();
  }

  void multiply(const isa::Uop& at) {
    const uint32_t block_in = core_.block_in, block_out = core_.block_out;
    const int8_t* const weights = &wgt_[at.wgt * core_.wgt_elem_bytes()];
    for (uint32_t b = 0; b < core_.batch; ++b) {
      const int8_t* const inputs = &inp_[at.src * core_.inp_elem_bytes() + b * block_in];
      for (uint32_t o = 0; o < block_out; ++o) {
        int32_t sum = 0;
        for (uint32_t k = 0; k < block_in; ++k) sum += inputs[k] * weights[o * block_in + k];
        int32_t& acc = acc_[at.dst * lanes() + b * block_out + o];
        acc = operate(isa::kAdd, acc, sum);
      }
    }
  }

  void alu(const isa::Instruction& i) {
    for_each(i, [&](const isa::Uop& at) {
      for (size_t lane = 0; lane < lanes(); ++lane) {
        const int32_t source = acc_[at.src * lanes() + lane];
        int32_t& result = acc_[at.dst * lanes() + lane];
        result = i.use_imm ? operate(i.alu_opcode, source, i.imm)
                           : operate(i.alu_opcode, result, source);
      }
      write_out(at.dst);
    });
  }

  void write_out(uint32_t element) {
    for (size_t lane = element * lanes(); lane < (element + 1) * lanes(); ++lane)
      out_[lane] = static_cast<int8_t>(acc_[lane]);
  }

  size_t lanes() const { return size_t{core_.batch} * core_.block_out; }

  const CoreConfig core_;
  const std::span<uint8_t> arena_;
  std::vector<uint32_t> uop_;
  std::vector<int8_t> inp_, wgt_;
  std::vector<int32_t> acc_;
  std::vector<int8_t> out_;
  std::array<std::deque<Queued>, kNumStages> queues_;
  std::array<std::array<int, kNumStages>, kNumStages> tokens_{};  // [from][to]
  size_t index_ = 0;
  bool finished_ = false;
};

class OtherVta : public driver::MemoryDevice {
 public:
  explicit OtherVta(const CoreConfig& core) : MemoryDevice(uint64_t{1} << 32), core_(core) {
    core_.extension = false;
  }

  driver::DeviceDescription describe() const override { return {"other_vta", core_}; }

  hw::Counters run(const driver::RunRequest& request) override {
    const std::span<uint8_t> arena(arena_of(request), request.arena_bytes);
    const auto stream = isa::instructions_in(arena.subspan(
        request.program_offset_bytes, uint64_t{request.num_instructions} * isa::kInstructionBytes));
    Run(core_, arena).execute(stream);
    return {};
  }

 private:
  CoreConfig core_;
};

}  // namespace

std::unique_ptr<driver::Device> make_other_vta(const CoreConfig& core) {
  return std::make_unique<OtherVta>(core);
}

}  // namespace vta::support
