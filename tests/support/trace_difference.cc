// SPDX-License-Identifier: Apache-2.0
#include "tests/support/trace_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace vta::support {
namespace {

using sim::RunTrace;

constexpr const char* kProcessNames[] = {
#define VTA_PROCESS(process, stage) #process,
#include "hw/core/processes.def"
};
constexpr const char* kWaitNames[] = {
#define VTA_END(process) "the end",
#define VTA_WAIT(process, channel, what, for_space) #channel,
#include "hw/core/processes.def"
};
constexpr const char* kTokenNames[] = {
#define VTA_TOKENS(queue, from, to) #queue,
#include "hw/core/processes.def"
};

std::string text_of(const RunTrace::Work& work) {
  return fmt::format("cycles [{}, {}) for instruction {}", work.begin, work.end, work.index);
}
std::string text_of(const RunTrace::WaitSpan& wait) {
  return fmt::format("cycles [{}, {}) for {}", wait.begin, wait.end, kWaitNames[wait.wait]);
}
std::string text_of(uint64_t cycle) { return fmt::format("cycle {}", cycle); }

// The first differing entries of two lists; either may be null at its end.
template <class Entry>
struct Parting {
  const Entry* rtl;
  const Entry* model;

  std::string text() const {
    return fmt::format("{} in RTL, {} in the model", rtl == nullptr ? "none" : text_of(*rtl),
                       model == nullptr ? "none" : text_of(*model));
  }
};

template <class Entry>
std::optional<Parting<Entry>> parting(const std::vector<Entry>& rtl,
                                      const std::vector<Entry>& model) {
  const auto [a, b] = std::mismatch(rtl.begin(), rtl.end(), model.begin(), model.end());
  if (a == rtl.end() && b == model.end()) return std::nullopt;
  return Parting<Entry>{a == rtl.end() ? nullptr : &*a, b == model.end() ? nullptr : &*b};
}

uint64_t cycle_of(const Parting<RunTrace::Work>& work) {
  return std::min(work.rtl == nullptr ? UINT64_MAX : work.rtl->begin,
                  work.model == nullptr ? UINT64_MAX : work.model->begin);
}

std::string wait_difference(const RunTrace& rtl, const RunTrace& model, int process) {
  const auto found = parting(rtl.processes[process].waits, model.processes[process].waits);
  return found ? fmt::format("{} waits: {}", kProcessNames[process], found->text()) : "";
}

std::string work_difference(const RunTrace& rtl, const RunTrace& model,
                            std::span<const isa::InstructionBits> stream,
                            const CoreConfig& config) {
  std::optional<Parting<RunTrace::Work>> first;
  int of = 0;
  for (int process = 0; process < sim::kNumProcesses; ++process) {
    const auto found = parting(rtl.processes[process].work, model.processes[process].work);
    if (!found || (first && cycle_of(*first) <= cycle_of(*found))) continue;
    first = found;
    of = process;
  }
  if (!first) return "";
  const uint32_t index = (first->rtl != nullptr ? first->rtl : first->model)->index;
  const std::string instruction =
      index < stream.size() ? isa::disassemble(isa::decode(stream[index], config)) : "";
  return fmt::format("{} works: {}\n{}\n{}", kProcessNames[of], first->text(), instruction,
                     wait_difference(rtl, model, of));
}

std::string token_difference(const RunTrace& rtl, const RunTrace& model, int queue) {
  const auto pushes = parting(rtl.tokens[queue].pushes, model.tokens[queue].pushes),
             pops = parting(rtl.tokens[queue].pops, model.tokens[queue].pops);
  if (pushes) return fmt::format("push to {}: {}", kTokenNames[queue], pushes->text());
  return pops ? fmt::format("pop from {}: {}", kTokenNames[queue], pops->text()) : "";
}

}  // namespace

std::string first_difference(const RunTrace& rtl, const RunTrace& model,
                             std::span<const isa::InstructionBits> stream,
                             const CoreConfig& config) {
  std::string text = work_difference(rtl, model, stream, config);
  for (int i = 0; i < sim::kNumProcesses && text.empty(); ++i)
    text = wait_difference(rtl, model, i);
  for (int i = 0; i < sim::kNumTokenQueues && text.empty(); ++i)
    text = token_difference(rtl, model, i);
  for (size_t i = 0; i < kNumMemoryMasters && text.empty(); ++i) {
    if (rtl.beats[i].beats() != model.beats[i].beats())
      text = fmt::format("beats of {} differ", kMemoryMasterNames[i]);
  }
  if (text.empty() && rtl.cycles != model.cycles)
    text = fmt::format("{} cycles in RTL, {} in the model", rtl.cycles, model.cycles);
  return text;
}

}  // namespace vta::support
