// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/bind/ram_ports.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/errors/error.h"

namespace vta::hlsc::bind {
namespace {

bool contains(const std::vector<size_t>& processes, size_t process) {
  return std::find(processes.begin(), processes.end(), process) != processes.end();
}

void add(std::vector<size_t>& processes, size_t process) {
  if (!contains(processes, process)) processes.push_back(process);
}

}  // namespace

std::vector<size_t> RamPorts::clients(size_t process, ir::Opcode access) const {
  VTA_ASSERT(access == ir::Opcode::kRamRead || access == ir::Opcode::kRamWrite,
             "clients() of an operation that does not access a RAM");
  const bool reads = access == ir::Opcode::kRamRead;
  if (!contains(reads ? readers : writers, process)) return {};
  if (is_true_dual_port) {
    if (reads && process == readers[0]) return {};
    return {writers[0], readers[1]};
  }
  const std::vector<size_t>& all = reads ? readers : writers;
  return all.size() > 1 ? all : std::vector<size_t>();
}

bool RamPorts::is_shared(size_t process, ir::Opcode access) const {
  return !clients(process, access).empty();
}

bool RamPorts::may_wait(size_t process, ir::Opcode access) const {
  const std::vector<size_t> all = clients(process, access);
  return !all.empty() && all[0] != process;
}

bool RamPorts::word_may_change(size_t process) const {
  // The other client of a true dual-port RAM's second port only writes.
  return !is_true_dual_port && is_shared(process, ir::Opcode::kRamRead);
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
    uses.is_true_dual_port = uses.readers.size() == 2 && uses.writers.size() == 1 &&
                             num_lanes(ram) == 1 && ram.banks == 1 && ram.initial.empty();
    // The process that reads and writes in the same cycle needs both ports.
    if (uses.is_true_dual_port && uses.readers[1] == uses.writers[0])
      std::swap(uses.readers[0], uses.readers[1]);
  }
  return ports;
}

uint32_t address_bits(const ir::Object& ram) {
  return std::max(1u, static_cast<uint32_t>(std::bit_width(ram.depth - 1)));
}

uint32_t bank_bits(const ir::Object& ram) {
  return static_cast<uint32_t>(std::bit_width(ram.banks - 1));
}

uint32_t num_lanes(const ir::Object& ram) { return ram.width / ram.lane_width; }

bool is_lut_ram(const ir::Object& ram, const RamPorts& ports) {
  constexpr uint64_t kMaxLutRamBits = 1024;
  return uint64_t{ram.depth / ram.banks} * ram.width <= kMaxLutRamBits && !ports.is_true_dual_port;
}

}  // namespace vta::hlsc::bind
