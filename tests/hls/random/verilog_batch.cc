// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/random/verilog_batch.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "hw/hlsc/front/front_end.h"
#include "tests/hls/random/feasible_design.h"
#include "tests/hls/random/run_tool.h"
#include "tests/hls/verilog_top.h"

namespace vta::kernels {
namespace {

std::string library_modules() {
  std::string paths;
  for (const auto& entry : std::filesystem::directory_iterator(VTA_SOURCE_ROOT "/hw/rtl")) {
    if (entry.path().filename().string().starts_with("hls_"))
      paths += fmt::format(" '{}'", entry.path().string());
  }
  return paths;
}

}  // namespace

VerilogBatch::VerilogBatch(const std::vector<Kernel>& kernels,
                           const std::set<std::string>& registered) {
  VerilogTop top;
  for (const Kernel& kernel : kernels) {
    try {
      hlsc::schedule::Options options;
      options.ram_output_registers = registered.contains(kernel.name);
      const auto feasible =
          feasible_design(hlsc::front::compile({kernel.path, {VTA_SOURCE_ROOT}, {}}), options);
      if (!feasible.has_value()) continue;
      top.add(kernel.name, feasible->design, feasible->schedule);
      num_slower_ += feasible->intervals.empty() ? 0 : 1;
      kernels_.push_back(kernel);
    } catch (const std::exception& error) {
      errors_[kernel.name] = error.what();
    }
  }
  write_file(folder_ / "kernels.sv", top.system_verilog());
  write_file(folder_ / "model.cc", top.model());
  verilate();
  compile_model();
  load();
}

// Registers without a reset start with random bits, on which no output may depend. -O1: more of
// Verilator's optimizations cost as much time as clang and these short runs save.
void VerilogBatch::verilate() const {
  run_tool(
      fmt::format("'{}' --cc --Mdir '{}' --prefix Vkernels --top-module kernels -O1 "
                  "--x-assign unique "
                  "--x-initial unique -Wno-fatal -Wno-lint -Wno-style '{}' {}",
                  VTA_VERILATOR, folder_ / "verilated", folder_ / "kernels.sv", library_modules()),
      folder_ / "verilator.log");
}

// As one translation unit: Verilator's files all include the class of the model, which is megabytes
// long.
void VerilogBatch::compile_model() const {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "verilated")) {
    if (entry.path().extension() == ".cpp") files.insert(entry.path());
  }
  std::string text;
  for (const std::string& file : files) text += fmt::format("#include \"{}\"\n", file);
  write_file(folder_ / "batch.cc", text + "#include \"model.cc\"\n");
  run_tool(
      fmt::format("'{0}' -std=c++20 -O0 -w -fPIC -shared -I'{1}/verilated' -I'{2}' -I'{3}/include' "
                  "-I'{3}/include/vltstd' '{1}/batch.cc' -o '{1}/batch.so'",
                  VTA_CXX, folder_.path().string(), VTA_SOURCE_ROOT, VTA_VERILATOR_ROOT),
      folder_ / "clang.log");
}

// Never unloaded: Verilator's runtime may refer to it.
void VerilogBatch::load() {
  void* const library = ::dlopen((folder_ / "batch.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail(ErrorCode::kIo, "{}", ::dlerror());
  make_model_ = reinterpret_cast<decltype(make_model_)>(::dlsym(library, "make_verilog_model"));
  VTA_ASSERT(make_model_ != nullptr, "the batch has no model");
}

}  // namespace vta::kernels
