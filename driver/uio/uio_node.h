// SPDX-License-Identifier: Apache-2.0
//
// User-space I/O (UIO) devices of Linux: a node in /dev, memory maps, an interrupt.
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
  uint64_t address = 0;  // bus address
  uint64_t size_bytes = 0;
};

// The entry of a UIO device in sysfs.
struct UioNode {
  std::string node;  // "uio0"
  std::string name;  // from the device tree: "vta"
  std::vector<UioMap> maps;
};

// All UIO devices, by number.
std::vector<UioNode> uio_nodes(const SystemRoots& roots);

// Finds a device by name or by node ("uio0", "/dev/uio0"); none if there is no such device.
std::optional<UioNode> find_uio_node(const SystemRoots& roots, const std::string& name);

// Opens a device's node in /dev; `exclusively` locks it against other programs. Errors: kNotFound,
// kIo; kDevice if another program has locked it.
FileDescriptor open_uio_node(const SystemRoots& roots, const UioNode& node, bool exclusively);

// Maps region `map` of a node. Errors: kIo.
Mapping map_uio(const FileDescriptor& file, const UioNode& node, size_t map);

// The interrupt of an open node; null if it has none. Duplicates the descriptor.
std::unique_ptr<InterruptLine> uio_interrupt(const FileDescriptor& file);

// Likewise for a descriptor that is known to have an interrupt.
std::unique_ptr<InterruptLine> make_uio_interrupt(FileDescriptor file);

}  // namespace vta::driver

#endif  // VTA_DRIVER_UIO_UIO_NODE_H_
