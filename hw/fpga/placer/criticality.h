// SPDX-License-Identifier: Apache-2.0
//
// Static timing of a placement, by estimated delays of wires.
#ifndef VTA_HW_FPGA_PLACER_CRITICALITY_H_
#define VTA_HW_FPGA_PLACER_CRITICALITY_H_

#include <vector>

#include "hw/fpga/placer/placement.h"
#include "hw/fpga/router/timing_graph.h"

namespace vta::placer {

class Criticality {
 public:
  // `placement` must live as long as this object.
  explicit Criticality(const Placement& placement);

  // For `points` (by unit), the longest path in ps. Afterwards of(net)[i] is the longest path
  // through sink i of the net, as a share of that: 0 to 1.
  float update(const std::vector<Point>& points);
  const std::vector<float>& of(size_t net) const { return graph_.shares(net); }

 private:
  float wire_ps(const Net& net, const Sink& sink, const std::vector<Point>& points) const;

  const Placement& placement_;
  router::TimingGraph graph_;
};

}  // namespace vta::placer

#endif  // VTA_HW_FPGA_PLACER_CRITICALITY_H_
