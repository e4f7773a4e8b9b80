// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/interpreted.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors/error.h"
#include "hw/hlsc/ir/interpreter.h"

namespace vta::kernels {
namespace {

llvm::APInt bits(const Item& item) {
  if (item.empty()) return llvm::APInt(1, 1);  // a token
  llvm::APInt result(static_cast<unsigned>(8 * item.size()), 0);
  for (unsigned i = 0; i < item.size(); ++i) {
    result.insertBits(llvm::APInt(8, item[i]), 8 * i);
  }
  return result;
}

Item bytes(const llvm::APInt& value) {
  Item item(value.getBitWidth() / 8);
  for (unsigned i = 0; i < item.size(); ++i) {
    item[i] = static_cast<uint8_t>(value.extractBitsAsZExtValue(8, 8 * i));
  }
  return item;
}

std::string text(const Item& item) {
  std::string result = "0x";
  for (size_t i = item.size(); i-- > 0;) result += fmt::format("{:02x}", item[i]);
  return result;
}

std::string difference(const std::vector<Item>& expected, const std::vector<Item>& actual) {
  const size_t both = std::min(expected.size(), actual.size());
  for (size_t i = 0; i < both; ++i) {
    if (expected[i] != actual[i]) {
      return fmt::format("item {} is {}, not {}", i, text(actual[i]), text(expected[i]));
    }
  }
  if (expected.size() == actual.size()) return "";
  return fmt::format("{} items, not {}", actual.size(), expected.size());
}

// An object that nothing reads is not in the design.
bool has_object(const hlsc::ir::Design& design, const std::string& name) {
  const auto named = [&](const hlsc::ir::Object& object) { return object.name == name; };
  return std::any_of(design.objects.begin(), design.objects.end(), named);
}

}  // namespace

Outcome interpret(const hlsc::ir::Design& design, const Trial& trial, uint64_t seed) {
  hlsc::ir::Interpreter interpreter(design, seed);
  interpreter.dram() = trial.dram_before;
  for (const auto& [name, value] : trial.constants) {
    if (has_object(design, name)) interpreter.set_input(name, bits(value));
  }
  for (const auto& [name, items] : trial.inputs) {
    for (const Item& item : items) interpreter.offer(name, bits(item));
  }
  if (!interpreter.run(20'000'000)) {
    fail(ErrorCode::kInvalidArgument, "{}: does not end within 20,000,000 operations", design.name);
  }
  Outcome outcome;
  for (const auto& [name, unused] : trial.outputs) {
    for (const llvm::APInt& item : interpreter.take(name)) {
      outcome.outputs[name].push_back(bytes(item));
    }
  }
  outcome.dram = interpreter.dram();
  return outcome;
}

std::string difference(const Trial& expected, const Outcome& outcome) {
  for (const auto& [name, items] : expected.outputs) {
    const auto found = outcome.outputs.find(name);
    const std::string text =
        difference(items, found == outcome.outputs.end() ? std::vector<Item>() : found->second);
    if (!text.empty()) return name + ": " + text;
  }
  if (expected.dram_after == outcome.dram) return "";
  const auto [first, unused] = std::mismatch(expected.dram_after.begin(), expected.dram_after.end(),
                                             outcome.dram.begin(), outcome.dram.end());
  return fmt::format("DRAM differs at byte {}", first - expected.dram_after.begin());
}

}  // namespace vta::kernels
