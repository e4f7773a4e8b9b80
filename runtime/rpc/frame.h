// SPDX-License-Identifier: Apache-2.0
//
// Frames: what goes over the connection, in both directions. A header of 16 bytes, then the body,
// which is one message (README.md, "Frames").
#ifndef VTA_RUNTIME_RPC_FRAME_H_
#define VTA_RUNTIME_RPC_FRAME_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace vta::rpc {

enum class MessageType : uint16_t {
#define VTA_RPC_MESSAGE(enumerator, number, name) enumerator = number,
#include "runtime/rpc/message_types.def"
};

// "copy_in", "run reply"; "unknown message" for numbers that are in no list.
const char* to_string(MessageType type);
bool is_known(uint16_t type);

inline constexpr uint32_t kFrameHeaderBytes = 16;
inline constexpr uint32_t kMaxChunkBytes = 65536;              // of device memory in one frame
inline constexpr uint32_t kMaxBodyBytes = kMaxChunkBytes + 8;  // a chunk and its address
inline constexpr uint32_t kMaxHelloBodyBytes = 512;            // what a server reads of strangers

// How many calls a client has under way at most, and how many a server puts up with: replies may
// be on their way.
inline constexpr uint32_t kClientWindow = 8;
inline constexpr uint32_t kServerWindow = 16;

struct FrameHeader {
  uint32_t body_bytes = 0;
  MessageType type = MessageType::kError;
  uint32_t id = 0;        // a reply has that of its call
  uint32_t checksum = 0;  // CRC-32 of the twelve bytes before it and the body
};

struct Frame {
  FrameHeader header;
  std::vector<uint8_t> body;
};

using HeaderBytes = std::array<uint8_t, kFrameHeaderBytes>;

// Writes the header of a frame whose body, of at most kMaxBodyBytes, is behind it already: a chunk
// is copied once on its way into a frame.
void write_header(MessageType type, uint32_t id, std::span<uint8_t> frame);

// Header and body in one piece.
std::vector<uint8_t> encode_frame(MessageType type, uint32_t id, std::span<const uint8_t> body);

// Errors: kCorrupt if the body is larger than `max_body_bytes`, the type is in no list or the
// reserved bytes are not 0. To be called before anything is allocated for the body.
FrameHeader decode_header(const HeaderBytes& bytes, uint32_t max_body_bytes);

// Errors: kCorrupt if the checksum is another one. `bytes`: what `header` was decoded from.
void check_body(const FrameHeader& header, const HeaderBytes& bytes, std::span<const uint8_t> body);

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_FRAME_H_
