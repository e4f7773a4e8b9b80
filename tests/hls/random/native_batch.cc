// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/random/native_batch.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "tests/hls/random/run_tool.h"

namespace vta::kernels {
namespace {

// One file with all kernels, each in its own namespace, so that headers are parsed once.
std::string together(const std::vector<KernelSource>& sources) {
  std::string text = "#include \"tests/hls/kernel.h\"\n";
  for (const KernelSource& source : sources) {
    text += fmt::format("namespace {0}_file {{\n#include \"{0}.cc\"\n}}\n", source.name);
  }
  return text;
}

}  // namespace

NativeBatch::NativeBatch(const std::vector<KernelSource>& sources) {
  for (const KernelSource& source : sources) {
    write_file(folder_ / (source.name + ".cc"), source.text);
  }
  write_file(folder_ / "batch.cc", together(sources));
  run_tool(fmt::format("'{}' -std=c++20 -O0 -w -fPIC -shared "
                       "-fsanitize=shift,signed-integer-overflow,bounds "
                       "-fsanitize-trap=all -I'{}' '{}' -o '{}'",
                       VTA_CXX, VTA_SOURCE_ROOT, folder_ / "batch.cc", folder_ / "batch.so"),
           folder_ / "log");
  load(sources);
}

// Never unloaded: the table of kernels refers to its functions.
void NativeBatch::load(const std::vector<KernelSource>& sources) {
  if (::dlopen((folder_ / "batch.so").c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
    fail(ErrorCode::kIo, "{}", ::dlerror());
  }
  const std::vector<Kernel> all = all_kernels();
  for (const KernelSource& source : sources) {
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Kernel& k) { return k.name == source.name; });
    VTA_ASSERT(found != all.end(), "the kernel did not register itself when it was loaded");
    kernels_.push_back({source.name, folder_ / (source.name + ".cc"), found->run});
  }
}

}  // namespace vta::kernels
