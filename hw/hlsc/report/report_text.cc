// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "hw/hlsc/report/report.h"

namespace vta::hlsc::report {
namespace {

std::string stages(const std::vector<uint32_t>& all) {
  return all.empty() ? "never" : fmt::format("in stage {}", fmt::join(all, ", "));
}

std::string text_of(const NestReport& nest) {
  std::string text =
      fmt::format("  nest {} ({}): interval {}, {} stages\n", fmt::join(nest.loops, " > "),
                  nest.place.empty() ? "-" : nest.place, nest.interval, nest.stages);
  for (const Stall& stall : nest.stalls) {
    text += fmt::format("    stage {} may wait for {}: {}{}  {}\n", stall.stage, stall.reason,
                        stall.operation, stall.count == 1 ? "" : fmt::format(" x {}", stall.count),
                        stall.place.empty() ? "-" : stall.place);
  }
  for (const RamUse& use : nest.rams) {
    text += fmt::format("    RAM {}: read {}{}, written {}", use.ram, stages(use.reads),
                        use.has_output_register ? " through its output register" : "",
                        stages(use.writes));
    if (use.distance) text += fmt::format("; {} from read to write", *use.distance);
    text += "\n";
  }
  return text;
}

// One line for each operation, grouped by the head or body of the loop that they are in.
std::string operations_text(const ProcessReport& process) {
  const bool has_estimates = std::ranges::any_of(
      process.schedule, [](const ScheduledOperation& op) { return op.estimated_ns.has_value(); });
  const auto column = [](std::optional<double> ns) {
    return ns ? fmt::format("{:.1f} ns", *ns) : "";
  };
  std::string text, place;
  for (const ScheduledOperation& op : process.schedule) {
    std::string here = op.loop.empty()
                           ? "  outside loops\n"
                           : fmt::format("  {} of loop {}{}\n", op.in_head ? "head" : "body",
                                         op.loop, op.in_nest ? ", stages" : "");
    if (here != place) text += place = here;
    // What a nest computes with its counters has no time in a stage.
    const std::string ready = op.ready_ns == 0 ? "" : column(op.ready_ns);
    const std::string estimated =
        has_estimates ? fmt::format(" {:>8}", column(op.estimated_ns)) : "";
    text += fmt::format("    {:>3} {:>8}{}  {:<40} {}\n", op.step, ready, estimated, op.operation,
                        op.place.empty() ? "-" : op.place);
  }
  return text;
}

std::string text_of(const MemoryReport& memory) {
  return fmt::format("{} {}: {} x {}{}, {} RAMB36\n", memory.is_fifo ? "FIFO" : "RAM", memory.name,
                     memory.width, memory.depth,
                     memory.banks == 1 ? "" : fmt::format(" in {} banks", memory.banks),
                     memory.ramb36);
}

}  // namespace

std::string text_of(const Report& report, bool with_operations) {
  std::string text = fmt::format("{} at {} ns\n", report.design, report.period_ns);
  uint64_t dsp48e1 = 0, register_bits = 0;
  double ramb36 = 0;
  for (const ProcessReport& process : report.processes) {
    text += fmt::format(
        "process {} ({}): {} states, {} operations, {} register bits, {} DSP48E1{}\n", process.name,
        process.place.empty() ? "-" : process.place, process.states, process.operations,
        process.register_bits, process.dsp48e1,
        process.estimated_ns ? fmt::format(", {:.1f} ns by estimate", *process.estimated_ns) : "");
    for (const NestReport& nest : process.nests) text += text_of(nest);
    if (with_operations) text += operations_text(process);
    dsp48e1 += process.dsp48e1;
    register_bits += process.register_bits;
  }
  for (const MemoryReport& memory : report.memories) {
    text += text_of(memory);
    ramb36 += memory.ramb36;
  }
  return text + fmt::format("estimated: {} DSP48E1, {} RAMB36, {} bits of registers\n", dsp48e1,
                            ramb36, register_bits);
}

}  // namespace vta::hlsc::report
