// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/tiling_space.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors/error.h"
#include "compiler/lower/maximum_counts.h"
#include "compiler/lower/tiling_sizes.h"

namespace vta::lower {
namespace {

// 1, 2, 3, 4, 6, 8, 12, ... and the most.
int64_t next_slots(int64_t slots, int64_t most) {
  if (slots >= most) return most + 1;
  const bool is_power = (slots & (slots - 1)) == 0;
  const int64_t next = slots < 4 ? slots + 1 : is_power ? slots * 3 / 2 : slots / 3 * 4;
  return std::min(next, most);
}

struct Ring {
  int64_t slots;   // 0: does not fit
  int64_t rounds;  // loads of each chunk
};

// `chunks` chunks are used `rounds` times each; a chunk recurs after `distance` chunks.
Ring ring(int64_t capacity, int64_t distance, int64_t chunks, int64_t rounds, bool two_slots) {
  const int64_t min_slots = two_slots ? std::min<int64_t>(2, chunks) : 1;
  if (capacity < min_slots) return {0, 0};
  if (rounds == 1) return {min_slots, 1};
  if (capacity >= distance) return {std::max(min_slots, distance), 1};
  return {min_slots, rounds};
}

std::vector<AxisTile> outputs_of(const AxisCut& cut) {
  std::vector<AxisTile> outputs;
  for (const AxisSpan& span : cut.spans) outputs.push_back(span.outputs);
  return outputs;
}

}  // namespace

TilingSpace::TilingSpace(const TilingProblem& problem, const CoreConfig& core)
    : problem_(problem),
      shape_(problem.shape),
      core_(core),
      rows_(shape_.rows, true),
      columns_(shape_.columns, false),
      pool_uops_a_block_(
          shape_.rows.pool ? max_maximum_uops(*shape_.rows.pool, *shape_.columns.pool) : 0) {}

void TilingSpace::for_each(const Visit& visit) const {
  Demands demands{.two_slots = true, .distance = problem_.gemm_distance > 1};
  bool found = false;
  for (const Taps& taps : tap_cuts()) found |= visit_taps(taps, demands, visit);
  if (!found) {
    demands.two_slots = false;
    found = visit_taps({1, 1}, demands, visit);
  }
  if (!found && demands.distance) {  // no tile has so many outputs
    demands.distance = false;
    found = visit_taps({1, 1}, demands, visit);
  }
  VTA_ASSERT(found || shape_.rows.pool, "a tile of one element always fits");
}

// The groups of taps that a term may have.
std::vector<TilingSpace::Taps> TilingSpace::tap_cuts() const {
  const int64_t kh = rows_.num_taps(), kw = columns_.num_taps();
  std::vector<Taps> taps = {{kh, kw}};
  if (kh > 1) taps.push_back({1, kw});
  if (kw > 1) taps.push_back({1, 1});
  return taps;
}

std::vector<TilingSpace::Blocks> TilingSpace::block_cuts() const {
  std::vector<Blocks> all;
  for (int64_t tco : piece_sizes(shape_.oc_blocks)) {
    const int64_t max_tci = cut_blocks(shape_, tco, shape_.ic_blocks).max_ic_blocks;
    for (int64_t tci : piece_sizes(max_tci))
      all.push_back({tco, tci, cut_blocks(shape_, tco, tci)});
  }
  return all;
}

PixelCut TilingSpace::pixel_cut(const AxisCut& rows, const AxisCut& columns,
                                const Taps& taps) const {
  PixelCut cut{.th = rows.size, .tw = columns.size, .tkh = taps.first, .tkw = taps.second};
  const int64_t images = shape_.image_groups;
  cut.num_tiles = images * rows.num_tiles() * columns.num_tiles();
  cut.num_taps = rows_.num_taps() * columns_.num_taps();
  cut.tap_groups = rows.num_groups * columns.num_groups;
  cut.inp_block_elems = rows.max_positions * columns.max_positions;
  cut.plane_elems = images * rows.sum.loaded * columns.sum.loaded;
  cut.plane_rows = images * rows.sum.loaded * columns.num_tiles() * columns.num_groups;
  for (const TapCounts& y : rows.sum.counts) {
    for (const TapCounts& x : columns.sum.counts)
      cut.gemm_counts.push_back({y.products * x.products, y.ranges * x.ranges});
  }
  if (!problem_.split) cut.gemm_counts.resize(1);
  cut.border_counts = problem_.border.counts(outputs_of(rows), outputs_of(columns));
  return cut;
}

bool TilingSpace::visit_taps(const Taps& taps, const Demands& demands, const Visit& visit) const {
  const std::vector<Blocks> all_blocks = block_cuts();
  std::vector<AxisCut> widths;
  for (int64_t size : columns_.tile_sizes()) widths.push_back(columns_.cut(size, taps.second));
  bool found = false;
  for (int64_t size : rows_.tile_sizes()) {
    const AxisCut rows = rows_.cut(size, taps.first);
    for (const AxisCut& columns : widths) {
      const PixelCut pixels = pixel_cut(rows, columns, taps);
      for (const Blocks& blocks : all_blocks) found |= visit_blocks(pixels, blocks, demands, visit);
    }
  }
  return found;
}

bool TilingSpace::visit_blocks(const PixelCut& pixels, const Blocks& blocks, const Demands& demands,
                               const Visit& visit) const {
  TilingCandidate candidate{.tiling = {.th = pixels.th,
                                       .tw = pixels.tw,
                                       .tco = blocks.tco,
                                       .tci = blocks.tci,
                                       .tkh = pixels.tkh,
                                       .tkw = pixels.tkw},
                            .pixels = pixels,
                            .blocks = blocks.cut,
                            .inp_elems = blocks.cut.max_ic_blocks * pixels.inp_block_elems,
                            .wgt_elems = blocks.cut.max_pairs * pixels.tkh * pixels.tkw};
  Tiling& t = candidate.tiling;
  if (demands.distance && !keeps_distance(t)) return false;
  bool found = false;
  for (bool tap_in_alu : {false, true}) {
    t.tap_in_alu = tap_in_alu;
    if (tap_in_alu && !may_take_tap(t)) continue;
    if (misfit(t, candidate.wgt_elems)) continue;
    for (bool channels_outer : {false, true}) {
      t.channels_outer = channels_outer;
      for (bool residual_in_gemm : {false, true}) {
        t.residual_in_gemm = residual_in_gemm;
        if (residual_in_gemm && !problem_.may_multiply_residual) continue;
        found |= visit_rings(candidate, demands, visit);
      }
    }
  }
  return found;
}

// The order of tiles determines the slots and how often each chunk is loaded.
bool TilingSpace::visit_rings(TilingCandidate candidate, const Demands& demands,
                              const Visit& visit) const {
  Tiling& t = candidate.tiling;
  const PixelCut& pixels = candidate.pixels;
  const BlockCut& blocks = candidate.blocks;
  const int64_t all_terms = blocks.terms * pixels.tap_groups;  // of the tiles of some pixels
  const int64_t weight_sets = shape_.weight_sets();
  const Slots max = max_slots(t, candidate.inp_elems, candidate.wgt_elems, weight_sets * all_terms);
  candidate.terms = ceil_div(all_terms, blocks.tiles);
  // Chunks that do not depend on the inner loop recur after `terms` chunks, the others after a
  // full round of the inner loop. With groups, each tile of blocks has its own input.
  const bool shares_input = shape_.groups == 1;
  const int64_t all_inputs = pixels.num_tiles * candidate.terms;
  const int64_t inp_distance = t.channels_outer ? all_inputs : candidate.terms;
  const int64_t wgt_distance = t.channels_outer ? candidate.terms : all_terms;
  const Ring inp =
      shares_input
          ? ring(max.inp, inp_distance, all_inputs, blocks.tiles, demands.two_slots)
          : ring(max.inp, inp_distance, pixels.num_tiles * all_terms, 1, demands.two_slots);
  const Ring wgt = ring(max.wgt, wgt_distance, weight_sets * all_terms,
                        pixels.num_tiles / weight_sets, demands.two_slots);
  if (inp.slots == 0 || wgt.slots == 0) return false;
  t.inp_slots = inp.slots;
  t.wgt_slots = wgt.slots;
  candidate.inp_planes = shares_input ? shape_.ic_blocks * inp.rounds : blocks.ic_blocks;
  candidate.wgt_rounds = wgt.rounds;
  visit(candidate);
  return true;
}

std::vector<Tiling> TilingSpace::with_more_slots(const Tiling& tiling) const {
  std::vector<Tiling> all = {tiling};
  const auto [inp, wgt] = max_slots(tiling);
  const auto add = [&](int64_t inp_slots, int64_t wgt_slots) {
    Tiling more = tiling;
    more.inp_slots = std::min(inp, inp_slots);
    more.wgt_slots = std::min(wgt, wgt_slots);
    const bool is_new =
        std::ranges::none_of(all, [&](const Tiling& other) { return other.same_choices(more); });
    if (is_new) all.push_back(more);
  };
  for (int64_t more_inp : {tiling.inp_slots, tiling.inp_slots + 1, 2 * tiling.inp_slots}) {
    for (int64_t more_wgt : {tiling.wgt_slots, tiling.wgt_slots + 1, 2 * tiling.wgt_slots, wgt})
      add(more_inp, more_wgt);
  }
  return all;
}

std::vector<Tiling> TilingSpace::with_all_slots(const Tiling& tiling) const {
  std::vector<Tiling> all = {tiling};
  const Slots max = max_slots(tiling);
  for (int64_t inp = 1; inp <= max.inp; inp = next_slots(inp, max.inp)) {
    for (int64_t wgt = 1; wgt <= max.wgt; wgt = next_slots(wgt, max.wgt)) {
      Tiling other = tiling;
      other.inp_slots = inp;
      other.wgt_slots = wgt;
      if (!other.same_choices(tiling)) all.push_back(other);
    }
  }
  return all;
}

std::optional<std::string> TilingSpace::why_illegal(const Tiling& tiling) const {
  if (auto reason = illegal_size(tiling)) return reason;
  if (const auto size = misfit(tiling, wgt_slot_elems(shape_, tiling)))
    return fmt::format("{} {} exceed {}", size->need, size->what, size->limit);
  if (problem_.gemm_distance > 1 && !keeps_distance(tiling))
    return "its smallest tile has too few accumulators for the distance of micro-ops";
  const Slots max = max_slots(tiling);
  if (tiling.inp_slots < 1 || tiling.inp_slots > max.inp)
    return fmt::format("{} slots of INP, 1 to {} fit", tiling.inp_slots, max.inp);
  if (tiling.wgt_slots < 1 || tiling.wgt_slots > max.wgt)
    return fmt::format("{} slots of WGT, 1 to {} fit", tiling.wgt_slots, max.wgt);
  return std::nullopt;
}

// Checks the sizes that do not depend on the core's memories.
std::optional<std::string> TilingSpace::illegal_size(const Tiling& t) const {
  const auto is_piece = [](int64_t size, const std::vector<int64_t>& sizes) {
    return std::ranges::find(sizes, size) != sizes.end();
  };
  if (!is_piece(t.th, rows_.tile_sizes()))
    return fmt::format("{} rows are not a piece of {}", t.th, shape_.rows.num_results());
  if (!is_piece(t.tw, columns_.tile_sizes()))
    return fmt::format("{} columns are not a piece of {}", t.tw, shape_.columns.num_results());
  if (!is_piece(t.tco, piece_sizes(shape_.oc_blocks)))
    return fmt::format("{} output blocks are not a piece of {}", t.tco, shape_.oc_blocks);
  const int64_t max_tci = cut_blocks(shape_, t.tco, shape_.ic_blocks).max_ic_blocks;
  if (!is_piece(t.tci, piece_sizes(max_tci)))
    return fmt::format("{} input blocks are not a piece of {}", t.tci, max_tci);
  const auto taps = tap_cuts();
  if (std::ranges::find(taps, Taps(t.tkh, t.tkw)) == taps.end()) {
    return fmt::format("{} x {} taps are not a cut of {} x {}", t.tkh, t.tkw, rows_.num_taps(),
                       columns_.num_taps());
  }
  if (t.residual_in_gemm && !problem_.may_multiply_residual)
    return "the residual operand cannot be multiplied";
  if (t.tap_in_alu && !may_take_tap(t)) return "the ALU cannot multiply a tap";
  return std::nullopt;
}

std::optional<TilingSpace::Misfit> TilingSpace::misfit(const Tiling& t, int64_t wgt_elems) const {
  const int64_t half = core_.acc_depth() / 2 - (problem_.has_addend ? 1 : 0);
  // Beside the tile: a residual operand, the copy of a leaky relu, or the results of a pool.
  const bool has_second = problem_.has_residual || problem_.has_copy || shape_.rows.pool;
  const int64_t acc = t.tco * (acc_block_elems(shape_, t) + (has_second ? t.th * t.tw : 0) +
                               channel_elems(problem_, t));
  if (acc > half) return Misfit{"elements of half of ACC", acc, half};
  const int64_t uop_capacity = core_.uop_depth(), pool_uops = t.tco * pool_uops_a_block_;
  if (pool_uops > uop_capacity) return Misfit{"micro-ops of the pool", pool_uops, uop_capacity};
  if (wgt_elems > uop_capacity)  // one per weight element
    return Misfit{"micro-ops of a term", wgt_elems, uop_capacity};
  return std::nullopt;
}

// Whether the ALU may multiply a tap: terms have all taps.
bool TilingSpace::may_take_tap(const Tiling& t) const {
  return problem_.may_take_tap && t.tkh == rows_.num_taps() && t.tkw == columns_.num_taps();
}

// Whether each GEMM of the smallest tile has the accumulators that the distance of its micro-ops
// requires, if those of a tile of the whole layer do.
bool TilingSpace::keeps_distance(const Tiling& t) const {
  const ConvAxis &rows = shape_.rows, &columns = shape_.columns;
  const auto smallest = [](int64_t all, int64_t size) { return (all - 1) % size + 1; };
  const auto of_phase = [](const ConvAxis& axis, int64_t outputs) {
    return std::max<int64_t>(1, outputs / axis.num_phases());
  };
  const int64_t height = rows.num_results(), width = columns.num_results();
  const int64_t in_layer = of_phase(rows, height) * of_phase(columns, width) * shape_.oc_blocks;
  const int64_t in_tile = of_phase(rows, smallest(height, t.th)) *
                          of_phase(columns, smallest(width, t.tw)) *
                          smallest(shape_.oc_blocks, t.tco);
  return in_tile >= std::min(problem_.gemm_distance, in_layer);
}

// Each slot may have a token in flight to the load stage. More tokens than the queue holds could
// deadlock the stages that push and pop them, so both rings have no more slots than a token queue
// has entries. More slots of WGT than chunks are of no use.
TilingSpace::Slots TilingSpace::max_slots(const Tiling& t, int64_t inp_elems, int64_t wgt_elems,
                                          int64_t wgt_chunks) const {
  const int64_t tokens = core_.token_queue_depth / 2;
  const int64_t inp_depth = core_.inp_depth() - reserved_inp_elems(problem_.border, t);
  const int64_t wgt_depth = core_.wgt_depth() - residual_wgt_elems(t);
  return {std::min(inp_depth / inp_elems, tokens),
          std::min({wgt_depth / wgt_elems, tokens, wgt_chunks})};
}

TilingSpace::Slots TilingSpace::max_slots(const Tiling& t) const {
  const int64_t chunks = shape_.weight_sets() * cut_blocks(shape_, t.tco, t.tci).terms *
                         ceil_div(rows_.num_taps(), t.tkh) * ceil_div(columns_.num_taps(), t.tkw);
  return max_slots(t, inp_slot_elems(shape_, t), wgt_slot_elems(shape_, t), chunks);
}

}  // namespace vta::lower
