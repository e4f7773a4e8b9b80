// SPDX-License-Identifier: Apache-2.0
//
// Buffers of zocl by its system calls, without XRT's library, which static programs cannot load.
#include <fcntl.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/numbers/round_up.h"
#include "driver/linux/attribute.h"
#include "driver/uio/bus_memory.h"
#include "driver/uio/zocl_ioctl.h"

namespace vta::driver {
namespace {

constexpr std::string_view kDriver = "zocl", kRenderNode = "renderD";

// Repeats a call that a signal interrupted, as DRM requires.
template <class Request>
int call(const FileDescriptor& file, unsigned long number, Request& request) {
  int result;
  do {
    result = ::ioctl(file.get(), number, &request);
  } while (result != 0 && (errno == EINTR || errno == EAGAIN));
  return result;
}

// The name of a DRM device's driver; empty if `file` is none.
std::string driver_of(const FileDescriptor& file) {
  std::array<char, 32> name{};
  zocl::Version version;
  version.name = name.data();
  version.name_bytes = name.size() - 1;
  return call(file, zocl::kVersion, version) == 0 ? name.data() : "";
}

// An open device, shared by the allocator and its buffers.
struct Zocl {
  std::filesystem::path path;
  FileDescriptor file;

  [[noreturn]] void fail_to(const char* what) const {
    fail(ErrorCode::kDevice, "{}: cannot {} a buffer: {}", path.string(), what,
         std::strerror(errno));
  }
};

// A handle of a buffer in the kernel.
class Handle {
 public:
  Handle(std::shared_ptr<Zocl> zocl, uint32_t number) : zocl_(std::move(zocl)), number_(number) {}
  ~Handle() {
    if (zocl_ == nullptr) return;
    zocl::CloseBo close{number_};
    call(zocl_->file, zocl::kCloseBo, close);
  }
  Handle(Handle&&) = default;
  Handle& operator=(Handle&&) = delete;

  const Zocl& zocl() const { return *zocl_; }
  uint32_t number() const { return number_; }

 private:
  std::shared_ptr<Zocl> zocl_;
  uint32_t number_;
};

class ZoclBuffer : public Buffer {
 public:
  ZoclBuffer(Handle handle, uint64_t size_bytes)
      : handle_(std::move(handle)),
        mapping_(handle_.zocl().file, offset_of(handle_), size_bytes, handle_.zocl().path),
        bus_address_(address_of(handle_)) {}

  uint8_t* host() override { return mapping_.data(); }
  uint64_t bus_address() const override { return bus_address_; }
  uint64_t size_bytes() const override { return mapping_.size_bytes(); }
  void sync_to_core(uint64_t offset, uint64_t size) override {
    sync(zocl::kToDevice, offset, size);
  }
  void sync_from_core(uint64_t offset, uint64_t size) override {
    sync(zocl::kFromDevice, offset, size);
  }

 private:
  static uint64_t offset_of(const Handle& handle) {
    zocl::MapBo map{handle.number()};
    if (call(handle.zocl().file, zocl::kMapBo, map) != 0) handle.zocl().fail_to("map");
    return map.offset;
  }
  static uint64_t address_of(const Handle& handle) {
    zocl::InfoBo info{handle.number()};
    if (call(handle.zocl().file, zocl::kInfoBo, info) != 0) handle.zocl().fail_to("locate");
    return info.address;
  }
  void sync(uint32_t direction, uint64_t offset, uint64_t size) {
    zocl::SyncBo sync{handle_.number(), direction, offset, size};
    if (call(handle_.zocl().file, zocl::kSyncBo, sync) != 0) handle_.zocl().fail_to("sync");
  }

  Handle handle_;  // closed after the mapping
  Mapping mapping_;
  uint64_t bus_address_;
};

// "CmaFree:  12345 kB" of PROC/meminfo; none on a kernel without contiguous memory.
std::string free_memory(const std::filesystem::path& meminfo) {
  try {
    const std::string text = read_attribute(meminfo);
    const std::string key = "CmaFree:";
    const size_t at = text.find(key);
    if (at == std::string::npos) return "the kernel has no contiguous memory (CMA)";
    const size_t number = text.find_first_not_of(' ', at + key.size());
    return text.substr(number, text.find('\n', number) - number) + " of contiguous memory are free";
  } catch (const Error&) {
    return "the free size is unknown";
  }
}

class ZoclMemory : public BufferAllocator {
 public:
  ZoclMemory(std::shared_ptr<Zocl> zocl, std::filesystem::path meminfo)
      : zocl_(std::move(zocl)), meminfo_(std::move(meminfo)) {}

  std::string describe() const override { return "zocl " + zocl_->path.string(); }

  std::unique_ptr<Buffer> allocate(uint64_t size_bytes) override {
    // zocl takes contiguous memory (CMA) whether or not an .xclbin has described memory 0. Without
    // kCacheable the mapping is uncached: slow to read.
    zocl::CreateBo create{round_up(size_bytes, page_bytes()), 0, zocl::kCacheable};
    if (call(zocl_->file, zocl::kCreateBo, create) != 0) {
      fail(ErrorCode::kOutOfMemory,
           "allocate: {} bytes requested, {} cannot provide them: {}; {} (cma=256M among the "
           "kernel's arguments reserves more)",
           size_bytes, describe(), std::strerror(errno), free_memory(meminfo_));
    }
    return std::make_unique<ZoclBuffer>(Handle(zocl_, create.handle), create.size_bytes);
  }

 private:
  std::shared_ptr<Zocl> zocl_;
  const std::filesystem::path meminfo_;
};

}  // namespace

std::unique_ptr<BufferAllocator> open_zocl_memory(const SystemRoots& roots, std::string& reason) {
  reason = "no zocl (a device /dev/dri/renderD* of XRT's kernel module)";
  for (const std::string& name : names_in(roots.dev / "dri")) {
    if (!name.starts_with(kRenderNode)) continue;
    const std::filesystem::path path = roots.dev / "dri" / name;
    try {
      auto zocl = std::make_shared<Zocl>(Zocl{path, open_file(path, O_RDWR)});
      if (driver_of(zocl->file) != kDriver) continue;
      return std::make_unique<ZoclMemory>(std::move(zocl), roots.proc / "meminfo");
    } catch (const Error& error) {
      reason = error.what();  // no permission
    }
  }
  return nullptr;
}

}  // namespace vta::driver
