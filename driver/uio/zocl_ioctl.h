// SPDX-License-Identifier: Apache-2.0
//
// System calls of zocl, the kernel module of XRT, as far as memory needs them. The numbers and
// layouts are the same on 32-bit ARM and on 64-bit processors, and from XRT 2.6 to 2.13 (PYNQ 2.7
// has zocl 2.8, PYNQ 3.0.1 has 2.13). Version 2.13 returns flags in what was padding of InfoBo.
#ifndef VTA_DRIVER_UIO_ZOCL_IOCTL_H_
#define VTA_DRIVER_UIO_ZOCL_IOCTL_H_

#include <sys/ioctl.h>

#include <cstddef>
#include <cstdint>

namespace vta::driver::zocl {

struct CreateBo {
  uint64_t size_bytes = 0;
  uint32_t handle = 0;  // returned
  uint32_t flags = 0;   // kCacheable; the lower half is the number of a memory
};

struct MapBo {
  uint32_t handle = 0;
  uint32_t padding = 0;
  uint64_t offset = 0;  // returned: for mmap()
};

struct SyncBo {
  uint32_t handle = 0;
  uint32_t direction = 0;
  uint64_t offset_bytes = 0;
  uint64_t size_bytes = 0;
};

struct InfoBo {
  uint32_t handle = 0;
  uint32_t flags = 0;       // returned by 2.13, padding before
  uint64_t size_bytes = 0;  // returned
  uint64_t address = 0;     // returned: physical
};

// Common to all DRM drivers.
struct Version {
  int major = 0, minor = 0, patch = 0;
  size_t name_bytes = 0;  // of `name`; returned: the name's length
  char* name = nullptr;
  size_t date_bytes = 0;
  char* date = nullptr;
  size_t description_bytes = 0;
  char* description = nullptr;
};

struct CloseBo {
  uint32_t handle = 0;
  uint32_t padding = 0;
};

static_assert(sizeof(CreateBo) == 16 && offsetof(CreateBo, flags) == 12);
static_assert(sizeof(MapBo) == 16 && offsetof(MapBo, offset) == 8);
static_assert(sizeof(SyncBo) == 24 && offsetof(SyncBo, size_bytes) == 16);
static_assert(sizeof(InfoBo) == 24 && offsetof(InfoBo, address) == 16);
static_assert(sizeof(CloseBo) == 8);

inline constexpr uint32_t kCacheable = uint32_t{1} << 24;
inline constexpr uint32_t kToDevice = 0, kFromDevice = 1;

// 0x40 is the first number of a driver's own calls.
inline constexpr unsigned long kVersion = _IOWR('d', 0x00, Version);
inline constexpr unsigned long kCloseBo = _IOW('d', 0x09, CloseBo);
inline constexpr unsigned long kCreateBo = _IOWR('d', 0x40, CreateBo);
inline constexpr unsigned long kMapBo = _IOWR('d', 0x43, MapBo);
inline constexpr unsigned long kSyncBo = _IOWR('d', 0x44, SyncBo);
inline constexpr unsigned long kInfoBo = _IOWR('d', 0x45, InfoBo);

}  // namespace vta::driver::zocl

#endif  // VTA_DRIVER_UIO_ZOCL_IOCTL_H_
