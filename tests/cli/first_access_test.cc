// SPDX-License-Identifier: Apache-2.0
//
// Every program that opens a board refuses an FPGA that is not configured and another design, on a
// fake sysfs and /dev.
#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/cli/tool_run.h"
#include "tests/rpc/server_process.h"

namespace vta::cli_test {
namespace {

struct FirstAccess : testing::Test {
  FirstAccess() {
    put("sys/class/uio/uio0/name", "fabric\n");
    put("sys/class/uio/uio0/maps/map0/addr", "0x40000000\n");
    put("sys/class/uio/uio0/maps/map0/size", "0x10000\n");
    put("proc/device-tree/compatible", "xlnx,zynq-7000");
    put("dev/uio0", std::string(0x10000, '\x11'));
    put("insns", std::string(16, '\0'));
    put("arena", std::string(4096, '\0'));
    put("dev/mem", "");
    std::filesystem::resize_file(root.path() / "dev/mem", uint64_t{1} << 32);
  }
  void put(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((root.path() / name).parent_path());
    write_file(root.path() / name, text);
  }
  void set_state(const std::string& state) {
    put("sys/class/fpga_manager/fpga0/state", state + "\n");
  }
  // The commands that access a core on this machine.
  std::vector<std::vector<std::string>> commands() const {
    return {
        {"vta-flash", "--check", "--root", root.path()},
        {"vta-rpc-server-board", "--device", uri, "--listen", "127.0.0.1:0"},
        {"vta-run", VTA_DIGITS_PROGRAM, "--device", uri},
        {"vta-sim", "run", VTA_DIGITS_PROGRAM, "--device", uri},
        {"vta-sim", "exec", "--insns", root / "insns", "--arena", root / "arena", "--device", uri}};
  }
  void expect_all_refuse(const std::string& part) {
    for (const std::vector<std::string>& command : commands()) {
      const ToolRun result = run(command);
      EXPECT_EQ(result.status, 1) << command[0] << ": " << result.err;
      EXPECT_NE(result.err.find(part), std::string::npos) << command[0] << ": " << result.err;
      EXPECT_NE(result.err.find("vta-flash --board"), std::string::npos) << result.err;
    }
    // A server whose clients may flash a core waits for them.
    put("flash-token", "0123456789abcdef0123456789abcdef\n");
    std::filesystem::permissions(root.path() / "flash-token", std::filesystem::perms::owner_read);
    const support::ServerProcess server(
        0, {"--device", uri, "--flash-token-file", root.path() / "flash-token"});
    const ToolRun remote = run({"vta-run", VTA_DIGITS_PROGRAM, "--device",
                                "rpc://127.0.0.1:" + std::to_string(server.port())});
    EXPECT_EQ(remote.status, 1);
    EXPECT_NE(remote.err.find(part), std::string::npos) << remote.err;
  }

  ScratchFolder root;
  const std::string uri = "uio:,root=" + root.path().string();
};

TEST_F(FirstAccess, IsRefusedByEveryProgramWhereTheFpgaIsNotConfigured) {
  set_state("unknown");
  expect_all_refuse("the FPGA is not configured (fpga0 is 'unknown', expected 'operating')");
}

TEST_F(FirstAccess, IsRefusedByEveryProgramWhereAnotherDesignIsLoaded) {
  set_state("operating");
  expect_all_refuse("no core is there; another design is loaded, such as PYNQ's base overlay");
}

TEST_F(FirstAccess, IsRefusedByEveryProgramWhereTheBusAnswersWithAnError) {
  set_state("operating");
  std::filesystem::resize_file(root.path() / "dev/uio0", 0);
  std::filesystem::remove(root.path() / "dev/mem");
  for (const std::vector<std::string>& command : commands()) {
    if (command[0] == "vta-flash") continue;  // which needs /dev/mem
    const ToolRun result = run(command);
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_NE(result.err.find("the read of its magic is a bus error"), std::string::npos)
        << result.err;
  }
}

}  // namespace
}  // namespace vta::cli_test
