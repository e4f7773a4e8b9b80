// SPDX-License-Identifier: Apache-2.0
//
// A core with a planted fault: what its memory ports do to the data of its loads, its stores and
// its instructions.
#ifndef VTA_TESTS_SUPPORT_FAULTY_CORE_H_
#define VTA_TESTS_SUPPORT_FAULTY_CORE_H_

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hw/isa/instruction.h"
#include "sim/functional/core_device.h"

namespace vta::support {

struct PortFaults {
  using Spoil = std::function<void(std::span<uint8_t>)>;  // the range starts at a multiple of 8
  std::map<uint32_t, Spoil> loads;                        // by isa::MemoryId
  Spoil store, fetch;
  std::optional<uint32_t> hangs;  // a load of this memory gets no response
  bool store_hangs = false;       // a store gets no response
  bool fetch_hangs = false;
  bool computes_wrong = false;     // products that are added to loaded values
  bool spoils_long_loads = false;  // the last weight of a load of several, which no probe has
};

PortFaults::Spoil stuck_at_one(uint32_t line);  // of the 64 of a port
void half_as_wide(std::span<uint8_t> bytes);    // a port of 32 bits

// Runs programs on `good` with faults.
class FaultyCore {
 public:
  FaultyCore(const CoreConfig& core, PortFaults faults, sim::CoreRunner good);

  sim::NativeRun run(uint8_t* arena, uint64_t bytes, uint32_t offset, uint32_t count,
                     const Deadline& deadline) const;

 private:
  std::vector<isa::Instruction> decode(std::span<uint8_t> program) const;
  bool hangs(const std::vector<isa::Instruction>& stream) const;
  // The memory of each row of a load or store.
  std::vector<std::span<uint8_t>> rows(std::vector<uint8_t>& arena,
                                       const isa::Instruction& one) const;
  void spoil_load(std::vector<uint8_t>& arena, const isa::Instruction& load) const;

  const CoreConfig core_;
  const PortFaults faults_;
  const sim::CoreRunner good_;
};

// Faults by name, each with a part of the self-test's sentence about it.
struct PlantedFault {
  std::string name;
  PortFaults faults;
  std::string finding;
};
const std::vector<PlantedFault>& planted_faults();

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_FAULTY_CORE_H_
