// SPDX-License-Identifier: Apache-2.0
//
// A program of the core tiny_1x8 that is different for everybody who runs it: it multiplies an
// element of x by a matrix of w, adds 1 and stores the low bytes.
#ifndef VTA_TESTS_SUPPORT_TINY_PROGRAM_H_
#define VTA_TESTS_SUPPORT_TINY_PROGRAM_H_

#include <cstdint>
#include <vector>

#include "driver/device.h"

namespace vta::support {

class TinyProgram {
 public:
  static CoreConfig core();

  // Device memory with the program in it, until this is gone.
  explicit TinyProgram(driver::Device& device);
  ~TinyProgram();
  TinyProgram(const TinyProgram&) = delete;
  TinyProgram& operator=(const TinyProgram&) = delete;

  void set_operands(int8_t x, int8_t w);
  driver::RunRequest request() const;
  // The eight bytes that it stored.
  std::vector<uint8_t> result();

  static std::vector<uint8_t> expected(int8_t x, int8_t w);
  static constexpr uint64_t kArenaBytes = 8192;

 private:
  void write(uint64_t offset_bytes, const std::vector<uint8_t>& bytes);

  driver::Device& device_;
  const driver::DeviceAddress arena_;
  uint32_t num_instructions_ = 0;
};

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_TINY_PROGRAM_H_
