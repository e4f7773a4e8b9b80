// SPDX-License-Identifier: Apache-2.0
//
// Improves a placement by simulated annealing, as in VPR: Betz and Rose, "VPR: A New Packing,
// Placement and Routing Tool for FPGA Research", FPL 1997; its timing term: Marquardt, Betz and
// Rose, "Timing-Driven Placement for FPGAs", FPGA 2000. Moves swap slices, slots, DSPs or block
// RAMs; a carry chain swaps with as many slices that are in none.
#ifndef VTA_HW_FPGA_PLACER_ANNEALER_H_
#define VTA_HW_FPGA_PLACER_ANNEALER_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "base/numbers/random.h"
#include "hw/fpga/placer/criticality.h"
#include "hw/fpga/placer/placement.h"

namespace vta::placer {

struct AnnealingOptions {
  uint64_t seed = 1;
  double timing_share = 0.6;        // of a move's cost; the rest is wire length
  double first_acceptance = 0.004;  // of moves that cost something: the placement is not to be lost
  double moves_per_temperature = 3;  // times (slices)^(4/3)
};

struct Temperature {
  int number;
  double wire_length;      // rows; a row is two columns
  double longest_path_ps;  // estimated
  double acceptance;
};

class Annealer {
 public:
  // The placement is changed in place by anneal() and must outlive the annealer.
  Annealer(Placement& placement, const AnnealingOptions& options);

  // Calls watch() before (temperature 0) and after each temperature. Leaves the best placement of
  // all that were timed: the shortest longest path in steps of a tenth of a ns, then the shortest
  // wires.
  void anneal(const std::function<void(const Temperature&)>& watch);

 private:
  struct Cost {
    float wires = 0, timing = 0;
    router::Box box;  // of the net's units
  };
  struct Pins {  // of a net, by unit: the driver first
    std::vector<int32_t> units;
    std::vector<float> others_ps;   // of the longest path through the pin, without the net's delay
    std::vector<int32_t> of_sinks;  // the pin of each sink of the net
  };
  struct PinOfNet {
    int32_t net, pin;
  };
  struct Move {
    int32_t unit, from, to;  // sites
  };
  struct Best {
    double tenths_of_ns = 0, wire_length = 0;
    std::vector<int32_t> sites;  // by unit
  };

  // Sites of one kind, x and number in their tile, by y.
  struct Column {
    SiteKind kind;
    int x;
    std::vector<int32_t> at_y;   // site, or -1
    std::vector<int32_t> sites;  // without gaps
  };

  void index_sites();
  void index_units();
  void index_nets();
  int32_t site_at(int column, int y) const;
  void update_paths();
  float timing_of(const Pins& pins, size_t pin, Point driver, Point sink) const;
  Cost cost_of(size_t net) const;
  void update_costs();
  bool propose();
  bool propose_slice(int32_t unit);
  bool propose_slot(int32_t unit);
  bool propose_block(int32_t unit);
  bool exchange(int32_t site, int32_t other);
  bool moves_whole(int32_t luts) const;
  int32_t unit_after_moves(int32_t site) const;
  bool has_one_control(int32_t flip_flops) const;
  bool add_moves(int32_t unit, int32_t to);
  bool add_move(int32_t unit, int32_t to);
  double change_by_moves();
  void add_change(PinOfNet pin, const Move& move);
  void apply(bool is_forward);
  void accept_moves();
  double first_temperature();
  double run(double temperature, int64_t moves);
  double run_and_time(double temperature, int64_t moves);
  void time();
  void keep_if_best();
  void restore_best();
  double wire_length() const;

  Placement& placement_;
  const AnnealingOptions options_;
  Random random_;
  Criticality criticality_;
  double longest_path_ps_ = 0;
  Best best_;
  std::vector<int32_t> movable_;    // units
  std::vector<Point> points_;       // by unit
  std::vector<int32_t> unit_at_;    // by site, or -1
  std::vector<int32_t> column_of_;  // by site
  std::vector<int32_t> slot_of_;    // by site, in Column::sites
  std::vector<Column> columns_;     // by kind, x and number
  int rows_ = 0;
  std::vector<Pins> pins_;                      // by net
  std::vector<std::vector<PinOfNet>> pins_of_;  // by unit
  std::vector<Cost> costs_;                     // by net
  double wire_scale_ = 1, timing_scale_ = 1;
  int range_ = 0;  // columns and rows of a move
  // The move that is considered:
  std::vector<Move> moves_;
  std::vector<int32_t> touched_;
  std::vector<Cost> new_costs_;   // by index of touched_
  std::vector<bool> is_stale_;    // by the same: the cost is computed anew
  std::vector<size_t> place_of_;  // by net, in touched_
  std::vector<uint32_t> marks_;   // by net
  uint32_t mark_ = 0;
};

}  // namespace vta::placer

#endif  // VTA_HW_FPGA_PLACER_ANNEALER_H_
