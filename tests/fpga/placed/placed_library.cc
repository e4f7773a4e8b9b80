// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include <cstdlib>

#include "base/errors/error.h"
#include "tests/fpga/placed/Vvta_top.h"

namespace {

void* library() {
  const char* path = std::getenv("VTA_PLACED_MODEL");
  if (path == nullptr) {
    vta::fail(vta::ErrorCode::kInvalidArgument, "VTA_PLACED_MODEL names no library");
  }
  static void* const opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) {
    vta::fail(vta::ErrorCode::kNotFound, "{}: {}", path, dlerror());
  }
  return opened;
}

template <typename Function>
Function* function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(library(), name));
}

}  // namespace

Vvta_top::Vvta_top()
    : destroy_(function<decltype(vta_placed_destroy)>("vta_placed_destroy")),
      eval_(function<decltype(vta_placed_eval)>("vta_placed_eval")),
      model_(function<decltype(vta_placed_create)>("vta_placed_create")()) {}

Vvta_top::~Vvta_top() { destroy_(model_); }
