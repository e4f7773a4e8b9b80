// SPDX-License-Identifier: Apache-2.0
//
// A client of a server with core tiny_1x8.
#ifndef VTA_TESTS_RPC_TINY_CLIENT_H_
#define VTA_TESTS_RPC_TINY_CLIENT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "base/numbers/random.h"
#include "runtime/rpc/rpc_device.h"
#include "tests/support/tiny_program.h"

namespace vta::support {

class TinyClient {
 public:
  TinyClient(const std::string& uri, uint64_t seed) : random_(seed) {
    device_ = rpc::open_rpc_device(uri, {});
    program_ = std::make_unique<TinyProgram>(*device_);
  }

  // Runs the program with random operands; returns whether its result is right.
  bool run() {
    const auto x = static_cast<int8_t>(random_.between(-128, 127));
    const auto w = static_cast<int8_t>(random_.between(-128, 127));
    program_->set_operands(x, w);
    device_->run(program_->request());
    return program_->result() == TinyProgram::expected(x, w);
  }

 private:
  Random random_;
  std::unique_ptr<driver::Device> device_;
  std::unique_ptr<TinyProgram> program_;
};

}  // namespace vta::support

#endif  // VTA_TESTS_RPC_TINY_CLIENT_H_
