// SPDX-License-Identifier: Apache-2.0
//
// Who uses which port of a RAM. Each RAM has one port to read and one to write; the processes take
// turns at them, an earlier process of the design before a later one. Only a RAM of one lane and
// one bank with two readers and one writer is built otherwise: one reader (the writer, if it reads;
// else the first) has a port of its own, the other shares the other port with the writer, who comes
// first.
#ifndef VTA_HW_HLSC_EMIT_RAM_PORTS_H_
#define VTA_HW_HLSC_EMIT_RAM_PORTS_H_

#include <map>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::emit {

struct RamPorts {
  std::vector<size_t> readers, writers;  // processes, in the order in which they get their turns
  bool two_ports = false;                // each reads; the second writes too

  bool reads(size_t process) const;
  bool writes(size_t process) const;
  // Whether the process may have to wait for a cycle in which it can read, or write.
  bool read_waits(size_t process) const;
  bool write_waits(size_t process) const;
  // Whether others have to know that it wants to read, or write.
  bool read_asks(size_t process) const;
  bool write_asks(size_t process) const;
  // Whether another process may read between this one's read and the use of the word.
  bool read_is_shared(size_t process) const;
};

std::map<ir::ObjectId, RamPorts> ram_ports(const ir::Design& design);

uint32_t address_bits(const ir::Object& ram);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_RAM_PORTS_H_
