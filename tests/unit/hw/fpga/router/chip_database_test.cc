// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/chip_database.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/support/error_in.h"

namespace vta::router {
namespace {

// A file with a reference to a chip, and its name of the architecture.
std::vector<uint8_t> file_of(int32_t magic, int32_t version, const char* architecture) {
  constexpr size_t kChip = sizeof(int32_t), kName = kChip + sizeof(chipdb::Chip);
  std::vector<uint8_t> bytes(kName + 16);
  const auto put = [&](size_t at, int32_t value) { std::memcpy(&bytes[at], &value, sizeof value); };
  put(0, kChip);
  put(kChip + offsetof(chipdb::Chip, magic), magic);
  put(kChip + offsetof(chipdb::Chip, version), version);
  const size_t reference = kChip + offsetof(chipdb::Chip, architecture);
  put(reference, static_cast<int32_t>(kName - reference));
  std::strncpy(reinterpret_cast<char*>(&bytes[kName]), architecture, 15);
  return bytes;
}

Error error_of(const std::vector<uint8_t>& bytes) {
  const ScratchFolder folder;
  write_file(folder.path() / "chip.bin", bytes);
  return expect_error([&] { const ChipDatabase chip(folder.path() / "chip.bin"); });
}

TEST(ChipDatabase, RefusesFilesOfOtherKinds) {
  EXPECT_EQ(error_of({}).code(), ErrorCode::kIo);
  EXPECT_EQ(error_of({1, 2, 3}).code(), ErrorCode::kCorrupt);
  EXPECT_EQ(error_of(std::vector<uint8_t>(4096, 0xff)).code(), ErrorCode::kCorrupt);
  EXPECT_NE(
      std::string(error_of(file_of(0x12345678, 6, "xilinx")).what()).find("not a chip database"),
      std::string::npos);
}

TEST(ChipDatabase, NamesVersionAndArchitecture) {
  EXPECT_NE(std::string(error_of(file_of(0x00ca7ca7, 7, "xilinx")).what())
                .find("version 7 of nextpnr's chip databases; this router reads version 6"),
            std::string::npos);
  EXPECT_NE(std::string(error_of(file_of(0x00ca7ca7, 6, "gowin")).what())
                .find("a chip of the architecture gowin; expected xilinx"),
            std::string::npos);
}

TEST(ChipDatabase, ReportsAMissingFile) {
  EXPECT_THROW(ChipDatabase("/nonexistent/chip.bin"), Error);
}

}  // namespace
}  // namespace vta::router
