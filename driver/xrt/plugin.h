// SPDX-License-Identifier: Apache-2.0
//
// The C interface between the driver and the plugin libvta_xrt.so. It is plain C because the two
// may be built by different compilers (the plugin against the board image's XRT); it exposes
// nothing else of XRT.
//
// Functions that can fail return null or 0 and set a message in `error`.
#ifndef VTA_DRIVER_XRT_PLUGIN_H_
#define VTA_DRIVER_XRT_PLUGIN_H_

#include <cstddef>
#include <cstdint>

extern "C" {

struct VtaXrtError {
  char text[512];
};

struct VtaXrtBuffer {
  void* handle;
  uint8_t* host;
  uint64_t bus_address;
  uint64_t size_bytes;
};

struct VtaXrtApi {
  uint32_t version;  // kVtaXrtApiVersion

  // Opens device `index` with the design that `xclbin` (a complete file) describes, and the
  // registers of compute unit `unit`, "vta:{vta_0}". The unit is exclusive until close().
  void* (*open)(unsigned index, const void* xclbin, const char* unit, VtaXrtError* error);
  void (*close)(void* device);

  int (*read)(void* device, uint32_t offset, uint32_t* value, VtaXrtError* error);
  int (*write)(void* device, uint32_t offset, uint32_t value, VtaXrtError* error);

  // Cached memory: a sync makes one side's writes visible to the other.
  int (*allocate)(void* device, uint64_t size_bytes, VtaXrtBuffer* buffer, VtaXrtError* error);
  void (*release)(void* buffer);
  int (*sync)(void* buffer, int to_core, uint64_t offset_bytes, uint64_t size_bytes,
              VtaXrtError* error);
};

constexpr uint32_t kVtaXrtApiVersion = 1;

// The only symbol of the plugin: `const VtaXrtApi* vta_xrt_api()`.
constexpr const char* kVtaXrtApiSymbol = "vta_xrt_api";
using VtaXrtApiFunction = const VtaXrtApi* (*)();
}

#endif  // VTA_DRIVER_XRT_PLUGIN_H_
