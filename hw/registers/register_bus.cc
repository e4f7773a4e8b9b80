// SPDX-License-Identifier: Apache-2.0
#include "hw/registers/register_bus.h"

#include "base/errors/error.h"
#include "configs/core_fields.h"

namespace vta::hw {
namespace {

// A buffer of 2^log2_depth elements. Too large a value is rejected before the shift can overflow.
uint32_t buffer_bytes(RegisterBus& bus, const std::string& name, uint32_t offset,
                      uint64_t element_bytes) {
  const uint32_t log2_depth = bus.read(offset);
  const uint64_t bytes = log2_depth < 32 ? element_bytes << log2_depth : uint64_t{1} << 32;
  if (bytes > UINT32_MAX) {
    fail(ErrorCode::kDevice, "core at {}: register {:#05x} gives a buffer of 2^{} elements", name,
         offset, log2_depth);
  }
  return static_cast<uint32_t>(bytes);
}

// A lane count. Rejects values above every legal one, whose products would overflow.
uint32_t lanes(RegisterBus& bus, const std::string& name, uint32_t offset) {
  const uint32_t value = bus.read(offset);
  if (value > kMaxBlock) {
    fail(ErrorCode::kDevice, "core at {}: register {:#05x} is {}, more than {}", name, offset,
         value, kMaxBlock);
  }
  return value;
}

uint32_t folding(RegisterBus& bus, const std::string& name) {
  const uint32_t log2_folding = bus.read(kRegister_log2_alu_folding);
  if (log2_folding < 32) return uint32_t{1} << log2_folding;
  fail(ErrorCode::kDevice, "core at {}: register {:#05x} gives 2^{} cycles of a micro-op", name,
       uint32_t{kRegister_log2_alu_folding}, log2_folding);
}

void check_identity(RegisterBus& bus, const std::string& name) {
  const uint32_t magic = bus.read(kRegister_magic);
  if (magic != kValue_magic) {
    fail(ErrorCode::kDevice, "core at {}: its magic is {:#010x}, not {:#010x}: no core is there",
         name, magic, uint32_t{kValue_magic});
  }
  const uint32_t version = bus.read(kRegister_map_version);
  if (version != kValue_map_version) {
    fail(ErrorCode::kDevice, "core at {}: its register map has version {}, this driver knows {}",
         name, version, uint32_t{kValue_map_version});
  }
}

}  // namespace

uint64_t read_register64(RegisterBus& bus, uint32_t offset) {
  const uint64_t low = bus.read(offset);  // keeps the high word for the next read
  return low | uint64_t{bus.read(offset + 4)} << 32;
}

void write_register64(RegisterBus& bus, uint32_t offset, uint64_t value) {
  bus.write(offset, static_cast<uint32_t>(value));
  bus.write(offset + 4, static_cast<uint32_t>(value >> 32));
}

CoreConfig read_core_config(RegisterBus& bus, const std::string& name) {
  check_identity(bus, name);
  CoreConfig config;
  config.name = "hardware";
  config.batch = lanes(bus, name, kRegister_batch);
  config.block_in = lanes(bus, name, kRegister_block_in);
  config.block_out = lanes(bus, name, kRegister_block_out);
  const auto bytes = [&](uint32_t offset, uint32_t element_bytes) {
    return buffer_bytes(bus, name, offset, element_bytes);
  };
  config.uop_buffer_bytes = bytes(kRegister_log2_uop_depth, config.uop_elem_bytes());
  config.inp_buffer_bytes = bytes(kRegister_log2_inp_depth, config.inp_elem_bytes());
  config.wgt_buffer_bytes = bytes(kRegister_log2_wgt_depth, config.wgt_elem_bytes());
  config.acc_buffer_bytes = bytes(kRegister_log2_acc_depth, config.acc_elem_bytes());
  config.command_queue_depth = bus.read(kRegister_command_queue_depth);
  config.token_queue_depth = bus.read(kRegister_token_queue_depth);
  config.alu_folding = folding(bus, name);
  config.extension = bus.read(kRegister_extension) != 0;
  try {
    check(config);
  } catch (const Error& error) {
    fail(ErrorCode::kDevice, "core at {}: its registers give an illegal core: {}", name,
         error.what());
  }
  return config;
}

Counters read_counters(RegisterBus& bus) {
  Counters counters;
#define VTA_COUNTER(offset, name, description) \
  counters.name = read_register64(bus, kRegister_##name);
#include "hw/registers/registers.def"
  counters.cycles = read_register64(bus, kRegister_cycles);
  counters.stages.emplace();
  for (uint32_t stage = 0; stage < kNumCycleStages; ++stage) {
    for (uint32_t state = 0; state < kNumStageStates; ++state) {
      counters.stages->of[stage][state] = read_register64(
          bus, stage_cycles_register(static_cast<Stage>(stage), static_cast<StageState>(state)));
    }
  }
  return counters;
}

}  // namespace vta::hw
