// SPDX-License-Identifier: Apache-2.0
#include "tools/onnxruntime_ep/options.h"

#include <onnxruntime_session_options_config_keys.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "base/errors/error.h"
#include "tools/onnxruntime_ep/status.h"

namespace vta::onnxruntime_ep {
namespace {

std::map<std::string, std::string> entries_of(const OrtSessionOptions& session) {
  OrtKeyValuePairs* pairs = nullptr;
  Ort::ThrowOnError(Ort::GetApi().GetSessionOptionsConfigEntries(&session, &pairs));
  const Ort::KeyValuePairs owner(pairs);
  std::map<std::string, std::string> entries;
  for (auto& [key, value] : owner.GetKeyValuePairs()) entries[key] = value;
  return entries;
}

// ONNX Runtime writes the provider's name in lower case.
std::string prefix_of(const std::string& provider) {
  std::string prefix = "ep." + provider + ".";
  std::transform(prefix.begin(), prefix.end(), prefix.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return prefix;
}

void set_memory(Options& options, const std::string& memory) {
  if (options.device.find(':') != std::string::npos) {
    fail(ErrorCode::kInvalidArgument,
         "option memory '{}': the device '{}' has its own; give a device without ':', such as "
         "cycle",
         memory, options.device);
  }
  options.device += ":" + memory;
}

// Options of ONNX Runtime.
void set_own(Options& options, const std::string& key, const std::string& value) {
  if (key == kOrtSessionOptionsDisableCPUEPFallback) options.allows_other_providers = value != "1";
  if (key == kOrtSessionOptionEpContextEnable) options.writes_context = value == "1";
  if (key == kOrtSessionOptionEpContextEmbedMode) options.embeds_context = value == "1";
  if (key == kOrtSessionOptionEpContextFilePath) options.context_file = value;
}

}  // namespace

Options read_options(const OrtSessionOptions& session) {
  Options options;
  std::string memory;
  const std::map<std::string, std::string*> known = {{"calibration", &options.calibration},
                                                     {"core", &options.core},
                                                     {"device", &options.device},
                                                     {"memory", &memory}};
  const std::string prefix = prefix_of(kProvider);
  for (const auto& [key, value] : entries_of(session)) {
    set_own(options, key, value);
    if (!key.starts_with(prefix)) continue;
    const std::string name = key.substr(prefix.size());
    const auto option = known.find(name);
    if (option == known.end()) {
      fail(ErrorCode::kInvalidArgument,
           "option '{}' of {}: expected calibration, core, device or memory", name, kProvider);
    }
    if (value.empty())
      fail(ErrorCode::kInvalidArgument, "option {} of {} is empty", name, kProvider);
    *option->second = value;
  }
  if (!memory.empty()) set_memory(options, memory);
  check(vta_device_require_reachable(options.device.c_str()));
  return options;
}

}  // namespace vta::onnxruntime_ep
