// SPDX-License-Identifier: Apache-2.0
//
// Writes all kernels as one SystemVerilog design, whose top `kernels` has every kernel's ports with
// its name in front, and the C++ that tells the test where those ports are in the Verilated model:
//   write_verilog SOURCE_ROOT OUT.sv PINS.cc KERNEL.cc...
#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "hw/hlsc/emit/verilog.h"
#include "hw/hlsc/front/front_end.h"
#include "hw/hlsc/schedule/schedule.h"
#include "hw/hlsc/transform/prepare.h"
#include "runtime/base/error.h"
#include "runtime/base/file.h"

namespace vta::kernels {
namespace {

using hlsc::ir::Object;
using hlsc::ir::ObjectId;
using hlsc::ir::ObjectKind;
using hlsc::ir::Opcode;

struct Pin {
  std::string name;
  bool output;
  uint32_t width;
};

// The ports of a kernel's top, and what they are to the test.
class KernelPins {
 public:
  explicit KernelPins(const hlsc::ir::Design& design) {
    std::set<ObjectId> read, written, used;
    for (const auto& process : design.processes) {
      for (const auto& op : process.ops) {
        if (op.opcode == Opcode::kStreamRead) read.insert(op.object);
        if (op.opcode == Opcode::kStreamWrite) written.insert(op.object);
        if (op.object != hlsc::ir::kNoObject) used.insert(op.object);
      }
    }
    for (ObjectId id = 0; id < design.objects.size(); ++id) {
      const Object& object = design.objects[id];
      if (!used.contains(id)) continue;
      if (object.kind == ObjectKind::kInput) constant(object);
      if (object.kind == ObjectKind::kStream && !written.contains(id))
        inward(object.name, object.width, "inputs");
      if (object.kind == ObjectKind::kStream && !read.contains(id))
        outward(object.name, object.width, "outputs");
      if (object.kind == ObjectKind::kReadPort) {
        outward(object.name + "_request", 48, "read_requests");
        inward(object.name + "_beat", 64, "read_beats");
      }
      if (object.kind == ObjectKind::kWritePort) {
        outward(object.name + "_request", 48, "write_requests");
        outward(object.name + "_beat", 64, "write_beats");
        pins.push_back({object.name + "_idle", false, 1});
        table += fmt::format("    k.idles[\"{0}\"] = &top.@{0}_idle;\n", object.name);
      }
    }
  }

  std::vector<Pin> pins;
  std::string table;  // statements that fill a KernelModel `k`; @ is the kernel's prefix

 private:
  void constant(const Object& object) {
    pins.push_back({object.name, false, object.width});
    table +=
        fmt::format("    k.constants[\"{0}\"] = {{&top.@{0}, {1}}};\n", object.name, object.width);
  }
  void inward(const std::string& name, uint32_t width, const char* group) {
    if (width != 0) pins.push_back({name + "_data", false, width});
    pins.push_back({name + "_empty", false, 1});
    pins.push_back({name + "_pop", true, 1});
    end(name, width, group, "_empty", "_pop");
  }
  void outward(const std::string& name, uint32_t width, const char* group) {
    if (width != 0) pins.push_back({name + "_data", true, width});
    pins.push_back({name + "_full", false, 1});
    pins.push_back({name + "_push", true, 1});
    end(name, width, group, "_full", "_push");
  }
  void end(const std::string& name, uint32_t width, const char* group, const char* blocked,
           const char* moves) {
    std::string stream = name;
    for (const char* suffix : {"_request", "_beat"}) {
      if (std::string(group).find("_") != std::string::npos && stream.ends_with(suffix))
        stream.resize(stream.size() - std::string(suffix).size());
    }
    const std::string data = width == 0 ? "nullptr" : fmt::format("&top.@{}_data", name);
    table += fmt::format("    k.{}[\"{}\"] = {{{}, {}, &top.@{}{}, &top.@{}{}}};\n", group, stream,
                         data, width, name, blocked, name, moves);
  }
};

std::string replaced(std::string text, const std::string& prefix) {
  for (size_t at; (at = text.find('@')) != std::string::npos;) text.replace(at, 1, prefix);
  return text;
}

int run(const std::vector<std::string>& arguments) {
  const std::string& root = arguments[0];
  std::string modules, ports, instances, table;
  for (size_t i = 3; i < arguments.size(); ++i) {
    hlsc::ir::Design design = hlsc::front::compile({arguments[i], {root}, {}});
    hlsc::transform::prepare(design);
    const KernelPins pins(design);
    modules += hlsc::emit::verilog(design, hlsc::schedule::schedule(design, {}));
    const std::string name = std::filesystem::path(arguments[i]).stem().string(),
                      prefix = name + "_of_";
    std::string connections;
    for (const Pin& pin : pins.pins) {
      ports += fmt::format(",\n  {} wire [{}:0] {}{}", pin.output ? "output" : "input",
                           pin.width - 1, prefix, pin.name);
      connections += fmt::format(", .{}({}{})", pin.name, prefix, pin.name);
    }
    instances +=
        fmt::format("  {} i_{} (.clk(clk), .rst(rst){});\n", design.name, name, connections);
    table += fmt::format("  {{\n    KernelModel& k = models[\"{}\"];\n{}  }}\n", name,
                         replaced(pins.table, prefix));
  }
  write_file(
      arguments[1],
      fmt::format("{}\nmodule kernels (\n  input wire clk,\n  input wire rst{}\n);\n{}endmodule\n",
                  modules, ports, instances));
  write_file(arguments[2],
             fmt::format("#include \"Vkernels.h\"\n#include "
                         "\"tests/hls/verilog_model.h\"\n\nnamespace vta::kernels {{\n"
                         "std::map<std::string, KernelModel> kernel_models(Vkernels& top) {{\n"
                         "  std::map<std::string, KernelModel> models;\n{}  return models;\n}}\n}} "
                         " // namespace vta::kernels\n",
                         table));
  return 0;
}

}  // namespace
}  // namespace vta::kernels

int main(int argc, char** argv) {
  try {
    return vta::kernels::run({argv + 1, argv + argc});
  } catch (const vta::Error& error) {
    fmt::print(stderr, "write_verilog: {}\n", error.what());
    return 1;
  }
}
