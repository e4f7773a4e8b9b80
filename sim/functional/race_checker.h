// SPDX-License-Identifier: Apache-2.0
//
// RaceChecker: finds two split instructions, one of gemm and one of alu, that access one ACC or UOP
// element (one of them writing) without a path of tokens between them.
//
// The order by tokens is computed before the run (token_order.h). During the run, the elements of
// each instruction are compared with the last accesses of the other stage.
#ifndef VTA_SIM_FUNCTIONAL_RACE_CHECKER_H_
#define VTA_SIM_FUNCTIONAL_RACE_CHECKER_H_

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hw/core/observer.h"
#include "hw/isa/instruction.h"
#include "sim/functional/token_order.h"

namespace vta::sim {

class RaceChecker : public core::Observer {
 public:
  // The limit for programs with split instructions, up to FINISH.
  static constexpr uint32_t kMaxInstructions = 1 << 22;

  // Returns null for a program without split instructions: it has one compute stage, in order.
  // `stream` must outlive the checker; instructions after the first FINISH are ignored.
  // Errors: kUnsupported for more than kMaxInstructions; any error of `check_time`, which is called
  // every few thousand instructions.
  static std::unique_ptr<RaceChecker> create(std::span<const isa::InstructionBits> stream,
                                             const CoreConfig& config,
                                             const TokenOrder::CheckTime& check_time);

  void compute_starts(const core::Command& command, const uint32_t* uop_memory) override;

  // Errors: kDevice, naming both instructions, the memory and the element of the first race found.
  void throw_if_found() const;

 private:
  // The last instruction of each of gemm and alu that read or wrote an element, as index + 1; 0 for
  // none.
  struct Accesses {
    std::array<uint32_t, 2> read{}, written{};
  };

  RaceChecker(std::span<const isa::InstructionBits> program, const CoreConfig& config,
              const TokenOrder::CheckTime& check_time);
  std::string text_of(uint32_t index) const;
  void touch(std::vector<Accesses>& memory, const char* name, uint32_t element, uint32_t index,
             bool writes);
  void touch_load(const isa::Instruction& load, uint32_t index);
  void touch_nest(const isa::Instruction& nest, uint32_t index, const uint32_t* uop_memory);

  const CoreConfig config_;
  const std::span<const isa::InstructionBits> program_;
  const TokenOrder order_;
  std::vector<Accesses> acc_, uop_;
  std::vector<uint32_t> offsets_;  // for touch_nest(), a member to avoid allocations
  std::string race_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_FUNCTIONAL_RACE_CHECKER_H_
