// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hw/hlsc/schedule/random_recurrences.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>
#include <vector>

#include "base/numbers/random.h"

namespace vta::hlsc {
namespace {

struct Value {
  std::string name;
  uint32_t width;
};

class RandomRecurrences {
 public:
  explicit RandomRecurrences(uint64_t seed) : random_(seed) {}

  std::string text() {
    const size_t registers = draw(1, 3);
    for (size_t i = 0; i < registers; ++i) {
      constexpr uint32_t kWidths[] = {1, 1, 1, 8, 13};
      widths_.push_back(kWidths[draw(0, std::size(kWidths) - 1)]);
      add(widths_[i], fmt::format("reg_read r{} 0x1:1", i));
    }
    item_ = add(kItemBits, "stream_read in 0x1:1");
    for (size_t i = 0; i < registers; ++i) chain(i);
    line(fmt::format("stream_write out 0x1:1, {}", any(8)));
    std::string objects = fmt::format("stream in : {} x 2 stream out : 8 x 2", kItemBits);
    for (size_t i = 0; i < registers; ++i)
      objects += fmt::format(" register r{} : {}", i, widths_[i]);
    return fmt::format(
        "design d {}\nprocess p {{\n  loop l if 0x1:1 ii {} {{\n  }} while 0x1:1 {{\n{}  }}\n}}\n",
        objects, draw(1, 2), body_);
  }

 private:
  static constexpr uint32_t kItemBits = 24;

  uint32_t draw(uint32_t low, uint32_t high) {
    return static_cast<uint32_t>(random_.between(low, high));
  }
  void line(const std::string& text) { body_ += "    " + text + "\n"; }
  std::string add(uint32_t width, const std::string& operation) {
    values_.push_back({fmt::format("%v{}", values_.size()), width});
    line(fmt::format("{} : {} = {}", values_.back().name, width, operation));
    return values_.back().name;
  }

  // Part of the item, a constant, or any earlier value, with this width.
  std::string any(uint32_t width) {
    if (random_.chance(10))
      return fmt::format("{:#x}:{}", random_.next() & ((uint64_t{1} << width) - 1), width);
    if (random_.chance(40))
      return add(width, fmt::format("slice [{}] {}", draw(0, kItemBits - width), item_));
    return resized(values_[draw(0, static_cast<uint32_t>(values_.size()) - 1)], width);
  }
  std::string resized(const Value value, uint32_t width) {
    if (value.width == width) return value.name;
    if (value.width > width)
      return add(width, fmt::format("slice [{}] {}", draw(0, value.width - width), value.name));
    return add(width, fmt::format("{} {}", random_.chance(50) ? "zext" : "sext", value.name));
  }

  // Each operation is of the one before.
  void chain(size_t reg) {
    Value last = values_[reg];
    for (uint32_t length = draw(2, 7); length > 0; --length) {
      const std::string name = operation(last);
      last = {name, values_.back().width};
    }
    const std::string next = resized(last, widths_[reg]);
    line(fmt::format("reg_write r{} {}, {}", reg, any(1), next));
  }
  std::string operation(const Value& last) {
    constexpr const char* kOfTwo[] = {"and", "or", "xor", "and", "or", "add", "sub"};
    const uint32_t width = last.width;
    const std::string a = any(width), b = any(width), bit = any(1);
    switch (draw(0, 8)) {
      case 0:
        return add(width, fmt::format("select {}, {}, {}", bit, last.name, a));
      case 1:
        return add(width, fmt::format("select {}, {}, {}", bit, a, last.name));
      case 2:
        return add(width, fmt::format("select {}, {}, {}", resized(last, 1), a, b));
      case 3:
        return add(width, fmt::format("sum {}, {}, {}", a, last.name, b));
      case 4:
        return add(1, fmt::format("eq {}, {}", last.name, a));
      case 5:
        return add(8, fmt::format("{} {}", width > 8 ? "slice" : "zext", last.name));
      default:
        return add(width,
                   fmt::format("{} {}, {}", kOfTwo[draw(0, std::size(kOfTwo) - 1)], last.name, a));
    }
  }

  Random random_;
  std::vector<uint32_t> widths_;  // of the registers
  std::vector<Value> values_;
  std::string item_, body_;
};

}  // namespace

std::string random_recurrences(uint64_t seed) { return RandomRecurrences(seed).text(); }

}  // namespace vta::hlsc
