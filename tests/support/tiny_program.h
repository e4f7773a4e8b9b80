// SPDX-License-Identifier: Apache-2.0
//
// A program of the core tiny_1x8 with individual operands: it multiplies an element of x by a
// matrix w, adds 1 and stores the low bytes.
#ifndef VTA_TESTS_SUPPORT_TINY_PROGRAM_H_
#define VTA_TESTS_SUPPORT_TINY_PROGRAM_H_

#include <cstdint>
#include <vector>

#include "driver/device_allocation.h"

namespace vta::support {

class TinyProgram {
 public:
  // A plain program: ACC[0] = x * w by GEMM, then + 1, then stored. dram addresses in elements.
  static constexpr char kText[] = R"(
load.uop sram=0 dram=0 size=[1,1] stride=1
load.inp sram=0 dram=16 size=[1,1] stride=1                       ; byte 128
load.wgt push_next sram=0 dram=4 size=[1,1] stride=1              ; byte 256
gemm.reset pop_prev uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]
gemm push_prev uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]
alu.add push_next uop=[0,1) iter=[1,1] dst=[0,0] imm=1
store.out pop_prev push_prev sram=0 dram=128 size=[1,1] stride=1  ; byte 1024
load.inp pop_next sram=0 dram=16 size=[0,0] stride=0
finish pop_next
)";

  static CoreConfig core();

  // Allocates device memory with the program.
  explicit TinyProgram(driver::Device& device);

  void set_operands(int8_t x, int8_t w);
  driver::RunRequest request() const;
  // The eight stored bytes.
  std::vector<uint8_t> result();

  static std::vector<uint8_t> expected(int8_t x, int8_t w);
  static constexpr uint64_t kArenaBytes = 8192;

 private:
  void write(uint64_t offset_bytes, std::span<const uint8_t> bytes);

  driver::Device& device_;
  const driver::DeviceAllocation arena_;
  uint32_t num_instructions_ = 0;
};

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_TINY_PROGRAM_H_
