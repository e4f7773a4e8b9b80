// SPDX-License-Identifier: Apache-2.0
#include "base/files/installation.h"

#include <dlfcn.h>

#include <string_view>

namespace vta {
namespace fs = std::filesystem;
namespace {

// The shared library with this code; empty in a program that links it statically.
fs::path own_library() {
  Dl_info info;
  if (::dladdr(reinterpret_cast<void*>(&installation_prefix), &info) == 0) return {};
  if (info.dli_fname == nullptr) return {};
  const fs::path file = info.dli_fname;
  return file.filename().string().find(".so") == std::string::npos ? fs::path() : file;
}

}  // namespace

std::optional<fs::path> installation_prefix() {
  std::error_code error;
  const fs::path library = own_library();
  const fs::path file = library.empty() ? fs::read_symlink("/proc/self/exe", error)
                                        : fs::weakly_canonical(library, error);
  if (error) return std::nullopt;
  return file.parent_path().parent_path();
}

}  // namespace vta
