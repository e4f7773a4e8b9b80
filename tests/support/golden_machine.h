// SPDX-License-Identifier: Apache-2.0
//
// The effect of single instructions on the scratchpads and the arena, according to section
// "Meaning" of the ISA chapter; element by element, without regard for speed.
#ifndef VTA_TESTS_SUPPORT_GOLDEN_MACHINE_H_
#define VTA_TESTS_SUPPORT_GOLDEN_MACHINE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "configs/core_config.h"
#include "driver/device.h"
#include "tests/support/golden_access_log.h"
#include "tests/support/golden_instruction.h"

namespace vta::support {

class GoldenMachine {
 public:
  // Thrown when the limit of micro-ops is exceeded.
  struct TooLong {};

  GoldenMachine(const CoreConfig& config, std::span<uint8_t> arena, uint64_t program_offset_bytes,
                uint32_t num_instructions, uint64_t max_micro_ops);

  // Executes an instruction between its pops and its pushes. Effects before a fault remain.
  std::optional<GoldenCause> execute(const GoldenInstruction& in);

  AccessLog& log() { return log_; }
  const hw::Counters& counters() const { return counters_; }

 private:
  using Fault = std::optional<GoldenCause>;
  struct Operands {
    uint64_t dst, src, wgt;
  };

  Fault load(const GoldenInstruction& in);
  Fault store(const GoldenInstruction& in);
  Fault check_ranges(const GoldenInstruction& in, uint64_t num_elements) const;
  void load_element(const GoldenInstruction& in, uint64_t element,
                    std::optional<uint64_t> offset_bytes);
  void load_acc(const GoldenInstruction& in, uint64_t element,
                std::optional<uint64_t> offset_bytes);
  void count_load(const GoldenInstruction& in);

  template <typename MicroOp>
  Fault for_each_micro_op(const GoldenInstruction& in, MicroOp micro_op);
  Fault gemm(const GoldenInstruction& in, const Operands& at);
  Fault alu(const GoldenInstruction& in, const Operands& at);
  void update_out(uint64_t element);

  uint64_t depth_of(uint64_t memory) const;
  uint64_t dram_element_bytes(uint64_t memory) const;

  CoreConfig config_;
  std::span<uint8_t> arena_;
  std::vector<uint32_t> uop_;
  std::vector<int8_t> inp_, wgt_, out_;
  std::vector<int32_t> acc_;
  AccessLog log_;
  hw::Counters counters_;
  uint64_t micro_ops_left_;
};

// One lane of an ALU micro-op; `y`: the second operand, for REQ already 0 or ACC[s]. `imm_bits`:
// for REQ.
int32_t golden_alu(uint32_t alu_opcode, int32_t x, int32_t y, uint32_t imm_bits);

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_GOLDEN_MACHINE_H_
