// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/tiling_cost.h"

#include <algorithm>
#include <limits>

#include "compiler/lower/alu_cycles.h"
#include "compiler/lower/gemm_cycles.h"
#include "compiler/lower/maximum_counts.h"
#include "compiler/lower/tile_timeline.h"
#include "compiler/lower/tiling_sizes.h"
#include "configs/core_timing.h"

namespace vta::lower {
namespace {

// The constants below were chosen so that the networks of configs/networks take the least time.
// Idle memory cycles between short bursts: per row of a transfer, and per LOAD of weights.
constexpr double kRowOverhead = 4, kLoadOverhead = 8;
// Weight of a beat of overlapped DRAM traffic.
constexpr double kCyclesPerHiddenBeat = 0.54;
// Cost per beat of the ALU tap's operand: two beats save one GEMM cycle.
constexpr double kCyclesPerTapBeat = 0.1;
// What a beat of weights in the slots is worth: the load stage can be that far ahead of GEMM when a
// layer follows that DRAM limits.
constexpr double kCyclesPerBeatAhead = 0.02;
// The same if loading its weights limits the layer itself, as it does a classifier: the load stage
// fills the slots while the layers before compute.
constexpr double kCyclesPerBeatOfSlots = 0.25, kLimitingShare = 0.9;

class RoughCost {
 public:
  RoughCost(const TilingProblem& problem, const CoreConfig& core, const TilingCandidate& candidate)
      : problem_(problem),
        shape_(problem.shape),
        core_(core),
        candidate_(candidate),
        t_(candidate.tiling),
        pixels_(candidate.pixels),
        blocks_(candidate.blocks),
        products_a_cycle_(products_a_cycle(problem, core)),
        tiles_(static_cast<double>(pixels_.num_tiles * blocks_.tiles)),
        vectors_(static_cast<double>(shape_.image_groups * shape_.rows.num_results() *
                                     shape_.columns.num_results() * shape_.oc_blocks)),
        all_terms_(tiles_ * static_cast<double>(candidate.terms)),
        bias_loads_(blocks_.tiles <= 2  ? 2
                    : t_.channels_outer ? 2.0 * static_cast<double>(blocks_.tiles)
                                        : tiles_),
        tap_vectors_(t_.tap_in_alu ? vectors_ * (1 - 1 / tiles_) : 0),
        out_bytes_(vectors_ * core.out_elem_bytes()),
        tap_bytes_(tap_vectors_ * core.out_elem_bytes()),
        residual_bytes_(problem.has_residual ? out_bytes_ : tap_bytes_),
        acc_bytes_(bias_loads_ * static_cast<double>(loaded_elems(problem, t_)) *
                       static_cast<double>(t_.tco) * core.acc_elem_bytes() +
                   (t_.residual_in_gemm ? 0 : residual_bytes_)),
        // In a tile of full width, a block's rows are one run.
        out_rows_(vectors_ / static_cast<double>(
                                 t_.tw == shape_.columns.num_results() ? t_.th * t_.tw : t_.tw)),
        uop_(uop_traffic()) {}

  TilingCost cost() const {
    const double read_bytes = this->read_bytes();
    TilingCost cost{.gemm_cycles = gemm_cycles(),
                    .alu_cycles = alu_cycles(),
                    .load_cycles = load_cycles(read_bytes),
                    .store_cycles = out_bytes_ / kBeatBytes + out_rows_ * kRowOverhead,
                    .exposed_cycles = exposed_cycles(),
                    .dram_bytes = read_bytes + out_bytes_};
    const double compute = problem_.split ? std::max(cost.gemm_cycles, cost.alu_cycles)
                                          : cost.gemm_cycles + cost.alu_cycles + vectors_;
    cost.total_cycles = std::max({compute, cost.load_cycles, cost.store_cycles}) +
                        cost.exposed_cycles +
                        (cost.dram_bytes - tap_bytes_) / kBeatBytes * kCyclesPerHiddenBeat +
                        tap_bytes_ / kBeatBytes * kCyclesPerTapBeat;
    return cost;
  }

 private:
  struct UopTraffic {
    double loads, bytes;
  };

  // Kernels differ by slots and ACC half; if they do not all fit, one is loaded per term.
  UopTraffic uop_traffic() const {
    const double kernel = static_cast<double>(candidate_.wgt_elems);
    const bool is_odd = candidate_.terms % 2 != 0 && candidate_.terms > 1;
    const int64_t combinations = std::max(t_.inp_slots, t_.wgt_slots) + (is_odd ? 1 : 0);
    const double kernels = std::min(all_terms_, 2.0 * static_cast<double>(combinations) + 2);
    const double loads =
        kernels * kernel <= static_cast<double>(core_.uop_depth()) ? kernels : all_terms_;
    return {loads, loads * kernel * core_.uop_elem_bytes()};
  }

  double read_bytes() const {
    const auto taps = static_cast<double>(pixels_.num_taps);
    const double inp_bytes =
        static_cast<double>(pixels_.plane_elems * candidate_.inp_planes) * core_.inp_elem_bytes();
    const double wgt_bytes = static_cast<double>(shape_.weight_sets() * blocks_.pairs) * taps *
                             static_cast<double>(candidate_.wgt_rounds) * core_.wgt_elem_bytes();
    return inp_bytes + wgt_bytes + acc_bytes_ + uop_.bytes +
           (t_.residual_in_gemm ? residual_bytes_ : 0);
  }

  double gemm_cycles() const {
    const auto phases = static_cast<double>(shape_.rows.num_phases() * shape_.columns.num_phases());
    const double residuals =
        t_.residual_in_gemm ? vectors_ / products_a_cycle_ + tiles_ * kRankedGemmOverheadCycles : 0;
    return product_cycles() - tap_vectors_ / products_a_cycle_ +
           tiles_ * phases * kRankedGemmOverheadCycles + bias_loads_ * correction_cycles() +
           uop_.bytes / kBeatBytes + uop_.loads * kReadLatencyCycles + residuals;
  }

  // The products and the overhead of their instructions, for the best ranges of taps.
  double product_cycles() const {
    double least = std::numeric_limits<double>::infinity();
    for (const TapCounts& counts : pixels_.gemm_counts) {
      const int64_t instructions = blocks_.terms * counts.ranges;
      const double cycles =
          static_cast<double>(blocks_.pairs * counts.products) / products_a_cycle_ +
          static_cast<double>(instructions * kRankedGemmOverheadCycles);
      least = std::min(least, static_cast<double>(shape_.image_groups) * cycles);
    }
    return least;
  }

  // GEMM's cycles for the corrections of a tile's blocks.
  double correction_cycles() const {
    if (!problem_.border.in_gemm()) return 0;
    return static_cast<double>(t_.tco * problem_.border.num_corrections() +
                               kRankedGemmOverheadCycles);
  }

  double alu_cycles() const {
    return vectors_ * problem_.alu_cycles_per_vector + tiles_ * pool_cycles() +
           acc_bytes_ / kBeatBytes + 2 * kReadLatencyCycles * tiles_ +
           tap_vectors_ * static_cast<double>(alu_uop_cycles(core_, false)) + border_cycles() +
           (residual_bytes_ > 0 ? out_rows_ * kRowOverhead : 0) -
           (t_.residual_in_gemm ? vectors_ * problem_.residual_shift_cycles : 0);
  }

  // The ALU's cycles for a tile's pool.
  double pool_cycles() const {
    if (!shape_.rows.pool) return 0;
    return static_cast<double>(
        t_.tco * maximum_cycles(*shape_.rows.pool, *shape_.columns.pool, t_.th, t_.tw, core_));
  }

  // The ALU's cycles for the corrections of all tiles.
  double border_cycles() const {
    const Border::Counts& counts = pixels_.border_counts;
    const double elems = static_cast<double>(counts.outputs * shape_.oc_blocks) *
                         static_cast<double>(alu_uop_cycles(core_, false));
    return static_cast<double>(shape_.image_groups) *
           (elems + kAluOverheadCycles * static_cast<double>(counts.rectangles * blocks_.tiles));
  }

  double load_cycles(double read_bytes) const {
    const double wgt_loads = all_terms_ * static_cast<double>(shape_.weight_sets()) /
                             static_cast<double>(pixels_.num_tiles) *
                             static_cast<double>(candidate_.wgt_rounds);
    return read_bytes / kBeatBytes +
           static_cast<double>(pixels_.plane_rows * candidate_.inp_planes) * kRowOverhead +
           wgt_loads * kLoadOverhead;
  }

  // Prologue (first chunks) and epilogue (ALU passes and store of the last tile).
  double exposed_cycles() const {
    const double head = (static_cast<double>(candidate_.inp_elems) * core_.inp_elem_bytes() +
                         static_cast<double>(candidate_.wgt_elems) * core_.wgt_elem_bytes()) /
                        kBeatBytes;
    const double tail = static_cast<double>(t_.th * t_.tw * t_.tco) *
                            ((problem_.split ? problem_.alu_cycles_per_vector : 0) +
                             core_.out_elem_bytes() / kBeatBytes) +
                        pool_cycles();
    return (head + tail) * (problem_.overlaps ? 0.5 : 1);
  }

  const TilingProblem& problem_;
  const ConvShape& shape_;
  const CoreConfig& core_;
  const TilingCandidate& candidate_;
  const Tiling& t_;
  const PixelCut& pixels_;
  const BlockCut& blocks_;
  const double products_a_cycle_;
  const double tiles_, vectors_, all_terms_;
  const double bias_loads_;
  const double tap_vectors_;  // of all tiles but the first one
  const double out_bytes_, tap_bytes_, residual_bytes_, acc_bytes_;
  const double out_rows_;
  const UopTraffic uop_;
};

// Within a stream, the cycles of a layer's prologue and epilogue that its neighbours hide: the
// more, the fewer rows the first tile needs, and the earlier rows are complete. With two tiles of
// rows an epilogue is not hidden wholly: the next layer's first tile may need a row of the second
// one.
double hidden_cycles(const ConvShape& shape, const Tiling& tiling, const TileTimeline& timeline) {
  const double share_of_rows =
      static_cast<double>(tiling.th) / static_cast<double>(shape.rows.num_results());
  const double head = 0.2 + 0.35 * (1 - share_of_rows);
  const bool by_pixels = !tiling.channels_outer || tiling.tco == shape.oc_blocks;
  const double tail = by_pixels ? 0.6 + 0.4 * std::min(1.0, 1.75 * (1 - share_of_rows)) : 0.6;
  return head * timeline.head + tail * timeline.tail;
}

}  // namespace

TilingCost rough_cost(const TilingProblem& problem, const CoreConfig& core,
                      const TilingCandidate& candidate) {
  return RoughCost(problem, core, candidate).cost();
}

int64_t set_timeline_cost(const TilingProblem& problem, const CoreConfig& core, double limit_cycles,
                          Tiling& tiling) {
  const double bonus =
      static_cast<double>(core.wgt_buffer_bytes) / kBeatBytes * kCyclesPerBeatOfSlots;
  const TileTimeline timeline = tile_timeline(problem, tiling, core, limit_cycles + bonus);
  TilingCost& cost = tiling.cost;
  const double traffic = (timeline.dram_beats - timeline.tap_beats) * kCyclesPerHiddenBeat +
                         timeline.tap_beats * kCyclesPerTapBeat;
  cost.dram_bytes = timeline.dram_beats * kBeatBytes;
  cost.exposed_cycles = timeline.head + timeline.tail;
  cost.total_cycles = timeline.cycles + traffic;
  if (!problem.overlaps) return timeline.terms;
  const double hidden = hidden_cycles(problem.shape, tiling, timeline);
  const double ahead =
      static_cast<double>(tiling.wgt_slots * wgt_slot_elems(problem.shape, tiling)) *
      core.wgt_elem_bytes() / kBeatBytes;
  cost.exposed_cycles -= hidden;
  const bool is_limited = timeline.wgt_beats > kLimitingShare * timeline.cycles;
  cost.total_cycles = timeline.cycles - hidden + traffic -
                      ahead * (is_limited ? kCyclesPerBeatOfSlots : kCyclesPerBeatAhead);
  return timeline.terms;
}

}  // namespace vta::lower
