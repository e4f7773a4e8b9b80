// SPDX-License-Identifier: Apache-2.0
#include "driver/flash/shipped_bitstreams.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "base/errors/error.h"
#include "base/files/content_key.h"
#include "base/files/file.h"
#include "base/files/gzip.h"
#include "base/files/installation.h"
#include "configs/config_fields.h"
#include "configs/config_files.h"
#include "driver/flash/bitstream.h"

namespace vta::driver {
namespace fs = std::filesystem;
namespace {

constexpr uint32_t kMaxClockHz = 1'000'000'000;

struct Manifest {
  ShippedBitstream bitstream;  // without its bit_file
  std::string bit_sha256, gzip_sha256;
};

// The other keys say how the bitstream was made; no program needs them.
Manifest read_manifest(const fs::path& file) {
  return with_context(file.string(), [&] {
    Manifest manifest;
    const Json object =
        parse_json_object(read_text_file(file, kMaxConfigFileBytes), "a bitstream's manifest");
    ObjectReader fields(object);
    ShippedBitstream& bitstream = manifest.bitstream;
    bitstream.name = fields.text("name");
    bitstream.core = read_config_name(fields, "core");
    bitstream.boards = fields.texts("boards");
    bitstream.clock_hz = read_uint32(fields, "clock_hz", 1, kMaxClockHz);
    bitstream.clock_class = fields.text("clock_class");
    bitstream.silicon = fields.text("silicon");
    manifest.bit_sha256 = fields.text("bit_sha256");
    manifest.gzip_sha256 = fields.text("gzip_sha256");
    if (bitstream.name != file.stem().string()) {
      fail(ErrorCode::kCorrupt, "name is '{}', expected that of the file, '{}'", bitstream.name,
           file.stem().string());
    }
    return manifest;
  });
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".json") names.push_back(entry->path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

bool is_for(const ShippedBitstream& bitstream, const std::string& board) {
  return std::ranges::find(bitstream.boards, board) != bitstream.boards.end();
}

// The manifest of `name` in `folder`; of the board's fastest clock if the name has none. That of
// another board if there is no other, for an error that names it.
std::optional<Manifest> find_manifest(const std::string& name, const std::string& board,
                                      const fs::path& folder) {
  std::optional<Manifest> found;
  const auto rank = [&](const ShippedBitstream& it) {
    return std::pair(is_for(it, board), it.clock_hz);
  };
  for (const std::string& candidate : names_in(folder)) {
    if (candidate != name && !candidate.starts_with(name + "@")) continue;
    Manifest manifest = read_manifest(folder / (candidate + ".json"));
    if (!found || rank(manifest.bitstream) > rank(found->bitstream)) found = std::move(manifest);
  }
  return found;
}

void check_sha256(const fs::path& file, const char* what, std::span<const uint8_t> bytes,
                  const std::string& expected) {
  const std::string found =
      sha256_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (found == expected) return;
  fail(ErrorCode::kCorrupt,
       "{}: the SHA-256 of {} is {}, its manifest has {}; the file is damaged: install it again",
       file.string(), what, found, expected);
}

std::vector<uint8_t> read_bit_file(const Manifest& manifest, const fs::path& folder) {
  const fs::path file = folder / (manifest.bitstream.name + ".bit.gz");
  const std::vector<uint8_t> packed = read_file(file, kMaxBitstreamBytes);
  check_sha256(file, "the file", packed, manifest.gzip_sha256);
  std::vector<uint8_t> bit_file =
      with_context(file.string(), [&] { return gunzip(packed, kMaxBitstreamBytes); });
  check_sha256(file, "the bitstream in it", bit_file, manifest.bit_sha256);
  return bit_file;
}

[[noreturn]] void refuse_board(const ShippedBitstream& bitstream, const std::string& board) {
  fail(ErrorCode::kInvalidArgument, "bitstream {} is for {}, not for board '{}'", bitstream.name,
       fmt::join(bitstream.boards, ", "), board);
}

}  // namespace

std::vector<fs::path> bitstream_folders() {
  std::vector<fs::path> folders;
  if (const auto prefix = installation_prefix())
    folders.push_back(*prefix / VTA_INSTALLED_BITSTREAMS);
  folders.emplace_back(VTA_SOURCE_BITSTREAMS);
  std::erase_if(folders, [](const fs::path& folder) {
    std::error_code ignored;  // an unreadable folder counts as absent
    return !fs::is_directory(folder, ignored);
  });
  return folders;
}

std::vector<std::string> shipped_names(const std::vector<fs::path>& folders) {
  std::set<std::string> names;
  for (const fs::path& folder : folders) {
    for (const std::string& name : names_in(folder)) names.insert(name);
  }
  return {names.begin(), names.end()};
}

ShippedBitstream load_shipped_bitstream(const std::string& name, const std::string& board,
                                        const std::vector<fs::path>& folders) {
  std::optional<ShippedBitstream> foreign;  // for another board
  for (const fs::path& folder : folders) {
    std::optional<Manifest> manifest = find_manifest(name, board, folder);
    if (!manifest) continue;
    if (!is_for(manifest->bitstream, board)) {
      foreign = std::move(manifest->bitstream);
      continue;
    }
    manifest->bitstream.bit_file = read_bit_file(*manifest, folder);
    return std::move(manifest->bitstream);
  }
  if (foreign) refuse_board(*foreign, board);
  const std::vector<std::string> names = shipped_names(folders);
  fail(ErrorCode::kNotFound, "'{}' is neither a file nor a bitstream that ships: {}", name,
       names.empty() ? "none is installed" : fmt::format("{}", fmt::join(names, ", ")));
}

}  // namespace vta::driver
