// SPDX-License-Identifier: Apache-2.0
//
// RaceChecker: finds two split instructions, one of gemm and one of alu, that touch one ACC or UOP
// element (one of them writing) with no path of tokens between them.
//
// What tokens order does not depend on timing: the k-th pop of a queue gets the k-th push. So each
// instruction's vector clock (per stage, how many of its instructions are certainly done) is
// computed before the run; while it runs, each instruction's elements are held against the last
// accesses of the other stage.
#ifndef VTA_SIM_FUNCTIONAL_RACE_CHECKER_H_
#define VTA_SIM_FUNCTIONAL_RACE_CHECKER_H_

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hw/core/observer.h"
#include "hw/isa/instruction.h"

namespace vta::sim {

class RaceChecker : public core::Observer {
 public:
  // Null for a program without split instructions: it has one compute stage, in order.
  static std::unique_ptr<RaceChecker> create(std::span<const isa::InstructionBits> stream,
                                             const CoreConfig& config);

  void compute_starts(const core::Command& command, const uint32_t* uop_memory) override;

  // Errors: kDevice, naming both instructions, the memory and the element of the first race found.
  void throw_if_found() const;

 private:
  static constexpr size_t kStages = 4;
  using Clock = std::array<uint32_t, kStages>;

  struct Entry {
    isa::InstructionBits bits;
    isa::Instruction instruction;
    isa::Stage stage;
    uint32_t sequence;  // counts the stage's instructions from 1
    Clock known;        // per stage, the last instruction that is done before this one starts
  };
  // The last instruction of each of gemm and alu that read or wrote an element; index + 1, 0 is
  // none.
  struct Accesses {
    std::array<uint32_t, 2> read{}, written{};
  };

  RaceChecker(std::span<const isa::InstructionBits> stream, const CoreConfig& config);
  void compute_clocks();
  bool ordered(uint32_t earlier_index, const Entry& later) const;
  void touch(std::vector<Accesses>& memory, const char* name, uint32_t element, uint32_t index,
             bool writes);
  void touch_load(const isa::Instruction& load, uint32_t index);
  void touch_nest(const isa::Instruction& nest, uint32_t index, const uint32_t* uop_memory);

  const CoreConfig config_;
  std::vector<Entry> entries_;
  std::vector<Accesses> acc_, uop_;
  std::vector<uint32_t> offsets_;  // of touch_nest, kept to save allocations
  std::string race_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_FUNCTIONAL_RACE_CHECKER_H_
