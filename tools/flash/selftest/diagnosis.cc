// SPDX-License-Identifier: Apache-2.0
#include "tools/flash/selftest/diagnosis.h"

#include <fmt/format.h>

#include <bit>
#include <cstddef>

namespace vta::selftest {
namespace {

using End = ProbeOutcome::End;

// By ProbeKind.
constexpr const char* kPorts[] = {"HP3 (instructions)", "HP1 (ACC, STORE)", "HP1 (ACC, STORE)",
                                  "HP2 (micro-ops)",    "HP0 (INP, WGT)",   "all ports"};
const char* port_of(ProbeKind kind) { return kPorts[static_cast<size_t>(kind)]; }

// A line that is stuck in writes is wrong in the same place whatever is read. One that is stuck in
// reads of int32 is in another byte, or in none that is stored.
std::string of_hp1(const std::map<ProbeKind, ProbeOutcome>& outcomes) {
  const ProbeOutcome& bytes = outcomes.at(ProbeKind::kAcc8);
  const ProbeOutcome& words = outcomes.at(ProbeKind::kAcc32);
  const char* const direction =
      words.wrong_lines == bytes.wrong_lines ? "writes (STORE)" : "reads (ACC)";
  if (std::popcount(bytes.wrong_lines) == 1)
    return fmt::format("bit {} of HP1's {} is stuck", std::countr_zero(bytes.wrong_lines),
                       direction);
  const auto low = static_cast<uint32_t>(bytes.wrong_lines);
  const auto high = static_cast<uint32_t>(bytes.wrong_lines >> 32);
  constexpr int kManyLines = 16;  // a few stuck bits of one half are not a narrow port
  if ((low == 0) != (high == 0) && std::popcount(bytes.wrong_lines) >= kManyLines)
    return fmt::format(
        "HP1's {} transfer 32 of 64 bits: the port is 32 bits wide; vta-flash --check widens it",
        direction);
  return fmt::format("data of HP1 is wrong (lines {:#018x})", bytes.wrong_lines);
}

std::string of_data(ProbeKind kind, const std::map<ProbeKind, ProbeOutcome>& outcomes) {
  const ProbeOutcome& outcome = outcomes.at(kind);
  if (outcome.is_unwritten)
    return "the core's results do not reach the processor: stale cache lines on the way from the "
           "core, or a write that is lost";
  if (outcome.is_previous && !outcome.is_other)
    return "the core works on old data: the processor's cache is not written back on the way to "
           "the core";
  if (kind == ProbeKind::kAcc8) return of_hp1(outcomes);
  if (kind == ProbeKind::kRandom)
    return "all ports transfer data as they should, but the core computes wrong values: a timing "
           "or a hold fault in the logic";
  return fmt::format(
      "data of {} is wrong (lines {:#018x}){}", port_of(kind), outcome.wrong_lines,
      kind == ProbeKind::kInp ? ", or bits of HP2's micro-ops that only GEMM uses" : "");
}

}  // namespace

void compare(ProbeOutcome& outcome, const std::vector<uint8_t>& got,
             const std::vector<uint8_t>& expected, const std::vector<uint8_t>& previous) {
  for (size_t at = 0; at < expected.size(); ++at) {
    if (got[at] == expected[at]) continue;
    outcome.end = End::kWrong;
    outcome.wrong_lines |= uint64_t{static_cast<uint8_t>(got[at] ^ expected[at])} << (at % 8 * 8);
    outcome.is_unwritten &= got[at] == kUnwritten;
    if (previous.empty()) continue;
    (got[at] == previous[at] ? outcome.is_previous : outcome.is_other) = true;
  }
}

std::optional<std::string> diagnose(const std::map<ProbeKind, ProbeOutcome>& outcomes) {
  for (const auto& [kind, outcome] : outcomes) {
    switch (outcome.end) {
      case End::kGood:
        break;
      case End::kTimeout:
        return fmt::format("no response at {}: {}", port_of(kind), outcome.message);
      case End::kFault:
        // The probes are legal, so the core has got another instruction than memory has, or, where
        // the probes without micro-ops are good, other micro-ops.
        return fmt::format("{}: {}",
                           kind < ProbeKind::kUop
                               ? "instructions are wrong at HP3"
                               : "micro-ops at HP2 are wrong, or instructions at HP3",
                           outcome.message);
      case End::kError:
        return fmt::format("error at {}: {}", port_of(kind), outcome.message);
      case End::kWrong:
        return of_data(kind, outcomes);
    }
  }
  return std::nullopt;
}

}  // namespace vta::selftest
