// SPDX-License-Identifier: Apache-2.0
//
// The slice of a design that its timing depends on, which the cycle model computes. It leaves out
// the products of a dot product, for example, but not the index that selects a shared RAM's bank.
#ifndef VTA_HW_HLSC_MODEL_SLICE_H_
#define VTA_HW_HLSC_MODEL_SLICE_H_

#include <map>
#include <vector>

#include "hw/hlsc/bind/ram_ports.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::model {

struct Slice {
  std::vector<std::vector<bool>> values;  // by process, by ValueId: whether it is computed
  std::vector<bool> contents;             // by object: whether its contents are computed
};

// Registers that the design does not read, or reads only for their own next values, are part of the
// slice: observers outside read them.
Slice slice_of(const ir::Design& design, const schedule::Schedule& schedule,
               const std::map<ir::ObjectId, bind::RamPorts>& rams);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_SLICE_H_
