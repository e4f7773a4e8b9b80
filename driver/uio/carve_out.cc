// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include <utility>

#include "driver/region_allocator.h"
#include "driver/uio/bus_memory.h"

namespace vta::driver {
namespace {

// UIO maps what is no RAM of the kernel's uncached: there is nothing to sync.
class CarveOut : public Buffer {
 public:
  CarveOut(const SystemRoots& roots, const UioNode& node, size_t map, bool is_own)
      : file_(open_file(roots.dev / node.node, O_RDWR | O_SYNC)),
        mapping_(map_uio(file_, node, map)),
        bus_address_(node.maps[map].address) {
    if (is_own) lock_file(file_, roots.dev / node.node);
  }

  uint8_t* host() override { return mapping_.data(); }
  uint64_t bus_address() const override { return bus_address_; }
  uint64_t size_bytes() const override { return mapping_.size_bytes(); }
  void sync_to_core(uint64_t, uint64_t) override {}
  void sync_from_core(uint64_t, uint64_t) override {}

 private:
  FileDescriptor file_;
  Mapping mapping_;
  uint64_t bus_address_;
};

}  // namespace

std::unique_ptr<BufferAllocator> open_carve_out(const SystemRoots& roots, const UioNode& core,
                                                std::string& reason) {
  // The core's node is locked by who opened it for its registers.
  if (core.maps.size() > 1) {
    return make_region_allocator(std::make_unique<CarveOut>(roots, core, 1, false),
                                 "carve-out " + core.node + " map 1");
  }
  const std::string name = core.name + "-memory";
  const std::optional<UioNode> memory = find_uio_node(roots, name);
  if (!memory.has_value() || memory->maps.empty()) {
    reason = "no reserved memory (a UIO device '" + name + "')";
    return nullptr;
  }
  return make_region_allocator(std::make_unique<CarveOut>(roots, *memory, 0, true),
                               "carve-out " + memory->node);
}

}  // namespace vta::driver
