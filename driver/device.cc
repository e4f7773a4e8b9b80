// SPDX-License-Identifier: Apache-2.0
#include "driver/device.h"

#include <map>
#include <mutex>
#include <utility>

namespace vta::driver {
namespace {

struct Registry {
  std::mutex mutex;
  std::map<std::string, DeviceFactory> factories;
};

Registry& registry() {
  static Registry instance;
  return instance;
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "none" : text;
}

}  // namespace

void register_device(const std::string& scheme, DeviceFactory factory) {
  VTA_ASSERT(!scheme.empty() && scheme.find(':') == std::string::npos,
             "a scheme is the part of a URI before ':'");
  VTA_ASSERT(factory != nullptr, "a device needs a factory");
  const std::lock_guard lock(registry().mutex);
  registry().factories[scheme] = std::move(factory);
}

std::unique_ptr<Device> open(const std::string& uri, const CoreConfig& core) {
  const std::string scheme = uri.substr(0, uri.find(':'));
  DeviceFactory factory;
  {
    // The factory runs outside the lock, because composite devices ("lockstep:a,b") open other
    // devices in theirs.
    const std::lock_guard lock(registry().mutex);
    const auto found = registry().factories.find(scheme);
    if (found != registry().factories.end()) factory = found->second;
  }
  if (!factory) {
    fail(ErrorCode::kNotFound, "device '{}': unknown scheme '{}', expected one of: {}", uri, scheme,
         join(registered_schemes()));
  }
  return factory(uri, core);
}

std::vector<std::string> registered_schemes() {
  const std::lock_guard lock(registry().mutex);
  std::vector<std::string> schemes;
  for (const auto& entry : registry().factories) schemes.push_back(entry.first);
  return schemes;
}

}  // namespace vta::driver
