// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/schedule_book.h"

#include <fmt/format.h>

namespace vta::lower {
namespace {

std::string text_of(const WindowAxis& axis) {
  return fmt::format("{}>{} k{} s{} d{} p{}", axis.in, axis.out, axis.kernel, axis.stride,
                     axis.dilation, axis.pad);
}

std::string text_of(const ConvAxis& axis) {
  std::string text = text_of(static_cast<const WindowAxis&>(axis));
  if (axis.transposed) text += " transposed";
  if (axis.pool) text += fmt::format(" pool {}", text_of(*axis.pool));
  return text;
}

std::string text_of(const ConvShape& shape) {
  std::string text =
      fmt::format("{} x {}>{} blocks", shape.image_groups, shape.ic_blocks, shape.oc_blocks);
  if (shape.groups > 1) {
    text += fmt::format(" of {} groups {}>{}", shape.groups, shape.group_ic, shape.group_oc);
  }
  if (shape.own_weights) text += " of own weights";
  return fmt::format("{}, rows {}, columns {}", text, text_of(shape.rows), text_of(shape.columns));
}

}  // namespace

std::string task_text(const TilingProblem& problem, const std::string& place) {
  std::string text = text_of(problem.shape);
  text += fmt::format(", alu {} in {}, constants {}", problem.alu_cycles_per_vector,
                      problem.alu_passes, problem.channel_elems);
  if (problem.has_residual) text += fmt::format(", residual {}", problem.residual_shift_cycles);
  if (problem.may_multiply_residual) text += " or multiplied";
  if (problem.may_take_tap) text += ", tap in ALU or GEMM";
  if (problem.border.in_gemm()) text += ", border in GEMM";
  if (problem.has_addend) text += ", addend";
  if (problem.has_copy) text += ", copy";
  if (problem.max_last_parts > 1) text += fmt::format(", last in {}", problem.max_last_parts);
  text += problem.split ? ", split" : ", not split";
  if (problem.gemm_distance > 1) text += fmt::format(", distance {}", problem.gemm_distance);
  if (!problem.overlaps) return text + ", alone";
  return text + place;
}

}  // namespace vta::lower
