// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/node_attributes.h"

#include <cmath>

namespace vta::onnx {
namespace {

const char* to_string(Attribute::Kind kind) {
  constexpr const char* kNames[] = {"a number", "an integer", "a text",
                                    "a tensor", "numbers",    "integers",
                                    "texts",    "a graph",    "of another kind"};
  return kNames[static_cast<int>(kind)];
}

const Attribute& expect(const Attribute& attribute, const char* name, Attribute::Kind kind) {
  if (attribute.kind != kind) {
    fail(ErrorCode::kCorrupt, "attribute '{}' is {}, expected {}", name, to_string(attribute.kind),
         to_string(kind));
  }
  return attribute;
}

}  // namespace

const Attribute* NodeAttributes::attribute(const char* name) {
  asked_.insert(name);
  const auto found = node_.attributes.find(name);
  return found == node_.attributes.end() ? nullptr : &found->second;
}

bool NodeAttributes::has_attr(const char* name) { return attribute(name) != nullptr; }

int64_t NodeAttributes::integer(const char* name, int64_t fallback) {
  const Attribute* found = attribute(name);
  return found == nullptr ? fallback : expect(*found, name, Attribute::Kind::kInt).integer;
}

bool NodeAttributes::flag(const char* name, bool fallback) {
  const int64_t value = integer(name, fallback ? 1 : 0);
  if (value != 0 && value != 1) {
    fail(ErrorCode::kCorrupt, "attribute '{}' is {}, expected 0 or 1", name, value);
  }
  return value == 1;
}

double NodeAttributes::number(const char* name, double fallback) {
  const Attribute* found = attribute(name);
  if (found == nullptr) return fallback;
  const float value = expect(*found, name, Attribute::Kind::kFloat).number;
  if (!std::isfinite(value))
    fail(ErrorCode::kUnsupported, "attribute '{}' is {}, expected a finite number", name, value);
  return value;
}

std::string NodeAttributes::text(const char* name, const char* fallback) {
  const Attribute* found = attribute(name);
  return found == nullptr ? fallback : expect(*found, name, Attribute::Kind::kText).text;
}

std::optional<Dims> NodeAttributes::integers(const char* name) {
  const Attribute* found = attribute(name);
  if (found == nullptr) return std::nullopt;
  return expect(*found, name, Attribute::Kind::kInts).integers;
}

void NodeAttributes::set_branch(const char* name) {
  const Attribute* found = attribute(name);
  if (found == nullptr) fail(ErrorCode::kCorrupt, "attribute '{}' is missing", name);
  branch_ = expect(*found, name, Attribute::Kind::kGraph).graph;
}

void NodeAttributes::refuse_unknown_attributes() const {
  for (const auto& [name, value] : node_.attributes) {
    if (asked_.count(name) == 0) {
      fail(ErrorCode::kUnsupported, "attribute '{}' is not known for version {}", printable(name),
           version_);
    }
  }
}

}  // namespace vta::onnx
