// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/trial.h"

#include <algorithm>
#include <filesystem>

namespace vta::kernels {
namespace {

std::vector<Kernel>& registered() {
  static std::vector<Kernel> kernels;
  return kernels;
}

}  // namespace

std::vector<Kernel> all_kernels() {
  std::vector<Kernel> kernels = registered();
  std::sort(kernels.begin(), kernels.end(),
            [](const Kernel& a, const Kernel& b) { return a.name < b.name; });
  return kernels;
}

bool add_kernel(const char* file, std::function<Trial(uint64_t)> run) {
  const std::filesystem::path path(file);
  const std::string name = path.stem().string();
  registered().push_back({name, "tests/hls/kernels/" + name + ".cc", std::move(run)});
  return true;
}

}  // namespace vta::kernels
