// SPDX-License-Identifier: Apache-2.0
//
// A channel whose other side is the test: the test supplies the input, reads the output, and can
// block or fail writes.
#ifndef VTA_TESTS_UNIT_RUNTIME_RPC_FAKE_CHANNEL_H_
#define VTA_TESTS_UNIT_RUNTIME_RPC_FAKE_CHANNEL_H_

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <deque>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "runtime/rpc/channel.h"
#include "runtime/rpc/frame.h"

namespace vta::rpc {

// Must outlive its channels. Used on the io_context's thread, as the channels are.
class FakeWire {
 public:
  explicit FakeWire(boost::asio::io_context& io) : io_(io) {}

  bool takes = true;         // false: writes do not complete
  bool breaks = false;       // true: writes throw
  bool is_closed = false;    // close() was called
  bool is_finished = false;  // finish_writing() was called

  void arrive(const std::vector<uint8_t>& bytes) {
    incoming_.insert(incoming_.end(), bytes.begin(), bytes.end());
    num_arrived_bytes_ += bytes.size();
    serve_read();
  }

  // Disconnects the other side: pending operations fail.
  void hang_up() { end_all(boost::asio::error::eof); }

  // The written frames.
  std::vector<Frame> frames() const {
    std::vector<Frame> frames;
    for (const std::vector<uint8_t>& bytes : written_) {
      HeaderBytes header;
      std::copy_n(bytes.begin(), kFrameHeaderBytes, header.begin());
      frames.push_back(
          {decode_header(header, kMaxBodyBytes), {bytes.begin() + kFrameHeaderBytes, bytes.end()}});
    }
    return frames;
  }

  std::unique_ptr<Channel> channel() { return std::make_unique<FakeChannel>(*this); }

 private:
  using Done = Channel::Done;

  class FakeChannel : public Channel {
   public:
    explicit FakeChannel(FakeWire& wire) : wire_(wire) {}
    void handshake(Done done) override { wire_.end(std::move(done), {}); }
    void read(std::span<uint8_t> bytes, Done done) override {
      wire_.read_ = bytes;
      wire_.read_done_ = std::move(done);
      wire_.serve_read();
    }
    void write(std::span<const uint8_t> bytes, Done done) override {
      if (wire_.breaks) throw std::bad_alloc();
      wire_.written_.emplace_back(bytes.begin(), bytes.end());
      if (wire_.takes) return wire_.end(std::move(done), {});
      wire_.write_done_ = std::move(done);
    }
    uint64_t num_read_bytes() const override { return wire_.num_arrived_bytes_; }
    void finish_writing() override { wire_.is_finished = true; }
    void close() override { wire_.close(); }

   private:
    FakeWire& wire_;
  };

  void end(Done done, boost::system::error_code error) {
    boost::asio::post(io_, [done = std::move(done), error] { done(error); });
  }
  void serve_read() {
    if (!read_done_ || incoming_.size() < read_.size()) return;
    const auto last = incoming_.begin() + static_cast<std::ptrdiff_t>(read_.size());
    std::copy(incoming_.begin(), last, read_.begin());
    incoming_.erase(incoming_.begin(), last);
    end(std::exchange(read_done_, nullptr), {});
  }
  void close() {
    is_closed = true;
    end_all(boost::asio::error::operation_aborted);
  }
  void end_all(boost::system::error_code error) {
    for (Done* done : {&read_done_, &write_done_}) {
      if (*done) end(std::exchange(*done, nullptr), error);
    }
  }

  boost::asio::io_context& io_;
  std::deque<uint8_t> incoming_;
  uint64_t num_arrived_bytes_ = 0;
  std::vector<std::vector<uint8_t>> written_;
  std::span<uint8_t> read_;
  Done read_done_, write_done_;
};

}  // namespace vta::rpc

#endif  // VTA_TESTS_UNIT_RUNTIME_RPC_FAKE_CHANNEL_H_
