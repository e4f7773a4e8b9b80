// SPDX-License-Identifier: Apache-2.0
//
// Frames from strangers: whatever the bytes are, a server's reader and the service behind it either
// refuse them with an Error or do what they say, in bounded memory.
//
// The input is a sequence of frames, as they come from a connection; their checksums are put right
// first, or hardly any would get beyond them.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>

#include "driver/device_memory.h"
#include "runtime/base/checksum.h"
#include "runtime/rpc/client_service.h"

namespace vta::rpc {
namespace {

constexpr uint64_t kDeviceBytes = 1 << 20;
constexpr int kMaxTurns = 4;    // of an evaluation, which may want millions
constexpr int kMaxFrames = 64;  // of an input

// Memory, and runs that do nothing.
class FuzzDevice : public driver::Device {
 public:
  driver::DeviceDescription describe() const override { return {"fuzz", {}}; }
  driver::DeviceAddress allocate(uint64_t size_bytes) override {
    return memory_.allocate(size_bytes);
  }
  void free(driver::DeviceAddress address) override { memory_.free(address); }
  void copy_in(driver::DeviceAddress dst, std::span<const uint8_t> src) override {
    memory_.copy_in(dst, src);
  }
  void copy_out(std::span<uint8_t> dst, driver::DeviceAddress src) override {
    memory_.copy_out(dst, src);
  }
  driver::Counters run(const driver::RunRequest& request) override {
    memory_.resolve(request.arena, request.arena_bytes);
    return {};
  }

 private:
  driver::DeviceMemory memory_{kDeviceBytes};
};

void require(bool condition) {
  if (!condition) std::abort();
}

// What was read must be written as it was: nothing is lost, nothing has two forms.
template <typename Message>
void read_and_write(const Frame& frame) {
  if (frame.header.type != Message::kType) return;
  std::optional<Message> message;
  try {
    message = decode<Message>(frame.body);
  } catch (const Error&) {
    return;
  }
  const std::vector<uint8_t> written = encode(*message, frame.header.id);
  require(std::ranges::equal(std::span(written).subspan(kFrameHeaderBytes), frame.body));
}

void read_and_write_all(const Frame& frame) {
#define VTA_RPC_READ_AND_WRITE(Message) read_and_write<Message>(frame);
  VTA_RPC_FOR_EACH_MESSAGE(VTA_RPC_READ_AND_WRITE)
}

void put_checksum_right(HeaderBytes& header, std::span<const uint8_t> body) {
  const uint32_t checksum = crc32(body, crc32(std::span(header).first(12)));
  for (int i = 0; i < 4; ++i) header[12 + i] = static_cast<uint8_t>(checksum >> 8 * i);
}

// The next frame of `bytes`, which it is taken from; none where the connection would end.
std::optional<Frame> next_frame(std::span<const uint8_t>& bytes) {
  if (bytes.size() < kFrameHeaderBytes) return std::nullopt;
  HeaderBytes raw;
  std::copy_n(bytes.begin(), kFrameHeaderBytes, raw.begin());
  bytes = bytes.subspan(kFrameHeaderBytes);
  Frame frame;
  try {
    frame.header = decode_header(raw, kMaxBodyBytes);
    if (frame.header.body_bytes > bytes.size()) return std::nullopt;
    const auto body = bytes.first(frame.header.body_bytes);
    put_checksum_right(raw, body);
    frame.header = decode_header(raw, kMaxBodyBytes);
    check_body(frame.header, raw, body);
    frame.body.assign(body.begin(), body.end());
  } catch (const Error&) {
    return std::nullopt;
  }
  bytes = bytes.subspan(frame.header.body_bytes);
  return frame;
}

void serve(std::span<const uint8_t> bytes) {
  DeviceSlot slot([] { return std::make_unique<FuzzDevice>(); },
                  [](const Bitstream& bitstream) { return bitstream.file; });
  ServiceLimits limits;
  limits.memory_bytes = kDeviceBytes;
  limits.bitstream_bytes = kDeviceBytes;
  ClientService service(limits);
  for (int i = 0; i < kMaxFrames; ++i) {
    std::optional<Frame> frame = next_frame(bytes);
    if (!frame) break;
    read_and_write_all(*frame);
    CallState call(std::move(*frame));
    for (int turn = 0; turn < kMaxTurns && !service.turn(call, slot); ++turn) {
    }
  }
  service.release(slot);
  require(slot.live_blocks == 0);
}

}  // namespace
}  // namespace vta::rpc

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  vta::rpc::serve({data, size});
  return 0;
}
