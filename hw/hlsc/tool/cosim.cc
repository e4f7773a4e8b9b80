// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/tool/cosim.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "base/command_line/command_line.h"
#include "base/command_line/removed_scratch_folder.h"
#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/limits/subprocess.h"
#include "hw/hlsc/emit/names.h"
#include "hw/hlsc/schedule/operation_text.h"
#include "hw/hlsc/tool/kernel_sources.h"

namespace vta::hlsc {
namespace {

namespace fs = std::filesystem;
using ir::Object;
using ir::ObjectKind;
using ir::Opcode;

constexpr const char* kCompiler = "clang++-19";

// The first line with "error", or the last one.
std::string reason_of(const FinishedProcess& finished) {
  std::istringstream lines(finished.out + finished.err);
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error") != std::string::npos || line.find("Error") != std::string::npos)
      return line;
    if (!line.empty()) last = line;
  }
  return last;
}

void run_or_fail(const std::vector<std::string>& command, const std::string& what) {
  const FinishedProcess finished = run_process(command);
  if (finished.status != 0) fail(ErrorCode::kInvalidArgument, "{}: {}", what, reason_of(finished));
}

// The C++ that connects the pins of the top with hw/hls/cosimulation.h.
class Pins {
 public:
  explicit Pins(const ir::Design& design) : named_(emit::named(design)) {
    std::set<ir::ObjectId> read, written;
    for (const ir::Process& process : design.processes) {
      for (const ir::Op& op : process.ops) {
        if (op.opcode == Opcode::kStreamRead) read.insert(op.object);
        if (op.opcode == Opcode::kStreamWrite) written.insert(op.object);
        if (op.object != ir::kNoObject) used_.insert(op.object);
      }
    }
    for (ir::ObjectId id : used_)
      add(design.objects[id], named_.objects[id].name, read.contains(id), written.contains(id));
  }

  std::string text() const {
    return "#include \"Vtop.h\"\n#include \"hw/hls/cosimulation.h\"\n"
           "void hls::connect(hls::verilated_top& top, hls::cosimulated& k) {\n" +
           pins_ + "}\n";
  }
  const std::string& top() const { return named_.name; }

 private:
  void add(const Object& object, const std::string& name, bool is_read, bool is_written) {
    if (object.kind == ObjectKind::kReadPort || object.kind == ObjectKind::kWritePort) {
      fail(ErrorCode::kInvalidArgument,
           "{}{}: cosim has no memory for DRAM ports; put the processes that use streams into "
           "a design of their own",
           schedule::place_prefix(object.location), object.name);
    }
    if (object.kind == ObjectKind::kInput) {
      pins_ += fmt::format("  k.constants[\"{}\"] = {{&top.{}, {}}};\n", object.name, name,
                           (object.width + 7) / 8);
    }
    if (object.kind != ObjectKind::kStream) return;
    if (!is_written) stream("inputs", object, name, "_empty", "_pop");
    if (!is_read) stream("outputs", object, name, "_full", "_push");
  }
  void stream(const char* group, const Object& object, const std::string& name, const char* blocked,
              const char* moves) {
    const std::string data = object.width == 0 ? "nullptr" : fmt::format("&top.{}_data", name);
    pins_ += fmt::format("  k.{}[\"{}\"] = {{{}, {}, &top.{}{}, &top.{}{}}};\n", group, object.name,
                         data, (object.width + 7) / 8, name, blocked, name, moves);
  }

  const ir::Design named_;
  std::set<ir::ObjectId> used_;
  std::string pins_;
};

std::vector<std::string> with_includes(std::vector<std::string> command,
                                       const Cosimulation& options, const fs::path& sources) {
  for (const std::string& folder : options.include_dirs) command.push_back("-I" + folder);
  command.push_back("-I" + sources.string());
  for (const std::string& define : options.defines) command.push_back("-D" + define);
  return command;
}

std::vector<std::string> verilator(const std::string& top, const fs::path& sources,
                                   const ScratchFolder& scratch, bool has_wave) {
  std::vector<std::string> command = {"verilator",    "--cc",
                                      "--exe",        "--build",
                                      "-j",           "2",
                                      "-O3",          "-Wno-fatal",
                                      "-Wno-lint",    "-Wno-style",
                                      "--top-module", top,
                                      "--prefix",     "Vtop",
                                      "--Mdir",       scratch / "verilated",
                                      "-MAKEFLAGS",   fmt::format("CXX={0} LINK={0}", kCompiler),
                                      "-CFLAGS",      "-std=c++20 -O1 -w -I" + sources.string(),
                                      "-LDFLAGS",     "-lboost_context",
                                      "-o",           "cosim"};
  if (has_wave) command.insert(command.end(), {"--trace-fst"});
  command.push_back(scratch / "top.sv");
  for (const auto& entry : fs::directory_iterator(sources / "hw/rtl")) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("hls_") && name.ends_with(".sv")) command.push_back(entry.path().string());
  }
  for (const char* file : {"hw/hls/coroutine.cc", "hw/hls/fiber.cc"})
    command.push_back((sources / file).string());
  command.insert(command.end(), {scratch / "pins.cc", scratch / "kernel.o"});
  return command;
}

}  // namespace

std::string cosimulate(const Cosimulation& options, const ir::Design& design,
                       const std::string& verilog) {
  if (read_text_file(options.path).find("HLS_TESTBENCH") == std::string::npos) {
    fail(
        ErrorCode::kInvalidArgument,
        "{}: no HLS_TESTBENCH (hw/hls/testbench.h), whose items the simulation gets; `vta-hlsc new "
        "NAME` makes an example",
        options.path);
  }
  const fs::path sources = fs::absolute(kernel_sources());
  const RemovedScratchFolder removed;
  const ScratchFolder& scratch = removed.folder();
  const Pins pins(design);
  const bool has_wave = !options.wave.empty();
  write_file(scratch / "top.sv", verilog);
  write_file(scratch / "pins.cc", pins.text());
  run_or_fail(
      with_includes({kCompiler, "-std=c++20", "-O1", "-fstrict-flex-arrays=3", "-fsanitize=bounds",
                     "-fno-sanitize-recover=bounds", "-DHLS_COSIMULATION", "-c",
                     fs::absolute(options.path).string(), "-o", scratch / "kernel.o"},
                    options, sources),
      "the testbench does not compile");
  run_or_fail(verilator(pins.top(), sources, scratch, has_wave), "Verilator fails");
  const std::string wave = has_wave ? scratch / "wave.fst" : "";
  const FinishedProcess finished =
      run_process({scratch / "verilated/cosim", std::to_string(options.seed),
                   std::to_string(options.runs), wave});
  if (has_wave && fs::exists(wave))
    without_interruption([&] { write_file(options.wave, read_file(wave)); });
  if (finished.status != 0) fail(ErrorCode::kInvalidArgument, "{}{}", finished.out, finished.err);
  return finished.out;
}

}  // namespace vta::hlsc
