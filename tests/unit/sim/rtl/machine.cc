// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/sim/rtl/machine.h"

#include <cstring>

#include "hw/isa/program_bytes.h"
#include "sim/functional/functional_device.h"
#include "sim/rtl/rtl_device.h"
#include "tests/support/error_in.h"

namespace vta::sim {
namespace {

std::unique_ptr<driver::Device> open_device(const std::string& uri, const CoreConfig& core) {
  register_functional_device();
  register_rtl_device();
  return driver::open(uri, core);
}

}  // namespace

Machine::Machine(const std::string& uri, const std::string& core)
    : config_(load_core_config(core)),
      device_(open_device(uri, config_)),
      arena_(device_->allocate(kArenaBytes)) {}

void Machine::write(uint64_t offset_bytes, std::span<const uint8_t> bytes) {
  device_->copy_in({arena_.bytes + offset_bytes}, bytes);
}

void Machine::write_uops(uint64_t offset_bytes, const std::vector<isa::Uop>& uops) {
  std::vector<uint8_t> bytes(4 * uops.size());
  for (size_t i = 0; i < uops.size(); ++i) {
    const uint32_t bits = isa::encode(uops[i], config_);
    std::memcpy(&bytes[4 * i], &bits, 4);
  }
  write(offset_bytes, bytes);
}

std::vector<uint8_t> Machine::read(uint64_t offset_bytes, size_t size_bytes) {
  std::vector<uint8_t> bytes(size_bytes);
  device_->copy_out(bytes, {arena_.bytes + offset_bytes});
  return bytes;
}

hw::Counters Machine::run(const std::string& assembly, std::chrono::milliseconds timeout,
                          const std::atomic<bool>* stop) {
  const std::vector<isa::InstructionBits> stream = isa::assemble(assembly, "test", config_);
  write(kProgramOffset, isa::bytes_of(stream));
  driver::RunRequest request{arena_, kArenaBytes, kProgramOffset,
                             static_cast<uint32_t>(stream.size()), timeout};
  request.stop = stop;
  return device_->run(request);
}

std::string Machine::fault_of(const std::string& assembly, int timeout_ms) {
  return error_in([&] { run(assembly, std::chrono::milliseconds(timeout_ms)); });
}

}  // namespace vta::sim
