// SPDX-License-Identifier: Apache-2.0
//
// Programming on a fake Zynq: sysfs is a folder with a thread that acts as the kernel, physical
// memory is a sparse file.
#include "driver/flash/flash.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdlib>
#include <optional>
#include <thread>

#include "base/files/file.h"
#include "configs/config_files.h"
#include "driver/flash/bitstream.h"
#include "driver/flash/processing_system.h"
#include "driver/linux/attribute.h"
#include "tests/support/board/bit_file.h"
#include "tests/support/board/fake_board.h"
#include "tests/support/error_in.h"

namespace vta::driver {
namespace {

using support::bit_file;

TEST(Bitstream, IsReadAndSwapped) {
  const Bitstream bitstream = parse_bitstream(bit_file(), "vta.bit");
  EXPECT_EQ(bitstream.design, "system_wrapper;UserID=0XFFFFFFFF;Version=2022.1");
  EXPECT_EQ(bitstream.part, "7z020clg400");
  EXPECT_EQ(bitstream.date, "2026/11/22");
  EXPECT_EQ(bitstream.time, "01:02:03");
  const std::vector<uint8_t> swapped = {0xFF, 0xFF, 0xFF, 0xFF, 0x66, 0x55,
                                        0x99, 0xAA, 1,    0,    0,    0x20};
  EXPECT_EQ(byte_swapped(bitstream.words), swapped);
  EXPECT_TRUE(is_for_part(bitstream, "xc7z020clg400-1"));
  EXPECT_TRUE(is_for_part(bitstream, "xc7z020clg400-2"));
  EXPECT_FALSE(is_for_part(bitstream, "xc7z020clg484-1"));
  EXPECT_FALSE(is_for_part(bitstream, "xc7z010clg400-1"));
}

// The project's top has no pins, so the package does not matter to it.
TEST(Bitstream, OfTheProjectsTopIsForEachPackageOfItsDie) {
  Bitstream bitstream = parse_bitstream(bit_file(), "vta.bit");
  bitstream.design = "vta_zynq_top;core=tiny_1x8;clock=50000000";
  EXPECT_TRUE(is_for_part(bitstream, "xc7z020clg400-1"));
  EXPECT_TRUE(is_for_part(bitstream, "xc7z020clg484-1"));
  EXPECT_FALSE(is_for_part(bitstream, "xc7z010clg400-1"));
  EXPECT_FALSE(is_for_part(bitstream, "xc7z02clg400-1"));
  EXPECT_FALSE(is_for_part(bitstream, ""));
}

TEST(Bitstream, CutOffAnywhereIsRefused) {
  const std::vector<uint8_t> whole = bit_file();
  for (size_t length = 0; length < whole.size(); ++length) {
    const Error error =
        expect_error([&] { parse_bitstream(std::span(whole).first(length), "vta.bit"); });
    EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
    const bool says_so = std::string(error.what()).find("truncated") != std::string::npos;
    EXPECT_EQ(says_so, length >= 13) << error.what();
  }
}

TEST(Bitstream, WithoutItsFieldsOrItsSynchronizationIsRefused) {
  const std::vector<uint8_t> whole = bit_file();
  for (size_t at = 0; at < whole.size(); ++at) {
    std::vector<uint8_t> file = whole;
    const char letter = static_cast<char>(file[at]);
    const bool is_letter =
        at > 12 && file[at + 1 < file.size() ? at + 1 : at] == 0 && letter >= 'a' && letter <= 'e';
    if (at > 12 && !is_letter) continue;
    file[at] ^= 0x80;
    EXPECT_THROW(parse_bitstream(file, "vta.bit"), Error) << at;
  }
  std::vector<uint8_t> file = whole;
  file[file.size() - 6] = 0;
  EXPECT_THROW(parse_bitstream(file, "vta.bit"), Error);
}

// The kernel's side of /sys/class/fpga_manager/fpga0: accepts one bitstream. `firmware` is a pipe,
// so that its writer waits for the kernel.
class FakeKernel {
 public:
  // `state_after`: "" for an unreadable state.
  FakeKernel(support::FakeBoard& board, const std::string& state_after)
      : folder_(board.roots.sys / "class/fpga_manager/fpga0"), firmware_(board.roots.firmware) {
    EXPECT_EQ(::mkfifo((folder_ / "firmware").c_str(), 0600), 0);
    thread_ = std::thread([this, state_after] { take(state_after); });
  }
  ~FakeKernel() {
    ends_ = true;
    thread_.join();
  }

  std::vector<uint8_t> taken;
  std::string name, flags;

 private:
  void take(const std::string& state_after) {
    // `flags` is written last.
    while ((flags = read_attribute(folder_ / "flags")).empty()) {
      if (ends_) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    write_file(folder_ / "state", std::string("write\n"));
    const FileDescriptor pipe(::open((folder_ / "firmware").c_str(), O_RDONLY));
    char text[256] = {};
    if (::read(pipe.get(), text, sizeof(text) - 1) <= 0) return;
    name = text;
    taken = read_file(firmware_ / name);
    if (state_after.empty()) {
      std::filesystem::remove(folder_ / "state");
    } else {
      write_file(folder_ / "state", state_after + "\n");
    }
  }

  std::filesystem::path folder_, firmware_;
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

struct Flash : testing::Test {
  Flash() {
    board.set_fpga_state("unknown");
    board.write(board.roots.sys / "class/fpga_manager/fpga0/flags", "\n");
    const std::filesystem::path mem = board.roots.dev / "mem";
    board.write(mem, "");
    std::filesystem::resize_file(mem, uint64_t{1} << 32);
    const FileDescriptor file = open_file(mem, O_RDWR);
    slcr.emplace(file, 0xF800'0000, 4096, mem);
    afi.emplace(file, 0xF800'8000, 4 * 4096, mem);
    page.emplace(file, config.registers_base, 4096, mem);
    word(*slcr, 0x108) = 20 << 12;                   // IO PLL: 50 MHz x 20
    word(*slcr, 0x170) = 0x0020'0000 | 0x0000'1400;  // 1 GHz / 20 / 2
    word(*afi, 0x1000) = 0xF01;
    word(*afi, 0x1014) = 0xF01;
    word(*afi, 0x3014) = 0xF01;
    model.emplace(
        core, [](auto&&...) { return sim::NativeRun{}; }, support::BusMemory{}, 142857142);
  }
  static volatile uint32_t& word(const Mapping& mapping, uint32_t offset) {
    return *reinterpret_cast<volatile uint32_t*>(mapping.data() + offset);
  }
  void show_core() { polled.emplace(std::vector{page->data()}, *model); }

  std::string error_of(const std::vector<uint8_t>& file) {
    return expect_error([&] { flash(config, core, file, "vta.bit", board.roots); }).what();
  }
  static void expect_parts(const std::string& message, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) {
      EXPECT_NE(message.find(part), std::string::npos) << message << "\nlacks: " << part;
    }
  }

  const BoardConfig config = load_board_config("pynq-z1");
  const CoreConfig core = load_core_config("vta_1x16");
  support::FakeBoard board{core};
  std::optional<Mapping> slcr, afi, page;
  std::optional<support::RegisterModel> model;
  std::optional<support::PolledPages> polled;
};

TEST_F(Flash, LoadsABitstreamSetsTheClockAndConfirmsTheCore) {
  show_core();
  FlashReport report;
  std::optional<FakeKernel> kernel(std::in_place, board, "operating");
  report = flash(config, core, bit_file(), "vta.bit", board.roots);
  EXPECT_EQ(kernel->taken, byte_swapped(parse_bitstream(bit_file(), "").words));
  EXPECT_EQ(kernel->flags, "0");
  EXPECT_FALSE(std::filesystem::exists(board.roots.firmware / kernel->name)) << "not removed";
  EXPECT_EQ(report.part, "7z020clg400");
  EXPECT_EQ(report.state_before, "unknown");
  EXPECT_TRUE(report.core.same_hardware(core));
  EXPECT_EQ(report.clock_hz, 142857142u);
  EXPECT_NEAR(report.fclk0_hz, 1e9 / 7, 1);
  EXPECT_EQ(word(*slcr, 0x170) & 0xFC0FC0CF, 0u) << "reserved bits";
  EXPECT_EQ(word(*slcr, 0x004), 0u) << "Linux wants them unlocked";
  EXPECT_EQ(word(*afi, 0x1000), 0xF00u) << "HP1 has 64 bits";
  EXPECT_EQ(word(*afi, 0x1014), 0xF00u);
  EXPECT_EQ(word(*afi, 0x3014), 0xF00u) << "HP3, too: designs use different ports";
  expect_parts(to_text(report), {"Loaded system_wrapper", "built 2026/11/22 01:02:03",
                                 "block 16x16", "built for 142.857 MHz, FCLK0 is 142.857 MHz"});
}

// The test fpga.BitstreamIsFlashed.vta_1x16 names a file of hw/fpga/build_bitstream.
TEST_F(Flash, LoadsABitstreamOfTheOpenTools) {
  const char* const path = std::getenv("VTA_BITSTREAM");
  if (path == nullptr) GTEST_SKIP() << "VTA_BITSTREAM names no .bit file";
  const std::vector<uint8_t> file = read_file(path);
  show_core();
  const FakeKernel kernel(board, "operating");
  const FlashReport report = flash(config, core, file, path, board.roots);
  EXPECT_EQ(report.part, "7z020clg400");
  EXPECT_TRUE(report.core.same_hardware(core));
  EXPECT_EQ(kernel.taken, byte_swapped(parse_bitstream(file, path).words));
  EXPECT_GT(kernel.taken.size(), 4'000'000u);
}

// Each board's boot loader sets the IO PLL to a multiple of its crystal, 1 GHz as Vivado's default.
TEST_F(Flash, SetsTheClockOfEachBoard) {
  board.set_fpga_state("operating");
  for (const std::string& name : installed_config_names("boards")) {
    SCOPED_TRACE(name);
    const BoardConfig its = load_board_config(name);
    const uint32_t multiple = (1'000'000'000 + its.ps_clock_hz / 2) / its.ps_clock_hz;
    word(*slcr, 0x108) = multiple << 12;
    for (const uint32_t hz : {its.clock_hz, its.fast_clock_hz, 50'000'000u}) {
      model->words[hw::kRegister_clock_hz] = hz;
      polled.reset();
      show_core();
      EXPECT_NEAR(configure_loaded(its, core, board.roots).fclk0_hz, hz, 2);
    }
  }
}

// QEMU's Zynq has this PLL.
TEST_F(Flash, SetsTheNearestClockBelowWhereAPllHasNotTheClockItself) {
  word(*slcr, 0x108) = 26 << 12;
  ProcessingSystem system(board.roots, 50'000'000);
  const Error error = expect_error([&] { system.set_fclk0(66'666'667); });
  expect_parts(error.what(), {"FCLK0 of 66666667 Hz", "a PLL of 1300000000 Hz is 65000000 Hz"});
  system.set_fclk0_at_most(66'666'667);
  EXPECT_NEAR(system.fclk0_hz(), 65e6, 1);
  system.set_fclk0_at_most(100'000'000);
  EXPECT_NEAR(system.fclk0_hz(), 100e6, 1);
  EXPECT_THROW(system.set_fclk0_at_most(1000), Error);
  EXPECT_NEAR(system.fclk0_hz(), 100e6, 1) << "unchanged";
}

TEST_F(Flash, ReadsTheRegistersAtAClockThatAnyBitstreamKeeps) {
  const FakeKernel kernel(board, "operating");
  error_of(bit_file());  // no core is there
  EXPECT_EQ((word(*slcr, 0x170) >> 8 & 63) * (word(*slcr, 0x170) >> 20 & 63), 100u) << "10 MHz";
}

TEST_F(Flash, SaysThatThereIsNoManager) {
  std::filesystem::remove_all(board.roots.sys / "class/fpga_manager");
  expect_parts(error_of(bit_file()), {"no FPGA manager", "state is unknown"});
}

TEST_F(Flash, SaysWhatToDoOnAMainlineKernel) {
  expect_parts(error_of(bit_file()), {"a mainline kernel", "U-Boot", "overlay", "still 'unknown'"});
}

TEST_F(Flash, RefusesAnotherPart) {
  board.set_fpga_state("operating");
  const FakeKernel kernel(board, "operating");
  expect_parts(error_of(bit_file("7z010clg400")),
               {"vta.bit: the bitstream is for part 7z010clg400, pynq-z1 has xc7z020clg400-1",
                "fpga0 was 'operating' before"});
  EXPECT_TRUE(kernel.taken.empty());
}

TEST_F(Flash, RefusesAFileThatIsCutOff) {
  const FakeKernel kernel(board, "operating");
  std::vector<uint8_t> file = bit_file();
  file.pop_back();
  expect_parts(error_of(file), {"vta.bit: truncated", "expected 12 more bytes", "the file has 11",
                                "fpga0 was 'unknown' before"});
  EXPECT_TRUE(kernel.taken.empty());
}

TEST_F(Flash, SaysThatTheFpgaDidNotTakeIt) {
  const FakeKernel kernel(board, "write error");
  expect_parts(error_of(bit_file()),
               {"rejected the bitstream", "fpga0 was 'unknown' before, is 'write error' now"});
}

TEST_F(Flash, SaysTheStatesOnceWhateverGoesWrong) {
  const auto states_in = [](const std::string& message) {
    size_t count = 0;
    for (size_t at = 0; (at = message.find("fpga0 ", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  const std::string states = "(fpga0 was 'unknown' before, is 'unknown' now)";
  std::filesystem::remove_all(board.roots.firmware);
  board.write(board.roots.firmware, "no folder");
  board.write(board.roots.sys / "class/fpga_manager/fpga0/firmware", "\n");
  const std::string no_folder = error_of(bit_file());
  expect_parts(no_folder, {board.roots.firmware.string(), states});
  EXPECT_EQ(states_in(no_folder), 1u) << no_folder;
  std::filesystem::remove(board.roots.firmware);
  std::filesystem::create_directories(board.roots.firmware);
  std::filesystem::remove(board.roots.sys / "class/fpga_manager/fpga0/flags");
  const std::string no_flags = error_of(bit_file());
  expect_parts(no_flags, {"cannot open", "flags", states});
  EXPECT_EQ(states_in(no_flags), 1u) << no_flags;
}

TEST_F(Flash, SaysWhatWentWrongAlsoWhereTheStateIsGone) {
  const FakeKernel kernel(board, "");
  expect_parts(error_of(bit_file()),
               {"rejected the bitstream", "fpga0 was 'unknown' before, is 'unreadable' now"});
}

TEST_F(Flash, SaysThatTheConfigurationRegistersAreOfAnotherCore) {
  model->words[hw::kRegister_block_out] = 8;
  show_core();
  const FakeKernel kernel(board, "operating");
  expect_parts(error_of(bit_file()),
               {"core at 0x43c00000: expected core vta_1x16", "block_out is 8, not 16",
                "fpga0 was 'unknown' before, is 'operating' now"});
}

TEST_F(Flash, SaysThatNoCoreIsThere) {
  const FakeKernel kernel(board, "operating");
  expect_parts(error_of(bit_file()), {"no core is there"});
}

TEST_F(Flash, SaysThatThePllHasNoSuchClock) {
  word(*slcr, 0x108) = 1 << 12;  // 50 MHz
  show_core();
  const FakeKernel kernel(board, "operating");
  expect_parts(error_of(bit_file()), {"FCLK0 of 142857142 Hz: the nearest", "50000000 Hz"});
}

TEST_F(Flash, SaysThatPhysicalMemoryIsClosed) {
  std::filesystem::remove(board.roots.dev / "mem");
  const FakeKernel kernel(board, "operating");
  expect_parts(error_of(bit_file()), {"cannot open", "dev/mem"});
}

// In the middle of a burst, a core that is replaced would block its HP port until a power cycle.
TEST_F(Flash, StopsALoadedCoreBeforeItIsReplaced) {
  board.set_fpga_state("operating");
  model->words[hw::kRegister_status] = hw::kBits_status_running;
  show_core();
  const FakeKernel kernel(board, "operating");
  flash(config, core, bit_file(), "vta.bit", board.roots);
  EXPECT_EQ(model->words[hw::kRegister_status], hw::kBits_status_idle);
}

TEST_F(Flash, ReplacesACoreThatNeverBecomesIdle) {
  board.set_fpga_state("operating");
  for (uint32_t offset = 0; offset < 0x40; offset += 4)
    if (model->words.contains(offset)) word(*page, offset) = model->words[offset];
  const FakeKernel kernel(board, "operating");
  const FlashReport report = flash(config, core, bit_file(), "vta.bit", board.roots);
  EXPECT_EQ(word(*page, hw::kRegister_control), hw::kBits_control_soft_reset);
  EXPECT_EQ(report.clock_hz, 142857142u);
}

TEST_F(Flash, WritesNoRegisterOfAnotherDesign) {
  board.set_fpga_state("operating");
  for (uint32_t offset = 0; offset < hw::kRegisterPageBytes; offset += 4) word(*page, offset) = 7;
  const uint32_t width = word(*afi, 0x1000), clock = word(*slcr, 0x170);
  const Error error = expect_error([&] { configure_loaded(config, core, board.roots); });
  expect_parts(error.what(), {"magic is 0x00000007", "PYNQ's base overlay", "vta-flash --board"});
  EXPECT_EQ(word(*afi, 0x1000), width);
  EXPECT_EQ(word(*slcr, 0x170), clock);
  const FakeKernel kernel(board, "operating");
  error_of(bit_file());
  for (uint32_t offset = 0; offset < hw::kRegisterPageBytes; offset += 4)
    ASSERT_EQ(word(*page, offset), 7u) << offset;
}

TEST_F(Flash, ChecksNothingWhereTheFpgaIsNotConfigured) {
  show_core();
  const Error error = expect_error([&] { configure_loaded(config, core, board.roots); });
  expect_parts(error.what(), {"core at 0x43c00000", "not configured (fpga0 is 'unknown'"});
}

// Linux stops clocks that no device tree node enables, by bit 0 of the throttle.
TEST_F(Flash, StartsAClockThatLinuxHasStopped) {
  board.set_fpga_state("operating");
  word(*slcr, 0x178) = 0xA1;
  show_core();
  configure_loaded(config, core, board.roots);
  EXPECT_EQ(word(*slcr, 0x178), 0xA0u);
}

// Xilinx' tools divide by 5 x 2, never by 1 x 10.
TEST_F(Flash, DividesByTheLargerDivisorFirst) {
  board.set_fpga_state("operating");
  for (const uint32_t hz : {10'000'000u, 25'000'000u, 50'000'000u, 66'666'667u, 100'000'000u}) {
    model->words[hw::kRegister_clock_hz] = hz;
    polled.reset();
    show_core();
    configure_loaded(config, core, board.roots);
    const uint32_t first = word(*slcr, 0x170) >> 8 & 63, second = word(*slcr, 0x170) >> 20 & 63;
    EXPECT_EQ(first * second, (1'000'000'000 + hz / 2) / hz) << hz;
    EXPECT_GE(first, second) << hz;
  }
}

TEST_F(Flash, ChecksACoreThatIsAlreadyLoaded) {
  board.set_fpga_state("operating");
  show_core();
  const FlashReport report = configure_loaded(config, core, board.roots);
  EXPECT_EQ(report.design, "");
  EXPECT_EQ(to_text(report).find("Loaded"), std::string::npos);
  EXPECT_NEAR(report.fclk0_hz, 1e9 / 7, 1);
}

TEST_F(Flash, LocksTheClocksAgainWhereTheyWereLocked) {
  board.set_fpga_state("operating");
  show_core();
  word(*slcr, 0x00C) = 1;
  configure_loaded(config, core, board.roots);
  EXPECT_EQ(word(*slcr, 0x008), 0xDF0Du);
  EXPECT_EQ(word(*slcr, 0x004), 0x767Bu);
}

TEST_F(Flash, TakesEachPllThatFclk0MayComeFrom) {
  board.set_fpga_state("operating");
  word(*slcr, 0x100) = 26 << 12;  // ARM PLL
  word(*slcr, 0x104) = 21 << 12;  // DDR PLL
  model->words[hw::kRegister_clock_hz] = 100'000'000;
  show_core();
  for (const auto& [source, hz] : {std::pair{0x20, 100e6}, std::pair{0x30, 1050e6 / 11}}) {
    word(*slcr, 0x170) = static_cast<uint32_t>(source);
    if (source == 0x20) {
      EXPECT_NEAR(configure_loaded(config, core, board.roots).fclk0_hz, hz, 1);
    } else {
      EXPECT_THROW(configure_loaded(config, core, board.roots), Error) << "5 % too slow";
    }
    EXPECT_EQ(word(*slcr, 0x170) & 0x30, static_cast<uint32_t>(source));
  }
}

}  // namespace
}  // namespace vta::driver
