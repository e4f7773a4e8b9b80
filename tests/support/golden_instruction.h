// SPDX-License-Identifier: Apache-2.0
//
// The golden interpreter's instructions, decoded from the bit positions in the ISA chapter.
// Deliberately without hw/isa's decoder, so that an error in one of the two is detected.
#ifndef VTA_TESTS_SUPPORT_GOLDEN_INSTRUCTION_H_
#define VTA_TESTS_SUPPORT_GOLDEN_INSTRUCTION_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "configs/core_config.h"
#include "hw/isa/layout.h"

namespace vta::support {

// The stage that executes an instruction. Compute is the single stage of programs without `split`;
// with it there are the two stages gemm and alu.
enum class GoldenStage { kLoad, kGemm, kAlu, kStore, kCompute };
inline constexpr int kNumGoldenStages = 5;
const char* to_string(GoldenStage stage);

// Token queues. Compute uses gemm's queues with load and alu's queues with store.
enum class GoldenQueue {
  kLoadToGemm,
  kGemmToLoad,
  kGemmToAlu,
  kAluToGemm,
  kAluToStore,
  kStoreToAlu
};
inline constexpr int kNumGoldenQueues = 6;
const char* to_string(GoldenQueue queue);

// A fault without the index of its instruction.
struct GoldenCause {
  isa::FaultCode code = isa::kNoFault;
  uint64_t value = 0;
  bool operator==(const GoldenCause&) const = default;
};

struct GoldenInstruction {
  uint32_t opcode = 0;
  bool split = false;
  GoldenStage stage = GoldenStage::kCompute;
  std::vector<GoldenQueue> pops, pushes;  // of the stage of this instruction

  // LOAD and STORE.
  uint64_t memory = 0, sram_base = 0, dram_base = 0;
  uint64_t y_size = 0, x_size = 0, x_stride = 0;
  uint64_t y_pad_0 = 0, y_pad_1 = 0, x_pad_0 = 0, x_pad_1 = 0;
  bool is_carrier = false;  // without elements: only moves tokens

  // GEMM and ALU.
  bool reset = false;
  uint64_t uop_bgn = 0, uop_end = 0, iter_out = 0, iter_in = 0;
  uint64_t dst_factor_out = 0, dst_factor_in = 0, src_factor_out = 0, src_factor_in = 0;
  uint64_t wgt_factor_out = 0, wgt_factor_in = 0;
  uint32_t alu_opcode = 0;
  bool use_imm = false;
  uint32_t imm_bits = 0;  // the 16 bits
  int32_t imm = 0;        // as a signed number

  // The first encoding fault, if any: opcode, reserved bits, memory, padding, ALU opcode, REQ
  // immediate, in this order.
  std::optional<GoldenCause> encoding_fault;

  bool is_finish() const { return opcode == isa::kFinish; }
};

// `bytes`: the instruction's 16 bytes.
GoldenInstruction decode_golden(std::span<const uint8_t> bytes, const CoreConfig& config);

struct GoldenUop {
  uint64_t dst = 0, src = 0, wgt = 0;
};
GoldenUop decode_golden_uop(uint32_t bits, const CoreConfig& config);

// By hw/isa/alu_opcodes.def.
bool is_legal_alu_opcode(uint32_t opcode, bool has_extension);
// The legal or the illegal codes from 0 to 7.
std::vector<uint32_t> alu_opcodes(bool legal, bool has_extension);

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_GOLDEN_INSTRUCTION_H_
