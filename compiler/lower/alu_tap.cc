// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/alu_tap.h"

#include "hw/isa/instruction.h"

namespace vta::lower {
namespace {

// The tap that reads, for each output, the input of the same position.
std::optional<int64_t> middle_tap(const ConvAxis& axis) {
  const bool keeps_positions =
      !axis.transposed && !axis.pool && axis.stride == 1 && axis.in == axis.out;
  if (!keeps_positions || axis.pad % axis.dilation != 0) return std::nullopt;
  const int64_t k = axis.pad / axis.dilation;
  return k < axis.kernel ? std::optional(k) : std::nullopt;
}

const TapRange& at(const std::vector<TapRange>& ranges, int64_t tap) {
  return ranges[static_cast<size_t>(tap)];
}

}  // namespace

std::optional<AluTap> alu_tap(const ConvShape& shape) {
  const bool is_depthwise = shape.groups > 1 && shape.group_ic == 1 && shape.group_oc == 1;
  if (!is_depthwise || shape.rows.kernel * shape.columns.kernel == 1) return std::nullopt;
  const auto row = middle_tap(shape.rows), column = middle_tap(shape.columns);
  if (!row || !column) return std::nullopt;
  return AluTap{*row, *column};
}

int64_t products_beside(const AluTap& tap, const std::vector<TapRange>& rows,
                        const std::vector<TapRange>& columns) {
  const int64_t outputs = at(rows, tap.row).size * at(columns, tap.column).size;
  return counts_of(rows).products * counts_of(columns).products - outputs;
}

AluPass alu_tap_product() { return {isa::kMul, Operands::kTileWeight, 0}; }

std::vector<int32_t> alu_tap_weights(const Tensor& weights, const AluTap& tap) {
  const int64_t taps = weights.dim(2) * weights.dim(3);
  const int64_t first = tap.row * weights.dim(3) + tap.column;
  const auto values = weights.data<int8_t>();
  std::vector<int32_t> result;
  for (int64_t channel = 0; channel < weights.dim(0); ++channel)
    result.push_back(values[static_cast<size_t>(channel * taps + first)]);
  return result;
}

}  // namespace vta::lower
