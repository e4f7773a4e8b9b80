// SPDX-License-Identifier: Apache-2.0
//
// vta-flash: loads a bitstream into a board's FPGA, or converts it for other loaders.
#include <fmt/format.h>

#include "base/command_line/command_line.h"
#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/errors/printable.h"
#include "base/files/file.h"
#include "configs/board_config.h"
#include "configs/core_config.h"
#include "driver/flash/bitstream.h"
#include "driver/flash/flash.h"
#include "driver/flash/processing_system.h"
#include "driver/flash/xclbin.h"
#include "driver/uio/uio_device.h"
#include "runtime/rpc/client.h"
#include "tools/compile/noted_core.h"
#include "tools/flash/bitstream_argument.h"
#include "tools/flash/devices.h"
#include "tools/flash/selftest/selftest.h"
#include "tools/flash/test_network.h"

namespace vta {
namespace {

struct Options {
  std::string bitstream;
  std::string board = "pynq-z1";
  std::string core;
  std::string device = "local";
  std::string bin_file, xclbin_file, network_file;
  std::string root;
  bool check = false, selftest = false;
};

void add_options(Command& command, Options& options) {
  command.optional_argument(
      "bitstream", options.bitstream, "FILE",
      "A .bit file, of the open tools or of Vivado, or the name of a bitstream that ships, such as "
      "tiny_1x8; not with --check, --selftest and --xclbin");
  command.option("--board", options.board, "NAME", "Board: a name from configs/boards or a file");
  command.option(
      "--core", options.core, "NAME",
      "Core that the bitstream must contain (default: the board's, or that of a bitstream "
      "that ships)");
  command.option("--device", options.device, "URI",
                 "Machine with the FPGA: local (this one), or rpc://HOST:PORT; of --selftest "
                 "also uio:[NAME] or a simulator, such as functional or rtl");
  command.flag(
      "--check", options.check,
      "Load nothing: check the core in the FPGA, set its clock and the widths of its ports");
  command.flag("--selftest", options.selftest,
               "Test the core in the FPGA: each memory port, random programs, a network, the "
               "interrupt and a sweep of the clock; with --device also another device");
  command.option("--network", options.network_file, "FILE",
                 "Compiled network of --selftest, which runs its sample (default: "
                 "share/vta/examples/digits.vta of this installation, or that of the core)");
  command.output(
      "--bin", options.bin_file, "FILE",
      "Load nothing: write the bitstream in the format of U-Boot and device tree overlays");
  command.output("--xclbin", options.xclbin_file, "FILE",
                 "Load nothing: write the description of the design for XRT (.xclbin)");
  command.option(
      "--root", options.root, "DIR",
      "For tests: use DIR/sys, DIR/dev, DIR/proc and DIR/firmware instead of the system's");
  command.example("vta-flash --board pynq-z1 tiny_1x8");
  command.example("vta-flash --board pynq-z1 vta.bit");
  command.example("vta-flash --selftest");
}

driver::SystemRoots roots_of(const Options& options) {
  return options.root.empty() ? driver::SystemRoots{} : driver::SystemRoots::below(options.root);
}

BitstreamArgument read_bitstream(const Options& options, const BoardConfig& board) {
  return read_bitstream_argument(options.bitstream, board.name, options.core);
}

void write_bin(const Options& options, const BoardConfig& board) {
  const BitstreamArgument argument = read_bitstream(options, board);
  const auto bitstream = driver::parse_bitstream(argument.bit_file, argument.origin);
  without_interruption(
      [&] { write_file(options.bin_file, driver::byte_swapped(bitstream.words)); });
  print_out("Wrote {}: {} for {}, built {} {}, {}\n", options.bin_file, bitstream.design,
            bitstream.part, bitstream.date, bitstream.time,
            counted(bitstream.words.size(), "byte"));
}

void write_xclbin(const Options& options, const BoardConfig& board) {
  without_interruption([&] { write_file(options.xclbin_file, driver::make_xclbin(board)); });
  print_out("Wrote {} for {}\n", options.xclbin_file, board.name);
}

// The tasks exclude each other and loading, and only --selftest has a device. --check, --selftest
// and --xclbin take no bitstream.
void require_one_task(const Options& options) {
  const int tasks = (options.check ? 1 : 0) + (options.selftest ? 1 : 0) +
                    (options.bin_file.empty() ? 0 : 1) + (options.xclbin_file.empty() ? 0 : 1);
  if (tasks > 1) throw UsageError("use only one of --check, --selftest, --bin and --xclbin");
  if (tasks == 1 && !options.selftest && options.device != "local") {
    throw UsageError("--check, --bin and --xclbin run locally; they do not go with --device");
  }
  if (!options.selftest && !options.network_file.empty())
    throw UsageError("--network goes with --selftest only");
  const bool needs_file = !options.check && !options.selftest && options.xclbin_file.empty();
  if (needs_file && options.bitstream.empty())
    throw UsageError("expected a .bit file, --check, --selftest or --xclbin FILE");
  if (!needs_file && !options.bitstream.empty()) {
    throw UsageError(options.bitstream + ": --check, --selftest and --xclbin take no .bit file");
  }
}

// Sends the bitstream to a vta-rpc-server, which has the board's files.
void flash_remote(const Options& options) {
  const BitstreamArgument argument =
      read_bitstream_argument(options.bitstream, options.board, options.core);
  driver::parse_bitstream(argument.bit_file, argument.origin);  // an invalid file is not sent
  rpc::Client server(rpc::parse_client_uri(options.device));
  print_out("{}{}", argument.note,
            server.flash({options.board, argument.core, argument.origin, argument.bit_file}));
}

// The core's own register tells flash() its clock. That of a shipped bitstream is its manifest's.
void flash_local(const Options& options, const BoardConfig& board) {
  const BitstreamArgument argument = read_bitstream(options, board);
  const CoreConfig core = load_noted_core(argument.core.empty() ? board.core : argument.core);
  const driver::FlashReport report =
      driver::flash(board, core, argument.bit_file, argument.origin, roots_of(options));
  print_out("{}{}", argument.note, to_text(report));
  if (argument.clock_hz != 0 && argument.clock_hz != report.clock_hz) {
    fail(ErrorCode::kDevice, "{}: the core was built for {} Hz, its manifest says {} Hz",
         argument.origin, report.clock_hz, argument.clock_hz);
  }
}

// Another device than this machine's board has neither FCLK0 nor a count of interrupts here.
selftest::SelfTestOptions selftest_options(const Options& options, const CoreConfig& core) {
  selftest::SelfTestOptions test;
  test.core = core;
  test.network = load_test_network(options.network_file, core);
  const std::string uri =
      options.device == "local" ? driver::uio_uri(options.root) : options.device;
  test.open = [uri, core] { return driver::open(uri, core); };
  return test;
}

void add_board(selftest::SelfTestOptions& test, const Options& options, const BoardConfig& board) {
  const driver::SystemRoots roots = roots_of(options);
  const auto system = std::make_shared<driver::ProcessingSystem>(roots, board.ps_clock_hz);
  // Changes nothing: a wrong clock and a narrow port are findings. Its error names another core.
  test.built_hz = driver::read_loaded(board, test.core, roots).clock_hz;
  test.fclk0_hz = [system] { return system->fclk0_hz(); };
  test.set_fclk0 = [system](uint32_t hz) {
    system->set_fclk0_at_most(hz);
    return system->fclk0_hz();
  };
  test.interrupts = [roots] { return driver::core_interrupts(roots); };
}

void selftest(const Options& options) {
  const BoardConfig board = load_board_config(options.board);
  selftest::SelfTestOptions test =
      selftest_options(options, load_noted_core(options.core.empty() ? board.core : options.core));
  register_devices();
  if (options.device == "local") add_board(test, options, board);
  const selftest::SelfTestReport report = selftest::run_selftest(test);
  print_out("vta-flash {} --selftest, {}, {}\n{}", VTA_VERSION, board.name,
            options.device == "local" ? "this machine" : options.device, to_text(report));
  if (!report.is_good()) fail(ErrorCode::kDevice, "the self-test failed");
}

void run(const Options& options) {
  require_one_task(options);
  if (options.selftest) return selftest(options);
  if (options.device != "local") return flash_remote(options);
  const BoardConfig board = load_board_config(options.board);
  if (!options.check && options.xclbin_file.empty() && options.bin_file.empty())
    return flash_local(options, board);
  const CoreConfig core = load_noted_core(options.core.empty() ? board.core : options.core);
  if (!options.xclbin_file.empty()) return write_xclbin(options, board);
  if (!options.bin_file.empty()) return write_bin(options, board);
  print_out("{}", to_text(driver::configure_loaded(board, core, roots_of(options))));
}

}  // namespace
}  // namespace vta

int main(int argc, char** argv) {
  vta::Tool tool("vta-flash", "Programs a board's FPGA.", VTA_VERSION);
  vta::Options options;
  vta::Command command = tool.command();
  add_options(command, options);
  command.action([&] { run(options); });
  return tool.run(argc, argv);
}
