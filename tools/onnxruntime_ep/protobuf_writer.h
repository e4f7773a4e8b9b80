// SPDX-License-Identifier: Apache-2.0
//
// Writes protobuf messages: the few field types that ONNX models need. Source: the encoding that
// protobuf.dev documents. A field is its number and wire type, then its value.
#ifndef VTA_TOOLS_ONNXRUNTIME_EP_PROTOBUF_WRITER_H_
#define VTA_TOOLS_ONNXRUNTIME_EP_PROTOBUF_WRITER_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace vta::onnxruntime_ep {

class ProtobufWriter {
 public:
  void integer(uint32_t field, int64_t value) {
    varint(field << 3 | kVarint);
    varint(static_cast<uint64_t>(value));
  }

  void number(uint32_t field, float value) {
    varint(field << 3 | kFixed32);
    char bytes[sizeof(value)];
    std::memcpy(bytes, &value, sizeof(value));
    bytes_.append(bytes, sizeof(bytes));
  }

  // A text, bytes or a message.
  void text(uint32_t field, std::string_view value) {
    varint(field << 3 | kLength);
    varint(value.size());
    bytes_ += value;
  }
  void message(uint32_t field, const ProtobufWriter& value) { text(field, value.bytes_); }

  const std::string& bytes() const { return bytes_; }

 private:
  static constexpr uint32_t kVarint = 0, kLength = 2, kFixed32 = 5;

  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

}  // namespace vta::onnxruntime_ep

#endif  // VTA_TOOLS_ONNXRUNTIME_EP_PROTOBUF_WRITER_H_
