// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tools/c_api/handles.h"
#include "tools/c_api/status.h"

using vta::c_api::guarded;
using vta::c_api::required;

namespace {

// The registered devices do not change after the first look.
struct DeviceKinds {
  DeviceKinds() : registered(vta::driver::registered_devices()) {
    for (const auto& [scheme, kind] : registered)
      infos.push_back({kind.uri.c_str(), kind.what.c_str()});
  }
  const std::map<std::string, vta::driver::DeviceKind> registered;
  std::vector<vta_device_kind> infos;
};

const std::vector<vta_device_kind>& device_kinds() {
  vta::c_api::register_devices();
  static const DeviceKinds kinds;
  return kinds.infos;
}

}  // namespace

extern "C" {

size_t vta_num_device_kinds(void) { return device_kinds().size(); }

const vta_device_kind* vta_device_kind_at(size_t index) {
  return index < device_kinds().size() ? &device_kinds()[index] : nullptr;
}

vta_status vta_device_open(const char* uri, const vta_program* program, vta_device** device) {
  return guarded([&] {
    const vta::CoreConfig& core = required(program, "program").program.core;
    required(device, "device");
    auto shared = std::make_shared<vta::c_api::SharedDevice>();
    shared->device = vta::driver::open(&required(uri, "uri"), core);
    auto handle = std::make_unique<vta_device>();
    handle->description = shared->device->describe();
    handle->shared = std::move(shared);
    const vta::driver::DeviceDescription& description = handle->description;
    handle->info = {description.uri.c_str(), description.core.name.c_str(), description.timed,
                    description.computes};
    *device = handle.release();
  });
}

void vta_device_free(vta_device* device) { delete device; }

vta_status vta_device_require_reachable(const char* uri) {
  return guarded([&] { vta::driver::require_reachable(&required(uri, "uri")); });
}

const vta_device_info* vta_device_info_of(const vta_device* device) {
  return device == nullptr ? nullptr : &device->info;
}

}  // extern "C"
