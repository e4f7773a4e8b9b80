// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "base/errors/counted.h"
#include "base/errors/printable.h"
#include "base/files/file.h"
#include "hw/isa/program_bytes.h"
#include "tools/compile/network_arguments.h"
#include "tools/compile/noted_core.h"
#include "tools/sim/commands.h"
#include "tools/sim/program_source.h"

namespace vta::sim {
namespace {

struct DisasmOptions {
  std::string file;
  std::optional<std::string> core;
  std::string layer;
};

void check(const DisasmOptions& options) {
  const bool is_program = names_program_file(options.file);
  if (!is_program && import::has_network_suffix(options.file)) {
    throw UsageError(options.file +
                     ": expected a program or a raw stream, got a network; vta-compile -o writes "
                     "its program");
  }
  if (is_program && options.core) {
    throw UsageError(options.file +
                     ": --core applies to raw streams only; a program names its core");
  }
  if (!is_program && !options.layer.empty()) {
    throw UsageError(options.file +
                     ": --layer applies to programs only; a raw stream has no layers");
  }
}

void disassemble_program(const DisasmOptions& options) {
  const Program program = read_program(options.file);
  bool found = false;
  size_t next = 0;  // number of an instruction in its stream
  for (const ProgramStep& step : program.steps) {
    if (step.kind != ProgramStep::Kind::kCore) continue;
    const size_t first = next;
    next = step.continues ? first + step.num_instructions : 0;
    if (!options.layer.empty() && step.layer != options.layer) continue;
    found = true;
    print_out(
        "; {}: {}, {} for {}\n{}\n", step.layer, to_string(step.op),
        counted(step.num_instructions, "instruction"), program.core.name,
        isa::disassemble(isa::instructions_in(step_bytes(program, step)), program.core, first));
  }
  if (!found && !options.layer.empty()) {
    fail(ErrorCode::kNotFound, "{}: no layer '{}' runs on the core", options.file, options.layer);
  }
}

void disassemble_raw(const DisasmOptions& options) {
  const std::vector<uint8_t> bytes = read_file(options.file);
  if (bytes.size() % isa::kInstructionBytes != 0) {
    fail(ErrorCode::kCorrupt, "{}: {} bytes are not a multiple of the instruction size, {} bytes",
         options.file, bytes.size(), isa::kInstructionBytes);
  }
  const auto stream = isa::instructions_in(bytes);
  print_out("{}", isa::disassemble(stream, load_noted_core(options.core.value_or(kDefaultCore))));
}

}  // namespace

void add_disasm(Tool& tool) {
  Command command = tool.subcommand("disasm", "Print the instructions of a program");
  const auto options = std::make_shared<DisasmOptions>();
  command.argument("program", options->file, "PROGRAM",
                   "Program (.vta), or a raw instruction stream (any other file)");
  command.option("--layer", options->layer, "NAME", "Print only this layer of a program");
  command.option("--core", options->core, "NAME",
                 "Core that a raw stream was assembled for (default vta_1x16)");
  command.example("vta-sim disasm digits.vta --layer layer1.0.conv1");
  command.action([options] {
    check(*options);
    names_program_file(options->file) ? disassemble_program(*options) : disassemble_raw(*options);
  });
}

}  // namespace vta::sim
