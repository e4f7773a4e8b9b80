// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/wide_products.h"

#include <fmt/format.h>

#include "hw/hlsc/emit/expression.h"

namespace vta::hlsc::emit {

namespace {

// Of parts without a sign.
constexpr uint32_t kWide = 24, kNarrow = 17;

}  // namespace

BlockText wide_product(const std::string& a, const std::string& b, uint32_t width,
                       const std::string& name) {
  const uint32_t rest = width - kNarrow, corner = width - kWide;
  BlockText text;
  const auto assign = [&](const std::string& to, uint32_t bits, const std::string& expression) {
    text.declarations += fmt::format("      reg {}{};\n", range(bits), to);
    text.assignments += fmt::format("      {} = {};\n", to, expression);
  };
  assign(name + "_near", width,
         fmt::format("{} * {}", resized(fmt::format("{}[{}:0]", a, kWide - 1), kWide, width),
                     resized(fmt::format("{}[{}:0]", b, kNarrow - 1), kNarrow, width)));
  assign(name + "_corner", corner,
         fmt::format("{0}[{1}:{2}] * {3}[{4}:0]", a, width - 1, kWide, b, corner - 1));
  assign(name + "_rest", rest,
         fmt::format("{0}[{1}:0] * {2}[{3}:{4}] + {{{5}_corner, {6}'d0}}", a, rest - 1, b,
                     width - 1, kNarrow, name, kWide - kNarrow));
  text.assignments += fmt::format("      {0} = {0}_near + {{{0}_rest, {1}'d0}};\n", name, kNarrow);
  return text;
}

}  // namespace vta::hlsc::emit
