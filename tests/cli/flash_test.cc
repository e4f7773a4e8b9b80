// SPDX-License-Identifier: Apache-2.0
//
// The command line of vta-flash; tests/unit/driver tests its effect on a board.
#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/cli/tool_run.h"
#include "tests/rpc/server_process.h"
#include "tests/support/board/bit_file.h"

namespace vta::cli_test {
namespace {

using support::bit_file;

struct FlashTool : testing::Test {
  FlashTool() { write_file(std::filesystem::path(folder / "vta.bit"), bit_file()); }
  void expect_error(const std::vector<std::string>& arguments, int status,
                    const std::string& part) {
    std::vector<std::string> command = {"vta-flash"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const ToolRun result = run(command);
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
    EXPECT_EQ(result.out, "");
  }
  ScratchFolder folder;
};

TEST_F(FlashTool, WritesTheFilesOfOtherWaysToLoad) {
  const ToolRun bin = run({"vta-flash", folder / "vta.bit", "--bin", folder / "vta.bin"});
  EXPECT_EQ(bin.status, 0) << bin.err;
  EXPECT_NE(bin.out.find("for 7z020clg400, built 2026/11/22 01:02:03, 12 bytes"), std::string::npos)
      << bin.out;
  EXPECT_EQ(read_file(folder / "vta.bin"),
            (std::vector<uint8_t>{0xFF, 0xFF, 0xFF, 0xFF, 0x66, 0x55, 0x99, 0xAA, 1, 0, 0, 0x20}));
  const ToolRun xclbin = run({"vta-flash", "--board", "pynq-z2", "--xclbin", folder / "x"});
  EXPECT_EQ(xclbin.status, 0) << xclbin.err;
  EXPECT_TRUE(read_text_file(folder / "x").starts_with("xclbin2"));
}

TEST_F(FlashTool, SaysWhatIsWrongInOneLine) {
  expect_error({}, 2, "expected a .bit file");
  expect_error({folder / "vta.bit", "--board", "nexys"}, 1, "board 'nexys'");
  expect_error({folder / "vta.bit", "--root", folder.path()}, 1, "no FPGA manager");
  expect_error({"--check", "--root", folder.path()}, 1, "cannot open");
  expect_error({"--selftest", "--root", "/a,memory=zocl"}, 1, "cannot hold a name with a comma");
  expect_error({folder / "vta.bit", "--device", "jtag"}, 1, "device 'jtag'");
  expect_error({"--check", "--network", "x.vta"}, 2, "--network goes with --selftest only");
  const std::vector<std::string> test = {"--selftest", "--device",  "functional",      "--core",
                                         "tiny_1x8",   "--network", VTA_DIGITS_PROGRAM};
  expect_error(test, 1, "was compiled for core vta_1x16, the test is of tiny_1x8");
}

TEST_F(FlashTool, TestsADevice) {
  for (const char* device : {"functional", "cycle", "rtl"}) {
    const ToolRun good =
        run({"vta-flash", "--selftest", "--device", device, "--network", VTA_DIGITS_PROGRAM});
    EXPECT_EQ(good.status, 0) << good.err;
    EXPECT_NE(good.out.find("good   ports and random programs"), std::string::npos) << good.out;
    EXPECT_NE(good.out.find("good   network: digits: class 7, as the simulator"), std::string::npos)
        << good.out;
    EXPECT_TRUE(good.out.ends_with("Self-test: good\n")) << good.out;
  }
  const ToolRun missing =
      run({"vta-flash", "--selftest", "--device", "uio:,root=" + folder.path().string()});
  EXPECT_EQ(missing.status, 1);
  EXPECT_NE(missing.out.find("FAILED identity: device 'uio:"), std::string::npos) << missing.out;
  EXPECT_NE(missing.err.find("the self-test failed"), std::string::npos) << missing.err;
}

TEST_F(FlashTool, LoadsNothingWhereItIsToLoadNothing) {
  const std::string bit = folder / "vta.bit", bin = folder / "vta.bin", xclbin = folder / "x";
  const std::vector<std::vector<std::string>> tasks = {
      {"--check"}, {"--bin", bin}, {"--xclbin", xclbin}};
  for (const auto& task : tasks) {
    std::vector<std::string> remote = {bit, "--device", "rpc://127.0.0.1:1"};
    remote.insert(remote.end(), task.begin(), task.end());
    expect_error(remote, 2, "run locally; they do not go with --device");
    for (const auto& other : tasks) {
      if (other == task) continue;
      std::vector<std::string> both = {bit};
      both.insert(both.end(), task.begin(), task.end());
      both.insert(both.end(), other.begin(), other.end());
      expect_error(both, 2, "use only one of --check, --selftest, --bin and --xclbin");
    }
  }
  expect_error({bit, "--check"}, 2, "--check, --selftest and --xclbin take no .bit file");
  expect_error({bit, "--xclbin", xclbin}, 2, "--check, --selftest and --xclbin take no .bit file");
  EXPECT_FALSE(std::filesystem::exists(bin));
  EXPECT_FALSE(std::filesystem::exists(xclbin));
}

// The server defines the limit: the client does not send larger files.
TEST_F(FlashTool, TakesFilesUpToTheServersLimit) {
  const std::filesystem::path large = folder / "large.bit";
  write_file(large, bit_file());
  for (const uint64_t above : {0, 1}) {
    std::filesystem::resize_file(large, (uint64_t{32} << 20) + above);
    expect_error({large.string(), "--device", "rpc://127.0.0.1:1"}, 1,
                 above == 0 ? "cannot connect" : "33554432");
  }
}

// The server's errors reach the user. The part exists on no board, so the test is harmless on a
// board.
TEST_F(FlashTool, ServersFlashOrSayWhyNot) {
  write_file(std::filesystem::path(folder / "other.bit"), bit_file("7z045ffg900"));
  write_file(std::filesystem::path(folder / "flash-token"), std::string("fedcba9876543210"));
  std::filesystem::permissions(folder / "flash-token", std::filesystem::perms::owner_read);
  const support::ServerProcess server(0, {"--flash-token-file", folder / "flash-token"});
  const std::string uri = "rpc://127.0.0.1:" + std::to_string(server.port());
  const std::string flash_uri = uri + "?token-file=" + (folder / "flash-token");
  const bool is_zynq = std::filesystem::exists("/sys/class/fpga_manager/fpga0");
  expect_error({folder / "vta.bit", "--device", uri}, 1,
               "present the token of the server's --flash-token-file");
  expect_error({folder / "other.bit", "--device", flash_uri}, 1,
               is_zynq ? "7z045ffg900" : "no FPGA manager");
  expect_error({folder / "vta.bit", "--device", flash_uri, "--board", "nexys"}, 1, "board 'nexys'");
  const ToolRun usable = run({"vta-sim", "run", VTA_DIGITS_PROGRAM, "--device", uri});
  EXPECT_EQ(usable.status, 0) << usable.err;
}

TEST_F(FlashTool, DevicesOfBoardsSayWhatTheyLookedFor) {
  const ToolRun uio = run({"vta-sim", "run", "digits.json", "--device", "uio:no-such-core"});
  EXPECT_EQ(uio.status, 1);
  EXPECT_NE(uio.err.find("no UIO device is called 'no-such-core'"), std::string::npos) << uio.err;
  const ToolRun xrt = run({"vta-sim", "run", "digits.json", "--device", "xrt:zero"});
  EXPECT_EQ(xrt.status, 1);
  EXPECT_NE(xrt.err.find("expected xrt:INDEX"), std::string::npos) << xrt.err;
}

}  // namespace
}  // namespace vta::cli_test
