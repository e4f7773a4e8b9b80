// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_LINUX_SYSTEM_ROOTS_H_
#define VTA_DRIVER_LINUX_SYSTEM_ROOTS_H_

#include <filesystem>

namespace vta::driver {

// The folders in which Linux exposes devices. Tests create their own.
struct SystemRoots {
  std::filesystem::path sys = "/sys";
  std::filesystem::path dev = "/dev";
  std::filesystem::path proc = "/proc";
  std::filesystem::path firmware = "/lib/firmware";

  static SystemRoots below(const std::filesystem::path& root) {
    return {root / "sys", root / "dev", root / "proc", root / "firmware"};
  }
};

}  // namespace vta::driver

#endif  // VTA_DRIVER_LINUX_SYSTEM_ROOTS_H_
