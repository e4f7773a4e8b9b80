// SPDX-License-Identifier: Apache-2.0
//
// ClientMemory: the device memory of one client. The client can only access its own blocks, which
// are freed when it leaves. Use it on the device's thread only.
//
// A block counts as whole granules, against the client's limit and the total of all clients: a
// client cannot make the server keep records of millions of small blocks.
#ifndef VTA_RUNTIME_RPC_CLIENT_MEMORY_H_
#define VTA_RUNTIME_RPC_CLIENT_MEMORY_H_

#include <cstdint>
#include <map>

#include "runtime/rpc/device_slot.h"

namespace vta::rpc {

class ClientMemory {
 public:
  static constexpr uint64_t kGranuleBytes = 65536;

  // `total_limit_bytes`: of all clients of a slot.
  ClientMemory(uint64_t limit_bytes, uint64_t total_limit_bytes)
      : limit_bytes_(limit_bytes), total_limit_bytes_(total_limit_bytes) {}

  // Errors: kOutOfMemory beyond the client's limit or the total; any error of the device.
  driver::DeviceAddress allocate(DeviceSlot& slot, uint64_t size_bytes);
  // Errors: kInvalidArgument if no block of the client starts there.
  void free(DeviceSlot& slot, driver::DeviceAddress address);
  // Errors: kInvalidArgument if the range is not inside one block of the client.
  void require_own(driver::DeviceAddress address, uint64_t size_bytes) const;
  // Frees all remaining blocks. Does not throw.
  void free_all(DeviceSlot& slot);

 private:
  const uint64_t limit_bytes_, total_limit_bytes_;
  uint64_t used_bytes_ = 0;
  std::map<uint64_t, uint64_t> blocks_;  // address -> requested size
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_CLIENT_MEMORY_H_
