// SPDX-License-Identifier: Apache-2.0
#include "tools/flash/selftest/probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/numbers/random.h"
#include "hw/isa/instruction.h"
#include "hw/isa/program_bytes.h"

namespace vta::selftest {
namespace {

constexpr uint64_t kUops = 0, kOperands = 16 << 10, kWeights = 32 << 10, kResult = 40 << 10,
                   kProgram = 48 << 10;
constexpr uint32_t kMaxElements = 32;
constexpr std::chrono::seconds kTimeout{2};  // a probe takes microseconds

uint8_t byte_of(uint32_t pattern, uint64_t offset) {
  if (pattern == 0xA5 || pattern == 0x5A) return static_cast<uint8_t>(pattern);
  return static_cast<uint8_t>(offset * 29 + offset / 64 * 7 + pattern);
}

// A program's text and the arena around it.
class Builder {
 public:
  Builder(ProbeKind kind, const CoreConfig& core, uint32_t pattern)
      : kind_(kind), core_(core), pattern_(pattern), random_(pattern) {
    probe_.arena.resize(kProbeArenaBytes);
    elements_ = std::min(kMaxElements, core.acc_buffer_bytes / core.acc_elem_bytes());
    elements_ = std::min(elements_, core.inp_buffer_bytes / core.inp_elem_bytes());
    probe_.result_offset_bytes = kResult;
    probe_.result_bytes = uint64_t{elements_} * out_bytes();
  }

  Probe build() {
    fill();
    const auto stream = isa::assemble(text(), "self-test", core_);
    const auto bytes = isa::bytes_of(stream);
    std::copy(bytes.begin(), bytes.end(), probe_.arena.begin() + kProgram);
    probe_.program_offset_bytes = kProgram;
    probe_.num_instructions = static_cast<uint32_t>(stream.size());
    return std::move(probe_);
  }

 private:
  uint32_t out_bytes() const { return core_.acc_elem_bytes() / 4; }

  void fill() {
    const bool is_random = kind_ == ProbeKind::kRandom;
    for (uint64_t at = kOperands; at < kWeights; ++at)
      probe_.arena[at] = is_random ? static_cast<uint8_t>(random_.next()) : byte_of(pattern_, at);
    for (uint64_t at = kResult; at < kResult + probe_.result_bytes; ++at)
      probe_.arena[at] = kUnwritten;
    for (uint32_t o = 0; o < core_.block_out; ++o) {
      for (uint32_t i = 0; i < core_.block_in; ++i) {
        const uint8_t weight = is_random ? static_cast<uint8_t>(random_.next()) : o == i ? 1 : 0;
        probe_.arena[kWeights + uint64_t{o} * core_.block_in + i] = weight;
      }
    }
    for (uint32_t e = 0; e < elements_; ++e) {
      const uint32_t source = kind_ == ProbeKind::kUop ? elements_ - 1 - e
                              : is_random ? static_cast<uint32_t>(random_.between(0, elements_ - 1))
                                          : e;
      const uint32_t uop = isa::encode(isa::Uop{e, source, 0}, core_);
      std::memcpy(&probe_.arena[kUops + 4 * uint64_t{e}], &uop, sizeof uop);
    }
  }

  std::string text() {
    std::string text;
    switch (kind_) {
      case ProbeKind::kFetch:
        for (int i = 0; i < 64; ++i) text += "load.inp sram=0 dram=0 size=[0,0] stride=0\n";
        return text + "finish\n";
      case ProbeKind::kAcc8:
        text = load("acc8", kOperands, out_bytes(), "push_next ");
        break;
      case ProbeKind::kAcc32:
        text = load("acc", kOperands, core_.acc_elem_bytes(), "push_next ");
        break;
      case ProbeKind::kUop:
        text =
            load("uop", kUops, 4, "") + load("acc8", kOperands, out_bytes(), "") +
            // Reversed in place: the first half takes the second, which then takes itself.
            fmt::format("alu.max push_next uop=[0,{}) iter=[1,1] dst=[0,0] src=[0,0]\n", elements_);
        break;
      case ProbeKind::kInp:
      case ProbeKind::kRandom:
        text = product();
        break;
    }
    return text +
           fmt::format("store.out pop_prev push_prev sram=0 dram={} size=[1,{}] stride={}\n",
                       kResult / out_bytes(), elements_, elements_) +
           "finish pop_next\n";
  }

  std::string product() {
    const bool is_random = kind_ == ProbeKind::kRandom;
    const char* const uops = "uop=[0,{}) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]\n";
    std::string text = load("uop", kUops, 4, "") +
                       load("inp", kOperands, core_.inp_elem_bytes(), "") +
                       fmt::format("load.wgt push_next sram=0 dram={} size=[1,1] stride=1\n",
                                   kWeights / core_.wgt_elem_bytes());
    if (is_random)
      text += load("acc", kOperands, core_.acc_elem_bytes(), "");
    else
      text += "gemm.reset " + fmt::format(fmt::runtime(uops), elements_);
    text += std::string("gemm pop_prev ") + (is_random ? "" : "push_next ") +
            fmt::format(fmt::runtime(uops), elements_);
    if (!is_random) return text;
    static constexpr const char* kOperations[] = {"min", "max", "add", "shr"};
    const int64_t operation = random_.between(0, 3);
    return text + fmt::format("alu.{} push_next uop=[0,{}) iter=[1,1] dst=[0,0] imm={}\n",
                              kOperations[operation], elements_,
                              operation == 3 ? random_.between(1, 12) : random_.between(-99, 99));
  }

  std::string load(const char* memory, uint64_t offset, uint32_t element_bytes,
                   const char* flags) const {
    return fmt::format("load.{} {}sram=0 dram={} size=[1,{}] stride={}\n", memory, flags,
                       offset / element_bytes, elements_, elements_);
  }

  const ProbeKind kind_;
  const CoreConfig& core_;
  const uint32_t pattern_;
  Random random_;
  uint32_t elements_ = 0;
  Probe probe_;
};

}  // namespace

Probe make_probe(ProbeKind kind, const CoreConfig& core, uint32_t pattern) {
  return Builder(kind, core, pattern).build();
}

std::vector<uint8_t> run_probe(driver::Device& device, driver::DeviceAddress arena,
                               const Probe& probe) {
  device.copy_in(arena, probe.arena);
  driver::RunRequest request;
  request.arena = arena;
  request.arena_bytes = probe.arena.size();
  request.program_offset_bytes = probe.program_offset_bytes;
  request.num_instructions = probe.num_instructions;
  request.timeout = kTimeout;
  request.name = "self-test";
  device.run(request);
  std::vector<uint8_t> result(probe.result_bytes);
  device.copy_out(result, {arena.bytes + probe.result_offset_bytes});
  return result;
}

}  // namespace vta::selftest
