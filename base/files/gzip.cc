// SPDX-License-Identifier: Apache-2.0
#include "base/files/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "base/errors/counted.h"
#include "base/errors/error.h"

namespace vta {
namespace {

constexpr size_t kChunkBytes = size_t{1} << 20;
constexpr int kGzipOnly = 16;  // added to zlib's window bits

// The content of a gzip file, in parts.
class Inflater {
 public:
  explicit Inflater(std::span<const uint8_t> bytes) {
    VTA_ASSERT(inflateInit2(&stream_, MAX_WBITS + kGzipOnly) == Z_OK, "zlib has memory");
    stream_.next_in = const_cast<Bytef*>(bytes.data());  // zlib does not write to it
    stream_.avail_in = static_cast<uInt>(bytes.size());
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Returns how many bytes of `target` it has filled; fewer than all at the end and at damage.
  size_t read(std::span<uint8_t> target) {
    stream_.next_out = target.data();
    stream_.avail_out = static_cast<uInt>(target.size());
    while (status_ == Z_OK && stream_.avail_out > 0) {
      const uInt before = stream_.avail_out;
      status_ = inflate(&stream_, Z_NO_FLUSH);
      if (status_ == Z_OK && stream_.avail_out == before) status_ = Z_BUF_ERROR;  // no more input
    }
    return target.size() - stream_.avail_out;
  }

  // At the end of the member, whose checksum zlib has compared.
  bool is_complete() const { return status_ == Z_STREAM_END; }
  size_t input_left() const { return stream_.avail_in; }

 private:
  z_stream stream_ = {};
  int status_ = Z_OK;
};

// The size of the content. Errors: as gunzip().
uint64_t checked_size(std::span<const uint8_t> bytes, uint64_t limit_bytes) {
  Inflater inflater(bytes);
  std::vector<uint8_t> part(kChunkBytes);
  uint64_t size = 0;
  while (const size_t count = inflater.read(part)) {
    size += count;
    if (size > limit_bytes)
      fail(ErrorCode::kCorrupt, "gzip: the content has more than {} bytes", limit_bytes);
  }
  if (!inflater.is_complete()) fail(ErrorCode::kCorrupt, "gzip: damaged or truncated");
  if (inflater.input_left() != 0)
    fail(ErrorCode::kCorrupt, "gzip: {} after the end", counted(inflater.input_left(), "byte"));
  return size;
}

}  // namespace

bool is_gzip(std::span<const uint8_t> bytes) {
  return bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

std::vector<uint8_t> gunzip(std::span<const uint8_t> bytes, uint64_t limit_bytes) {
  if (bytes.size() > std::numeric_limits<uInt>::max()) {
    fail(ErrorCode::kCorrupt, "gzip: {} bytes, at most 4 GiB are supported", bytes.size());
  }
  std::vector<uint8_t> content(checked_size(bytes, limit_bytes));
  Inflater(bytes).read(content);
  return content;
}

std::vector<uint8_t> gunzip_start(std::span<const uint8_t> bytes, size_t count) {
  std::vector<uint8_t> content(count);
  content.resize(Inflater(bytes.first(std::min(bytes.size(), kChunkBytes))).read(content));
  return content;
}

}  // namespace vta
