// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/frame.h"

#include <algorithm>

#include "base/errors/error.h"
#include "base/files/checksum.h"
#include "runtime/rpc/byte_codec.h"

namespace vta::rpc {
namespace {

constexpr size_t kChecksumOffset = 12;

uint32_t checksum_of(std::span<const uint8_t> header, std::span<const uint8_t> body) {
  return crc32(body, crc32(header.first(kChecksumOffset)));
}

}  // namespace

const char* to_string(MessageType type) {
  switch (type) {
#define VTA_RPC_MESSAGE(enumerator, number, name) \
  case MessageType::enumerator:                   \
    return name;
#include "runtime/rpc/message_types.def"
  }
  return "unknown message";
}

bool is_known(uint16_t type) {
  switch (type) {
#define VTA_RPC_MESSAGE(enumerator, number, name) case number:
#include "runtime/rpc/message_types.def"
    return true;
  }
  return false;
}

void write_header(MessageType type, uint32_t id, std::span<uint8_t> frame) {
  const std::span<const uint8_t> body = frame.subspan(kFrameHeaderBytes);
  VTA_ASSERT(body.size() <= kMaxBodyBytes, "the body exceeds the limit of frames");
  ByteWriter header;
  header(static_cast<uint32_t>(body.size()));
  header(static_cast<uint16_t>(type));
  header(uint16_t{0});
  header(id);
  header(checksum_of(header.bytes(), body));
  std::ranges::copy(header.bytes(), frame.begin());
}

std::vector<uint8_t> encode_frame(MessageType type, uint32_t id, std::span<const uint8_t> body) {
  std::vector<uint8_t> frame(kFrameHeaderBytes);
  frame.insert(frame.end(), body.begin(), body.end());
  write_header(type, id, frame);
  return frame;
}

FrameHeader decode_header(const HeaderBytes& bytes, uint32_t max_body_bytes) {
  ByteReader reader("frame header", bytes);
  FrameHeader header;
  uint16_t type = 0, reserved = 0;
  reader(header.body_bytes);
  reader(type);
  reader(reserved);
  reader(header.id);
  reader(header.checksum);
  if (header.body_bytes > max_body_bytes) {
    fail(ErrorCode::kCorrupt, "frame: a body of {} bytes exceeds the limit of {}",
         header.body_bytes, max_body_bytes);
  }
  if (!is_known(type)) fail(ErrorCode::kCorrupt, "frame: unknown message {:#06x}", type);
  if (reserved != 0)
    fail(ErrorCode::kCorrupt, "frame: reserved bytes are {:#06x}, expected 0", reserved);
  header.type = static_cast<MessageType>(type);
  return header;
}

void check_body(const FrameHeader& header, const HeaderBytes& bytes,
                std::span<const uint8_t> body) {
  VTA_ASSERT(body.size() == header.body_bytes, "the body does not match the header");
  const uint32_t checksum = checksum_of(bytes, body);
  if (checksum != header.checksum) {
    fail(ErrorCode::kCorrupt, "{}: checksum {:#010x} in the header, {:#010x} of the bytes",
         to_string(header.type), header.checksum, checksum);
  }
}

}  // namespace vta::rpc
