// SPDX-License-Identifier: Apache-2.0
//
// libvta_xrt.so: implements plugin.h with XRT's C++ interface. Without XRT kernels and command
// queues: the core is a user-managed unit, for which XRT provides registers and memory.
#include "driver/xrt/plugin.h"

#include <experimental/xrt_ip.h>
#include <xrt/xrt_bo.h>
#include <xrt/xrt_device.h>

#include <cstdio>
#include <exception>
#include <memory>

namespace {

constexpr int kMemoryGroup = 0;  // the only memory of the design

struct Unit {
  xrt::device device;
  xrt::ip ip;
};

template <class Result, class Action>
Result guarded(VtaXrtError* error, Action&& action) {
  try {
    return action();
  } catch (const std::exception& exception) {
    std::snprintf(error->text, sizeof(error->text), "%s", exception.what());
  } catch (...) {
    std::snprintf(error->text, sizeof(error->text), "unknown error");
  }
  return Result{};
}

void* open_unit(unsigned index, const void* xclbin, const char* name, VtaXrtError* error) {
  return guarded<void*>(error, [&]() -> void* {
    auto unit = std::make_unique<Unit>();
    unit->device = xrt::device(index);
    const xrt::uuid uuid = unit->device.load_xclbin(static_cast<const axlf*>(xclbin));
    unit->ip = xrt::ip(unit->device, uuid, name);
    return unit.release();
  });
}

void close_unit(void* device) { delete static_cast<Unit*>(device); }

int read_word(void* device, uint32_t offset, uint32_t* value, VtaXrtError* error) {
  return guarded<int>(error, [&] {
    *value = static_cast<Unit*>(device)->ip.read_register(offset);
    return 1;
  });
}

int write_word(void* device, uint32_t offset, uint32_t value, VtaXrtError* error) {
  return guarded<int>(error, [&] {
    static_cast<Unit*>(device)->ip.write_register(offset, value);
    return 1;
  });
}

int allocate(void* device, uint64_t size_bytes, VtaXrtBuffer* buffer, VtaXrtError* error) {
  return guarded<int>(error, [&] {
    auto memory = std::make_unique<xrt::bo>(static_cast<Unit*>(device)->device, size_bytes,
                                            xrt::bo::flags::cacheable, kMemoryGroup);
    buffer->host = memory->map<uint8_t*>();
    buffer->bus_address = memory->address();
    buffer->size_bytes = memory->size();
    buffer->handle = memory.release();
    return 1;
  });
}

void release(void* buffer) { delete static_cast<xrt::bo*>(buffer); }

int sync(void* buffer, int to_core, uint64_t offset_bytes, uint64_t size_bytes,
         VtaXrtError* error) {
  return guarded<int>(error, [&] {
    static_cast<xrt::bo*>(buffer)->sync(
        to_core != 0 ? XCL_BO_SYNC_BO_TO_DEVICE : XCL_BO_SYNC_BO_FROM_DEVICE, size_bytes,
        offset_bytes);
    return 1;
  });
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const VtaXrtApi* vta_xrt_api() {
  static const VtaXrtApi api = {kVtaXrtApiVersion, open_unit, close_unit, read_word,
                                write_word,        allocate,  release,    sync};
  return &api;
}
