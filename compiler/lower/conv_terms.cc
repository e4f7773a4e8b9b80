// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/conv_terms.h"

#include <algorithm>

namespace vta::lower {
namespace {

// Calls visit(first input block, number of blocks) for each piece of at most tci of the input
// blocks on which output blocks [oc, oc + num_oc) depend.
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

std::vector<ConvTerm> terms_of(const ConvShape& shape, const Tiling& t, int64_t oc,
                               int64_t num_oc) {
  const auto row_taps = static_cast<int64_t>(axis_taps(shape.rows).size());
  const auto column_taps = static_cast<int64_t>(axis_taps(shape.columns).size());
  std::vector<ConvTerm> terms;
  for_each_piece(shape, oc, num_oc, t.tci, [&](int64_t ic, int64_t num_ic) {
    ConvTerm term;
    term.ic = ic;
    term.num_ic = num_ic;
    term.num_rows = t.tkh;
    term.num_columns = t.tkw;
    for (int64_t block = oc; block < oc + num_oc; ++block) {
      const BlockRange range = meet(shape.input_blocks(block), ic, num_ic);
      for (int64_t i = range.begin; i < range.end; ++i) term.pairs.push_back({block, i});
    }
    for (term.row = 0; term.row < row_taps; term.row += t.tkh) {
      for (term.column = 0; term.column < column_taps; term.column += t.tkw) terms.push_back(term);
    }
  });
  return terms;
}

BlockCut cut_blocks(const ConvShape& shape, int64_t tco, int64_t tci) {
  BlockCut cut;
  if (shape.groups == 1) {
    cut.tiles = ceil_div(shape.oc_blocks, tco);
    cut.terms = cut.tiles * ceil_div(shape.ic_blocks, tci);
    cut.ic_blocks = cut.tiles * shape.ic_blocks;
    cut.pairs = shape.oc_blocks * shape.ic_blocks;
    cut.max_ic_blocks = tci;
    cut.max_pairs = tco * tci;
    return cut;
  }
  for (int64_t oc = 0; oc < shape.oc_blocks; oc += tco, ++cut.tiles) {
    const int64_t num_oc = std::min(tco, shape.oc_blocks - oc);
    for_each_piece(shape, oc, num_oc, tci, [&](int64_t ic, int64_t num_ic) {
      int64_t pairs = 0;
      for (int64_t block = oc; block < oc + num_oc; ++block) {
        pairs += meet(shape.input_blocks(block), ic, num_ic).size();
      }
      ++cut.terms;
      cut.ic_blocks += num_ic;
      cut.pairs += pairs;
      cut.max_ic_blocks = std::max(cut.max_ic_blocks, num_ic);
      cut.max_pairs = std::max(cut.max_pairs, pairs);
    });
  }
  return cut;
}

}  // namespace vta::lower
