// SPDX-License-Identifier: Apache-2.0
//
// What ONNX Runtime finds in the library: a factory of providers.
#include <string>

#include "base/errors/error.h"
#include "tools/onnxruntime_ep/api.h"
#include "tools/onnxruntime_ep/options.h"
#include "tools/onnxruntime_ep/provider.h"
#include "tools/onnxruntime_ep/status.h"

namespace vta::onnxruntime_ep {
namespace {

constexpr const char* kVendor = "VTA toolkit";

// Cores are not found by looking at this computer: they are simulators, or boards that the option
// `device` names. So the provider is one of the CPU, once.
void add_device(OrtEpFactory& factory, const OrtHardwareDevice* const* devices, size_t num_devices,
                OrtEpDevice** found, size_t max_found, size_t* num_found) {
  *num_found = 0;
  for (size_t i = 0; i < num_devices && max_found > 0; ++i) {
    if (Ort::GetApi().HardwareDevice_Type(devices[i]) != OrtHardwareDeviceType_CPU) continue;
    Ort::ThrowOnError(
        Ort::GetEpApi().CreateEpDevice(&factory, devices[i], nullptr, nullptr, &found[0]));
    *num_found = 1;
    return;
  }
}

// Without state. It is never freed: sessions that outlive the library's registration return their
// providers to it.
class Factory : public OrtEpFactory {
 public:
  explicit Factory(bool has_profiling) : OrtEpFactory{}, has_profiling_(has_profiling) {
    ort_version_supported = ORT_API_VERSION;
    GetName = [](const OrtEpFactory*) noexcept { return kProvider; };
    GetVendor = [](const OrtEpFactory*) noexcept { return kVendor; };
    GetVendorId = [](const OrtEpFactory*) noexcept { return uint32_t{0}; };
    GetVersion = [](const OrtEpFactory*) noexcept { return vta_version(); };
    GetSupportedDevices = [](OrtEpFactory* factory, const OrtHardwareDevice* const* devices,
                             size_t num_devices, OrtEpDevice** found, size_t max_found,
                             size_t* num_found) noexcept {
      return guarded(
          [&] { add_device(*factory, devices, num_devices, found, max_found, num_found); });
    };
    CreateEp = [](OrtEpFactory* factory, const OrtHardwareDevice* const*,
                  const OrtKeyValuePairs* const*, size_t, const OrtSessionOptions* session,
                  const OrtLogger* logger, OrtEp** provider) noexcept {
      return guarded([&] {
        *provider = new Provider(*session, logger, static_cast<Factory*>(factory)->has_profiling_);
      });
    };
    ReleaseEp = [](OrtEpFactory*, OrtEp* provider) noexcept {
      delete static_cast<Provider*>(provider);
    };
    // All memory is the CPU's.
    CreateAllocator = [](OrtEpFactory*, const OrtMemoryInfo*, const OrtKeyValuePairs*,
                         OrtAllocator** allocator) noexcept -> OrtStatus* {
      *allocator = nullptr;
      return nullptr;
    };
    ReleaseAllocator = [](OrtEpFactory*, OrtAllocator*) noexcept {};
    CreateDataTransfer = [](OrtEpFactory*, OrtDataTransferImpl** transfer) noexcept -> OrtStatus* {
      *transfer = nullptr;
      return nullptr;
    };
    IsStreamAware = [](const OrtEpFactory*) noexcept { return false; };
  }

 private:
  const bool has_profiling_;
};

}  // namespace
}  // namespace vta::onnxruntime_ep

// ONNX Runtime chooses the names.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {

__attribute__((visibility("default"))) OrtStatus* CreateEpFactories(
    const char* /*registered_name*/, const OrtApiBase* base, const OrtLogger* /*logger*/,
    OrtEpFactory** factories, size_t max_factories, size_t* num_factories) {
  const OrtApi* const api = base->GetApi(ORT_API_VERSION);
  if (api == nullptr) {  // an older ONNX Runtime; its oldest API can say so
    return base->GetApi(1)->CreateStatus(
        ORT_NOT_IMPLEMENTED,
        ("VTAExecutionProvider needs ONNX Runtime 1." + std::to_string(ORT_API_VERSION) +
         " or later, this is " + base->GetVersionString())
            .c_str());
  }
  Ort::InitApi(api);
  return vta::onnxruntime_ep::guarded([&] {
    if (max_factories < 1) {
      vta::fail(vta::ErrorCode::kInvalidArgument, "ONNX Runtime accepts {} factories, expected 1",
                max_factories);
    }
    static vta::onnxruntime_ep::Factory factory(vta::onnxruntime_ep::has_profiling(*base));
    factories[0] = &factory;
    *num_factories = 1;
  });
}

__attribute__((visibility("default"))) OrtStatus* ReleaseEpFactory(OrtEpFactory* /*factory*/) {
  return nullptr;
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
