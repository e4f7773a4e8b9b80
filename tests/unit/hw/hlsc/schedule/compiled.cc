// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hw/hlsc/schedule/compiled.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "configs/core_config.h"
#include "hw/hlsc/front/front_end.h"
#include "hw/hlsc/passes/pipeline.h"
#include "hw/hlsc/schedule/fit_period.h"
#include "tests/support/core_definitions.h"

namespace vta::hlsc {
namespace {

// Paths from the root, where tests run: they are in the text that is compared.
constexpr const char* kKernels = "tests/hls/kernels";

ir::Design compile(const front::Source& source, const schedule::Options& options) {
  ir::Design design = front::compile(source);
  passes::legalize(design);
  schedule::fit_period(design, options);
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

ir::Design compile_kernel(const std::string& name, const schedule::Options& options) {
  return compile({fmt::format("{}/{}.cc", kKernels, name), {"."}, {}}, options);
}

ir::Design compile_core(const std::string& name, const schedule::Options& options) {
  return compile({"hw/core/instance.cc", {"."}, support::core_definitions(load_core_config(name))},
                 options);
}

}  // namespace vta::hlsc
