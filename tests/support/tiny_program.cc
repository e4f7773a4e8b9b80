// SPDX-License-Identifier: Apache-2.0
#include "tests/support/tiny_program.h"

#include <cstring>

#include "hw/isa/program_bytes.h"

namespace vta::support {
namespace {

constexpr uint64_t kInputOffset = 128, kWeightOffset = 256, kResultOffset = 1024;
constexpr uint64_t kProgramOffset = 4096;
constexpr size_t kBlock = 8;

}  // namespace

CoreConfig TinyProgram::core() { return load_core_config("tiny_1x8"); }

TinyProgram::TinyProgram(driver::Device& device) : device_(device), arena_(device, kArenaBytes) {
  const CoreConfig config = core();
  const uint32_t uop = isa::encode(isa::Uop{0, 0, 0}, config);
  std::vector<uint8_t> uop_bytes(sizeof(uop));
  std::memcpy(uop_bytes.data(), &uop, sizeof(uop));
  write(0, uop_bytes);
  const auto stream = isa::assemble(kText, "tiny program", config);
  write(kProgramOffset, isa::bytes_of(stream));
  num_instructions_ = static_cast<uint32_t>(stream.size());
}

void TinyProgram::write(uint64_t offset_bytes, std::span<const uint8_t> bytes) {
  device_.copy_in(arena_.at(offset_bytes), bytes);
}

void TinyProgram::set_operands(int8_t x, int8_t w) {
  write(kInputOffset, std::vector<uint8_t>(kBlock, static_cast<uint8_t>(x)));
  write(kWeightOffset, std::vector<uint8_t>(kBlock * kBlock, static_cast<uint8_t>(w)));
}

driver::RunRequest TinyProgram::request() const {
  driver::RunRequest request;
  request.arena = arena_.address();
  request.arena_bytes = kArenaBytes;
  request.program_offset_bytes = kProgramOffset;
  request.num_instructions = num_instructions_;
  return request;
}

std::vector<uint8_t> TinyProgram::result() {
  std::vector<uint8_t> bytes(kBlock);
  device_.copy_out(bytes, arena_.at(kResultOffset));
  return bytes;
}

std::vector<uint8_t> TinyProgram::expected(int8_t x, int8_t w) {
  return std::vector<uint8_t>(kBlock, static_cast<uint8_t>(static_cast<int>(kBlock) * x * w + 1));
}

}  // namespace vta::support
