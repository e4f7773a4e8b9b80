// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/tiling.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "runtime/base/error.h"

namespace vta::lower {
namespace {

// Rough times of the core, in cycles: what an instruction costs besides its work, and a DRAM
// access's latency.
constexpr double kGemmOverhead = 12, kLatency = 24;
// What a row of a transfer costs besides its beats: short bursts leave the memory idle between
// them.
constexpr double kRowOverhead = 4;
constexpr double kBeatBytes = 8;
// Weight of moved bytes that computation hides; see the header.
constexpr double kCyclesPerHiddenBeat = 0.25;

// The distinct sizes of pieces when n is cut into 1, 2, 3, ... nearly equal pieces, falling.
std::vector<int64_t> piece_sizes(int64_t n) {
  std::vector<int64_t> sizes;
  for (int64_t pieces = 1; pieces <= n; ++pieces) {
    const int64_t size = ceil_div(n, pieces);
    if (sizes.empty() || sizes.back() != size) sizes.push_back(size);
  }
  return sizes;
}

// One axis of a convolution.
struct Axis {
  int64_t out, in, kernel, stride, dilation, pad;
  bool skips;  // single taps load every stride-th position only

  // Pieces that tiles and groups of taps cut the axis into.
  int64_t pieces(int64_t tile, int64_t taps) const {
    return ceil_div(out, tile) * ceil_div(kernel, taps);
  }

  // Rows (or columns) that exist, summed over all pieces.
  int64_t loaded(int64_t tile, int64_t taps) const {
    int64_t sum = 0;
    for (int64_t o = 0; o < out; o += tile) {
      const int64_t pixels = std::min(tile, out - o);
      for (int64_t k = 0; k < kernel; k += taps) {
        const int64_t first = o * stride - pad + k * dilation;
        const bool skip = taps == 1 && skips;
        const int64_t count = skip ? pixels : (pixels - 1) * stride + (taps - 1) * dilation + 1;
        sum += clip_range(first, skip ? stride : 1, count, in).size;
      }
    }
    return sum;
  }
};

class Search {
 public:
  Search(const TilingProblem& problem, const CoreConfig& core, uint32_t first_uop)
      : problem_(problem),
        shape_(problem.shape),
        core_(core),
        uop_room_(core.uop_depth() - first_uop) {}

  Tiling run() {
    const ConvShape& s = shape_;
    std::vector<std::pair<int64_t, int64_t>> taps = {{s.kh, s.kw}};
    if (s.kh > 1) taps.push_back({1, s.kw});
    if (s.kw > 1) taps.push_back({1, 1});
    for (const auto& [tkh, tkw] : taps) {
      candidate_.tkh = tkh;
      candidate_.tkw = tkw;
      search_pixels();
    }
    if (!best_) {  // no room for two slots
      require_two_slots_ = false;
      candidate_.tkh = candidate_.tkw = 1;
      search_pixels();
    }
    VTA_ASSERT(best_.has_value(), "a tile of one element always fits");
    return *best_;
  }

 private:
  void search_pixels() {
    const Axis y{shape_.oh, shape_.ih, shape_.kh, shape_.sh, shape_.dh, shape_.pad_top, true};
    const Axis x{shape_.ow, shape_.iw, shape_.kw, shape_.sw, shape_.dw, shape_.pad_left, false};
    std::vector<int64_t> columns;
    const std::vector<int64_t> widths = piece_sizes(shape_.ow);
    for (int64_t tw : widths) columns.push_back(x.loaded(tw, candidate_.tkw));
    for (int64_t th : piece_sizes(shape_.oh)) {
      candidate_.th = th;
      const int64_t rows = y.loaded(th, candidate_.tkh);
      for (size_t i = 0; i < widths.size(); ++i) {
        candidate_.tw = widths[i];
        const int64_t planes = shape_.image_groups * shape_.ic_blocks;
        inp_elems_once_ = planes * rows * columns[i];
        inp_rows_once_ = planes * rows * x.pieces(widths[i], candidate_.tkw);
        search_blocks();
      }
    }
  }

  void search_blocks() {
    const int64_t pixels = candidate_.th * candidate_.tw;
    const int64_t half = core_.acc_depth() / 2;
    for (int64_t tco : piece_sizes(shape_.oc_blocks)) {
      if (pixels * tco * (problem_.has_residual ? 2 : 1) + tco > half) continue;
      candidate_.tco = tco;
      for (int64_t tci : piece_sizes(shape_.ic_blocks)) {
        candidate_.tci = tci;
        if (wgt_slot_elems(candidate_) > uop_room_) continue;  // a micro-op a weight element
        for (bool channels_outer : {false, true}) {
          candidate_.channels_outer = channels_outer;
          consider();
        }
      }
    }
  }

  // Slots, and how often each chunk is loaded, follow from the order of tiles.
  void consider() {
    const Tiling& t = candidate_;
    const int64_t inp_room = core_.inp_depth() / inp_slot_elems(shape_, t);
    const int64_t wgt_room = core_.wgt_depth() / wgt_slot_elems(t);
    const int64_t steps = num_steps(shape_, t);
    const int64_t pixel_tiles =
        shape_.image_groups * ceil_div(shape_.oh, t.th) * ceil_div(shape_.ow, t.tw);
    const int64_t block_tiles = ceil_div(shape_.oc_blocks, t.tco);
    // The inner loop's chunks recur `steps` apart for what the inner loop leaves alone, else a
    // whole round.
    const int64_t inp_distance = t.channels_outer ? pixel_tiles * steps : steps;
    const int64_t wgt_distance = t.channels_outer ? steps : block_tiles * steps;
    const Ring inp = ring(inp_room, inp_distance, pixel_tiles * steps, block_tiles);
    const Ring wgt = ring(wgt_room, wgt_distance, block_tiles * steps, pixel_tiles);
    if (inp.slots == 0 || wgt.slots == 0) return;
    const double value = cost(inp, wgt, steps, pixel_tiles, block_tiles);
    if (value >= best_cost_) return;
    best_cost_ = value;
    best_ = candidate_;
    best_->inp_slots = inp.slots;
    best_->wgt_slots = wgt.slots;
  }

  struct Ring {
    int64_t slots;   // 0: does not fit
    int64_t rounds;  // how often every chunk is loaded
  };

  // `chunks` chunks are used `rounds` times each, again after `distance` others.
  Ring ring(int64_t room, int64_t distance, int64_t chunks, int64_t rounds) const {
    const int64_t least = require_two_slots_ ? std::min<int64_t>(2, chunks) : 1;
    if (room < least) return {0, 0};
    if (rounds == 1) return {std::min(room, least), 1};
    if (room >= distance) return {std::max(least, distance), 1};
    return {least, rounds};
  }

  double cost(const Ring& inp, const Ring& wgt, int64_t steps, int64_t pixel_tiles,
              int64_t block_tiles) const {
    const Tiling& t = candidate_;
    const double tiles = static_cast<double>(pixel_tiles * block_tiles);
    const double vectors =
        static_cast<double>(shape_.image_groups * shape_.oh * shape_.ow * shape_.oc_blocks);
    const double taps = static_cast<double>(shape_.ic_blocks * shape_.kh * shape_.kw);

    const double inp_bytes =
        static_cast<double>(inp_elems_once_ * inp.rounds) * core_.inp_elem_bytes();
    const double wgt_bytes = static_cast<double>(shape_.oc_blocks) * taps *
                             static_cast<double>(wgt.rounds) * core_.wgt_elem_bytes();
    const double out_bytes = vectors * core_.out_elem_bytes();
    const double bias_loads = block_tiles <= 2   ? 2
                              : t.channels_outer ? 2.0 * static_cast<double>(block_tiles)
                                                 : tiles;
    const double acc_bytes = bias_loads * static_cast<double>(t.tco) * core_.acc_elem_bytes() +
                             (problem_.has_residual ? out_bytes : 0);
    const double all_steps = tiles * static_cast<double>(steps);
    const UopTraffic uop = uop_traffic(inp, wgt, steps, all_steps);
    const double read_bytes = inp_bytes + wgt_bytes + acc_bytes + uop.bytes;

    // A block's rows in a tile of full width are one run.
    const double out_rows = vectors / static_cast<double>(t.tw == shape_.ow ? t.th * t.tw : t.tw);

    const double gemm = vectors * taps + (all_steps + tiles) * kGemmOverhead +
                        uop.bytes / kBeatBytes + uop.loads * kLatency;
    const double alu = vectors * problem_.alu_cycles_per_vector + acc_bytes / kBeatBytes +
                       2 * kLatency * tiles + (problem_.has_residual ? out_rows * kRowOverhead : 0);
    const double read =
        read_bytes / kBeatBytes + static_cast<double>(inp_rows_once_ * inp.rounds) * kRowOverhead;
    const double write = out_bytes / kBeatBytes + out_rows * kRowOverhead;
    const double compute = problem_.split ? std::max(gemm, alu) : gemm + alu + vectors;
    const double steady = std::max({compute, read, write});

    // The first chunks are waited for; nothing hides the last tile's epilogue and store.
    const double head = (static_cast<double>(inp_slot_elems(shape_, t)) * core_.inp_elem_bytes() +
                         static_cast<double>(wgt_slot_elems(t)) * core_.wgt_elem_bytes()) /
                        kBeatBytes;
    const double tail = static_cast<double>(t.th * t.tw * t.tco) *
                        ((problem_.split ? problem_.alu_cycles_per_vector : 0) +
                         core_.out_elem_bytes() / kBeatBytes);
    return steady + head + tail + (read_bytes + out_bytes) / kBeatBytes * kCyclesPerHiddenBeat;
  }

  struct UopTraffic {
    double loads, bytes;
  };

  // Kernels differ by slots and ACC half; those that do not fit together are loaded for each step.
  UopTraffic uop_traffic(const Ring& inp, const Ring& wgt, int64_t steps, double all_steps) const {
    const double kernel = static_cast<double>(wgt_slot_elems(candidate_));
    const int64_t combinations =
        std::max(inp.slots, wgt.slots) + (steps % 2 != 0 && steps > 1 ? 1 : 0);
    const double kernels = std::min(all_steps, 2.0 * static_cast<double>(combinations) + 2);
    const double loads = kernels * kernel <= static_cast<double>(uop_room_) ? kernels : all_steps;
    return {loads, loads * kernel * core_.uop_elem_bytes()};
  }

  const TilingProblem& problem_;
  const ConvShape& shape_;
  const CoreConfig& core_;
  const int64_t uop_room_;
  bool require_two_slots_ = true;
  Tiling candidate_;
  int64_t inp_elems_once_ = 0, inp_rows_once_ = 0;  // loaded if every chunk is loaded once
  double best_cost_ = std::numeric_limits<double>::infinity();
  std::optional<Tiling> best_;
};

}  // namespace

std::string to_string(const Tiling& t, const ConvShape& shape) {
  std::string text = fmt::format("{} x {} x {} x {}", t.th, t.tw, t.tco, t.tci);
  if (t.tkh != shape.kh || t.tkw != shape.kw) text += fmt::format(", taps {} x {}", t.tkh, t.tkw);
  if (t.channels_outer) text += ", channels outer";
  return text;
}

int64_t row_step(const ConvShape& shape, int64_t taps) { return taps == 1 ? shape.sh : 1; }

int64_t rows_reached(const ConvShape& shape, int64_t pixels, int64_t taps) {
  return taps == 1 ? pixels : (pixels - 1) * shape.sh + (taps - 1) * shape.dh + 1;
}

int64_t columns_reached(const ConvShape& shape, int64_t pixels, int64_t taps) {
  return (pixels - 1) * shape.sw + (taps - 1) * shape.dw + 1;
}

int64_t inp_slot_elems(const ConvShape& shape, const Tiling& t) {
  return t.tci * rows_reached(shape, t.th, t.tkh) * columns_reached(shape, t.tw, t.tkw);
}

int64_t wgt_slot_elems(const Tiling& t) { return t.tco * t.tci * t.tkh * t.tkw; }

int64_t num_steps(const ConvShape& shape, const Tiling& t) {
  return ceil_div(shape.ic_blocks, t.tci) * ceil_div(shape.kh, t.tkh) * ceil_div(shape.kw, t.tkw);
}

Tiling find_tiling(const TilingProblem& problem, const CoreConfig& core, uint32_t first_uop) {
  return Search(problem, core, first_uop).run();
}

}  // namespace vta::lower
