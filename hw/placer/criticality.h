// SPDX-License-Identifier: Apache-2.0
//
// Static timing of a placement, by estimated delays.
#ifndef VTA_HW_PLACER_CRITICALITY_H_
#define VTA_HW_PLACER_CRITICALITY_H_

#include <vector>

#include "hw/placer/placement.h"

namespace vta::placer {

class Criticality {
 public:
  // Combinational loops are cut where they are found.
  explicit Criticality(const Placement& placement);

  // For `points` (by unit), the longest path in ps. Afterwards of(net)[i] is the longest path
  // through sink i of the net, as a share of that: 0 to 1.
  float update(const std::vector<Point>& points);
  const std::vector<float>& of(size_t net) const { return shares_[net]; }

 private:
  void order_nets(std::vector<int32_t> missing);
  float connection_ps(const Net& net, const Sink& sink, const std::vector<Point>& points) const;

  const Placement& placement_;
  std::vector<int32_t> order_;                      // nets, each after those that its driver reads
  std::vector<std::vector<int32_t>> nets_of_cell_;  // that a cell drives
  std::vector<float> arrival_ps_;                   // by cell, at its outputs
  std::vector<float> rest_ps_;                      // by cell, from its inputs to the end of paths
  std::vector<std::vector<float>> shares_;          // by net and sink
};

}  // namespace vta::placer

#endif  // VTA_HW_PLACER_CRITICALITY_H_
