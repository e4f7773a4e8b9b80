// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <linux/dma-heap.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/numbers/round_up.h"
#include "driver/uio/bus_memory.h"
#include "driver/uio/mapped_buffer.h"

namespace vta::driver {
namespace {

// Names of the heap for contiguous memory, by kernel version and device tree.
constexpr const char* kHeaps[] = {"linux,cma", "reserved", "default_cma_region"};

constexpr uint64_t kPresent = uint64_t{1} << 63;  // bit of an entry in pagemap
constexpr uint64_t kFrameMask = (uint64_t{1} << 55) - 1;

std::unique_ptr<Buffer> map_dma_buf(FileDescriptor file, uint64_t size_bytes,
                                    const std::filesystem::path& path,
                                    const std::filesystem::path& pagemap) {
  Mapping mapping(file, 0, size_bytes, path);
  // Touch the pages: before, they have no physical address.
  std::memset(mapping.data(), 0, static_cast<size_t>(size_bytes));
  const uint64_t bus_address =
      physical_address(pagemap, reinterpret_cast<uintptr_t>(mapping.data()), size_bytes);
  return std::make_unique<MappedBuffer>(std::move(file), std::move(mapping), bus_address);
}

class DmaHeap : public BufferAllocator {
 public:
  DmaHeap(std::filesystem::path path, std::filesystem::path pagemap)
      : path_(std::move(path)), pagemap_(std::move(pagemap)), file_(open_file(path_, O_RDWR)) {}

  std::string describe() const override { return "dma-heap " + path_.string(); }

  std::unique_ptr<Buffer> allocate(uint64_t size_bytes) override {
    dma_heap_allocation_data request{};
    request.len = round_up(size_bytes, page_bytes());
    request.fd_flags = O_RDWR | O_CLOEXEC;
    if (::ioctl(file_.get(), DMA_HEAP_IOCTL_ALLOC, &request) != 0) {
      fail(ErrorCode::kOutOfMemory, "allocate: {} bytes requested, {} cannot provide them: {}",
           size_bytes, path_.string(), std::strerror(errno));
    }
    return map_dma_buf(FileDescriptor(static_cast<int>(request.fd)), request.len, path_, pagemap_);
  }

 private:
  const std::filesystem::path path_, pagemap_;
  FileDescriptor file_;
};

uint64_t frame_of(const FileDescriptor& file, uint64_t page_number) {
  uint64_t entry = 0;
  const ssize_t length =
      ::pread(file.get(), &entry, sizeof(entry), static_cast<off_t>(page_number * sizeof(entry)));
  // Without permission, the frame number reads as 0.
  const bool is_known =
      length == sizeof(entry) && (entry & kPresent) != 0 && (entry & kFrameMask) != 0;
  if (!is_known) {
    fail(ErrorCode::kDevice, "the kernel hides the physical address of a buffer; run as root");
  }
  return entry & kFrameMask;
}

}  // namespace

uint64_t physical_address(const std::filesystem::path& pagemap, uint64_t address,
                          uint64_t size_bytes) {
  const FileDescriptor file = open_file(pagemap, O_RDONLY);
  const uint64_t page = page_bytes();
  const uint64_t first = frame_of(file, address / page);
  for (uint64_t at = 1; at * page < size_bytes; ++at) {
    const uint64_t frame = frame_of(file, address / page + at);
    if (frame == first + at) continue;
    fail(ErrorCode::kDevice, "a buffer is not contiguous: page {} is at {:#x}, the first at {:#x}",
         at, frame * page, first * page);
  }
  return first * page;
}

std::unique_ptr<BufferAllocator> open_dma_heap(const SystemRoots& roots, std::string& reason) {
  for (const char* heap : kHeaps) {
    const std::filesystem::path path = roots.dev / "dma_heap" / heap;
    std::error_code error;
    if (!std::filesystem::exists(path, error)) continue;
    return std::make_unique<DmaHeap>(path, roots.proc / "self/pagemap");
  }
  reason = "no dma-heap of contiguous memory";
  return nullptr;
}

}  // namespace vta::driver
