// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/tile_timeline.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/lower/alu_cycles.h"
#include "compiler/lower/axis_cuts.h"
#include "compiler/lower/conv_terms.h"
#include "compiler/lower/gemm_cycles.h"
#include "compiler/lower/maximum_counts.h"
#include "configs/core_timing.h"

namespace vta::lower {
namespace {

// Overhead of an instruction beyond its micro-ops or beats, by stage.
constexpr double kAccLoadCycles = 40, kStoreCycles = 8;
// Latency of a token, from the end of an instruction to the start of one that waits for it.
constexpr double kTokenCycles = 4;
// Cost of a LOAD of micro-ops in the middle of a stream.
constexpr double kUopLoadCycles = 35;

// The slots of INP or WGT (slot_ring.h), and when each was read last.
class Slots {
 public:
  Slots(int64_t num_slots, int64_t num_chunks)
      : free_(static_cast<size_t>(num_slots), 0),
        ready_(static_cast<size_t>(num_slots), 0),
        chunk_in_(static_cast<size_t>(num_slots), -1),
        slot_of_(static_cast<size_t>(num_chunks), -1) {}

  // Whether the chunk has to be loaded; `slot` is its slot in either case.
  bool take(int64_t chunk, size_t& slot) {
    int32_t& own = slot_of_[static_cast<size_t>(chunk)];
    if (own >= 0) {
      slot = static_cast<size_t>(own);
      return false;
    }
    slot = next_;
    next_ = (next_ + 1) % free_.size();
    if (chunk_in_[slot] >= 0) slot_of_[static_cast<size_t>(chunk_in_[slot])] = -1;
    chunk_in_[slot] = chunk;
    own = static_cast<int32_t>(slot);
    return true;
  }
  double& free(size_t slot) { return free_[slot]; }    // its last reader has ended
  double& ready(size_t slot) { return ready_[slot]; }  // it has been loaded

 private:
  std::vector<double> free_, ready_;
  std::vector<int64_t> chunk_in_;
  std::vector<int32_t> slot_of_;
  size_t next_ = 0;
};

class Walk {
 public:
  Walk(const TilingProblem& problem, const Tiling& tiling, const CoreConfig& core)
      : problem_(problem),
        shape_(problem.shape),
        t_(tiling),
        core_(core),
        rows_(AxisCuts(shape_.rows, true).cut(t_.th, t_.tkh)),
        columns_(AxisCuts(shape_.columns, false).cut(t_.tw, t_.tkw)),
        inp_beats_(static_cast<double>(core.inp_elem_bytes()) / kBeatBytes),
        wgt_beats_(static_cast<double>(core.wgt_elem_bytes()) / kBeatBytes),
        acc_beats_(static_cast<double>(core.acc_elem_bytes()) / kBeatBytes),
        out_beats_(static_cast<double>(core.out_elem_bytes()) / kBeatBytes),
        products_a_cycle_(products_a_cycle(problem, core)) {
    list_terms();
    inp_.emplace(t_.inp_slots, num_input_chunks());
    wgt_.emplace(t_.wgt_slots, shape_.weight_sets() * num_weight_chunks_);
    if (t_.residual_in_gemm) residual_.emplace(2, num_tiles());
    kernels_.resize(static_cast<size_t>(t_.inp_slots * t_.wgt_slots * 4), false);
  }

  TileTimeline run(double limit) {
    const int64_t pixel_tiles = num_pixel_tiles();
    const auto block_tiles = static_cast<int64_t>(blocks_.size());
    const int64_t outer = t_.channels_outer ? block_tiles : pixel_tiles;
    const int64_t inner = t_.channels_outer ? pixel_tiles : block_tiles;
    TileTimeline timeline;
    const auto tile = [&](int64_t i) {
      const int64_t out = i / inner, in = i % inner;
      return t_.channels_outer ? TileIndex{in, out} : TileIndex{out, in};
    };
    for (int64_t i = 0; i < outer * inner; ++i) {
      is_last_ = i + 1 == outer * inner;
      has_tap_ = t_.tap_in_alu && i > 0;
      if (!has_tap_) load_accumulators(tile(i), half_, false);
      if (t_.tap_in_alu && i == 0 && !is_last_) load_accumulators(tile(1), 1, true);
      walk_tile(tile(i));
      if (t_.tap_in_alu && i + 2 < outer * inner) load_accumulators(tile(i + 2), half_, true);
      half_ ^= 1;
      timeline.terms = terms_;
      if (gemm_free_ - first_gemm_ <= limit) continue;
      timeline.cycles = std::numeric_limits<double>::infinity();
      return timeline;
    }
    timeline.cycles = std::max(store_free_ + kWriteLatencyCycles, read_beats_) + first_uops_;
    timeline.head = first_gemm_;
    timeline.tail = store_free_ + kWriteLatencyCycles - gemm_free_;
    timeline.dram_beats = read_beats_ + write_beats_;
    timeline.wgt_beats = loaded_wgt_beats_;
    timeline.tap_beats = tap_beats_;
    return timeline;
  }

 private:
  struct TileIndex {
    int64_t pixels, blocks;
  };
  struct Term {
    int64_t num_ic, pairs, row_group, column_group;
  };
  struct Blocks {
    int64_t tco, first_chunk;
    std::vector<Term> terms;
  };

  void list_terms() {
    for (int64_t oc = 0; oc < shape_.oc_blocks; oc += t_.tco) {
      Blocks blocks{std::min(t_.tco, shape_.oc_blocks - oc), num_weight_chunks_, {}};
      const int64_t end = shape_.input_blocks(oc + blocks.tco - 1).end;
      for (int64_t ic = shape_.input_blocks(oc).begin; ic < end; ic += t_.tci) {
        const int64_t num_ic = std::min(t_.tci, end - ic);
        int64_t pairs = 0;
        for (int64_t block = oc; block < oc + blocks.tco; ++block) {
          const BlockRange range = shape_.input_blocks(block);
          pairs +=
              std::max<int64_t>(0, std::min(range.end, ic + num_ic) - std::max(range.begin, ic));
        }
        for (int64_t row = 0; row < rows_.num_groups; ++row) {
          for (int64_t column = 0; column < columns_.num_groups; ++column)
            blocks.terms.push_back({num_ic, pairs, row, column});
        }
      }
      num_weight_chunks_ += static_cast<int64_t>(blocks.terms.size());
      blocks_.push_back(std::move(blocks));
    }
  }

  bool shares_input() const { return shape_.groups == 1; }
  int64_t chunks_a_pixel_tile() const {
    return shares_input() ? static_cast<int64_t>(blocks_[0].terms.size()) : num_weight_chunks_;
  }
  int64_t num_pixel_tiles() const {
    return shape_.image_groups * rows_.num_tiles() * columns_.num_tiles();
  }
  int64_t num_tiles() const { return num_pixel_tiles() * static_cast<int64_t>(blocks_.size()); }
  int64_t num_input_chunks() const { return num_pixel_tiles() * chunks_a_pixel_tile(); }

  int64_t row_of(int64_t pixel_tile) const {
    return pixel_tile / columns_.num_tiles() % rows_.num_tiles();
  }
  int64_t column_of(int64_t pixel_tile) const { return pixel_tile % columns_.num_tiles(); }
  // The number of transfers for the results of a tile's blocks.
  int64_t transfers(const AxisSpan& columns, const Blocks& blocks) const {
    const bool is_run = columns.results.size == shape_.columns.num_results();
    return is_run ? 1 : blocks.tco;
  }

  void walk_tile(const TileIndex& tile) {
    const auto& [pixel_tile, block_tile] = tile;
    const Blocks& blocks = blocks_[static_cast<size_t>(block_tile)];
    const int64_t row = row_of(pixel_tile), column = column_of(pixel_tile);
    const AxisSpan &rows = rows_.span(row), &columns = columns_.span(column);
    // The first chunk of the image group's weights.
    const int64_t weight_set =
        shape_.own_weights
            ? pixel_tile / (rows_.num_tiles() * columns_.num_tiles()) * num_weight_chunks_
            : 0;
    const int64_t pixels = rows.results.size * columns.results.size;
    const int64_t num_transfers = transfers(columns, blocks);
    bool is_first = true;
    for (size_t i = 0; i < blocks.terms.size(); ++i) {
      const Term& term = blocks.terms[i];
      const auto& y = rows_.cell(row, term.row_group);
      const auto& x = columns_.cell(column, term.column_group);
      if (y.positions == 0 || x.positions == 0) continue;
      const auto index = static_cast<int64_t>(i);
      const int64_t input =
          pixel_tile * chunks_a_pixel_tile() + (shares_input() ? 0 : blocks.first_chunk) + index;
      walk_term(term, y, x, input, weight_set + blocks.first_chunk + index, is_first);
      is_first = false;
    }
    if (problem_.border.in_gemm() && std::exchange(border_in_[half_], block_tile) != block_tile) {
      gemm_free_ +=
          static_cast<double>(blocks.tco * problem_.border.num_corrections()) + kGemmOverheadCycles;
    }
    if (t_.residual_in_gemm) {
      multiply_residual(static_cast<double>(pixels * blocks.tco), num_transfers);
    }
    finish_tile(blocks.tco, static_cast<double>(pixels), num_transfers,
                border_cycles(rows.outputs, columns.outputs, blocks.tco));
  }

  // In the ALU's queue, before the passes of the tile. If the ALU multiplies a tap, after those of
  // the tile before the last, and GEMM starts with the tile when it has (ConvEmitter::load_tap()).
  void load_accumulators(const TileIndex& tile, int half, bool has_tap) {
    const auto& [pixel_tile, block_tile] = tile;
    const AxisSpan &rows = rows_.span(row_of(pixel_tile)),
                   &columns = columns_.span(column_of(pixel_tile));
    const Blocks& blocks = blocks_[static_cast<size_t>(block_tile)];
    const auto vectors = static_cast<double>(rows.results.size * columns.results.size * blocks.tco);
    double beats = 0;
    const auto elems = static_cast<double>(blocks.tco * loaded_elems(problem_, t_));
    if (bias_in_[half] != block_tile) {
      bias_in_[half] = block_tile;
      beats += elems * acc_beats_;
      alu_free_ += kAccLoadCycles;
    }
    if ((problem_.has_residual && !t_.residual_in_gemm) || has_tap) {
      beats += vectors * out_beats_;
      alu_free_ += static_cast<double>(transfers(columns, blocks)) * kAccLoadCycles;
    }
    alu_free_ += beats;
    read_beats_ += beats;
    if (!has_tap) return;
    tap_beats_ += vectors * out_beats_;
    alu_free_ += alu_cycles(vectors) + kAluOverheadCycles;
    acc_free_[half] = alu_free_ + kTokenCycles;
  }

  void multiply_residual(double vectors, int64_t transfers) {
    size_t slot = 0;
    residual_->take(num_residuals_++, slot);
    load(*residual_, slot, vectors * out_beats_, 0, static_cast<double>(transfers));
    gemm_free_ = std::max(gemm_free_, residual_->ready(slot)) + vectors / products_a_cycle_ +
                 kGemmOverheadCycles;
    residual_->free(slot) = gemm_free_ + kTokenCycles;
  }

  void walk_term(const Term& term, const AxisCell& y, const AxisCell& x, int64_t input,
                 int64_t weights, bool is_first) {
    ++terms_;
    size_t wgt = 0, inp = 0;
    const auto wgt_elems = static_cast<double>(term.pairs * t_.tkh * t_.tkw);
    if (wgt_->take(weights, wgt)) {
      load(*wgt_, wgt, wgt_elems * wgt_beats_, 0, 1);
      loaded_wgt_beats_ += wgt_elems * wgt_beats_;
    }
    if (inp_->take(input, inp)) {
      const bool padded = y.positions != y.loaded || x.positions != x.loaded;
      const bool is_run = !padded && x.loaded == shape_.columns.in;
      const auto elems = static_cast<double>(term.num_ic * y.positions * x.positions);
      const auto loaded = static_cast<double>(term.num_ic * y.loaded * x.loaded);
      load(*inp_, inp, loaded * inp_beats_, elems - loaded,
           is_run ? 1 : static_cast<double>(term.num_ic));
    }
    const double start =
        std::max({gemm_free_, wgt_->ready(wgt), inp_->ready(inp), is_first ? acc_free_[half_] : 0});
    if (first_gemm_ == 0) first_gemm_ = start;
    // A kernel is that of one output block if one loop suffices for the pixels (ConvGemms).
    const bool is_run = t_.tkh * t_.tkw == 1 && shape_.groups == 1 &&
                        (x.counts[0].products == 1 || y.counts[0].products == 1 ||
                         y.stride * x.positions == x.counts[0].products * x.stride);
    const double uops = is_run ? static_cast<double>(term.num_ic) : wgt_elems;
    const bool has_two = is_first && !has_tap_ && term.pairs * t_.tkh * t_.tkw > 1;
    gemm_free_ = start + gemm_cycles(term, y, x) + (has_two ? kGemmOverheadCycles : 0) +
                 uop_cycles(inp, wgt, is_first, uops);
    inp_->free(inp) = wgt_->free(wgt) = gemm_free_ + kTokenCycles;
    if (!problem_.split) alu_free_ = std::max(alu_free_, gemm_free_);
  }

  // The cycles of the best way to leave out the products of padding (tap_ranges.h).
  double gemm_cycles(const Term& term, const AxisCell& y, const AxisCell& x) const {
    // The ALU's tap has all outputs.
    const int64_t outputs =
        has_tap_ ? y.counts[0].products * x.counts[0].products / (t_.tkh * t_.tkw) : 0;
    const auto cycles = [&](const TapCounts& rows, const TapCounts& columns) {
      return static_cast<double>(term.pairs * (rows.products * columns.products - outputs)) /
                 products_a_cycle_ +
             kGemmOverheadCycles * static_cast<double>(rows.ranges * columns.ranges);
    };
    double least = cycles(y.counts[0], x.counts[0]);
    if (!problem_.split) return least;
    for (const TapCounts& rows : y.counts) {
      for (const TapCounts& columns : x.counts) least = std::min(least, cycles(rows, columns));
    }
    return least;
  }

  void load(Slots& slots, size_t slot, double beats, double padding, double instructions) {
    const double request = std::max(slots.free(slot), request_free_);
    const double begin = std::max(load_free_, request + kReadLatencyCycles);
    load_free_ = begin + beats + padding + kLoadOverheadCycles * instructions;
    request_free_ = std::max(request, load_free_ - 2 * kReadLatencyCycles);
    slots.ready(slot) = load_free_ + kTokenCycles;
    read_beats_ += beats;
  }

  // Kernels are loaded at the start of the stream; if they do not fit UOP, term by term.
  double uop_cycles(size_t inp, size_t wgt, bool is_first, double uops) {
    const size_t kernel =
        ((inp * static_cast<size_t>(t_.wgt_slots) + wgt) * 2 + static_cast<size_t>(half_)) * 2 +
        (is_first ? 1 : 0);
    const bool is_new = !kernels_[kernel];
    if (is_new) first_uops_ += uops;
    kernels_[kernel] = true;
    return first_uops_ > core_.uop_depth() ? uops + kUopLoadCycles : 0;
  }

  double alu_cycles(double uops) const {
    return uops * static_cast<double>(alu_uop_cycles(core_, false));
  }

  // The ALU's cycles for the corrections of a tile.
  double border_cycles(const AxisTile& rows, const AxisTile& columns, int64_t tco) const {
    const Border::Counts counts = problem_.border.counts({&rows, 1}, {&columns, 1});
    return alu_cycles(static_cast<double>(counts.outputs * tco)) +
           kAluOverheadCycles * static_cast<double>(counts.rectangles);
  }

  void finish_tile(int64_t tco, double pixels, int64_t transfers, double border) {
    const double vectors = pixels * static_cast<double>(tco);
    alu_free_ = std::max({alu_free_, gemm_free_ + kTokenCycles, out_free_[half_]}) + border;
    const double shift = t_.residual_in_gemm ? problem_.residual_shift_cycles : 0;
    if (shape_.rows.pool) {
      alu_free_ += static_cast<double>(
          tco * maximum_cycles(*shape_.rows.pool, *shape_.columns.pool, t_.th, t_.tw, core_));
    }
    const double beats = vectors * out_beats_;
    const int64_t part_blocks = ceil_div(tco, is_last_ ? problem_.max_last_parts : 1);
    const auto parts = static_cast<double>(ceil_div(tco, part_blocks));
    for (int64_t first = 0; first < tco; first += part_blocks) {
      alu_free_ += vectors / parts * (problem_.alu_cycles_per_vector - shift) +
                   kAluOverheadCycles * (problem_.alu_passes - shift);
      store_free_ = std::max(store_free_, alu_free_ + kTokenCycles) + beats / parts +
                    kStoreCycles * std::max(1.0, static_cast<double>(transfers) / parts);
    }
    if (!problem_.split) gemm_free_ = alu_free_ + vectors;
    acc_free_[half_] = alu_free_ + kTokenCycles;
    out_free_[half_] = store_free_ + kWriteLatencyCycles;
    write_beats_ += beats;
  }

  const TilingProblem& problem_;
  const ConvShape& shape_;
  const Tiling& t_;
  const CoreConfig& core_;
  const AxisCut rows_, columns_;
  const double inp_beats_, wgt_beats_, acc_beats_, out_beats_;  // of an element
  const double products_a_cycle_;
  std::vector<Blocks> blocks_;
  int64_t num_weight_chunks_ = 0;
  std::optional<Slots> inp_, wgt_, residual_;
  int64_t num_residuals_ = 0;  // so far
  std::vector<bool> kernels_;  // that have been used

  int64_t terms_ = 0;  // so far
  int half_ = 0;
  bool is_last_ = false;  // the tile
  bool has_tap_ = false;  // whether the ALU multiplies one of the tile
  int64_t bias_in_[2] = {-1, -1}, border_in_[2] = {-1, -1};  // tiles of blocks
  double request_free_ = 0, load_free_ = 0, gemm_free_ = 0, alu_free_ = 0, store_free_ = 0;
  double acc_free_[2] = {0, 0}, out_free_[2] = {0, 0};
  double first_gemm_ = 0, first_uops_ = 0;
  double read_beats_ = 0, write_beats_ = 0, loaded_wgt_beats_ = 0, tap_beats_ = 0;
};

}  // namespace

TileTimeline tile_timeline(const TilingProblem& problem, const Tiling& tiling,
                           const CoreConfig& core, double limit_cycles) {
  return Walk(problem, tiling, core).run(limit_cycles);
}

}  // namespace vta::lower
