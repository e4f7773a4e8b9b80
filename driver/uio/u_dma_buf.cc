// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include <utility>

#include "driver/linux/attribute.h"
#include "driver/region_allocator.h"
#include "driver/uio/bus_memory.h"

namespace vta::driver {
namespace {

constexpr const char* kClasses[] = {"u-dma-buf", "udmabuf"};  // of the module, and of older ones

struct Device {
  std::filesystem::path folder;  // in sysfs
  std::string name;
  uint64_t size_bytes = 0;
};

Device find_device(const SystemRoots& roots, const std::string& wanted) {
  Device best;
  for (const char* device_class : kClasses) {
    const std::filesystem::path folder = roots.sys / "class" / device_class;
    for (const std::string& name : names_in(folder)) {
      if (!wanted.empty() && name != wanted) continue;
      const uint64_t size_bytes = read_number_attribute(folder / name / "size");
      if (size_bytes > best.size_bytes) best = {folder / name, name, size_bytes};
    }
  }
  return best;
}

class UDmaBuf : public Buffer {
 public:
  UDmaBuf(const SystemRoots& roots, const Device& device)
      : path_(roots.dev / device.name),
        folder_(device.folder),
        // Opened without O_SYNC, for a cached mapping.
        file_(open_file(path_, O_RDWR)),
        mapping_(file_, 0, device.size_bytes, path_),
        bus_address_(read_number_attribute(folder_ / "phys_addr")) {
    lock_file(file_, path_);
    write_attribute(folder_ / "sync_direction", "0");  // both
  }

  uint8_t* host() override { return mapping_.data(); }
  uint64_t bus_address() const override { return bus_address_; }
  uint64_t size_bytes() const override { return mapping_.size_bytes(); }
  void sync_to_core(uint64_t offset, uint64_t size) override {
    sync("sync_for_device", offset, size);
  }
  void sync_from_core(uint64_t offset, uint64_t size) override {
    sync("sync_for_cpu", offset, size);
  }

 private:
  void sync(const char* attribute, uint64_t offset, uint64_t size) {
    write_attribute(folder_ / "sync_offset", std::to_string(offset));
    write_attribute(folder_ / "sync_size", std::to_string(size));
    write_attribute(folder_ / attribute, "1");
  }

  const std::filesystem::path path_, folder_;
  FileDescriptor file_;
  Mapping mapping_;
  uint64_t bus_address_;
};

}  // namespace

std::unique_ptr<BufferAllocator> open_u_dma_buf(const SystemRoots& roots, const std::string& device,
                                                std::string& reason) {
  const Device found = find_device(roots, device);
  if (found.name.empty()) {
    reason = device.empty() ? "no u-dma-buf (is the module loaded?)" : "no u-dma-buf " + device;
    return nullptr;
  }
  return make_region_allocator(std::make_unique<UDmaBuf>(roots, found), "u-dma-buf " + found.name);
}

}  // namespace vta::driver
