// SPDX-License-Identifier: Apache-2.0
//
// Channel: a connected socket, with TLS or without, whose operations end later: their handlers are
// called by the io_context that the socket belongs to, also when the channel is closed meanwhile.
// One read and one write at a time. Used by that io_context's thread only.
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
  // Of TLS, where there is one.
  virtual void handshake(Done done) = 0;
  // Fills all of `bytes`, which outlive the operation; so does write().
  virtual void read(std::span<uint8_t> bytes, Done done) = 0;
  virtual void write(std::span<const uint8_t> bytes, Done done) = 0;
  // Nothing is written any more; the other side sees the end once it has read the rest.
  virtual void finish_writing() = 0;
  // Ends what is under way, with errors.
  virtual void close() = 0;
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_CHANNEL_H_
