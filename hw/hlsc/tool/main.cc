// SPDX-License-Identifier: Apache-2.0
//
// vta-hlsc: compiles C++ to SystemVerilog or a cycle model; prints the process IR and a report.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "base/command_line/command_line.h"
#include "base/errors/error.h"
#include "base/errors/printable.h"
#include "base/files/file.h"
#include "hw/hlsc/bind/binding.h"
#include "hw/hlsc/emit/verilog.h"
#include "hw/hlsc/estimate/register_times.h"
#include "hw/hlsc/front/front_end.h"
#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/model/cycle_model.h"
#include "hw/hlsc/passes/pipeline.h"
#include "hw/hlsc/report/report.h"
#include "hw/hlsc/schedule/check.h"
#include "hw/hlsc/schedule/fit_period.h"
#include "hw/hlsc/schedule/scheduler.h"
#include "hw/hlsc/tool/cosim.h"
#include "hw/hlsc/tool/kernel_sources.h"
#include "hw/hlsc/tool/new_kernel.h"

namespace vta {
namespace {

struct Options {
  hlsc::front::Source source;
  std::string output;  // "": stdout
  // ir
  bool legalized = false, list_passes = false;
  std::vector<std::string> dump_after;
  std::string stop_after;  // "": no
  std::optional<uint64_t> pass_limit;
  // verilog, model, report
  double period_ns = hlsc::schedule::Options().period_ns;
  double margin_percent = 10;
  bool ram_output_registers = false;
  bool axi = false;
  std::string struct_name;  // "": the default
  bool json = false, operations = false;
  // cosim
  uint64_t seed = 1, runs = 3;
  std::string wave;  // "": none
  // new
  std::string name;
};

// Not fmt::print, which throws where stderr is closed or full.
void warn(const std::string& text) {
  std::fputs(fmt::format("vta-hlsc: warning: {}\n", printable(text)).c_str(), stderr);
}

// A design from C++, or from the text form.
hlsc::ir::Design load(const Options& options, hlsc::front::VariableNames* names = nullptr) {
  const std::string& path = options.source.path;
  if (!path.ends_with(".hlsir")) {
    std::vector<std::string> warnings;
    hlsc::front::Source source = options.source;
    const bool has_headers = std::ranges::any_of(source.include_dirs, [](const std::string& dir) {
      return std::filesystem::exists(std::filesystem::path(dir) / "hw/hls/stream.h");
    });
    if (!has_headers) source.include_dirs.push_back(hlsc::kernel_sources());
    hlsc::ir::Design design = hlsc::front::compile(source, &warnings, names);
    for (const std::string& warning : warnings) warn(warning);
    return design;
  }
  hlsc::ir::Design design = hlsc::ir::parse(read_text_file(path), path);
  hlsc::ir::verify(design);
  return design;
}

void write_text(const std::string& text, const std::string& path) {
  if (path.empty()) {
    write_out(text);
  } else {
    without_interruption([&] { write_file(path, text); });
  }
}

std::string list_of_passes() {
  std::string text;
  for (const hlsc::passes::Pass& pass : hlsc::passes::all_passes())
    text += fmt::format("{:26} {}\n", pass.name, pass.summary);
  text += "\npipeline:\n";
  for (size_t step = 0; const hlsc::passes::Step& it : hlsc::passes::pipeline())
    text += fmt::format("{:3} {:26} {}\n", ++step, it.pass, it.why);
  return text;
}

bool is_partial(const Options& options) {
  return !options.stop_after.empty() || options.pass_limit.has_value();
}

bool runs_passes(const Options& options) {
  return options.legalized || is_partial(options) || !options.dump_after.empty();
}

// The texts of --dump-after, or nothing. Says on stderr which execution was the last one, if the
// user limits them.
std::string legalize(hlsc::ir::Design& design, const Options& options) {
  std::string dumps, last = "none";
  hlsc::passes::LegalizeOptions how;
  how.stop_after = options.stop_after;
  if (options.pass_limit) how.pass_limit = *options.pass_limit;
  how.on_execution = [&](const hlsc::passes::Execution& execution) {
    last = fmt::format("{} {}{}", execution.number, execution.pass,
                       execution.process.empty() ? "" : " on process " + execution.process);
    if (!execution.completes_step || std::ranges::count(options.dump_after, execution.pass) == 0)
      return;
    dumps += fmt::format("# after {}\n{}", last, hlsc::ir::print(design));
  };
  hlsc::passes::legalize(design, how);
  if (is_partial(options)) fmt::print(stderr, "vta-hlsc: last pass execution: {}\n", last);
  return dumps;
}

// Errors: UsageError for options of passes that would have no effect.
void check_pass_options(const Options& options) {
  const hlsc::front::Source& source = options.source;
  const bool has_source =
      !source.path.empty() || !source.include_dirs.empty() || !source.defines.empty();
  if (options.list_passes && (runs_passes(options) || has_source))
    throw UsageError("--list-passes excludes FILE, -I, -D and options of passes");
  if (options.legalized && (is_partial(options) || !options.dump_after.empty()))
    throw UsageError("--legalized excludes --dump-after, --stop-after and --pass-limit");
}

void print_ir(const Options& options) {
  check_pass_options(options);
  if (options.list_passes) return write_text(list_of_passes(), options.output);
  if (options.source.path.empty()) throw UsageError("FILE is required");
  const bool dumps = !options.dump_after.empty();
  hlsc::ir::Design design = load(options);
  std::string text;
  if (runs_passes(options)) text = legalize(design, options);
  if (dumps && text.empty())
    throw UsageError(fmt::format("--dump-after {}: the last pass execution comes before {}",
                                 fmt::join(options.dump_after, ", "),
                                 options.dump_after.size() == 1 ? "this pass" : "these passes"));
  write_text(dumps ? text : hlsc::ir::print(design), options.output);
}

hlsc::schedule::Options schedule_options(const Options& options) {
  constexpr double kMinPeriodNs = 2, kMaxPeriodNs = 1000, kMaxMarginPercent = 60;
  if (options.period_ns < kMinPeriodNs || options.period_ns > kMaxPeriodNs)
    throw UsageError(fmt::format("--period {}: expected {} to {} ns", options.period_ns,
                                 kMinPeriodNs, kMaxPeriodNs));
  if (options.margin_percent < 0 || options.margin_percent > kMaxMarginPercent)
    throw UsageError(fmt::format("--margin {}: expected 0 to {} percent", options.margin_percent,
                                 kMaxMarginPercent));
  return {options.period_ns, options.period_ns * options.margin_percent / 100,
          options.ram_output_registers};
}

// `write` gets the legalized design, its schedule and its binding.
template <typename Write>
void with_schedule(const Options& options, Write&& write) {
  const hlsc::schedule::Options how = schedule_options(options);
  hlsc::front::VariableNames names;
  hlsc::ir::Design design = load(options, &names);
  try {
    hlsc::passes::legalize(design);
    hlsc::schedule::fit_period(design, how);
    const hlsc::schedule::Schedule schedule = hlsc::schedule::schedule(design, how);
    hlsc::schedule::check(design, schedule);
    write_text(write(design, schedule, hlsc::bind::bind(design, schedule)), options.output);
  } catch (const Error& error) {
    throw Error(error.code(), hlsc::front::with_variable_names(error.what(), names));
  }
}

void print_verilog(const Options& options) {
  with_schedule(options, [&](const auto& design, const auto& schedule, const auto& binding) {
    const auto dram_ports =
        options.axi ? hlsc::emit::DramPorts::kAxi : hlsc::emit::DramPorts::kStreams;
    return hlsc::emit::verilog(design, schedule, binding, dram_ports);
  });
}

// "" is one, too: the default name.
bool is_identifier(const std::string& text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_part = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
  };
  return !is_digit(text[0]) && std::ranges::all_of(text, is_part);
}

void print_model(const Options& options) {
  if (!is_identifier(options.struct_name))
    throw UsageError(
        fmt::format("--struct {}: expected a C++ identifier: letters, digits and _, no digit first",
                    options.struct_name));
  with_schedule(options, [&](const auto& design, const auto& schedule, const auto& binding) {
    return hlsc::model::cycle_model(design, schedule, binding, options.struct_name);
  });
}

void print_report(const Options& options) {
  with_schedule(options, [&](const auto& design, const auto& schedule, const auto& binding) {
    hlsc::report::Report report = hlsc::report::report(design, schedule, binding);
    const auto modules =
        hlsc::emit::modules(design, schedule, binding, hlsc::emit::DramPorts::kAxi);
    hlsc::report::add_estimates(report, hlsc::estimate::register_times(modules));
    for (const hlsc::report::ProcessReport& process : report.processes) {
      if (!process.estimated_ns || *process.estimated_ns <= options.period_ns) continue;
      warn(
          fmt::format("process {}: the estimate is {:.1f} ns, more than the period of {:.1f} ns; "
                      "use a longer --period or a larger --margin",
                      process.name, *process.estimated_ns, options.period_ns));
    }
    return options.json ? json_of(report, options.operations) : text_of(report, options.operations);
  });
}

void run_cosim(const Options& options) {
  with_schedule(options, [&](const auto& design, const auto& schedule, const auto& binding) {
    const hlsc::front::Source& source = options.source;
    return hlsc::cosimulate({source.path, source.include_dirs, source.defines, options.seed,
                             options.runs, options.wave},
                            design, hlsc::emit::verilog(design, schedule, binding));
  });
}

constexpr const char* kSourceHelp = "C++ that instantiates the design, or its process IR (.hlsir)";

void add_compile_options(Command& command, Options& options) {
  command.option("-I,--include", options.source.include_dirs, "DIR", "Search path for #include")
      .one_each_time();
  command.option("-D,--define", options.source.defines, "NAME[=VALUE]", "Define a macro")
      .one_each_time();
  command.output("-o,--out", options.output, "FILE", "Write to FILE instead of stdout");
}

void add_source_options(Command& command, Options& options) {
  command.argument("source", options.source.path, "FILE", kSourceHelp);
  add_compile_options(command, options);
}

void add_schedule_options(Command& command, Options& options) {
  add_source_options(command, options);
  command.option("--period", options.period_ns, "NS", "Clock period, in nanoseconds");
  command.option("--margin", options.margin_percent, "PERCENT",
                 "Share of the period reserved for setup times, clock skew and long nets");
  command.flag(
      "--ram-output-registers", options.ram_output_registers,
      "In pipelines, read block RAMs through their output registers, which may add a stage");
}

void add_ir_options(Command& command, Options& options) {
  command.optional_argument("source", options.source.path, "FILE", kSourceHelp);
  add_compile_options(command, options);
  command.flag("--legalized", options.legalized,
               "Print the IR after all passes, as the scheduler takes it");
  command.flag("--list-passes", options.list_passes, "Print the passes and their order");
  command
      .option("--dump-after", options.dump_after, "",
              "Print the IR after each step of this pass, instead of the final IR")
      .choices(hlsc::passes::pass_names())
      .one_each_time();
  command.option("--stop-after", options.stop_after, "", "Stop after the first step of this pass")
      .choices(hlsc::passes::pass_names());
  command.option("--pass-limit", options.pass_limit, "N",
                 "Execute only N passes (each process counts), and name the last one");
}

void add_ir(Tool& tool, Options& options) {
  Command ir = tool.subcommand("ir", "Print the process IR of a design");
  add_ir_options(ir, options);
  ir.example("vta-hlsc ir -I . hw/hlsc/examples/sums.cc");
  ir.action([&] { print_ir(options); });
}

void add_verilog(Tool& tool, Options& options) {
  Command verilog = tool.subcommand("verilog", "Write the SystemVerilog of a design");
  add_schedule_options(verilog, options);
  verilog.flag("--axi", options.axi, "Make the DRAM ports of the top AXI masters");
  verilog.example("vta-hlsc verilog -I . hw/hlsc/examples/sums.cc -o sums.sv");
  verilog.action([&] { print_verilog(options); });
}

void add_model(Tool& tool, Options& options) {
  Command model = tool.subcommand("model", "Write the cycle model of a design as a C++ header");
  add_schedule_options(model, options);
  model.option("--struct", options.struct_name, "NAME",
               "Name of the struct; default: <design>Model");
  model.example("vta-hlsc model -I . hw/hlsc/examples/sums.cc -o sums_model.h");
  model.action([&] { print_model(options); });
}

void add_report(Tool& tool, Options& options) {
  Command report =
      tool.subcommand("report", "Print the schedule of a design and its estimated resources");
  add_schedule_options(report, options);
  report.flag("--json", options.json, "Print one JSON object");
  report.flag("--operations", options.operations,
              "List each operation with its step and source line");
  report.example("vta-hlsc report -I . hw/hlsc/examples/sums.cc --operations");
  report.action([&] { print_report(options); });
}

void add_cosim(Tool& tool, Options& options) {
  Command cosim = tool.subcommand(
      "cosim", "Compare the Verilog of a kernel with its native run, with random stalls");
  add_schedule_options(cosim, options);
  cosim.option("--seed", options.seed, "N", "Seed of the random stalls");
  cosim
      .option("--runs", options.runs, "N",
              "Runs, in which streams are ready in 100, 50 and 15 % of cycles, in turn")
      .at_least(1)
      .at_most(1000);
  cosim.output("--wave", options.wave, "FILE", "Write a waveform of the first run (FST)");
  cosim.example("vta-hlsc cosim average/average.cc");
  cosim.action([&] { run_cosim(options); });
}

void add_new(Tool& tool, Options& options) {
  Command command =
      tool.subcommand("new", "Make a folder with a kernel, its testbench, a Makefile");
  command.argument("name", options.name, "NAME", "Name of the kernel and of the folder");
  command.example("vta-hlsc new average");
  command.action([&] {
    without_interruption([&] { hlsc::make_new_kernel(options.name); });
    write_out(
        fmt::format("{0}/{0}.cc {0}/Makefile: next, `make -C {0} test cosim`\n", options.name));
  });
}

}  // namespace
}  // namespace vta

int main(int argc, char** argv) {
  vta::Options options;
  vta::Tool tool("vta-hlsc", "Compiles C++ written with hw/hls to SystemVerilog.", VTA_VERSION);
  vta::add_ir(tool, options);
  vta::add_verilog(tool, options);
  vta::add_model(tool, options);
  vta::add_report(tool, options);
  vta::add_new(tool, options);
  vta::add_cosim(tool, options);
  return tool.run(argc, argv);
}
