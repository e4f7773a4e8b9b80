// SPDX-License-Identifier: Apache-2.0
//
// Resource binding: which hardware resource each operation of a schedule uses.
//
// Computed once, from the design and its schedule. The report counts these resources, the Verilog
// instantiates them, and the cycle model waits for the shared ones; none of them decides again.
// Only the simulation view of the Verilog, whose schedule is another, has a binding of its own.
#ifndef VTA_HW_HLSC_BIND_BINDING_H_
#define VTA_HW_HLSC_BIND_BINDING_H_

#include <map>
#include <vector>

#include "hw/hlsc/bind/multipliers.h"
#include "hw/hlsc/bind/packed_sums.h"
#include "hw/hlsc/bind/product_pairs.h"
#include "hw/hlsc/bind/ram_ports.h"
#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::bind {

struct ProcessBinding {
  std::map<ir::ValueId, ProductPair> pairs;      // by each of their two products
  std::map<ir::ValueId, PackedSum> packed_sums;  // by each of their two sums
  // By the low product, the pairs whose packed product q a packed sum adds.
  std::map<ir::ValueId, ProductPair> packed_products;
  std::vector<Multiplier> multipliers;

  uint32_t dsp48e1() const;
};

struct Binding {
  std::map<ir::ObjectId, RamPorts> ram_ports;  // of every RAM that a process accesses
  std::vector<ProcessBinding> processes;       // parallel to Design::processes
};

// `schedule` is a schedule of `design`. Products share a multiplier only within a stage of a
// pipelined body: states of a process compute in logic of their own.
Binding bind(const ir::Design& design, const schedule::Schedule& schedule);

// The same for one process, of any schedule of it.
ProcessBinding bind_process(const ir::Process& process, const schedule::ProcessSchedule& schedule);

}  // namespace vta::hlsc::bind

#endif  // VTA_HW_HLSC_BIND_BINDING_H_
