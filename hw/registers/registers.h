// SPDX-License-Identifier: Apache-2.0
//
// The control registers of the core as constants: one page of 32-bit words. registers.def has the
// meaning of each; docs/register_map.md is the documentation.
//
//   kRegister_<name>              offset in bytes (of the low word, if it has 64 bits)
//   kBits_<register>_<name>       a bit field, as a mask
//   kValue_<register>             a constant value
//   kStage_<name>, kStageState_<name>
#ifndef VTA_HW_REGISTERS_REGISTERS_H_
#define VTA_HW_REGISTERS_REGISTERS_H_

#include <cstdint>

namespace vta::hw {

inline constexpr uint32_t kRegisterPageBytes = 4096;
inline constexpr uint32_t kMappedBytes = 1024;  // no register is beyond

enum class RegisterAccess : uint8_t {
  kReadOnly,   // writes are acknowledged without effect
  kReadWrite,  // keeps the written value; writes during a run are ignored
  kCommand,    // writing triggers an action, reading returns 0
};

enum RegisterOffset : uint32_t {
#define VTA_REGISTER(offset, name, access, description) kRegister_##name = offset,
#define VTA_REGISTER64(offset, name, access, description) kRegister_##name = offset,
#include "hw/registers/registers.def"
};

enum RegisterBits : uint32_t {
#define VTA_REGISTER_BITS(register, name, lsb, width, description) \
  kBits_##register##_##name = ((1u << width) - 1) << lsb,
#include "hw/registers/registers.def"
};

enum RegisterValue : uint32_t {
#define VTA_REGISTER_VALUE(register, value) kValue_##register = value,
#include "hw/registers/registers.def"
};

enum Stage : uint32_t {
#define VTA_STAGE(name, number) kStage_##name = number,
#include "hw/registers/registers.def"
};

enum StageState : uint32_t {
#define VTA_STAGE_STATE(name, number, description) kStageState_##name = number,
#include "hw/registers/registers.def"
};

// The 64-bit register of a stage's cycles in a state. fetch has none.
inline constexpr uint32_t kStageCycles = kRegister_load_busy;
constexpr uint32_t stage_cycles_register(Stage stage, StageState state) {
  return kStageCycles + 64 * stage + 8 * state;
}

// The registers count this many cycles more than the simulators: the cycles in which the hardware
// detects that nothing moves any more (vta_run_watch).
inline constexpr uint32_t kRunEndCycles = 27;

struct RegisterInfo {
  uint32_t offset;
  const char* name;
  uint32_t bits;  // 32 or 64
  RegisterAccess access;
  const char* description;
};

// In the order of their offsets.
inline constexpr RegisterInfo kRegisters[] = {
#define VTA_REGISTER(offset, name, access, description) \
  {offset, #name, 32, RegisterAccess::access, description},
#define VTA_REGISTER64(offset, name, access, description) \
  {offset, #name, 64, RegisterAccess::access, description},
#include "hw/registers/registers.def"
};

}  // namespace vta::hw

#endif  // VTA_HW_REGISTERS_REGISTERS_H_
