// SPDX-License-Identifier: Apache-2.0
#include "configs/board_config.h"

#include <nlohmann/json.hpp>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "configs/config_fields.h"
#include "configs/config_files.h"

namespace vta {
namespace {

constexpr uint32_t kMinClockHz = 1'000'000, kMaxClockHz = 1'000'000'000;
constexpr uint32_t kPageBytes = 4096;

// A multiple of the page size, so that it can be mapped.
uint32_t take_pages(ObjectReader& fields, const char* key) {
  const uint32_t bytes = read_uint32(fields, key, kPageBytes, UINT32_MAX);
  if (bytes % kPageBytes != 0) {
    fail(ErrorCode::kInvalidArgument, "{} is {}, must be a multiple of {}", key, bytes, kPageBytes);
  }
  return bytes;
}

BoardConfig read_board(ObjectReader& fields) {
  BoardConfig board;
  board.name = read_config_name(fields, "name");
  board.part = read_config_name(fields, "part");
  board.core = read_config_name(fields, "core");
  board.clock_hz = read_uint32(fields, "clock_hz", kMinClockHz, kMaxClockHz);
  board.fast_clock_hz = read_uint32(fields, "fast_clock_hz", board.clock_hz, kMaxClockHz);
  board.ps_clock_hz = read_uint32(fields, "ps_clock_hz", kMinClockHz, kMaxClockHz);
  board.memory_bytes = take_pages(fields, "memory_bytes");
  board.arena_limit_bytes = take_pages(fields, "arena_limit_bytes");
  board.registers_base = read_address(fields, "registers_base");
  board.registers_bytes = take_pages(fields, "registers_bytes");
  fields.refuse_unknown_keys();
  if (board.arena_limit_bytes > board.memory_bytes) {
    fail(ErrorCode::kInvalidArgument, "arena_limit_bytes is {}, more than memory_bytes, {}",
         board.arena_limit_bytes, board.memory_bytes);
  }
  if (board.registers_base % kPageBytes != 0 || board.registers_base < board.memory_bytes) {
    fail(ErrorCode::kInvalidArgument,
         "registers_base is {:#x}, must be a multiple of {} beyond the memory's {:#x}",
         board.registers_base, kPageBytes, board.memory_bytes);
  }
  return board;
}

}  // namespace

BoardConfig parse_board_config(const std::string& json_text, const std::string& origin) {
  return with_context(origin, [&] {
    const Json object = parse_json_object(json_text, "a board configuration");
    ObjectReader fields(object);
    return read_board(fields);
  });
}

BoardConfig load_board_config(const std::string& name) {
  const std::filesystem::path path = find_config_file("boards", "board", name);
  return parse_board_config(read_text_file(path, kMaxConfigFileBytes), path.string());
}

}  // namespace vta
