// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/bind/ram_ports.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace vta::hlsc::bind {
namespace {

bool contains(const std::vector<size_t>& processes, size_t process) {
  return std::find(processes.begin(), processes.end(), process) != processes.end();
}

void add(std::vector<size_t>& processes, size_t process) {
  if (!contains(processes, process)) processes.push_back(process);
}

}  // namespace

bool RamPorts::reads(size_t process) const { return contains(readers, process); }
bool RamPorts::writes(size_t process) const { return contains(writers, process); }

bool RamPorts::read_waits(size_t process) const {
  return reads(process) && readers.size() > 1 && readers[0] != process;
}
bool RamPorts::write_waits(size_t process) const {
  return writes(process) && writers.size() > 1 && writers[0] != process;
}
bool RamPorts::read_asks(size_t process) const {
  return read_is_shared(process) || read_waits(process);
}
bool RamPorts::write_asks(size_t process) const {
  return writes(process) && (writers.size() > 1 || two_ports);
}
bool RamPorts::read_is_shared(size_t process) const {
  return reads(process) && readers.size() > 1 && !two_ports;
}

std::map<ir::ObjectId, RamPorts> ram_ports(const ir::Design& design) {
  std::map<ir::ObjectId, RamPorts> ports;
  for (size_t process = 0; process < design.processes.size(); ++process) {
    for (const ir::Op& op : design.processes[process].ops) {
      if (op.opcode == ir::Opcode::kRamRead) add(ports[op.object].readers, process);
      if (op.opcode == ir::Opcode::kRamWrite) add(ports[op.object].writers, process);
    }
  }
  for (auto& [object, uses] : ports) {
    const ir::Object& ram = design.objects[object];
    uses.two_ports = uses.readers.size() == 2 && uses.writers.size() == 1 &&
                     ram.lane_width == ram.width && ram.banks == 1;
    // The process that reads and writes in the same cycle needs both ports.
    if (uses.two_ports && uses.readers[1] == uses.writers[0])
      std::swap(uses.readers[0], uses.readers[1]);
  }
  return ports;
}

uint32_t address_bits(const ir::Object& ram) {
  return std::max(1u, static_cast<uint32_t>(std::bit_width(ram.depth - 1)));
}

}  // namespace vta::hlsc::bind
