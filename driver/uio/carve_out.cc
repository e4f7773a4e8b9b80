// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "driver/region_allocator.h"
#include "driver/uio/bus_memory.h"
#include "driver/uio/mapped_buffer.h"

namespace vta::driver {
namespace {

// UIO maps memory that is not kernel RAM uncached: there is nothing to sync.
std::unique_ptr<Buffer> map_carve_out(const SystemRoots& roots, const UioNode& node, size_t map,
                                      bool is_own) {
  FileDescriptor file = open_uio_node(roots, node, is_own);
  Mapping mapping = map_uio(file, node, map);
  return std::make_unique<MappedBuffer>(std::move(file), std::move(mapping),
                                        node.maps[map].address);
}

}  // namespace

std::unique_ptr<BufferAllocator> open_carve_out(const SystemRoots& roots, const UioNode& core,
                                                std::string& reason) {
  // The lock on the core's node belongs to the descriptor of its registers.
  if (core.maps.size() > 1) {
    return make_region_allocator(map_carve_out(roots, core, 1, false),
                                 "carve-out " + core.node + " map 1");
  }
  const std::string name = core.name + "-memory";
  const std::optional<UioNode> memory = find_uio_node(roots, name);
  if (!memory.has_value() || memory->maps.empty()) {
    reason = "no reserved memory (a UIO device '" + name + "')";
    return nullptr;
  }
  return make_region_allocator(map_carve_out(roots, *memory, 0, true), "carve-out " + memory->node);
}

}  // namespace vta::driver
