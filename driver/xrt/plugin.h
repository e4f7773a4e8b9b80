// SPDX-License-Identifier: Apache-2.0
//
// What the plugin libvta_xrt.so gives to the driver: plain C, because the two may be built by
// different compilers (the plugin against a board image's own XRT), and nothing else of XRT.
//
// Functions that can fail return null or 0 then, and leave a message in `error`.
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

  // Device `index`, with the design that `xclbin` (a whole file) tells of; its registers are those
  // of `unit`, "vta:{vta_0}". Nobody else has the unit until close().
  void* (*open)(unsigned index, const void* xclbin, const char* unit, VtaXrtError* error);
  void (*close)(void* device);

  int (*read)(void* device, uint32_t offset, uint32_t* value, VtaXrtError* error);
  int (*write)(void* device, uint32_t offset, uint32_t value, VtaXrtError* error);

  // Cached memory: what one side wrote, the other sees after a sync.
  int (*allocate)(void* device, uint64_t size_bytes, VtaXrtBuffer* buffer, VtaXrtError* error);
  void (*release)(void* buffer);
  int (*sync)(void* buffer, int to_core, uint64_t offset_bytes, uint64_t size_bytes,
              VtaXrtError* error);
};

constexpr uint32_t kVtaXrtApiVersion = 1;

// The one symbol of the plugin: `const VtaXrtApi* vta_xrt_api()`.
constexpr const char* kVtaXrtApiSymbol = "vta_xrt_api";
using VtaXrtApiFunction = const VtaXrtApi* (*)();
}

#endif  // VTA_DRIVER_XRT_PLUGIN_H_
