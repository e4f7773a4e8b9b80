// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/conv_steps.h"

#include <algorithm>

namespace vta::lower {
namespace {

// Calls visit(first input block, number of them) for each piece of at most tci input blocks that
// the tile of output blocks [oc, oc + num_oc) depends on.
template <typename Visit>
void for_each_piece(const ConvShape& shape, int64_t oc, int64_t num_oc, int64_t tci,
                    Visit&& visit) {
  const int64_t end = shape.input_blocks(oc + num_oc - 1).end;
  for (int64_t ic = shape.input_blocks(oc).begin; ic < end; ic += tci) {
    visit(ic, std::min(tci, end - ic));
  }
}

BlockRange meet(BlockRange range, int64_t begin, int64_t size) {
  const int64_t first = std::max(range.begin, begin);
  return {first, std::max(first, std::min(range.end, begin + size))};
}

}  // namespace

std::vector<ConvStep> steps_of(const ConvShape& shape, const Tiling& t, int64_t oc,
                               int64_t num_oc) {
  const auto row_taps = static_cast<int64_t>(axis_taps(shape.rows).size());
  const auto column_taps = static_cast<int64_t>(axis_taps(shape.columns).size());
  std::vector<ConvStep> steps;
  for_each_piece(shape, oc, num_oc, t.tci, [&](int64_t ic, int64_t num_ic) {
    ConvStep step;
    step.ic = ic;
    step.num_ic = num_ic;
    step.num_rows = t.tkh;
    step.num_columns = t.tkw;
    for (int64_t block = oc; block < oc + num_oc; ++block) {
      const BlockRange range = meet(shape.input_blocks(block), ic, num_ic);
      for (int64_t i = range.begin; i < range.end; ++i) step.pairs.push_back({block, i});
    }
    for (step.row = 0; step.row < row_taps; step.row += t.tkh) {
      for (step.column = 0; step.column < column_taps; step.column += t.tkw) steps.push_back(step);
    }
  });
  return steps;
}

BlockCut cut_blocks(const ConvShape& shape, int64_t tco, int64_t tci) {
  BlockCut cut;
  if (shape.groups == 1) {
    cut.tiles = ceil_div(shape.oc_blocks, tco);
    cut.steps = cut.tiles * ceil_div(shape.ic_blocks, tci);
    cut.ic_blocks = cut.tiles * shape.ic_blocks;
    cut.pairs = shape.oc_blocks * shape.ic_blocks;
    cut.most_ic_blocks = tci;
    cut.most_pairs = tco * tci;
    return cut;
  }
  for (int64_t oc = 0; oc < shape.oc_blocks; oc += tco, ++cut.tiles) {
    const int64_t num_oc = std::min(tco, shape.oc_blocks - oc);
    for_each_piece(shape, oc, num_oc, tci, [&](int64_t ic, int64_t num_ic) {
      int64_t pairs = 0;
      for (int64_t block = oc; block < oc + num_oc; ++block) {
        pairs += meet(shape.input_blocks(block), ic, num_ic).size();
      }
      ++cut.steps;
      cut.ic_blocks += num_ic;
      cut.pairs += pairs;
      cut.most_ic_blocks = std::max(cut.most_ic_blocks, num_ic);
      cut.most_pairs = std::max(cut.most_pairs, pairs);
    });
  }
  return cut;
}

}  // namespace vta::lower
