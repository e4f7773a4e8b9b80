// SPDX-License-Identifier: Apache-2.0
#include "driver/device_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/error_in.h"

namespace vta::driver {
namespace {

constexpr uint64_t kPage = kArenaAlignmentBytes;

// The code and message of the Error that `action` throws.
template <typename Action>
std::pair<ErrorCode, std::string> error_of(Action action) {
  const Error error = expect_error(action);
  return {error.code(), error.what()};
}

TEST(DeviceMemory, BlocksAreZeroedAndAlignedOnBothSides) {
  DeviceMemory memory(1 << 20);
  for (uint64_t size_bytes : {uint64_t{1}, kPage - 1, kPage, kPage + 1, 3 * kPage}) {
    const DeviceAddress address = memory.allocate(size_bytes);
    EXPECT_NE(address.bytes, 0u);
    EXPECT_EQ(address.bytes % kPage, 0u);
    const uint8_t* host = memory.resolve(address, size_bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(host) % kPage, 0u);
    EXPECT_TRUE(std::all_of(host, host + size_bytes, [](uint8_t byte) { return byte == 0; }));
  }
}

TEST(DeviceMemory, WhatIsCopiedInComesOut) {
  DeviceMemory memory(1 << 20);
  const DeviceAddress address = memory.allocate(10000);
  std::vector<uint8_t> in(5000);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint8_t>(i * 7);
  memory.copy_in({address.bytes + 5000}, in);
  std::vector<uint8_t> out(5000);
  memory.copy_out(out, {address.bytes + 5000});
  EXPECT_EQ(in, out);
  EXPECT_EQ(*memory.resolve({address.bytes + 5001}, 1), 7);
  EXPECT_EQ(*memory.resolve({address.bytes + 4999}, 1), 0);
}

// On 64-bit hosts only such a size triggers it, on 32-bit hosts 4 GiB do.
TEST(DeviceMemory, ASizeThatTheHostCannotEvenSayIsOutOfMemory) {
  const uint64_t most = UINT64_MAX - kPage + 1;
  DeviceMemory memory(most);
  const auto [code, message] = error_of([&] { memory.allocate(most); });
  EXPECT_EQ(code, ErrorCode::kOutOfMemory);
  EXPECT_NE(message.find("the host cannot allocate 18446744073709547520 bytes"), std::string::npos)
      << message;
  EXPECT_EQ(memory.used_bytes(), 0u);
}

TEST(DeviceMemory, TheCapacityCountsWholePagesAndComesBackOnFree) {
  DeviceMemory memory(4 * kPage);
  const DeviceAddress first = memory.allocate(1);
  memory.allocate(2 * kPage + 1);
  EXPECT_EQ(memory.used_bytes(), 4 * kPage);
  const auto [code, message] = error_of([&] { memory.allocate(1); });
  EXPECT_EQ(code, ErrorCode::kOutOfMemory);
  EXPECT_NE(message.find("1 byte requested, 0 of"), std::string::npos) << message;
  memory.free(first);
  EXPECT_NO_THROW(memory.allocate(kPage));
}

TEST(DeviceMemory, SizesNearTheEndOfTheNumberRangeAreOutOfMemory) {
  DeviceMemory memory(4 * kPage);
  EXPECT_EQ(error_of([&] { memory.allocate(UINT64_MAX); }).first, ErrorCode::kOutOfMemory);
  EXPECT_EQ(error_of([&] { memory.allocate(UINT64_MAX - kPage); }).first, ErrorCode::kOutOfMemory);
  EXPECT_EQ(error_of([&] { memory.allocate(0); }).first, ErrorCode::kInvalidArgument);
}

TEST(DeviceMemory, DoubleFreesAndForeignAddressesAreRefused) {
  DeviceMemory memory(1 << 20);
  const DeviceAddress address = memory.allocate(100);
  EXPECT_EQ(error_of([&] { memory.free({address.bytes + 1}); }).first, ErrorCode::kInvalidArgument);
  memory.free(address);
  EXPECT_EQ(error_of([&] { memory.free(address); }).first, ErrorCode::kInvalidArgument);
  EXPECT_EQ(error_of([&] { memory.free(DeviceAddress{}); }).first, ErrorCode::kInvalidArgument);
  const DeviceAddress later = memory.allocate(100);
  EXPECT_NE(later.bytes, address.bytes) << "a freed address was given out again";
}

TEST(DeviceMemory, RangesOutsideOneBlockAreRefused) {
  DeviceMemory memory(1 << 20);
  const DeviceAddress first = memory.allocate(kPage);
  const DeviceAddress second = memory.allocate(kPage);
  std::vector<uint8_t> bytes(second.bytes - first.bytes + 1);
  const auto refused = [&](uint64_t address, size_t size_bytes) {
    const auto [code, message] =
        error_of([&] { memory.copy_in({address}, std::span(bytes).first(size_bytes)); });
    EXPECT_EQ(code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(
        error_of([&] { memory.copy_out(std::span(bytes).first(size_bytes), {address}); }).first,
        ErrorCode::kInvalidArgument);
    return message;
  };
  EXPECT_NE(refused(first.bytes, kPage + 1).find("4097 bytes"), std::string::npos);
  refused(first.bytes, bytes.size());  // spans both blocks
  refused(first.bytes + kPage, 1);     // one past the end
  refused(first.bytes - 1, 1);         // before all blocks
  refused(second.bytes + kPage, 1);    // after all blocks
  refused(UINT64_MAX, 2);              // would wrap
  EXPECT_EQ(error_of([&] { memory.resolve(first, UINT64_MAX); }).first,
            ErrorCode::kInvalidArgument);
  EXPECT_NO_THROW(memory.copy_in({UINT64_MAX}, {})) << "an empty copy touches nothing";
}

}  // namespace
}  // namespace vta::driver
