// SPDX-License-Identifier: Apache-2.0
//
// The two JSON forms of a core: the project's own and VTA's vta_config.json.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "configs/core_config.h"
#include "configs/core_fields.h"
#include "runtime/base/error.h"
#include "runtime/base/strict_json.h"

namespace vta {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxTextBytes = 1 << 20;
constexpr size_t kMaxShownChars = 40;  // of a wrong value in a message

std::string shown(const Json& value) {
  std::string text = value.dump(-1, ' ', /*ensure_ascii=*/true);
  if (text.size() > kMaxShownChars) text = text.substr(0, kMaxShownChars) + "...";
  return text;
}

Json parse_object(const std::string& text) {
  if (text.size() > kMaxTextBytes) {
    fail(ErrorCode::kCorrupt, "{} bytes, more than the {} of a core configuration", text.size(),
         kMaxTextBytes);
  }
  Json object = parse_strict_json(text);
  if (!object.is_object()) {
    fail(ErrorCode::kCorrupt, "{} where an object {{...}} is expected", shown(object));
  }
  return object;
}

// Takes the keys of an object one after another; what nobody took is unknown.
class KeyReader {
 public:
  explicit KeyReader(Json object) : object_(std::move(object)) {}

  bool has(const char* key) const { return object_.contains(key); }

  bool has_prefix(const std::string& prefix) const {
    return std::any_of(object_.items().begin(), object_.items().end(),
                       [&](const auto& item) { return item.key().starts_with(prefix); });
  }

  Json take(const char* key) {
    const auto found = object_.find(key);
    if (found == object_.end()) {
      fail(ErrorCode::kInvalidArgument, "key \"{}\" is missing", key);
    }
    Json value = *found;
    object_.erase(found);
    return value;
  }

  uint32_t take_number(const char* key, uint32_t min, uint32_t max) {
    const Json value = take(key);
    const bool fits =
        value.is_number_unsigned() && value.get<uint64_t>() >= min && value.get<uint64_t>() <= max;
    if (!fits) {
      fail(ErrorCode::kInvalidArgument, "{} is {}, must be a whole number from {} to {}", key,
           shown(value), min, max);
    }
    return value.get<uint32_t>();
  }

  bool take_bool(const char* key) {
    const Json value = take(key);
    if (!value.is_boolean()) {
      fail(ErrorCode::kInvalidArgument, "{} is {}, must be true or false", key, shown(value));
    }
    return value.get<bool>();
  }

  std::string take_name(const char* key) {
    const Json value = take(key);
    if (!value.is_string() || !is_core_name(value.get<std::string>())) {
      fail(ErrorCode::kInvalidArgument,
           "{} is {}, must be 1 to {} letters, digits, '_', '-', '.' or '+'", key, shown(value),
           kMaxCoreNameChars);
    }
    return value.get<std::string>();
  }

  void refuse_rest() const {
    if (object_.empty()) return;
    fail(ErrorCode::kInvalidArgument, "key {} is unknown",
         shown(Json(object_.items().begin().key())));
  }

 private:
  Json object_;
};

CoreConfig read_own_form(KeyReader keys) {
  CoreConfig core;
  core.name = keys.take_name("name");
  for (const CoreField& field : kCoreFields) {
    core.*field.member = keys.take_number(field.key, 1, field.max);
  }
  core.extension = keys.take_bool("extension");
  keys.refuse_rest();
  return core;
}

// Depths of the queues of VTA's designs, which its configuration does not state.
constexpr uint32_t kVtaCommandQueueDepth = 512;
constexpr uint32_t kVtaTokenQueueDepth = 1023;

// Keys of some versions of VTA that say nothing about this core.
constexpr const char* kIgnoredVtaKeys[] = {"TARGET", "HW_VER", "HW_FREQ", "HW_CLK_TARGET"};

void require_vta_width(KeyReader& keys, const char* key, uint32_t supported) {
  const uint32_t log2_bits = keys.take_number(key, 0, 31);
  if (log2_bits != supported) {
    fail(ErrorCode::kUnsupported, "{} is {} ({} bits), only {} ({} bits) is supported", key,
         log2_bits, uint64_t{1} << log2_bits, supported, uint64_t{1} << supported);
  }
}

uint32_t take_power_of_two(KeyReader& keys, const char* key, uint32_t max) {
  uint32_t max_log2 = 0;
  while ((uint32_t{2} << max_log2) <= max) ++max_log2;
  return uint32_t{1} << keys.take_number(key, 0, max_log2);
}

void read_vta_block(KeyReader& keys, CoreConfig& core) {
  if (keys.has("LOG_BLOCK_IN") || keys.has("LOG_BLOCK_OUT")) {
    if (keys.has("LOG_BLOCK")) {
      fail(ErrorCode::kInvalidArgument,
           "LOG_BLOCK stands beside LOG_BLOCK_IN or LOG_BLOCK_OUT; one form or the other");
    }
    core.block_in = take_power_of_two(keys, "LOG_BLOCK_IN", kMaxBlock);
    core.block_out = take_power_of_two(keys, "LOG_BLOCK_OUT", kMaxBlock);
  } else {
    core.block_in = core.block_out = take_power_of_two(keys, "LOG_BLOCK", kMaxBlock);
  }
}

CoreConfig read_vta_form(KeyReader keys, std::vector<std::string>* notes) {
  for (const char* key : kIgnoredVtaKeys) {
    if (!keys.has(key)) continue;
    const std::string value = shown(keys.take(key));
    if (notes != nullptr) notes->push_back(fmt::format("{} {} is ignored", key, value));
  }
  require_vta_width(keys, "LOG_INP_WIDTH", 3);
  require_vta_width(keys, "LOG_WGT_WIDTH", 3);
  require_vta_width(keys, "LOG_ACC_WIDTH", 5);
  if (keys.has("LOG_OUT_WIDTH")) require_vta_width(keys, "LOG_OUT_WIDTH", 3);

  CoreConfig core;
  core.batch = take_power_of_two(keys, "LOG_BATCH", kMaxBlock);
  read_vta_block(keys, core);
  core.uop_buffer_bytes = take_power_of_two(keys, "LOG_UOP_BUFF_SIZE", kMaxBufferBytes);
  core.inp_buffer_bytes = take_power_of_two(keys, "LOG_INP_BUFF_SIZE", kMaxBufferBytes);
  core.wgt_buffer_bytes = take_power_of_two(keys, "LOG_WGT_BUFF_SIZE", kMaxBufferBytes);
  core.acc_buffer_bytes = take_power_of_two(keys, "LOG_ACC_BUFF_SIZE", kMaxBufferBytes);
  core.command_queue_depth = kVtaCommandQueueDepth;
  core.token_queue_depth = kVtaTokenQueueDepth;
  core.extension = false;
  keys.refuse_rest();
  return core;
}

// VTA's files carry no name: the file's own, if it is one.
std::string vta_core_name(const std::string& origin) {
  const std::string stem = std::filesystem::path(origin).stem().string();
  return is_core_name(stem) ? stem : "vta_config";
}

}  // namespace

CoreConfig parse_core_config(const std::string& json_text, const std::string& origin,
                             std::vector<std::string>* notes) {
  return with_context(origin, [&] {
    KeyReader keys(parse_object(json_text));
    const bool is_vta_form = keys.has_prefix("LOG_");
    CoreConfig core =
        is_vta_form ? read_vta_form(std::move(keys), notes) : read_own_form(std::move(keys));
    if (is_vta_form) core.name = vta_core_name(origin);
    check(core);
    return core;
  });
}

std::string to_json(const CoreConfig& config) {
  Json object;
  object["name"] = config.name;
  for (const CoreField& field : kCoreFields) object[field.key] = config.*field.member;
  object["extension"] = config.extension;
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vta
