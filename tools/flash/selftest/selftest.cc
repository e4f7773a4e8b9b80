// SPDX-License-Identifier: Apache-2.0
#include "tools/flash/selftest/selftest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "driver/device_allocation.h"
#include "sim/functional/functional_device.h"
#include "tools/flash/selftest/diagnosis.h"
#include "tools/flash/selftest/probe.h"

namespace vta::selftest {
namespace {

constexpr uint32_t kPatterns[] = {0xA5, 0x5A, 0x100, 0xA5};
constexpr ProbeKind kPortProbes[] = {ProbeKind::kFetch, ProbeKind::kAcc8, ProbeKind::kAcc32,
                                     ProbeKind::kUop, ProbeKind::kInp};
constexpr uint32_t kSweepHz[] = {10'000'000, 25'000'000, 50'000'000, 66'666'667, 100'000'000};
constexpr uint32_t kSweepPrograms = 20;
constexpr double kClockTolerance = 0.01;

// Sets the core's own clock at the end of a sweep, also if an error ends it.
class RestoredClock {
 public:
  explicit RestoredClock(const SelfTestOptions& options) : options_(options) {}
  RestoredClock(const RestoredClock&) = delete;
  RestoredClock& operator=(const RestoredClock&) = delete;
  ~RestoredClock() {
    try {
      options_.set_fclk0(options_.built_hz);
    } catch (const Error&) {
      // The sweep's own error, if any, is the one to report.
    }
  }

 private:
  const SelfTestOptions& options_;
};

class SelfTest {
 public:
  explicit SelfTest(const SelfTestOptions& options)
      : options_(options), expected_(sim::open_functional_device("functional", options.core)) {}

  SelfTestReport run() {
    if (!open()) return std::move(report_);
    check_clock();
    const auto outcomes = probe_all(options_.random_programs);
    const std::optional<std::string> finding = diagnose(outcomes);
    report("ports and random programs", !finding,
           finding.value_or(fmt::format("0xA5, 0x5A and address patterns through HP0 to HP3, {} "
                                        "random programs (seed {}): as the simulator",
                                        options_.random_programs, options_.seed)));
    if (!finding) check_network();
    check_interrupt(outcomes.at(ProbeKind::kFetch));
    if (options_.set_fclk0) {
      sweep();
      check_after_sweep();
    }
    return std::move(report_);
  }

 private:
  void report(const std::string& name, bool is_good, const std::string& text) {
    report_.lines.push_back({name, is_good, text});
  }

  bool open() {
    try {
      device_ = options_.open();
      arena_.emplace(*device_, kProbeArenaBytes);
      reference_.emplace(*expected_, kProbeArenaBytes);
      if (options_.network) network_.emplace(*options_.network, *expected_);
    } catch (const Error& error) {
      report("identity", false, error.what());
      return false;
    }
    const driver::DeviceDescription description = device_->describe();
    const bool is_same = description.core.same_hardware(options_.core);
    report("identity", is_same,
           fmt::format("{} has core {}, expected {}", description.uri, description.core.name,
                       options_.core.name));
    return is_same;
  }

  void check_clock() {
    if (!options_.fclk0_hz) return;
    const double hz = options_.fclk0_hz();
    const bool is_good = std::abs(hz - options_.built_hz) <= kClockTolerance * options_.built_hz;
    report("clock", is_good,
           fmt::format("built for {:.6g} MHz, FCLK0 is {:.6g} MHz{}", options_.built_hz / 1e6,
                       hz / 1e6, is_good ? "" : "; vta-flash --check sets it"));
  }

  void run_once(ProbeKind kind, uint32_t pattern, ProbeOutcome& outcome,
                std::vector<uint8_t>& previous) {
    const Probe probe = make_probe(kind, options_.core, pattern);
    const std::vector<uint8_t> expected = run_probe(*expected_, reference_->address(), probe);
    try {
      compare(outcome, run_probe(*device_, arena_->address(), probe), expected, previous);
    } catch (const driver::DeviceFault& fault) {
      outcome.end = ProbeOutcome::End::kFault;
      outcome.message = fault.what();
    } catch (const Error& error) {
      outcome.end = error.code() == ErrorCode::kTimeout ? ProbeOutcome::End::kTimeout
                                                        : ProbeOutcome::End::kError;
      outcome.message = error.what();
    }
    previous = expected;
  }

  static bool has_ended(const ProbeOutcome& outcome) {
    return outcome.end != ProbeOutcome::End::kGood && outcome.end != ProbeOutcome::End::kWrong;
  }

  ProbeOutcome probe(ProbeKind kind) {
    ProbeOutcome outcome;
    std::vector<uint8_t> previous;
    for (const uint32_t pattern : kPatterns) {
      if (has_ended(outcome)) break;
      run_once(kind, pattern, outcome, previous);
    }
    return outcome;
  }

  std::map<ProbeKind, ProbeOutcome> probe_all(uint32_t random_programs) {
    std::map<ProbeKind, ProbeOutcome> outcomes;
    for (const ProbeKind kind : kPortProbes) outcomes[kind] = probe(kind);
    ProbeOutcome& random = outcomes[ProbeKind::kRandom];
    std::vector<uint8_t> previous;
    for (uint32_t i = 0; i < random_programs && random.end == ProbeOutcome::End::kGood; ++i)
      run_once(ProbeKind::kRandom, static_cast<uint32_t>(options_.seed * 1000 + i), random,
               previous);
    return outcomes;
  }

  // With wrong ports a network's result tells nothing more.
  void check_network() {
    if (!network_) return;
    const std::optional<std::string> finding = network_->find_fault(*device_);
    report("network", !finding, finding.value_or(network_->answer() + ", as the simulator"));
  }

  // At another clock: ports, random programs, and the network, which has the longest paths.
  std::optional<std::string> find_fault() {
    const std::optional<std::string> finding = diagnose(probe_all(kSweepPrograms));
    return finding || !network_ ? finding : network_->find_fault(*device_);
  }

  void check_interrupt(const ProbeOutcome& fetch) {
    if (!options_.interrupts || fetch.end != ProbeOutcome::End::kGood) return;
    const uint64_t before = options_.interrupts();
    probe(ProbeKind::kFetch);
    const uint64_t count = options_.interrupts() - before;
    report("interrupt", count > 0,
           count > 0 ? fmt::format("{} in {} runs", count, std::size(kPatterns))
                     : "never fires: runs end, but IRQ_F2P[0] (SPI 29) does not reach Linux; a run "
                       "then waits for a poll");
  }

  // The first failing clock, and back to the core's own.
  void sweep() {
    const RestoredClock restored(options_);
    std::string text;
    bool is_good = true;
    for (const uint32_t hz : kSweepHz) {
      const double actual = options_.set_fclk0(hz);
      const auto finding = find_fault();
      text += fmt::format("{}{:.6g} MHz {}", text.empty() ? "" : ", ", actual / 1e6,
                          finding ? "FAILS: " + *finding : "good");
      if (!finding) continue;
      is_good = actual > options_.built_hz * (1 + kClockTolerance);
      text += hz == kSweepHz[0] ? " (a hold fault fails at 10 MHz, too: no slower clock mends it)"
                                : " (the first failing clock)";
      break;
    }
    report("clock sweep", is_good, text);
  }

  // A clock above the core's own may leave it in a state that only its reset ends.
  void check_after_sweep() {
    const auto finding = find_fault();
    report(
        "after the sweep", !finding,
        finding ? *finding + "; load the bitstream again" : "good again at the core's own clock");
  }

  const SelfTestOptions& options_;
  SelfTestReport report_;
  std::unique_ptr<driver::Device> expected_, device_;
  std::optional<driver::DeviceAllocation> arena_, reference_;  // freed before their devices
  std::optional<NetworkCheck> network_;
};

}  // namespace

bool SelfTestReport::is_good() const { return std::ranges::all_of(lines, &SelfTestLine::is_good); }

SelfTestReport run_selftest(const SelfTestOptions& options) { return SelfTest(options).run(); }

std::string to_text(const SelfTestReport& report) {
  std::string text;
  for (const SelfTestLine& line : report.lines)
    text += fmt::format("{:<6} {}: {}\n", line.is_good ? "good" : "FAILED", line.name, line.text);
  return text + (report.is_good() ? "Self-test: good\n" : "Self-test: FAILED\n");
}

}  // namespace vta::selftest
