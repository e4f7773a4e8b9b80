// SPDX-License-Identifier: Apache-2.0
//
// Frames: the unit of transfer in both directions. A header of 16 bytes and a body, which is one
// message (README.md, "Frames").
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

// "copy_in", "run reply"; "unknown message" for unlisted numbers.
const char* to_string(MessageType type);
bool is_known(uint16_t type);

inline constexpr uint32_t kFrameHeaderBytes = 16;
inline constexpr uint32_t kMaxChunkBytes = 65536;              // of device memory in one frame
inline constexpr uint32_t kMaxBodyBytes = kMaxChunkBytes + 8;  // a chunk and its address
inline constexpr uint32_t kMaxHelloBodyBytes = 512;            // limit for unauthenticated clients

// The maximum number of calls that a client has in flight, and that a server accepts: replies may
// be in flight.
inline constexpr uint32_t kClientWindow = 8;
inline constexpr uint32_t kServerWindow = 16;

struct FrameHeader {
  uint32_t body_bytes = 0;
  MessageType type = MessageType::kError;
  uint32_t id = 0;        // a reply repeats the id of its call
  uint32_t checksum = 0;  // CRC-32 of the twelve bytes before it and the body
};

struct Frame {
  FrameHeader header;
  std::vector<uint8_t> body;
};

using HeaderBytes = std::array<uint8_t, kFrameHeaderBytes>;

// Writes the header of a frame whose body, of at most kMaxBodyBytes, already follows it: a chunk is
// copied only once into a frame.
void write_header(MessageType type, uint32_t id, std::span<uint8_t> frame);

// Returns header and body.
std::vector<uint8_t> encode_frame(MessageType type, uint32_t id, std::span<const uint8_t> body);

// Errors: kCorrupt if the body is larger than `max_body_bytes`, the type is unlisted or the
// reserved bytes are not 0. Call it before allocating memory for the body.
FrameHeader decode_header(const HeaderBytes& bytes, uint32_t max_body_bytes);

// Errors: kCorrupt if the checksum differs. `bytes`: the encoded `header`.
void check_body(const FrameHeader& header, const HeaderBytes& bytes, std::span<const uint8_t> body);

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_FRAME_H_
