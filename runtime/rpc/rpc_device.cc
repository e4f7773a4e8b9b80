// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/rpc_device.h"

#include "driver/evaluation.h"
#include "runtime/rpc/client.h"

namespace vta::rpc {
namespace {

class RpcDevice : public driver::Device, public driver::EvaluatingDevice {
 public:
  explicit RpcDevice(const ClientOptions& options)
      : client_(options), description_(client_.describe()) {
    description_.uri = options.uri;
  }

  driver::DeviceDescription describe() const override { return description_; }
  driver::DeviceAddress allocate(uint64_t size_bytes) override {
    return client_.allocate(size_bytes);
  }
  // Called by destructors: a lost connection has freed all memory.
  void free(driver::DeviceAddress address) override {
    try {
      client_.free(address);
    } catch (const Error&) {
      if (!client_.is_broken()) throw;
    }
  }
  void copy_in(driver::DeviceAddress dst, std::span<const uint8_t> src) override {
    client_.copy_in(dst, src);
  }
  void copy_out(std::span<uint8_t> dst, driver::DeviceAddress src) override {
    client_.copy_out(dst, src);
  }
  hw::Counters run(const driver::RunRequest& request) override { return client_.run(request); }
  driver::Evaluation evaluate(const driver::RunRequest& request, uint32_t number,
                              uint32_t repeat) override {
    return client_.evaluate(request, number, repeat);
  }

 private:
  Client client_;
  driver::DeviceDescription description_;
};

}  // namespace

std::unique_ptr<driver::Device> open_rpc_device(const std::string& uri, const CoreConfig&) {
  return std::make_unique<RpcDevice>(parse_client_uri(uri));
}

void register_rpc_device() {
  driver::register_device(
      "rpc", {"rpc://HOST:PORT", "a device that a vta-rpc-server serves"}, open_rpc_device,
      [](const std::string& uri) { const Client client(parse_client_uri(uri)); });
}

}  // namespace vta::rpc
