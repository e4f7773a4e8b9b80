// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hw/hlsc/schedule/compiled.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "configs/core_config.h"
#include "hw/hlsc/front/front_end.h"
#include "hw/hlsc/passes/pipeline.h"

namespace vta::hlsc {
namespace {

// Paths from the root, where tests run: they are in the text that is compared.
constexpr const char* kKernels = "tests/hls/kernels";

ir::Design compile(const front::Source& source) {
  ir::Design design = front::compile(source);
  passes::legalize(design);
  return design;
}

}  // namespace

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kKernels))
    names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

ir::Design compile_kernel(const std::string& name) {
  return compile({fmt::format("{}/{}.cc", kKernels, name), {"."}, {}});
}

ir::Design compile_core(const std::string& name) {
  const CoreConfig core = load_core_config(name);
  return compile(
      {"hw/core/instance.cc",
       {"."},
       {fmt::format("BATCH={}", core.batch), fmt::format("BLOCK_IN={}", core.block_in),
        fmt::format("BLOCK_OUT={}", core.block_out), fmt::format("UOP_DEPTH={}", core.uop_depth()),
        fmt::format("INP_DEPTH={}", core.inp_depth()),
        fmt::format("WGT_DEPTH={}", core.wgt_depth()),
        fmt::format("ACC_DEPTH={}", core.acc_depth()),
        fmt::format("COMMAND_DEPTH={}", core.command_queue_depth),
        fmt::format("TOKEN_DEPTH={}", core.token_queue_depth)}});
}

}  // namespace vta::hlsc
