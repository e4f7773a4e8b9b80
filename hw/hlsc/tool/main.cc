// SPDX-License-Identifier: Apache-2.0
//
// vta-hlsc: from C++ to hardware, or to what is on the way.
#include <fmt/format.h>

#include <algorithm>

#include "hw/hlsc/emit/verilog.h"
#include "hw/hlsc/front/front_end.h"
#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/model/cycle_model.h"
#include "hw/hlsc/schedule/check.h"
#include "hw/hlsc/schedule/report.h"
#include "hw/hlsc/schedule/schedule.h"
#include "hw/hlsc/transform/prepare.h"
#include "runtime/base/command_line.h"
#include "runtime/base/file.h"

namespace vta {
namespace {

struct Options {
  hlsc::front::Source source;
  std::string output;
  bool prepared = false, json = false, operations = false;
  bool axi = false;
  std::string struct_name;
  hlsc::schedule::Options schedule;
};

// A design from C++, or from the text form.
hlsc::ir::Design load(const Options& options) {
  const std::string& path = options.source.path;
  if (!path.ends_with(".hlsir")) return hlsc::front::compile(options.source);
  hlsc::ir::Design design = hlsc::ir::parse(read_text_file(path), path);
  hlsc::ir::verify(design);
  return design;
}

void write_text(const std::string& text, const std::string& path) {
  if (path.empty()) {
    fmt::print("{}", text);
  } else {
    write_file(path, text);
  }
}

void print_ir(const Options& options) {
  // The front end has files of its own while clang runs.
  without_interruption([&] {
    hlsc::ir::Design design = load(options);
    if (options.prepared) hlsc::transform::prepare(design);
    write_text(hlsc::ir::print(design), options.output);
  });
}

// `write` gets the design as it is scheduled, and its schedule.
template <typename Write>
void with_schedule(const Options& options, Write&& write) {
  without_interruption([&] {
    hlsc::ir::Design design = load(options);
    hlsc::transform::prepare(design);
    const hlsc::schedule::Schedule schedule = hlsc::schedule::schedule(design, options.schedule);
    hlsc::schedule::check(design, schedule);
    write_text(write(design, schedule), options.output);
  });
}

void print_verilog(const Options& options) {
  with_schedule(options, [&](const auto& design, const auto& schedule) {
    const auto dram_ports =
        options.axi ? hlsc::emit::DramPorts::kAxi : hlsc::emit::DramPorts::kStreams;
    return hlsc::emit::verilog(design, schedule, dram_ports);
  });
}

bool is_identifier(const std::string& text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !(text[0] >= '0' && text[0] <= '9') && std::ranges::all_of(text, is_letter);
}

void print_model(const Options& options) {
  if (!is_identifier(options.struct_name))
    throw UsageError("--struct " + options.struct_name + ": no name of C++");
  with_schedule(options, [&](const auto& design, const auto& schedule) {
    return hlsc::model::cycle_model(design, schedule, options.struct_name);
  });
}

void print_report(const Options& options) {
  with_schedule(options, [&](const auto& design, const auto& schedule) {
    const hlsc::schedule::Report report = hlsc::schedule::report(design, schedule);
    return options.json ? json_of(report, options.operations) : text_of(report, options.operations);
  });
}

void add_source_options(Command& command, Options& options) {
  command.argument("source", options.source.path, "FILE",
                   "C++ that instantiates the design, or its process IR (.hlsir)");
  command.option("-I,--include", options.source.include_dirs, "DIR", "Where #include looks")
      .one_each_time();
  command.option("-D,--define", options.source.defines, "NAME[=VALUE]", "A macro").one_each_time();
  command.option("-o,--out", options.output, "FILE", "Write to it instead");
}

}  // namespace
}  // namespace vta

int main(int argc, char** argv) {
  vta::Options options;
  vta::Tool tool("vta-hlsc", "Compiles C++ of the vocabulary of hw/hls to hardware.", VTA_VERSION);
  vta::Command ir = tool.subcommand("ir", "Print the process IR of a design");
  vta::add_source_options(ir, options);
  ir.flag("--prepared", options.prepared, "As the scheduler takes it");
  ir.example("vta-hlsc ir -I . tests/unit/hw/hlsc/front/designs/branches.cc");
  ir.action([&] { vta::print_ir(options); });
  vta::Command verilog = tool.subcommand("verilog", "Write the SystemVerilog of a design");
  vta::add_source_options(verilog, options);
  verilog.flag("--axi", options.axi, "DRAM ports of the top as AXI masters");
  verilog.example(
      "vta-hlsc verilog -I . tests/unit/hw/hlsc/front/designs/branches.cc -o branches.sv");
  verilog.action([&] { vta::print_verilog(options); });
  vta::Command model = tool.subcommand("model", "Write the cycle model of a design, a C++ header");
  vta::add_source_options(model, options);
  model.option("--struct", options.struct_name, "NAME",
               "Of the struct; <design>Model if not given");
  model.example("vta-hlsc model -I . tests/hls/kernels/histogram.cc -o histogram_model.h");
  model.action([&] { vta::print_model(options); });
  vta::Command report = tool.subcommand("report", "Print what a design's schedule is and takes");
  vta::add_source_options(report, options);
  report.flag("--json", options.json, "Print one JSON object");
  report.flag("--operations", options.operations, "With each operation, its step and its line");
  report.example("vta-hlsc report -I . tests/hls/kernels/histogram.cc --operations");
  report.action([&] { vta::print_report(options); });
  return tool.run(argc, argv);
}
