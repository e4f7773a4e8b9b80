// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "base/errors/printable.h"
#include "base/files/file.h"
#include "tools/compile/network_arguments.h"
#include "tools/compile/noted_core.h"
#include "tools/sim/commands.h"
#include "tools/sim/device_options.h"
#include "tools/sim/program_export.h"
#include "tools/sim/program_source.h"
#include "tools/sim/race_check.h"
#include "tools/sim/raw_run.h"
#include "tools/sim/run_report.h"
#include "tools/sim/stopwatch.h"

namespace vta::sim {
namespace {

struct ExecOptions {
  std::string instructions, arena, output;
  std::string core = kDefaultCore;
  uint64_t base_bytes = 0, number = 1, repeat = 1;
  DeviceOptions device;
  bool unchecked = false, json = false;
};

bool is_repeated(const ExecOptions& options) { return options.number > 1 || options.repeat > 1; }

RawRunRepetition repetition_of(const ExecOptions& options) {
  return {static_cast<uint32_t>(options.number), static_cast<uint32_t>(options.repeat)};
}

ExecReport report_of(const driver::DeviceDescription& device, const RawRunResult& result,
                     const ExecOptions& options) {
  ExecReport report;
  report.device = device.uri;
  report.core = device.core.name;
  report.counters = result.counters;
  report.device_seconds = result.device_seconds;
  report.wall_seconds = process_seconds();
  if (is_repeated(options)) report.repeat_seconds = result.sample_seconds;
  return report;
}

// VTA's runtime leaves bits between fields undefined, so this is what its users meet first.
std::string cure_of(const driver::DeviceFault& fault) {
  if (fault.fault != isa::kReservedBits) return "";
  return "; a core without the extension ignores it: programs of VTA run with VTA's own "
         "configuration, --core vta_config.json";
}

// Prints the JSON of an error, too: of a fault, what a program needs to know about it.
RawRunResult run(const RawProgram& program, driver::Device& device, const ExecOptions& options) {
  const driver::DeviceDescription info = device.describe();
  const auto print = [&](ExecError error) {
    error.device = info.uri;
    error.core = info.core.name;
    if (options.json) print_out("{}\n", to_json(error));
  };
  return with_context(options.instructions, [&] {
    try {
      check(program, info.core);
      if (!options.unchecked) {
        refuse_races(program.instructions, program.arena, program.program_offset_bytes(),
                     info.core);
      }
      return run_raw(program, device, repetition_of(options));
    } catch (const driver::DeviceFault& fault) {
      const std::string message = fault.what() + cure_of(fault);
      print(
          {.message = message,
           .fault = ExecFault{isa::to_string(fault.fault), fault.instruction_index, fault.value}});
      throw Error(fault.code(), message);
    } catch (const Error& error) {
      print({.message = error.what()});
      throw;
    }
  });
}

// `base_bytes` bytes that no instruction uses, and the arena.
std::vector<uint8_t> arena_at(uint64_t base_bytes, const std::string& file) {
  std::vector<uint8_t> memory(base_bytes);
  const std::vector<uint8_t> arena = read_file(file);
  memory.insert(memory.end(), arena.begin(), arena.end());
  return memory;
}

void exec(const ExecOptions& options) {
  WaveformFile waveform(options.device.waveform);
  TraceFile trace(options.device.trace);
  const CoreConfig core = load_noted_core(options.core);
  const auto instructions = read_file(options.instructions);
  const auto arena = arena_at(options.base_bytes, options.arena);
  const auto device = open_device(options.device, core);
  if (!options.output.empty() && !device->describe().computes) {
    fail(ErrorCode::kInvalidArgument, "--out {}: device '{}' computes no results", options.output,
         device->describe().uri);
  }
  waveform.record(*device);
  trace.record(*device);
  RawRunResult result = run({instructions, arena}, *device, options);
  waveform.finish();
  trace.finish();
  if (!options.output.empty()) {
    result.arena.erase(result.arena.begin(),
                       result.arena.begin() + static_cast<ptrdiff_t>(options.base_bytes));
    without_interruption([&] { write_file(options.output, result.arena); });
  }
  if (options.json) {
    print_out("{}\n", to_json(report_of(device->describe(), result, options)));
  } else {
    if (is_repeated(options)) {
      print_out("{}\n", repetition_text(result.sample_seconds, options.number, "run"));
    }
    print_out("{}", statistics_text(result.counters));
  }
}

}  // namespace

void add_exec(Tool& tool) {
  Command command = tool.subcommand("exec", "Run a raw instruction stream on a raw arena");
  const auto options = std::make_shared<ExecOptions>();
  command
      .option("--insns", options->instructions, "FILE", "Instructions of 16 bytes, little-endian")
      .required();
  command
      .option("--arena", options->arena, "FILE",
              "Initial device memory; dram_base counts from its start")
      .required();
  command.output("--out", options->output, "FILE", "Write the arena after the run to this file");
  command
      .option("--base", options->base_bytes, "BYTES",
              "Where the arena is in the memory that dram_base counts from (default: 0)")
      .at_most(kMaxBaseBytes);
  command.option("--core", options->core, "NAME", "Core to run on");
  add_device_options(command, options->device);
  add_no_compute_option(command, options->device);
  command.option("--repeat", options->repeat, "N", "Time N samples of a run")
      .at_least(1)
      .at_most(driver::kMaxSamplesOfEvaluation);
  command.option("--number", options->number, "N", "Runs per sample; its time is their mean")
      .at_least(1)
      .at_most(driver::kMaxSampleRuns);
  command.flag("--unchecked", options->unchecked,
               "Run without checking first that tokens order all accesses");
  command.flag("--json", options->json, "Print one JSON object");
  command.example("vta-sim exec --insns copy.insns --arena memory.bin --out after.bin --json");
  command.action([options] { exec(*options); });
}

}  // namespace vta::sim
