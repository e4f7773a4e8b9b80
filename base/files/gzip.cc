// SPDX-License-Identifier: Apache-2.0
#include "base/files/gzip.h"

#include <zlib.h>

#include <limits>

#include "base/errors/error.h"

namespace vta {
namespace {

constexpr size_t kChunkBytes = size_t{1} << 20;
constexpr int kGzipOnly = 16;  // added to zlib's window bits

struct Inflater {
  z_stream stream = {};
  Inflater() {
    VTA_ASSERT(inflateInit2(&stream, MAX_WBITS + kGzipOnly) == Z_OK, "zlib has memory");
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
};

}  // namespace

bool is_gzip(std::span<const uint8_t> bytes) {
  return bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

std::vector<uint8_t> gunzip(std::span<const uint8_t> bytes, uint64_t limit_bytes) {
  if (bytes.size() > std::numeric_limits<uInt>::max()) {
    fail(ErrorCode::kCorrupt, "gzip: {} bytes, at most 4 GiB are supported", bytes.size());
  }
  Inflater inflater;
  z_stream& stream = inflater.stream;
  stream.next_in = const_cast<Bytef*>(bytes.data());  // zlib does not write to it
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::vector<uint8_t> content;
  int status = Z_OK;
  while (status == Z_OK) {
    const size_t before = content.size();
    if (before > limit_bytes) {
      fail(ErrorCode::kCorrupt, "gzip: the content has more than {} bytes", limit_bytes);
    }
    content.resize(before + kChunkBytes);
    stream.next_out = content.data() + before;
    stream.avail_out = kChunkBytes;
    status = inflate(&stream, Z_NO_FLUSH);
    content.resize(content.size() - stream.avail_out);
    if (status == Z_OK && content.size() == before) status = Z_BUF_ERROR;  // the input ended
  }
  if (status != Z_STREAM_END) fail(ErrorCode::kCorrupt, "gzip: damaged or truncated");
  if (stream.avail_in != 0) {
    fail(ErrorCode::kCorrupt, "gzip: {} bytes after the end", stream.avail_in);
  }
  if (content.size() > limit_bytes) {
    fail(ErrorCode::kCorrupt, "gzip: the content has more than {} bytes", limit_bytes);
  }
  return content;
}

}  // namespace vta
