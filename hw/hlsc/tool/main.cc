// SPDX-License-Identifier: Apache-2.0
//
// vta-hlsc: from C++ to hardware; so far to process IR.
#include <fmt/format.h>

#include "hw/hlsc/front/front_end.h"
#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/transform/prepare.h"
#include "runtime/base/command_line.h"
#include "runtime/base/file.h"

namespace vta {
namespace {

struct Options {
  hlsc::front::Source source;
  std::string output;
  bool prepared = false;
};

// A design from C++, or from the text form.
hlsc::ir::Design load(const Options& options) {
  const std::string& path = options.source.path;
  if (!path.ends_with(".hlsir")) return hlsc::front::compile(options.source);
  hlsc::ir::Design design = hlsc::ir::parse(read_text_file(path), path);
  hlsc::ir::verify(design);
  return design;
}

void print_ir(const Options& options) {
  // The front end has files of its own while clang runs.
  without_interruption([&] {
    hlsc::ir::Design design = load(options);
    if (options.prepared) hlsc::transform::prepare(design);
    const std::string text = hlsc::ir::print(design);
    if (options.output.empty()) {
      fmt::print("{}", text);
    } else {
      write_file(options.output, text);
    }
  });
}

}  // namespace
}  // namespace vta

int main(int argc, char** argv) {
  vta::Options options;
  vta::Tool tool("vta-hlsc", "Compiles C++ of the vocabulary of hw/hls to hardware.", VTA_VERSION);
  vta::Command ir = tool.subcommand("ir", "Print the process IR of a design");
  ir.argument("source", options.source.path, "FILE",
              "C++ that instantiates the design, or its process IR (.hlsir)");
  ir.option("-I,--include", options.source.include_dirs, "DIR", "Where #include looks")
      .one_each_time();
  ir.option("-D,--define", options.source.defines, "NAME[=VALUE]", "A macro").one_each_time();
  ir.flag("--prepared", options.prepared, "As the scheduler takes it");
  ir.option("-o,--out", options.output, "FILE", "Write the IR there instead");
  ir.example("vta-hlsc ir -I . tests/unit/hlsc_front/designs/branches.cc");
  ir.action([&] { vta::print_ir(options); });
  return tool.run(argc, argv);
}
