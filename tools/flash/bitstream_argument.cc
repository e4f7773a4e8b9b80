// SPDX-License-Identifier: Apache-2.0
#include "tools/flash/bitstream_argument.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "driver/flash/bitstream.h"
#include "driver/flash/shipped_bitstreams.h"

namespace vta {
namespace {

bool is_shipped_name(const std::string& argument) {
  std::error_code ignored;  // a file that cannot be examined is opened, which gives the error
  return argument.find('/') == std::string::npos && !argument.ends_with(".bit") &&
         !std::filesystem::exists(argument, ignored);
}

BitstreamArgument shipped(const std::string& name, const std::string& board,
                          const std::string& core) {
  driver::ShippedBitstream found =
      driver::load_shipped_bitstream(name, board, driver::bitstream_folders());
  if (!core.empty() && core != found.core) {
    fail(ErrorCode::kInvalidArgument, "bitstream {} has core {}, --core is {}", found.name,
         found.core, core);
  }
  return {found.name, std::move(found.bit_file), found.core, found.clock_hz,
          fmt::format("{}: {:.6g} MHz, clock class '{}'; {}\n", found.name, found.clock_hz / 1e6,
                      found.clock_class, found.silicon)};
}

}  // namespace

BitstreamArgument read_bitstream_argument(const std::string& argument, const std::string& board,
                                          const std::string& core) {
  if (is_shipped_name(argument)) return shipped(argument, board, core);
  return {argument, read_file(argument, driver::kMaxBitstreamBytes), core, 0, ""};
}

}  // namespace vta
