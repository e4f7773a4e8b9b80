// SPDX-License-Identifier: Apache-2.0
//
// ClientService: executes one client's calls, on the device's thread.
#ifndef VTA_RUNTIME_RPC_CLIENT_SERVICE_H_
#define VTA_RUNTIME_RPC_CLIENT_SERVICE_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/evaluation.h"
#include "driver/flash/bitstream.h"
#include "runtime/rpc/client_memory.h"
#include "runtime/rpc/frame.h"
#include "runtime/rpc/messages.h"

namespace vta::rpc {

struct ServiceLimits {
  uint64_t memory_bytes = uint64_t{512} << 20;  // device memory per client
  uint64_t total_memory_bytes = UINT64_MAX;     // and of all clients
  std::chrono::milliseconds run{60'000};        // upper limit for the timeout of a run
  uint64_t bitstream_bytes = driver::kMaxBitstreamBytes;
};

// The state of a call between its turns on the device.
struct CallState {
  explicit CallState(Frame call) : frame(std::move(call)) {}
  const Frame frame;
  std::atomic<bool> cancelled = false;  // set by any thread: further turns do nothing
  std::atomic<bool> stop = false;       // likewise: the run in progress ends
  std::optional<driver::IncrementalEvaluation> evaluation;
};

class ClientService {
 public:
  // `may_flash`: the client may program the FPGA.
  ClientService(const ServiceLimits& limits, bool may_flash)
      : limits_(limits),
        may_flash_(may_flash),
        memory_(limits.memory_bytes, limits.total_memory_bytes) {}

  // Executes one turn of a call. Returns the reply frame when the call is done; errors become
  // replies.
  std::optional<std::vector<uint8_t>> turn(CallState& call, DeviceSlot& slot);

  // Frees the client's memory when it has left.
  void release(DeviceSlot& slot) { memory_.free_all(slot); }

 private:
  using Reply = std::vector<uint8_t>;
  struct Upload {
    FlashBeginCall begin;
    std::vector<uint8_t> bytes;
  };

  std::optional<Reply> execute(CallState& call, DeviceSlot& slot);
  Reply describe(uint32_t id, DeviceSlot& slot);
  Reply allocate(const Frame& call, DeviceSlot& slot);
  Reply free(const Frame& call, DeviceSlot& slot);
  Reply copy_in(const Frame& call, DeviceSlot& slot);
  Reply copy_out(const Frame& call, DeviceSlot& slot);
  Reply run(const CallState& call, DeviceSlot& slot);
  std::optional<Reply> evaluate(CallState& call, DeviceSlot& slot);
  Reply flash_begin(const Frame& call, DeviceSlot& slot);
  Reply flash_data(const Frame& call);
  Reply flash_end(const Frame& call, DeviceSlot& slot);

  // `stop`: ends the run when it is set.
  driver::RunRequest checked(const RunCall& call, const std::atomic<bool>& stop) const;

  const ServiceLimits limits_;
  const bool may_flash_;
  ClientMemory memory_;
  std::optional<Upload> upload_;
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_CLIENT_SERVICE_H_
