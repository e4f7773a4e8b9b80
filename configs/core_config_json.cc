// SPDX-License-Identifier: Apache-2.0
//
// The two JSON forms of a core: the project's own and VTA's vta_config.json.
#include <algorithm>
#include <bit>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "configs/config_fields.h"
#include "configs/config_files.h"
#include "configs/core_config.h"
#include "configs/core_fields.h"

namespace vta {
namespace {

CoreConfig read_own_form(ObjectReader& fields) {
  CoreConfig core;
  core.name = read_config_name(fields, "name");
  for (const CoreField& field : kCoreFields) {
    if (field.optional && !fields.has(field.key)) continue;
    core.*field.member = read_uint32(fields, field.key, 1, field.max);
  }
  core.extension = fields.boolean("extension");
  fields.refuse_unknown_keys();
  return core;
}

// Queue depths of VTA's designs, which its configuration does not contain.
constexpr uint32_t kVtaCommandQueueDepth = 512;
constexpr uint32_t kVtaTokenQueueDepth = 1023;

// Keys of some versions of VTA that do not concern the core.
constexpr const char* kIgnoredVtaKeys[] = {"TARGET", "HW_VER", "HW_FREQ", "HW_CLK_TARGET"};

void require_vta_width(ObjectReader& fields, const char* key, uint32_t supported) {
  const uint32_t log2_bits = read_uint32(fields, key, 0, 31);
  if (log2_bits != supported) {
    fail(ErrorCode::kUnsupported, "{} is {} ({} bits), only {} ({} bits) is supported", key,
         log2_bits, uint64_t{1} << log2_bits, supported, uint64_t{1} << supported);
  }
}

uint32_t take_power_of_two(ObjectReader& fields, const char* key, uint32_t max) {
  uint32_t max_log2 = 0;
  while ((uint32_t{2} << max_log2) <= max) ++max_log2;
  return uint32_t{1} << read_uint32(fields, key, 0, max_log2);
}

// LOG_BLOCK, or one key for each side, or all three, as `vta_config.py --cfg-json` prints them.
void read_vta_block(ObjectReader& fields, CoreConfig& core) {
  const bool has_sides = fields.has("LOG_BLOCK_IN") || fields.has("LOG_BLOCK_OUT");
  const bool has_both = fields.has("LOG_BLOCK");
  if (has_sides) {
    core.block_in = take_power_of_two(fields, "LOG_BLOCK_IN", kMaxBlock);
    core.block_out = take_power_of_two(fields, "LOG_BLOCK_OUT", kMaxBlock);
  }
  if (has_sides && !has_both) return;
  const uint32_t block = take_power_of_two(fields, "LOG_BLOCK", kMaxBlock);
  if (has_sides && (core.block_in != block || core.block_out != block)) {
    fail(ErrorCode::kInvalidArgument,
         "LOG_BLOCK is {}, but LOG_BLOCK_IN is {} and LOG_BLOCK_OUT {}; must be equal, or leave "
         "LOG_BLOCK out",
         std::countr_zero(block), std::countr_zero(core.block_in),
         std::countr_zero(core.block_out));
  }
  core.block_in = core.block_out = block;
}

// OUT has no size of its own here: it is as deep as ACC, with a byte for each of its int32.
void check_vta_out_buffer(ObjectReader& fields, const CoreConfig& core) {
  if (!fields.has("LOG_OUT_BUFF_SIZE")) return;
  constexpr uint32_t kMaxLog2 = 31;
  const uint32_t log2_bytes = read_uint32(fields, "LOG_OUT_BUFF_SIZE", 0, kMaxLog2);
  const int expected = std::countr_zero(core.acc_buffer_bytes) - 2;
  if (static_cast<int>(log2_bytes) == expected) return;
  fail(ErrorCode::kUnsupported,
       "LOG_OUT_BUFF_SIZE is {}, must be {}: OUT is as deep as ACC (LOG_ACC_BUFF_SIZE - 2)",
       log2_bytes, expected);
}

CoreConfig read_vta_form(ObjectReader& fields, std::vector<std::string>* notes) {
  for (const char* key : kIgnoredVtaKeys) {
    if (!fields.has(key)) continue;
    const std::string value = shown(fields.value(key));
    if (notes != nullptr) notes->push_back(fmt::format("{} {} is ignored", key, value));
  }
  require_vta_width(fields, "LOG_INP_WIDTH", 3);
  require_vta_width(fields, "LOG_WGT_WIDTH", 3);
  require_vta_width(fields, "LOG_ACC_WIDTH", 5);
  if (fields.has("LOG_OUT_WIDTH")) require_vta_width(fields, "LOG_OUT_WIDTH", 3);

  CoreConfig core;
  core.batch = take_power_of_two(fields, "LOG_BATCH", kMaxBlock);
  read_vta_block(fields, core);
  core.uop_buffer_bytes = take_power_of_two(fields, "LOG_UOP_BUFF_SIZE", kMaxBufferBytes);
  core.inp_buffer_bytes = take_power_of_two(fields, "LOG_INP_BUFF_SIZE", kMaxBufferBytes);
  core.wgt_buffer_bytes = take_power_of_two(fields, "LOG_WGT_BUFF_SIZE", kMaxBufferBytes);
  core.acc_buffer_bytes = take_power_of_two(fields, "LOG_ACC_BUFF_SIZE", kMaxBufferBytes);
  check_vta_out_buffer(fields, core);
  core.command_queue_depth = kVtaCommandQueueDepth;
  core.token_queue_depth = kVtaTokenQueueDepth;
  core.extension = false;
  fields.refuse_unknown_keys();
  return core;
}

// VTA's files have no name key: the file's name is used if it is legal.
std::string vta_core_name(const std::string& origin) {
  const std::string stem = std::filesystem::path(origin).stem().string();
  return is_config_name(stem) ? stem : "vta_config";
}

}  // namespace

CoreConfig parse_core_config(const std::string& json_text, const std::string& origin,
                             std::vector<std::string>* notes) {
  return with_context(origin, [&] {
    const Json object = parse_json_object(json_text, "a core configuration");
    ObjectReader fields(object);
    const bool is_vta_form = std::ranges::any_of(
        object.items(), [](const auto& item) { return item.key().starts_with("LOG_"); });
    CoreConfig core = is_vta_form ? read_vta_form(fields, notes) : read_own_form(fields);
    if (is_vta_form) core.name = vta_core_name(origin);
    check(core);
    return core;
  });
}

CoreConfig load_core_config(const std::string& name, std::vector<std::string>* notes) {
  const std::filesystem::path path = find_config_file("cores", "core", name);
  return parse_core_config(read_text_file(path, kMaxConfigFileBytes), path.string(), notes);
}

std::vector<std::string> installed_core_names() { return installed_config_names("cores"); }

std::string to_json(const CoreConfig& config) {
  Json object;
  object["name"] = config.name;
  for (const CoreField& field : kCoreFields) {
    if (field.optional && config.*field.member == 1) continue;
    object[field.key] = config.*field.member;
  }
  object["extension"] = config.extension;
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vta
