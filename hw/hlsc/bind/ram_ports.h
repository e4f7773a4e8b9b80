// SPDX-License-Identifier: Apache-2.0
//
// RAM port assignment.
//
// A RAM has one read port and one write port. Processes that share a port are arbitrated with fixed
// priorities, in the order of the design. Exception: a RAM of one lane and one bank, without
// initial contents, with two readers and one writer is a true dual-port RAM. There one reader (the
// writer if it also reads, else the first) has a read port of its own; the other reader shares the
// second port with the writer, which has priority.
#ifndef VTA_HW_HLSC_BIND_RAM_PORTS_H_
#define VTA_HW_HLSC_BIND_RAM_PORTS_H_

#include <map>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::bind {

struct RamPorts {
  std::vector<size_t> readers, writers;  // process numbers, highest priority first
  bool is_true_dual_port = false;        // both ports read, the second also writes
  bool posts_writes = false;             // posted_writes.h; set by bind()

  // The processes that share the port of this access, kRamRead or kRamWrite, highest priority
  // first; empty if the process has the port to itself or has no such access.
  std::vector<size_t> clients(size_t process, ir::Opcode access) const;
  // Whether the port has other clients, so that its arbiter needs the process's requests.
  bool is_shared(size_t process, ir::Opcode access) const;
  // Whether the process may wait for a grant: another client has a higher priority.
  bool may_wait(size_t process, ir::Opcode access) const;
  // Whether another process may read at the port after this process's read and before the use of
  // the word, which then has to be kept.
  bool word_may_change(size_t process) const;
};

// By object; RAMs that no process accesses are left out.
std::map<ir::ObjectId, RamPorts> ram_ports(const ir::Design& design);

// Width of a word's index; at least 1.
uint32_t address_bits(const ir::Object& ram);
// The top bits of the index, which select the bank; 0 for a RAM of one bank.
uint32_t bank_bits(const ir::Object& ram);
// Parts of a word with write enables of their own.
uint32_t num_lanes(const ir::Object& ram);
// Whether the RAM is LUT RAM: each bank is small and has one port to read and one to write. A block
// RAM has at least 18 kbit.
bool is_lut_ram(const ir::Object& ram, const RamPorts& ports);

}  // namespace vta::hlsc::bind

#endif  // VTA_HW_HLSC_BIND_RAM_PORTS_H_
