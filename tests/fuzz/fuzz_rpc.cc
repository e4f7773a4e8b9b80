// SPDX-License-Identifier: Apache-2.0
//
// Frames from untrusted clients: for any bytes, a server's reader and service either reject them
// with an Error or execute them, in bounded memory.
//
// The input is a sequence of frames as received from a connection. Their checksums are corrected
// first, because few mutations would pass them. Most mutations also keep lengths valid and build
// sessions of many calls, so that calls run on the state left by earlier ones.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <random>
#include <span>

#include "base/files/checksum.h"
#include "driver/memory_device.h"
#include "runtime/rpc/client_service.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);  // libFuzzer's

namespace vta::rpc {
namespace {

constexpr uint64_t kDeviceBytes = 1 << 18;
constexpr int kMaxTurns = 4;     // of an evaluation, which may request millions
constexpr int kMaxFrames = 256;  // per input

uint64_t served_frames = 0;  // by this process

// A device with memory whose runs do nothing.
class FuzzDevice : public driver::MemoryDevice {
 public:
  FuzzDevice() : MemoryDevice(kDeviceBytes) {}
  driver::DeviceDescription describe() const override { return {"fuzz", {}}; }
  hw::Counters run(const driver::RunRequest& request) override {
    arena_of(request);
    return {};
  }
};

void require(bool condition) {
  if (!condition) std::abort();
}

// A decoded message must encode to the same bytes: the encoding is lossless and unique.
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

// Removes the next frame from `bytes`; none if the connection would end.
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
  ClientService service(limits, true);
  for (int i = 0; i < kMaxFrames; ++i) {
    std::optional<Frame> frame = next_frame(bytes);
    if (!frame) break;
    ++served_frames;
    read_and_write_all(*frame);
    CallState call(std::move(*frame));
    for (int turn = 0; turn < kMaxTurns && !service.turn(call, slot); ++turn) {
    }
  }
  service.release(slot);
  require(slot.live_blocks == 0);
}

// A frame for mutations: any header, with its body.
using RawFrame = std::vector<uint8_t>;
using Random = std::minstd_rand;

std::vector<RawFrame> split(std::span<const uint8_t> bytes) {
  std::vector<RawFrame> frames;
  while (bytes.size() >= kFrameHeaderBytes) {
    uint32_t body_bytes = 0;
    std::memcpy(&body_bytes, bytes.data(), sizeof(body_bytes));
    const size_t size =
        kFrameHeaderBytes + std::min<size_t>(body_bytes, bytes.size() - kFrameHeaderBytes);
    frames.emplace_back(bytes.begin(), bytes.begin() + size);
    bytes = bytes.subspan(size);
  }
  return frames;
}

size_t join(const std::vector<RawFrame>& frames, std::span<uint8_t> out) {
  size_t used = 0;
  for (const RawFrame& frame : frames) {
    if (frame.size() > out.size() - used) break;
    std::ranges::copy(frame, out.begin() + used);
    const auto body_bytes = static_cast<uint32_t>(frame.size() - kFrameHeaderBytes);
    std::memcpy(&out[used], &body_bytes, sizeof(body_bytes));
    used += frame.size();
  }
  return used;
}

RawFrame random_frame(Random& random) {
  constexpr uint16_t kTypes[] = {
#define VTA_RPC_MESSAGE(enumerator, number, name) number,
#include "runtime/rpc/message_types.def"
  };
  RawFrame frame(kFrameHeaderBytes + random() % 48);
  std::ranges::generate(frame,
                        [&] { return random() % 4 == 0 ? static_cast<uint8_t>(random()) : 0; });
  // Calls, which have the low numbers, are more frequent than messages of servers.
  const size_t calls = std::ranges::lower_bound(kTypes, 0x8000) - std::begin(kTypes);
  const size_t count = random() % 8 == 0 ? std::size(kTypes) : calls;
  const uint16_t type = kTypes[random() % count];
  std::memcpy(&frame[4], &type, sizeof(type));
  std::memset(&frame[6], 0, 2);
  return frame;
}

void mutate_body(RawFrame& frame) {
  constexpr size_t kRoom = 64;
  const size_t size = frame.size() - kFrameHeaderBytes;
  frame.resize(frame.size() + kRoom);
  frame.resize(kFrameHeaderBytes +
               LLVMFuzzerMutate(frame.data() + kFrameHeaderBytes, size, size + kRoom));
}

void mutate(std::vector<RawFrame>& frames, Random& random) {
  const auto any = [&] { return random() % frames.size(); };
  const auto place = [&] {
    return frames.begin() + static_cast<ptrdiff_t>(random() % (frames.size() + 1));
  };
  if (frames.empty()) frames.push_back(random_frame(random));
  switch (random() % 6) {
    case 0:
      frames.insert(place(), random_frame(random));
      break;
    case 1: {  // repeat an earlier frame
      const size_t first = any(), count = 1 + random() % (frames.size() - first);
      const std::vector<RawFrame> again(frames.begin() + first, frames.begin() + first + count);
      frames.insert(place(), again.begin(), again.end());
      break;
    }
    case 2:
      frames.erase(frames.begin() + static_cast<ptrdiff_t>(any()));
      break;
    case 3:
      std::swap(frames[any()], frames[any()]);
      break;
    default:
      mutate_body(frames[any()]);
  }
}

size_t mutate_session(std::span<uint8_t> bytes, size_t size, unsigned seed) {
  Random random(seed);
  if (random() % 8 == 0) return LLVMFuzzerMutate(bytes.data(), size, bytes.size());
  std::vector<RawFrame> frames = split(bytes.first(size));
  for (uint32_t left = 1 + random() % 4; left > 0; --left) mutate(frames, random);
  return join(frames, bytes);
}

}  // namespace
}  // namespace vta::rpc

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  std::atexit([] {
    std::fprintf(stderr, "stat::frames: %llu\n",
                 static_cast<unsigned long long>(vta::rpc::served_frames));
  });
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  return vta::rpc::mutate_session({data, max_size}, size, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  vta::rpc::serve({data, size});
  return 0;
}
