// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/tiling_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/errors/error.h"
#include "compiler/lower/alu_cycles.h"
#include "compiler/lower/alu_tap.h"
#include "compiler/lower/conv_terms.h"
#include "compiler/lower/maximum_counts.h"
#include "compiler/lower/tap_ranges.h"
#include "compiler/lower/tile_timeline.h"
#include "configs/core_timing.h"

namespace vta::lower {
namespace {

// Cost model, in cycles, besides core_timing.h. Overhead of a row of a transfer: idle memory cycles
// between short bursts. Of a LOAD of weights.
constexpr double kRowOverhead = 4, kLoadOverhead = 8;
// Of an ALU instruction beyond its micro-ops.
constexpr double kAluOverheadCycles = 14;
// Weight of overlapped DRAM traffic (header).
constexpr double kCyclesPerHiddenBeat = 0.54;
// Of the operand of the ALU's tap, which takes a cycle of GEMM for two beats.
constexpr double kCyclesPerTapBeat = 0.1;
// Tilings whose timelines are compared; the limit of the terms of all of them.
constexpr size_t kNumTimelines = 128;
constexpr int64_t kMaxTerms = 500'000;
constexpr double kNoLimit = std::numeric_limits<double>::infinity();
// What a beat of weights in the slots is worth: the load stage can be that far ahead of GEMM when a
// layer follows that DRAM limits. This and the shares below were chosen so that the networks of
// configs/networks take the least time.
constexpr double kCyclesPerBeatAhead = 0.02;
// The same if loading its weights limits the layer itself, as it does a classifier: the load stage
// fills the slots while the layers before compute.
constexpr double kCyclesPerBeatOfSlots = 0.25, kLimitingShare = 0.9;

// The distinct sizes of 1, 2, 3, ... nearly equal pieces of n, in descending order.
std::vector<int64_t> piece_sizes(int64_t n) {
  std::vector<int64_t> sizes;
  for (int64_t pieces = 1; pieces <= n; ++pieces) {
    const int64_t size = ceil_div(n, pieces);
    if (sizes.empty() || sizes.back() != size) sizes.push_back(size);
  }
  return sizes;
}

// An axis of a convolution and the ways to tile it.
class AxisCuts {
 public:
  // skips: a single tap loads only every stride-th position.
  AxisCuts(const ConvAxis& axis, bool skips) : axis_(axis), taps_(axis_taps(axis)), skips_(skips) {}

  int64_t num_taps() const { return static_cast<int64_t>(taps_.size()); }

  // Sizes of tiles in descending order: the whole axis and multiples of the phases, then smaller
  // sizes for cores with small scratchpads.
  std::vector<int64_t> tile_sizes() const {
    const int64_t phases = axis_.num_phases();
    std::vector<int64_t> sizes = piece_sizes(ceil_div(axis_.num_results(), phases));
    for (int64_t& size : sizes) size = std::min(axis_.num_results(), size * phases);
    for (int64_t size : piece_sizes(phases)) {
      if (size < sizes.back()) sizes.push_back(size);
    }
    return sizes;
  }

  std::vector<AxisTile> outputs_of_tiles(int64_t tile) const {
    std::vector<AxisTile> outputs;
    for (const AxisSpan& span : spans_of(axis_, tile)) outputs.push_back(span.outputs);
    return outputs;
  }

  // Number of pairs of a tile and a group of taps.
  int64_t pieces(int64_t tile, int64_t taps) const {
    return ceil_div(axis_.num_results(), tile) * ceil_div(num_taps(), taps);
  }

  // Positions in the largest chunk, and the sum over all chunks without padding.
  struct Reach {
    int64_t max = 1, sum = 0;
  };
  Reach reach(int64_t tile, int64_t taps) const {
    Reach reach;
    for (const AxisSpan& span : spans_of(axis_, tile)) {
      for (int64_t k = 0; k < num_taps(); k += taps) {
        const AxisWindow w = window_of(axis_, taps_, k, taps, span.outputs, skips_);
        reach.max = std::max(reach.max, w.count);
        reach.sum += clip_range(w.first, w.stride, w.count, axis_.in).size;
      }
    }
    return reach;
  }

  // Of all tiles and groups of taps, where taps leave out padding or not: pairs of an output and
  // one of its taps, and different ranges of outputs. The windows of a pool overlap, and tiles
  // compute their common outputs again.
  TapCounts counts(int64_t tile, int64_t taps, bool clips) const {
    TapCounts sum;
    for (const AxisSpan& span : spans_of(axis_, tile)) {
      for (int64_t k = 0; k < num_taps(); k += taps) {
        const TapCounts counts = counts_of(tap_ranges(axis_, taps_, k, taps, span.outputs, clips));
        sum.products += counts.products;
        sum.ranges += counts.ranges;
      }
    }
    return sum;
  }

 private:
  const ConvAxis& axis_;
  const std::vector<AxisTap> taps_;
  const bool skips_;
};

class Search {
 public:
  Search(const TilingProblem& problem, const CoreConfig& core)
      : problem_(problem),
        shape_(problem.shape),
        core_(core),
        rows_(shape_.rows, true),
        columns_(shape_.columns, false),
        uop_capacity_(core.uop_depth()),
        pool_uops_a_block_(
            shape_.rows.pool ? max_maximum_uops(*shape_.rows.pool, *shape_.columns.pool) : 0),
        keeps_distance_(problem.gemm_distance > 1) {}

  std::optional<FoundTiling> run() {
    list_found();
    if (found_.empty()) return std::nullopt;
    compare_timelines();
    return FoundTiling{*best_, next_, static_cast<int64_t>(found_.size())};
  }

  std::vector<Tiling> all() {
    list_found();
    std::vector<Tiling> all;
    for (size_t i : by_rough_cost()) all.push_back(found_[i]);
    return all;
  }

  std::vector<Tiling> with_all_slots(const Tiling& tiling) const {
    std::vector<Tiling> all = {tiling};
    const MaxSlots max = max_slots(tiling);
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

  std::optional<std::string> why_illegal(const Tiling& tiling) {
    if (auto reason = illegal_size(tiling)) return reason;
    candidate_ = tiling;
    const BlockCut cut = cut_blocks(shape_, tiling.tco, tiling.tci);
    set_elems(cut, inp_block_elems(shape_, tiling));
    if (const auto misfit = tile_misfit(tiling.tco)) {
      return fmt::format("{} {} exceed {}", misfit->need, misfit->what, misfit->limit);
    }
    if (problem_.gemm_distance > 1 && !keeps_distance(tiling.tco))
      return "its smallest tile has too few accumulators for the distance of micro-ops";
    const MaxSlots max = max_slots(tiling);
    if (tiling.inp_slots < 1 || tiling.inp_slots > max.inp)
      return fmt::format("{} slots of INP, 1 to {} fit", tiling.inp_slots, max.inp);
    if (tiling.wgt_slots < 1 || tiling.wgt_slots > max.wgt)
      return fmt::format("{} slots of WGT, 1 to {} fit", tiling.wgt_slots, max.wgt);
    return std::nullopt;
  }

  TilingCost estimate(Tiling tiling) const {
    int64_t terms = 0;
    set_cost(tiling, kNoLimit, terms);
    return tiling.cost;
  }

 private:
  // The groups of taps that a term may have.
  std::vector<std::pair<int64_t, int64_t>> tap_cuts() const {
    const int64_t kh = rows_.num_taps(), kw = columns_.num_taps();
    std::vector<std::pair<int64_t, int64_t>> taps = {{kh, kw}};
    if (kh > 1) taps.push_back({1, kw});
    if (kw > 1) taps.push_back({1, 1});
    return taps;
  }

  // All legal tilings; none if a window of the pool does not fit.
  void list_found() {
    list_block_cuts();
    for (const auto& [tkh, tkw] : tap_cuts()) {
      candidate_.tkh = tkh;
      candidate_.tkw = tkw;
      search_pixels();
    }
    if (found_.empty()) {  // two slots do not fit
      require_two_slots_ = false;
      candidate_.tkh = candidate_.tkw = 1;
      search_pixels();
    }
    if (found_.empty() && keeps_distance_) {  // no tile has so many outputs
      keeps_distance_ = false;
      search_pixels();
    }
    VTA_ASSERT(!found_.empty() || shape_.rows.pool, "a tile of one element always fits");
  }

  // Of the sizes that do not depend on the core's memories.
  std::optional<std::string> illegal_size(const Tiling& t) const {
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
    if (std::ranges::find(taps, std::pair(t.tkh, t.tkw)) == taps.end()) {
      return fmt::format("{} x {} taps are not a cut of {} x {}", t.tkh, t.tkw, rows_.num_taps(),
                         columns_.num_taps());
    }
    if (t.residual_in_gemm && !problem_.may_multiply_residual)
      return "the residual operand cannot be multiplied";
    if (t.tap_in_alu && !may_take_tap(t)) return "the ALU cannot multiply a tap";
    return std::nullopt;
  }

  // Whether the ALU may multiply a tap: terms have all taps.
  bool may_take_tap(const Tiling& t) const {
    return problem_.may_take_tap && t.tkh == rows_.num_taps() && t.tkw == columns_.num_taps();
  }

  struct MaxSlots {
    int64_t inp = 0, wgt = 0;
  };

  // Each slot may have a token in flight to the load stage; both rings have no more slots than a
  // token queue has entries. More slots of WGT than chunks are of no use.
  MaxSlots max_slots(const Tiling& t) const {
    const int64_t tokens = core_.token_queue_depth / 2;
    const int64_t inp_depth = core_.inp_depth() - reserved_inp_elems(problem_.border, t);
    const int64_t wgt_depth = core_.wgt_depth() - residual_wgt_elems(t);
    const int64_t chunks = shape_.weight_sets() * cut_blocks(shape_, t.tco, t.tci).terms *
                           ceil_div(rows_.num_taps(), t.tkh) * ceil_div(columns_.num_taps(), t.tkw);
    return {std::min(inp_depth / inp_slot_elems(shape_, t), tokens),
            std::min({wgt_depth / wgt_slot_elems(shape_, t), tokens, chunks})};
  }

  // 1, 2, 3, 4, 6, 8, 12, ... and the most.
  static int64_t next_slots(int64_t slots, int64_t most) {
    if (slots >= most) return most + 1;
    const bool is_power = (slots & (slots - 1)) == 0;
    const int64_t next = slots < 4 ? slots + 1 : is_power ? slots * 3 / 2 : slots / 3 * 4;
    return std::min(next, most);
  }

  // What of a tile does not fit the core.
  struct Misfit {
    const char* what;
    int64_t need, limit;
  };

  // Of the candidate with `tco` output blocks, and the elements of set_elems().
  std::optional<Misfit> tile_misfit(int64_t tco) const {
    const int64_t half = core_.acc_depth() / 2 - (problem_.has_addend ? 1 : 0);
    const int64_t acc = tco * (acc_block_elems(shape_, candidate_) + second_elems_a_block() +
                               channel_elems(problem_, candidate_));
    if (acc > half) return Misfit{"elements of half of ACC", acc, half};
    if (tco * pool_uops_a_block_ > uop_capacity_)
      return Misfit{"micro-ops of the pool", tco * pool_uops_a_block_, uop_capacity_};
    if (wgt_elems_ > uop_capacity_)  // one per weight element
      return Misfit{"micro-ops of a term", wgt_elems_, uop_capacity_};
    return std::nullopt;
  }

  void set_elems(const BlockCut& cut, int64_t inp_block_elems) {
    wgt_elems_ = cut.max_pairs * candidate_.tkh * candidate_.tkw;
    inp_elems_ = cut.max_ic_blocks * inp_block_elems;
  }

  std::vector<size_t> by_rough_cost() const {
    std::vector<size_t> order(found_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::sort(order, {},
                      [&](size_t i) { return std::pair(found_[i].cost.total_cycles, i); });
    return order;
  }

  // Chooses, of the tilings with the least rough costs, the one with the shortest timeline.
  void compare_timelines() {
    std::vector<size_t> order = by_rough_cost();
    if (order.size() > kNumTimelines) order.resize(kNumTimelines);
    int64_t terms = 0;
    for (size_t i : order) {
      for (Tiling& tiling : with_more_slots(found_[i])) {
        if (best_ && terms > kMaxTerms) break;
        set_cost(tiling, best_ ? best_->cost.total_cycles : kNoLimit, terms);
        compare(tiling);
      }
    }
    // Timelines beyond the best one were not completed.
    const auto other =
        std::ranges::find_if(order, [&](size_t i) { return !has_same_tile(found_[i], *best_); });
    if (next_ || other == order.end()) return;
    next_ = found_[*other];
    set_cost(*next_, kNoLimit, terms);
  }

  void compare(const Tiling& tiling) {
    const double cost = tiling.cost.total_cycles;
    if (!best_ || cost < best_->cost.total_cycles) {
      if (best_ && !has_same_tile(*best_, tiling)) next_ = best_;
      best_ = tiling;
    } else if (cost < kNoLimit && !has_same_tile(*best_, tiling) &&
               (!next_ || cost < next_->cost.total_cycles)) {
      next_ = tiling;
    }
  }

  static bool has_same_tile(const Tiling& a, const Tiling& b) {
    const auto size = [](const Tiling& t) {
      return std::tuple(t.th, t.tw, t.tco, t.tci, t.tkh, t.tkw);
    };
    return size(a) == size(b);
  }

  // Within a stream, the shares of a layer's prologue and epilogue that its neighbours hide: the
  // more, the fewer rows the first tile needs, and the earlier rows are complete. With two tiles of
  // rows an epilogue is not hidden wholly: the next layer's first tile may need a row of the second
  // one.
  double hidden_head(const Tiling& tiling) const {
    return 0.2 + 0.35 * (1 - share_of_rows(tiling));
  }
  double hidden_tail(const Tiling& tiling) const {
    const bool by_pixels = !tiling.channels_outer || tiling.tco == shape_.oc_blocks;
    return by_pixels ? 0.6 + 0.4 * std::min(1.0, 1.75 * (1 - share_of_rows(tiling))) : 0.6;
  }
  // Of the layer's rows, in a tile.
  double share_of_rows(const Tiling& tiling) const {
    return static_cast<double>(tiling.th) / static_cast<double>(shape_.rows.num_results());
  }

  // Replaces the rough cost; infinite if it exceeds `limit`. Adds the terms of the timeline.
  void set_cost(Tiling& tiling, double limit, int64_t& terms) const {
    const double bonus =
        static_cast<double>(core_.wgt_buffer_bytes) / kBeatBytes * kCyclesPerBeatOfSlots;
    const TileTimeline timeline = tile_timeline(problem_, tiling, core_, limit + bonus);
    terms += timeline.terms;
    TilingCost& cost = tiling.cost;
    const double traffic = (timeline.dram_beats - timeline.tap_beats) * kCyclesPerHiddenBeat +
                           timeline.tap_beats * kCyclesPerTapBeat;
    cost.dram_bytes = timeline.dram_beats * kBeatBytes;
    cost.exposed_cycles = timeline.head + timeline.tail;
    cost.total_cycles = timeline.cycles + traffic;
    if (!problem_.overlaps) return;
    const double hidden = hidden_head(tiling) * timeline.head + hidden_tail(tiling) * timeline.tail;
    const double ahead = static_cast<double>(tiling.wgt_slots * wgt_slot_elems(shape_, tiling)) *
                         core_.wgt_elem_bytes() / kBeatBytes;
    cost.exposed_cycles -= hidden;
    const bool is_limited = timeline.wgt_beats > kLimitingShare * timeline.cycles;
    cost.total_cycles = timeline.cycles - hidden + traffic -
                        ahead * (is_limited ? kCyclesPerBeatOfSlots : kCyclesPerBeatAhead);
  }

  // The tiling, and the same with more slots: loads then start earlier.
  std::vector<Tiling> with_more_slots(const Tiling& tiling) const {
    std::vector<Tiling> all = {tiling};
    const auto [inp, wgt] = max_slots(tiling);
    const auto add = [&](int64_t inp_slots, int64_t wgt_slots) {
      Tiling more = tiling;
      more.inp_slots = std::min(inp, inp_slots);
      more.wgt_slots = std::min(wgt, wgt_slots);
      const bool is_new = std::ranges::none_of(all, [&](const Tiling& other) {
        return other.inp_slots == more.inp_slots && other.wgt_slots == more.wgt_slots;
      });
      if (is_new) all.push_back(more);
    };
    for (int64_t more_inp : {tiling.inp_slots, tiling.inp_slots + 1, 2 * tiling.inp_slots}) {
      for (int64_t more_wgt : {tiling.wgt_slots, tiling.wgt_slots + 1, 2 * tiling.wgt_slots, wgt})
        add(more_inp, more_wgt);
    }
    return all;
  }

  struct Blocks {
    int64_t tco, tci;
    BlockCut cut;
  };

  void list_block_cuts() {
    for (int64_t tco : piece_sizes(shape_.oc_blocks)) {
      const int64_t max_tci = cut_blocks(shape_, tco, shape_.ic_blocks).max_ic_blocks;
      for (int64_t tci : piece_sizes(max_tci)) {
        blocks_.push_back({tco, tci, cut_blocks(shape_, tco, tci)});
      }
    }
  }

  void search_pixels() {
    struct Cut {
      int64_t size;
      AxisCuts::Reach reach;
      TapCounts all, clipped;
      std::vector<AxisTile> tiles;  // their outputs
    };
    const auto cuts_of = [](const AxisCuts& axis, int64_t taps) {
      std::vector<Cut> cuts;
      for (int64_t size : axis.tile_sizes()) {
        cuts.push_back({size, axis.reach(size, taps), axis.counts(size, taps, false),
                        axis.counts(size, taps, true), axis.outputs_of_tiles(size)});
      }
      return cuts;
    };
    const std::vector<Cut> widths = cuts_of(columns_, candidate_.tkw);
    for (const Cut& rows : cuts_of(rows_, candidate_.tkh)) {
      candidate_.th = rows.size;
      for (const Cut& columns : widths) {
        candidate_.tw = columns.size;
        inp_block_elems_ = rows.reach.max * columns.reach.max;
        plane_elems_ = shape_.image_groups * rows.reach.sum * columns.reach.sum;
        plane_rows_ =
            shape_.image_groups * rows.reach.sum * columns_.pieces(columns.size, candidate_.tkw);
        gemm_counts_.clear();
        for (const TapCounts& y : {rows.all, rows.clipped}) {
          for (const TapCounts& x : {columns.all, columns.clipped})
            gemm_counts_.push_back({y.products * x.products, y.ranges * x.ranges});
        }
        if (!problem_.split) gemm_counts_.resize(1);
        border_counts_ = problem_.border.counts(rows.tiles, columns.tiles);
        search_blocks();
      }
    }
  }

  void search_blocks() {
    for (const Blocks& blocks : blocks_) {
      cut_ = &blocks.cut;
      set_elems(*cut_, inp_block_elems_);
      if (keeps_distance_ && !keeps_distance(blocks.tco)) continue;
      candidate_.tco = blocks.tco;
      candidate_.tci = blocks.tci;
      for (bool tap_in_alu : {false, true}) {
        candidate_.tap_in_alu = tap_in_alu;
        if (tap_in_alu && !may_take_tap(candidate_)) continue;
        if (tile_misfit(blocks.tco)) continue;
        consider_orders();
      }
      candidate_.tap_in_alu = false;
    }
  }

  void consider_orders() {
    for (bool channels_outer : {false, true}) {
      candidate_.channels_outer = channels_outer;
      candidate_.residual_in_gemm = false;
      consider();
      if (!problem_.may_multiply_residual) continue;
      candidate_.residual_in_gemm = true;
      consider();
    }
  }

  // Whether each GEMM of the smallest tile has the accumulators that the distance of its micro-ops
  // requires, if those of a tile of the whole layer do.
  bool keeps_distance(int64_t tco) const {
    const ConvAxis &rows = shape_.rows, &columns = shape_.columns;
    const auto smallest = [](int64_t all, int64_t size) { return (all - 1) % size + 1; };
    const auto of_phase = [](const ConvAxis& axis, int64_t outputs) {
      return std::max<int64_t>(1, outputs / axis.num_phases());
    };
    const int64_t height = rows.num_results(), width = columns.num_results();
    const int64_t in_layer = of_phase(rows, height) * of_phase(columns, width) * shape_.oc_blocks;
    const int64_t in_tile = of_phase(rows, smallest(height, candidate_.th)) *
                            of_phase(columns, smallest(width, candidate_.tw)) *
                            smallest(shape_.oc_blocks, tco);
    return in_tile >= std::min(problem_.gemm_distance, in_layer);
  }

  // Elements of ACC per block beside the tile: of a residual operand, of the copy of a leaky relu,
  // or of the results of a pool.
  int64_t second_elems_a_block() const {
    const bool has_second = problem_.has_residual || problem_.has_copy || shape_.rows.pool;
    return has_second ? candidate_.th * candidate_.tw : 0;
  }

  // The order of tiles determines the slots and how often each chunk is loaded.
  void consider() {
    const Tiling& t = candidate_;
    // Each slot may have a token in flight to the load stage. More tokens than the queue holds
    // could deadlock the stages that push and pop them.
    const int64_t max_slots = core_.token_queue_depth / 2;
    const int64_t inp_depth = core_.inp_depth() - reserved_inp_elems(problem_.border, t);
    const int64_t wgt_depth = core_.wgt_depth() - residual_wgt_elems(t);
    if (inp_depth <= 0 || wgt_depth <= 0) return;
    const int64_t inp_capacity = std::min(inp_depth / inp_elems_, max_slots);
    const int64_t wgt_capacity = std::min(wgt_depth / wgt_elems_, max_slots);
    const int64_t tap_groups =
        ceil_div(rows_.num_taps(), t.tkh) * ceil_div(columns_.num_taps(), t.tkw);
    const int64_t block_tiles = cut_->tiles;
    const int64_t all_block_terms = cut_->terms * tap_groups;  // of one PixelTile
    const int64_t terms = ceil_div(all_block_terms, block_tiles);
    const int64_t pixel_tiles = shape_.image_groups * ceil_div(shape_.rows.num_results(), t.th) *
                                ceil_div(shape_.columns.num_results(), t.tw);
    // Chunks that do not depend on the inner loop recur after `terms` chunks, the others after a
    // full round of the inner loop. With groups, each BlockTile has its own input.
    const bool shares_input = shape_.groups == 1;
    const int64_t inp_distance = t.channels_outer ? pixel_tiles * terms : terms;
    const int64_t wgt_distance = t.channels_outer ? terms : all_block_terms;
    const Ring inp = shares_input
                         ? ring(inp_capacity, inp_distance, pixel_tiles * terms, block_tiles)
                         : ring(inp_capacity, inp_distance, pixel_tiles * all_block_terms, 1);
    const int64_t weight_sets = shape_.weight_sets();
    const Ring wgt =
        ring(wgt_capacity, wgt_distance, weight_sets * all_block_terms, pixel_tiles / weight_sets);
    if (inp.slots == 0 || wgt.slots == 0) return;
    // Input blocks loaded for all BlockTiles, with each input chunk loaded `rounds` times.
    const int64_t inp_planes = shares_input ? shape_.ic_blocks * inp.rounds : cut_->ic_blocks;
    found_.push_back(candidate_);
    found_.back().cost = cost(inp, wgt, terms, pixel_tiles, inp_planes);
    found_.back().inp_slots = inp.slots;
    found_.back().wgt_slots = wgt.slots;
  }

  struct Ring {
    int64_t slots;   // 0: does not fit
    int64_t rounds;  // loads of each chunk
  };

  // `chunks` chunks are used `rounds` times each; a chunk recurs after `distance` chunks.
  Ring ring(int64_t capacity, int64_t distance, int64_t chunks, int64_t rounds) const {
    const int64_t min_slots = require_two_slots_ ? std::min<int64_t>(2, chunks) : 1;
    if (capacity < min_slots) return {0, 0};
    if (rounds == 1) return {std::min(capacity, min_slots), 1};
    if (capacity >= distance) return {std::max(min_slots, distance), 1};
    return {min_slots, rounds};
  }

  TilingCost cost(const Ring& inp, const Ring& wgt, int64_t terms, int64_t pixel_tiles,
                  int64_t inp_planes) const {
    const Tiling& t = candidate_;
    const int64_t block_tiles = cut_->tiles;
    const double tiles = static_cast<double>(pixel_tiles * block_tiles);
    const double vectors = static_cast<double>(shape_.image_groups * shape_.rows.num_results() *
                                               shape_.columns.num_results() * shape_.oc_blocks);
    const auto taps = static_cast<double>(rows_.num_taps() * columns_.num_taps());

    const double inp_bytes =
        static_cast<double>(plane_elems_ * inp_planes) * core_.inp_elem_bytes();
    const double wgt_bytes = static_cast<double>(shape_.weight_sets() * cut_->pairs) * taps *
                             static_cast<double>(wgt.rounds) * core_.wgt_elem_bytes();
    const double out_bytes = vectors * core_.out_elem_bytes();
    const double bias_loads = block_tiles <= 2   ? 2
                              : t.channels_outer ? 2.0 * static_cast<double>(block_tiles)
                                                 : tiles;
    // Of all tiles but the first one.
    const double tap_vectors = t.tap_in_alu ? vectors * (1 - 1 / tiles) : 0;
    const double tap_bytes = tap_vectors * core_.out_elem_bytes();
    const double residual_bytes = problem_.has_residual ? out_bytes : tap_bytes;
    const double acc_bytes = bias_loads * static_cast<double>(loaded_elems(problem_, t)) *
                                 static_cast<double>(t.tco) * core_.acc_elem_bytes() +
                             (t.residual_in_gemm ? 0 : residual_bytes);
    const double all_terms = tiles * static_cast<double>(terms);
    const UopTraffic uop = uop_traffic(inp, wgt, terms, all_terms);
    const double read_bytes =
        inp_bytes + wgt_bytes + acc_bytes + uop.bytes + (t.residual_in_gemm ? residual_bytes : 0);

    // In a tile of full width, a block's rows are one run.
    const double out_rows =
        vectors / static_cast<double>(t.tw == shape_.columns.num_results() ? t.th * t.tw : t.tw);

    const auto phases = static_cast<double>(shape_.rows.num_phases() * shape_.columns.num_phases());
    const double gemm = gemm_cycles() - tap_vectors + tiles * phases * kRankedGemmOverheadCycles +
                        bias_loads * correction_cycles(t.tco) + uop.bytes / kBeatBytes +
                        uop.loads * kReadLatencyCycles +
                        (t.residual_in_gemm ? vectors + tiles * kRankedGemmOverheadCycles : 0);
    const double pool_cycles = pool_alu_cycles();  // of a tile
    const double alu = vectors * problem_.alu_cycles_per_vector + tiles * pool_cycles +
                       acc_bytes / kBeatBytes + 2 * kReadLatencyCycles * tiles +
                       tap_vectors * static_cast<double>(alu_uop_cycles(core_, false)) +
                       border_cycles(block_tiles) +
                       (residual_bytes > 0 ? out_rows * kRowOverhead : 0) -
                       (t.residual_in_gemm ? vectors * problem_.residual_shift_cycles : 0);
    const double wgt_loads = all_terms * static_cast<double>(shape_.weight_sets()) /
                             static_cast<double>(pixel_tiles) * static_cast<double>(wgt.rounds);
    const double read = read_bytes / kBeatBytes +
                        static_cast<double>(plane_rows_ * inp_planes) * kRowOverhead +
                        wgt_loads * kLoadOverhead;
    const double write = out_bytes / kBeatBytes + out_rows * kRowOverhead;
    const double compute = problem_.split ? std::max(gemm, alu) : gemm + alu + vectors;

    // Exposed prologue (first chunks) and epilogue (ALU passes and store of the last tile).
    const double head = (static_cast<double>(inp_elems_) * core_.inp_elem_bytes() +
                         static_cast<double>(wgt_elems_) * core_.wgt_elem_bytes()) /
                        kBeatBytes;
    const double tail = static_cast<double>(t.th * t.tw * t.tco) *
                            ((problem_.split ? problem_.alu_cycles_per_vector : 0) +
                             core_.out_elem_bytes() / kBeatBytes) +
                        pool_cycles;
    TilingCost cost{.gemm_cycles = gemm,
                    .alu_cycles = alu,
                    .load_cycles = read,
                    .store_cycles = write,
                    .exposed_cycles = (head + tail) * (problem_.overlaps ? 0.5 : 1),
                    .dram_bytes = read_bytes + out_bytes};
    cost.total_cycles = std::max({compute, read, write}) + cost.exposed_cycles +
                        (cost.dram_bytes - tap_bytes) / kBeatBytes * kCyclesPerHiddenBeat +
                        tap_bytes / kBeatBytes * kCyclesPerTapBeat;
    return cost;
  }

  // Of the products, with the overhead of their instructions: of all ranges of taps the best.
  double gemm_cycles() const {
    double least = std::numeric_limits<double>::infinity();
    for (const TapCounts& counts : gemm_counts_) {
      const int64_t instructions = cut_->terms * counts.ranges;
      const int64_t cycles =
          cut_->pairs * counts.products + instructions * kRankedGemmOverheadCycles;
      least = std::min(least, static_cast<double>(shape_.image_groups * cycles));
    }
    return least;
  }

  // Of GEMM for the corrections of a tile's blocks.
  double correction_cycles(int64_t tco) const {
    if (!problem_.border.in_gemm()) return 0;
    return static_cast<double>(tco * problem_.border.num_corrections() + kRankedGemmOverheadCycles);
  }

  // Of the ALU for the corrections of all tiles.
  double border_cycles(int64_t block_tiles) const {
    const double elems = static_cast<double>(border_counts_.outputs * shape_.oc_blocks) *
                         static_cast<double>(alu_uop_cycles(core_, false));
    return static_cast<double>(shape_.image_groups) *
           (elems +
            kAluOverheadCycles * static_cast<double>(border_counts_.rectangles * block_tiles));
  }

  double pool_alu_cycles() const {
    if (!shape_.rows.pool) return 0;
    return static_cast<double>(candidate_.tco * maximum_cycles(*shape_.rows.pool,
                                                               *shape_.columns.pool, candidate_.th,
                                                               candidate_.tw, core_));
  }

  struct UopTraffic {
    double loads, bytes;
  };

  // Kernels differ by slots and ACC half; if they do not all fit, one is loaded per term.
  UopTraffic uop_traffic(const Ring& inp, const Ring& wgt, int64_t terms, double all_terms) const {
    const double kernel = static_cast<double>(wgt_elems_);
    const int64_t combinations =
        std::max(inp.slots, wgt.slots) + (terms % 2 != 0 && terms > 1 ? 1 : 0);
    const double kernels = std::min(all_terms, 2.0 * static_cast<double>(combinations) + 2);
    const double loads =
        kernels * kernel <= static_cast<double>(uop_capacity_) ? kernels : all_terms;
    return {loads, loads * kernel * core_.uop_elem_bytes()};
  }

  const TilingProblem& problem_;
  const ConvShape& shape_;
  const CoreConfig& core_;
  const AxisCuts rows_, columns_;
  const int64_t uop_capacity_;
  const int64_t pool_uops_a_block_;
  bool keeps_distance_;  // only tiles that do
  bool require_two_slots_ = true;
  std::vector<Blocks> blocks_;

  // The candidate tiling.
  Tiling candidate_;
  const BlockCut* cut_ = nullptr;
  int64_t inp_block_elems_ = 0, inp_elems_ = 0, wgt_elems_ = 0;  // of a slot
  int64_t plane_elems_ = 0, plane_rows_ = 0;                     // loaded per input block and round
  // Of all tiles of an image group, per pair of blocks and per term: the ways to leave out padding.
  std::vector<TapCounts> gemm_counts_;
  Border::Counts border_counts_;  // of all tiles of an image group's block

  std::vector<Tiling> found_;          // all legal ones, with rough costs
  std::optional<Tiling> best_, next_;  // by timelines; next_: the best one of another tile size
};

}  // namespace

std::string to_string(const Tiling& t, const ConvShape& shape) {
  std::string text = fmt::format("{} x {} x {} x {}", t.th, t.tw, t.tco, t.tci);
  const auto rows = static_cast<int64_t>(axis_taps(shape.rows).size());
  const auto columns = static_cast<int64_t>(axis_taps(shape.columns).size());
  if (t.tkh != rows || t.tkw != columns) text += fmt::format(", taps {} x {}", t.tkh, t.tkw);
  if (t.channels_outer) text += ", channels outer";
  if (t.residual_in_gemm) text += ", residual in GEMM";
  if (t.tap_in_alu) text += ", tap in ALU";
  return text;
}

int64_t residual_inp_elems(const Tiling& t) {
  return t.residual_in_gemm ? 2 * t.th * t.tw * t.tco : 0;
}
int64_t reserved_inp_elems(const Border& border, const Tiling& t) {
  return residual_inp_elems(t) + (border.in_gemm() ? 1 : 0);
}
int64_t residual_wgt_elems(const Tiling& t) { return t.residual_in_gemm ? 1 : 0; }

int64_t acc_block_elems(const ConvShape& shape, const Tiling& t) {
  const auto elems = [](const ConvAxis& axis, int64_t size) {
    return axis.pool ? axis.pool->reach(size) : size;
  };
  return elems(shape.rows, t.th) * elems(shape.columns, t.tw);
}

int64_t inp_block_elems(const ConvShape& shape, const Tiling& t) {
  return AxisCuts(shape.rows, true).reach(t.th, t.tkh).max *
         AxisCuts(shape.columns, false).reach(t.tw, t.tkw).max;
}

int64_t inp_slot_elems(const ConvShape& shape, const Tiling& t) {
  return cut_blocks(shape, t.tco, t.tci).max_ic_blocks * inp_block_elems(shape, t);
}

int64_t wgt_slot_elems(const ConvShape& shape, const Tiling& t) {
  return cut_blocks(shape, t.tco, t.tci).max_pairs * t.tkh * t.tkw;
}

std::optional<FoundTiling> find_tiling(const TilingProblem& problem, const CoreConfig& core) {
  return Search(problem, core).run();
}

std::vector<Tiling> legal_tilings(const TilingProblem& problem, const CoreConfig& core) {
  return Search(problem, core).all();
}

std::vector<Tiling> with_all_slots(const TilingProblem& problem, const Tiling& tiling,
                                   const CoreConfig& core) {
  return Search(problem, core).with_all_slots(tiling);
}

std::optional<std::string> why_illegal(const TilingProblem& problem, const Tiling& tiling,
                                       const CoreConfig& core) {
  return Search(problem, core).why_illegal(tiling);
}

TilingCost estimate(const TilingProblem& problem, const Tiling& tiling, const CoreConfig& core) {
  return Search(problem, core).estimate(tiling);
}

TilingReport report_of(const FoundTiling& found, const ConvShape& shape) {
  const Tiling& tiling = found.tiling;
  TilingReport report;
  report.cost = tiling.cost;
  report.num_legal = found.num_legal;
  if (found.next) {
    report.next = to_string(*found.next, shape);
    report.next_cost = found.next->cost;
  }
  report.inp_slots = tiling.inp_slots;
  report.wgt_slots = tiling.wgt_slots;
  report.inp_elems = tiling.inp_slots * inp_slot_elems(shape, tiling);
  report.wgt_elems = tiling.wgt_slots * wgt_slot_elems(shape, tiling);
  report.acc_elems = acc_block_elems(shape, tiling) * tiling.tco;
  return report;
}

}  // namespace vta::lower
