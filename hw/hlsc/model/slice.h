// SPDX-License-Identifier: Apache-2.0
//
// What the time of a design depends on: the part of it that its cycle model computes. The products
// of a dot product, say, are not in it; the index of a shared RAM's bank is.
#ifndef VTA_HW_HLSC_MODEL_SLICE_H_
#define VTA_HW_HLSC_MODEL_SLICE_H_

#include <map>
#include <vector>

#include "hw/hlsc/bind/ram_ports.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::model {

struct Slice {
  std::vector<std::vector<bool>> values;  // by process, by ValueId: it is computed
  std::vector<bool> contents;  // by object: what lies in the RAM, register, stream or read port
};

// Also in it: registers that the design itself makes nothing of, since somebody else looks at them.
Slice slice_of(const ir::Design& design, const schedule::Schedule& schedule,
               const std::map<ir::ObjectId, bind::RamPorts>& rams);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_SLICE_H_
