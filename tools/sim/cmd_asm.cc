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

struct AsmOptions {
  std::string text_file, output;
  std::string core = kDefaultCore;
};

void assemble_file(const AsmOptions& options) {
  const CoreConfig core = load_noted_core(options.core);
  const auto stream = isa::assemble(read_text_file(options.text_file), options.text_file, core);
  without_interruption([&] { write_file(options.output, isa::bytes_of(stream)); });
  print_out("{}: {}\n", options.output, counted(stream.size(), "instruction"));
}

}  // namespace

void add_asm(Tool& tool) {
  Command command = tool.subcommand("asm", "Assemble text into a raw instruction stream");
  const auto options = std::make_shared<AsmOptions>();
  command.argument("text", options->text_file, "FILE", "Assembly in the syntax that disasm prints");
  command
      .output("-o,--out", options->output, "FILE",
              "Output: instructions of 16 bytes, little-endian")
      .required();
  command.option("--core", options->core, "NAME", "Core to assemble for");
  command.example("vta-sim asm copy.s -o copy.insns --core tiny_1x8");
  command.action([options] { assemble_file(*options); });
}

}  // namespace vta::sim
