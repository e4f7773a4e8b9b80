// SPDX-License-Identifier: Apache-2.0
//
// Channel: a connected socket, with or without TLS, with asynchronous operations. The io_context of
// the socket calls the handlers, also if the channel is closed in the meantime. At most one read
// and one write may be pending. Use it on that io_context's thread only.
#ifndef VTA_RUNTIME_RPC_CHANNEL_H_
#define VTA_RUNTIME_RPC_CHANNEL_H_

#include <boost/system/error_code.hpp>
#include <cstdint>
#include <functional>
#include <span>

namespace vta::rpc {

class Channel {
 public:
  using Done = std::function<void(const boost::system::error_code& error)>;

  virtual ~Channel() = default;
  // The TLS handshake; completes at once without TLS.
  virtual void handshake(Done done) = 0;
  // Fills all of `bytes`. The bytes of read() and write() must outlive the operation.
  virtual void read(std::span<uint8_t> bytes, Done done) = 0;
  virtual void write(std::span<const uint8_t> bytes, Done done) = 0;
  // The number of bytes received by read(), those of a read in progress included.
  virtual uint64_t num_read_bytes() const = 0;
  // Half-closes the connection: the other side sees its end after reading the remaining data.
  virtual void finish_writing() = 0;
  // Aborts pending operations with errors.
  virtual void close() = 0;
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_CHANNEL_H_
