// SPDX-License-Identifier: Apache-2.0
//
// Devices that Linux leaves to user space (UIO): a node in /dev, memory to map, an interrupt.
#ifndef VTA_DRIVER_UIO_UIO_NODE_H_
#define VTA_DRIVER_UIO_UIO_NODE_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/interrupt_line.h"
#include "driver/linux/file_descriptor.h"
#include "driver/linux/system_roots.h"

namespace vta::driver {

struct UioMap {
  uint64_t address = 0;  // on the bus
  uint64_t size_bytes = 0;
};

// What sysfs says of one.
struct UioNode {
  std::string node;  // "uio0"
  std::string name;  // as the device tree has it: "vta"
  std::vector<UioMap> maps;
};

// All of them, by number.
std::vector<UioNode> uio_nodes(const SystemRoots& roots);

// By its name, or by its node, "uio0" or "/dev/uio0"; none if there is no such device.
std::optional<UioNode> find_uio_node(const SystemRoots& roots, const std::string& name);

// Memory number `map` of a node. Errors: kIo.
Mapping map_uio(const FileDescriptor& file, const UioNode& node, size_t map);

// The interrupt of an open node; null if it has none. Holds a descriptor of its own.
std::unique_ptr<InterruptLine> uio_interrupt(const FileDescriptor& file);

// The same for a descriptor that is known to have one.
std::unique_ptr<InterruptLine> make_uio_interrupt(FileDescriptor file);

}  // namespace vta::driver

#endif  // VTA_DRIVER_UIO_UIO_NODE_H_
