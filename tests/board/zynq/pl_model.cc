// SPDX-License-Identifier: Apache-2.0
//
// The programmable logic of QEMU's Zynq: the file of the machine's memory contains the addresses of
// GP0, at which the Verilated core or another design answers.
// usage: pl_model MEMORY-FILE CORE DESIGN INTERRUPT-SOCKET [CHECKSUM=DESIGN]...
// DESIGN: core, foreign, none, other-core, no-interrupt, or a fault of --faults, which is planted
// in the core. The third argument is loaded at the start. Later, the stand-in of the FPGA manager
// (kernel/fpga_stand_in.c) tells the checksums of the bitstreams that it loads; one without a
// DESIGN is a foreign design's. QEMU connects to the socket, for the core's interrupt. Prints
// "ready", each design that is loaded, and "written: ADDRESS" if a program has written to a foreign
// design. Runs until its input ends.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>

#include "configs/core_config.h"
#include "driver/linux/file_descriptor.h"
#include "sim/rtl/rtl_core.h"
#include "tests/support/board/fake_board.h"
#include "tests/support/faulty_core.h"

namespace {

using namespace vta;

// GP0 repeats the core's page, of which the machine's programs use these two.
constexpr std::array<uint64_t, 2> kPages = {0x4000'0000, 0x43C0'0000};
constexpr uint64_t kDdrBytes = 0x2000'0000;  // of Linux
constexpr uint64_t kMailbox = 0x17F0'0000;   // as in emulated_zynq.dtsi
constexpr uint32_t kConfigured = 0, kChecksum = 1, kRequest = 2, kAnswer = 3;  // words of it
constexpr uint32_t kForeignWord = 0x5A5A'0000;  // the contents of a foreign design, by address
constexpr uint32_t kPageBytes = 4096;
constexpr const char* kOtherCore = "tiny_1x8";
constexpr int kInterrupt = 29;  // of the shared ones: IRQ_F2P[0]

void say(const std::string& line) {
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

// Sets inputs of the machine's interrupt controller, by QEMU's qtest protocol.
class InterruptInput {
 public:
  explicit InterruptInput(const std::string& path) : listener_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    if (::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0 ||
        ::listen(listener_.get(), 1) != 0) {
      throw std::runtime_error("cannot listen at " + path);
    }
  }

  void set(bool is_high) {
    if (!machine_) machine_.emplace(::accept(listener_.get(), nullptr, nullptr));
    const std::string command =
        fmt::format("set_irq_in gic unnamed-gpio-in {} {:d}\n", kInterrupt, is_high);
    if (::write(machine_->get(), command.data(), command.size()) < 0) return;  // QEMU has ended
    std::array<char, 64> answer;
    if (::read(machine_->get(), answer.data(), answer.size()) <= 0) return;
    if (answer[0] != 'O') say("interrupt refused: " + std::string(answer.data()));
  }

 private:
  driver::FileDescriptor listener_;
  std::optional<driver::FileDescriptor> machine_;
};

class Logic {
 public:
  Logic(driver::Mapping memory, const std::string& core_name, const std::string& socket)
      : memory_(std::move(memory)),
        core_(load_core_config(core_name)),
        verilated_(sim::make_rtl_core(core_, load_memory_config("ideal64"))),
        interrupt_(socket) {}

  void load(const std::string& design) {
    served_.reset();
    for (const uint64_t page : kPages) {
      for (uint32_t at = 0; at < kPageBytes; at += 4) word(page + at) = kForeignWord + at;
    }
    is_core_ = design != "foreign" && design != "none";
    if (is_core_) serve_core(design);
    mailbox(kConfigured) = design != "none";
    say("loaded: " + design);
  }

  // Once for each load of the machine's kernel.
  void obey_kernel(const std::map<std::string, std::string>& designs) {
    const uint32_t request = mailbox(kRequest);
    if (request == mailbox(kAnswer)) return;
    const auto design = designs.find(fmt::format("{:08x}", mailbox(kChecksum)));
    load(design == designs.end() ? "foreign" : design->second);
    mailbox(kAnswer) = request;
  }

  // Registers that are not the core's must not be written.
  void look_for_writes() {
    if (is_core_) return;
    for (const uint64_t page : kPages) {
      for (uint32_t at = 0; at < kPageBytes; at += 4) {
        if (word(page + at) == kForeignWord + at) continue;
        say(fmt::format("written: {:#x}", page + at));
        word(page + at) = kForeignWord + at;
      }
    }
  }

 private:
  uint8_t* at(uint64_t address) { return memory_.data() + address; }
  uint32_t& word(uint64_t address) { return *reinterpret_cast<uint32_t*>(at(address)); }
  std::atomic_ref<uint32_t> mailbox(uint32_t index) {
    return std::atomic_ref(word(kMailbox + index * 4));
  }

  void serve_core(const std::string& design) {
    sim::CoreRunner runner = [this](uint8_t* arena, uint64_t bytes, uint32_t offset, uint32_t count,
                                    const Deadline& deadline) {
      return verilated_->run(arena, bytes, offset, count, deadline, nullptr);
    };
    if (const support::PlantedFault* planted = find_fault(design)) {
      const auto faulty = std::make_shared<support::FaultyCore>(core_, planted->faults, runner);
      runner = [faulty](auto&&... arguments) { return faulty->run(arguments...); };
    }
    const CoreConfig shown = design == "other-core" ? load_core_config(kOtherCore) : core_;
    served_.emplace(shown, runner, support::BusMemory{{memory_.data(), kDdrBytes}, 0});
    std::vector<uint8_t*> pages;
    for (const uint64_t page : kPages) pages.push_back(at(page));
    support::PolledPages::Interrupt interrupt;
    if (design != "no-interrupt") interrupt = [this](bool is_high) { interrupt_.set(is_high); };
    served_->polled.emplace(std::move(pages), served_->model, std::move(interrupt));
  }

  // Null: none.
  static const support::PlantedFault* find_fault(const std::string& name) {
    const auto& all = support::planted_faults();
    const auto found = std::ranges::find(all, name, &support::PlantedFault::name);
    return found == all.end() ? nullptr : &*found;
  }

  struct Served {
    Served(const CoreConfig& core, sim::CoreRunner runner, support::BusMemory memory)
        : model(core, std::move(runner), memory) {}
    support::RegisterModel model;
    std::optional<support::PolledPages> polled;
  };

  driver::Mapping memory_;
  const CoreConfig core_;
  const std::shared_ptr<sim::TimedCore> verilated_;
  InterruptInput interrupt_;
  bool is_core_ = false;
  std::optional<Served> served_;
};

// From arguments CHECKSUM=DESIGN.
std::map<std::string, std::string> designs_of(std::span<char*> arguments) {
  std::map<std::string, std::string> designs;
  for (const std::string argument : arguments) {
    const size_t at = argument.find('=');
    if (at == std::string::npos) throw std::runtime_error("expected CHECKSUM=DESIGN: " + argument);
    designs[argument.substr(0, at)] = argument.substr(at + 1);
  }
  return designs;
}

void serve(int argc, char** argv) {
  const driver::FileDescriptor file = driver::open_file(argv[1], O_RDWR);
  Logic logic(driver::Mapping(file, 0, std::filesystem::file_size(argv[1]), argv[1]), argv[2],
              argv[4]);
  const auto designs = designs_of(std::span(argv, static_cast<size_t>(argc)).subspan(5));
  logic.load(argv[3]);
  say("ready");
  const std::jthread thread([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      logic.obey_kernel(designs);
      logic.look_for_writes();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  std::getchar();  // returns when its parent ends
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 2 && std::string(argv[1]) == "--faults") {
      for (const support::PlantedFault& planted : support::planted_faults())
        say(planted.name + "=" + planted.finding);
      return 0;
    }
    if (argc < 5) {
      throw std::runtime_error(
          "usage: pl_model MEMORY-FILE CORE DESIGN INTERRUPT-SOCKET [CHECKSUM=DESIGN]... | "
          "--faults");
    }
    serve(argc, argv);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "pl_model: {}\n", error.what());
    return 1;
  }
}
