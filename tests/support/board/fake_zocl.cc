// SPDX-License-Identifier: Apache-2.0
#include "tests/support/board/fake_zocl.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstring>

#include "driver/uio/zocl_ioctl.h"

namespace vta::support {
namespace {

namespace zocl = driver::zocl;

FakeZocl* installed = nullptr;

constexpr unsigned long kDrmType = 'd';

bool is_of(const FakeZocl& device, int fd) {
  std::error_code error;
  const auto file = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd), error);
  return !error && file == device.path();
}

}  // namespace

FakeZocl::FakeZocl(FakeBoard& board, Release release, const std::string& driver,
                   const std::string& node)
    : board_(board),
      release_(release),
      driver_(driver),
      path_(std::filesystem::canonical(board.roots.dev) / "dri" / node) {
  board.write(path_, "");
  std::filesystem::resize_file(path_, FakeBoard::kMemoryBytes);
  view_.emplace(driver::open_file(path_, O_RDWR), 0, FakeBoard::kMemoryBytes, path_);
  std::memset(view_->data(), 0x5A, FakeBoard::kMemoryBytes);
  installed = this;
}

FakeZocl::~FakeZocl() { installed = nullptr; }

const FakeZocl::Block* FakeZocl::find(uint32_t handle) const {
  const auto found = buffers_.find(handle);
  return found == buffers_.end() ? nullptr : &found->second;
}

int FakeZocl::create(void* argument) {
  auto& create = *static_cast<zocl::CreateBo*>(argument);
  // First fit, in the order of offsets.
  uint64_t offset = 0;
  std::vector<Block> blocks;
  for (const auto& [handle, block] : buffers_) blocks.push_back(block);
  std::ranges::sort(blocks, {}, &Block::offset);
  for (const Block& block : blocks) {
    if (offset + create.size_bytes <= block.offset) break;
    offset = block.offset + block.size;
  }
  if (create.size_bytes == 0 || create.size_bytes > FakeBoard::kMemoryBytes - offset)
    return -ENOMEM;
  create.handle = next_handle_++;
  buffers_[create.handle] = {offset, create.size_bytes, (create.flags & zocl::kCacheable) != 0};
  return 0;
}

int FakeZocl::sync(void* argument) {
  const auto& sync = *static_cast<zocl::SyncBo*>(argument);
  const Block* block = find(sync.handle);
  if (block == nullptr || sync.offset_bytes > block->size ||
      sync.size_bytes > block->size - sync.offset_bytes || sync.direction > 1)
    return -EINVAL;
  last_sync = {sync.direction, sync.offset_bytes, sync.size_bytes};
  // zocl does nothing for a buffer that is not cached, which here has another memory anyway.
  if (!block->cacheable || !syncs) return 0;
  uint8_t* const view = view_->data() + block->offset + sync.offset_bytes;
  uint8_t* const memory = board_.memory().data() + block->offset + sync.offset_bytes;
  const bool to_device = sync.direction == zocl::kToDevice;
  std::memcpy(to_device ? memory : view, to_device ? view : memory, sync.size_bytes);
  return 0;
}

int FakeZocl::call(unsigned long number, void* argument) {
  switch (number) {
    case zocl::kVersion: {
      auto& version = *static_cast<zocl::Version*>(argument);
      std::memcpy(version.name, driver_.data(), std::min(version.name_bytes, driver_.size()));
      version.name_bytes = driver_.size();
      return 0;
    }
    case zocl::kCloseBo:
      return buffers_.erase(static_cast<zocl::CloseBo*>(argument)->handle) == 1 ? 0 : -EINVAL;
    case zocl::kCreateBo:
      return create(argument);
    case zocl::kMapBo: {
      auto& map = *static_cast<zocl::MapBo*>(argument);
      const Block* block = find(map.handle);
      if (block == nullptr) return -EINVAL;
      map.offset = block->offset;
      return 0;
    }
    case zocl::kSyncBo:
      return sync(argument);
    case zocl::kInfoBo: {
      auto& info = *static_cast<zocl::InfoBo*>(argument);
      const Block* block = find(info.handle);
      if (block == nullptr) return -EINVAL;
      if (release_ == Release::kPynq301) info.flags = zocl::kCacheable;
      info.size_bytes = block->size;
      info.address = FakeBoard::kMemoryBase + block->offset;
      return 0;
    }
    default:
      return -EINVAL;
  }
}

}  // namespace vta::support

// The C library's function in this program: calls of the fake device, and all others as they are.
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): its names are reserved
extern "C" int ioctl(int fd, unsigned long number, ...) noexcept {
  va_list arguments;
  va_start(arguments, number);
  void* const argument = va_arg(arguments, void*);
  va_end(arguments);
  using namespace vta::support;
  if (_IOC_TYPE(number) == kDrmType && installed != nullptr && is_of(*installed, fd)) {
    const int result = installed->call(number, argument);
    if (result < 0) errno = -result;
    return result < 0 ? -1 : result;
  }
  return static_cast<int>(::syscall(SYS_ioctl, fd, number, argument));
}
