// SPDX-License-Identifier: Apache-2.0
#include "driver/device.h"

#include <map>
#include <mutex>
#include <utility>

namespace vta::driver {
namespace {

struct Registered {
  DeviceKind kind;
  DeviceFactory factory;
  DeviceReach reach;
};

struct Registry {
  std::mutex mutex;
  std::map<std::string, Registered> devices;
};

Registry& registry() {
  static Registry instance;
  return instance;
}

std::string scheme_list() {
  std::string text;
  for (const auto& [scheme, kind] : registered_devices())
    text += (text.empty() ? "" : ", ") + scheme;
  return text.empty() ? "none" : text;
}

// A copy, so that its functions run outside the lock: composite devices ("lockstep:a,b") open other
// devices in theirs.
Registered find_device(const std::string& uri) {
  const std::string scheme = uri.substr(0, uri.find(':'));
  {
    const std::lock_guard lock(registry().mutex);
    const auto found = registry().devices.find(scheme);
    if (found != registry().devices.end()) return found->second;
  }
  // Without the rest, which may hold a secret.
  fail(ErrorCode::kNotFound, "device '{}': unknown scheme '{}', expected one of: {}",
       scheme == uri ? uri : scheme + ":...", scheme, scheme_list());
}

}  // namespace

void register_device(const std::string& scheme, DeviceKind kind, DeviceFactory factory,
                     DeviceReach reach) {
  VTA_ASSERT(!scheme.empty() && scheme.find(':') == std::string::npos,
             "a scheme is the part of a URI before ':'");
  VTA_ASSERT(factory != nullptr, "a device needs a factory");
  const std::lock_guard lock(registry().mutex);
  registry().devices[scheme] = {std::move(kind), std::move(factory), std::move(reach)};
}

std::unique_ptr<Device> open(const std::string& uri, const CoreConfig& core) {
  return find_device(uri).factory(uri, core);
}

void require_reachable(const std::string& uri) {
  const Registered device = find_device(uri);
  if (device.reach) device.reach(uri);
}

std::map<std::string, DeviceKind> registered_devices() {
  const std::lock_guard lock(registry().mutex);
  std::map<std::string, DeviceKind> kinds;
  for (const auto& [scheme, device] : registry().devices) kinds[scheme] = device.kind;
  return kinds;
}

}  // namespace vta::driver
