// SPDX-License-Identifier: Apache-2.0
//
// vta-flash as it is installed, with a bitstream that ships, on a fake Zynq.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "configs/core_config.h"
#include "driver/linux/file_descriptor.h"
#include "tests/cli/tool_run.h"
#include "tests/support/board/register_model.h"

namespace vta::cli_test {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kClockHz = 50'000'000;
const fs::path kShipped = fs::path(VTA_SOURCE_FOLDER) / "hw/fpga/bitstreams";

// PREFIX/bin/vta-flash, PREFIX/share/vta/bitstreams with tiny_1x8@50, and a Linux below ROOT.
struct ShippedBitstream : testing::Test {
  ShippedBitstream() {
    fs::create_directories(folder / "bin");
    fs::copy_file(tool_path("vta-flash"), folder / "bin/vta-flash");
    fs::create_directories(manifest.parent_path());
    fs::copy_file(kShipped / "tiny_1x8@50.json", manifest);
    fs::copy_file(kShipped / "tiny_1x8@50.bit.gz", packed);
  }

  // The registers of a core at rest, the FPGA manager and the PLL; all of them are files.
  void put_board(uint32_t clock_hz) {
    put("sys/class/fpga_manager/fpga0/state", "operating\n");
    put("sys/class/fpga_manager/fpga0/flags", "\n");
    put("sys/class/fpga_manager/fpga0/firmware", "\n");
    put("dev/mem", "");
    fs::resize_file(root / "dev/mem", uint64_t{1} << 32);
    put_word(0xF800'0108, 20 << 12);     // IO PLL: 50 MHz x 20
    put_word(0xF800'0170, 0x0020'1400);  // 1 GHz / 20 / 2
    const support::RegisterModel core(
        load_core_config("tiny_1x8"), [](auto&&...) { return sim::NativeRun{}; }, {}, clock_hz);
    for (const auto& [offset, word] : core.words) put_word(0x43C0'0000 + offset, word);
  }
  void put(const std::string& name, const std::string& text) {
    fs::create_directories((root / name).parent_path());
    write_file(root / name, text);
  }
  void put_word(uint64_t address, uint32_t word) {
    const driver::FileDescriptor memory = driver::open_file(root / "dev/mem", O_RDWR);
    EXPECT_EQ(::pwrite(memory.get(), &word, sizeof(word), static_cast<off_t>(address)), 4);
  }
  uint32_t word_at(uint64_t address) const {
    uint32_t word = 0;
    const driver::FileDescriptor memory = driver::open_file(root / "dev/mem", O_RDONLY);
    EXPECT_EQ(::pread(memory.get(), &word, sizeof(word), static_cast<off_t>(address)), 4);
    return word;
  }

  ToolRun flash(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), folder / "bin/vta-flash");
    return run(arguments, {.working_folder = "/"});
  }
  void expect_error(const std::vector<std::string>& arguments, const std::string& part) const {
    const ToolRun result = flash(arguments);
    EXPECT_EQ(result.status, 1) << result.out;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err << "\nlacks: " << part;
  }

  ScratchFolder folder;
  const fs::path root = folder / "root";
  const fs::path manifest = folder / "share/vta/bitstreams/tiny_1x8@50.json";
  const fs::path packed = folder / "share/vta/bitstreams/tiny_1x8@50.bit.gz";
  const std::string bin = folder / "x.bin";
};

TEST_F(ShippedBitstream, IsLoadedByItsNameAtItsClock) {
  put_board(kClockHz);
  for (const char* name : {"tiny_1x8", "tiny_1x8@50"}) {
    put_word(0xF800'0170, 0x0020'0A00);  // 1 GHz / 10 / 2
    const ToolRun loaded = flash({name, "--root", root, "--board", "pynq-z2"});
    EXPECT_EQ(loaded.status, 0) << loaded.err;
    EXPECT_TRUE(
        loaded.out.starts_with("tiny_1x8@50: 50 MHz, clock class 'conservative'; it has "
                               "not run on silicon\nLoaded vta_zynq_top;core=tiny_1x8;"))
        << loaded.out;
    EXPECT_NE(loaded.out.find("FCLK0 is 50 MHz"), std::string::npos) << loaded.out;
    EXPECT_EQ((word_at(0xF800'0170) >> 8 & 63) * (word_at(0xF800'0170) >> 20 & 63), 20u);
  }
}

TEST_F(ShippedBitstream, WithAnotherClockThanItsManifestIsAnError) {
  put_board(kClockHz / 2);
  const ToolRun loaded = flash({"tiny_1x8", "--root", root});
  EXPECT_EQ(loaded.status, 1);
  EXPECT_NE(loaded.err.find("tiny_1x8@50: the core was built for 25000000 Hz, its manifest says "
                            "50000000 Hz"),
            std::string::npos)
      << loaded.err;
}

TEST_F(ShippedBitstream, IsConvertedAndSentByItsName) {
  const ToolRun converted = flash({"tiny_1x8", "--bin", bin});
  EXPECT_EQ(converted.status, 0) << converted.err;
  EXPECT_NE(converted.out.find("vta_zynq_top;core=tiny_1x8;clock=50000000 for 7z020clg400"),
            std::string::npos)
      << converted.out;
  EXPECT_GT(fs::file_size(bin), 4'000'000u);
  expect_error({"tiny_1x8", "--device", "rpc://127.0.0.1:1"}, "cannot connect");
}

TEST_F(ShippedBitstream, IsRefusedWithTheReason) {
  expect_error({"vta_9x99", "--bin", bin},
               "'vta_9x99' is neither a file nor a bitstream that ships: tiny_1x8@50");
  expect_error({"tiny_1x8@50", "--core", "vta_1x16", "--bin", bin},
               "bitstream tiny_1x8@50 has core tiny_1x8, --core is vta_1x16");
  std::string board = read_text_file(fs::path(VTA_SOURCE_FOLDER) / "configs/boards/pynq-z1.json");
  put("zybo.json", board.replace(board.find("pynq-z1"), 7, "zybo-z7"));
  expect_error({"tiny_1x8@50", "--board", root / "zybo.json", "--bin", bin},
               "bitstream tiny_1x8@50 is for arty-z7-20, pynq-z1, pynq-z2, zedboard, zybo-z7-20, "
               "not for board 'zybo-z7'");
  std::vector<uint8_t> damaged = read_file(packed);
  damaged.back() ^= 1;
  write_file(packed, damaged);
  expect_error({"tiny_1x8@50", "--bin", bin}, "the SHA-256 of the file is");
  EXPECT_FALSE(fs::exists(bin));
}

}  // namespace
}  // namespace vta::cli_test
