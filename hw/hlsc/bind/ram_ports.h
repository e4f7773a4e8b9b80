// SPDX-License-Identifier: Apache-2.0
//
// RAM port assignment.
//
// A RAM has one read port and one write port. Processes that share a port take turns; an earlier
// process of the design goes before a later one. Exception: a RAM of one lane and one bank with two
// readers and one writer is a true dual-port RAM. There one reader (the writer if it also reads,
// else the first) has a read port of its own; the other reader shares the second port with the
// writer, which goes first.
#ifndef VTA_HW_HLSC_BIND_RAM_PORTS_H_
#define VTA_HW_HLSC_BIND_RAM_PORTS_H_

#include <map>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::bind {

struct RamPorts {
  std::vector<size_t> readers, writers;  // process numbers, highest priority first
  bool two_ports = false;                // true dual-port: both ports read, the second also writes

  bool reads(size_t process) const;
  bool writes(size_t process) const;
  // Whether the process may wait for another one at the port.
  bool read_waits(size_t process) const;
  bool write_waits(size_t process) const;
  // Whether the arbiter needs the process's request, even if the process never waits.
  bool read_asks(size_t process) const;
  bool write_asks(size_t process) const;
  // Whether another process may read between this process's read and the use of the word.
  bool read_is_shared(size_t process) const;
};

// By object; RAMs that no process accesses are left out.
std::map<ir::ObjectId, RamPorts> ram_ports(const ir::Design& design);

// At least 1.
uint32_t address_bits(const ir::Object& ram);

}  // namespace vta::hlsc::bind

#endif  // VTA_HW_HLSC_BIND_RAM_PORTS_H_
