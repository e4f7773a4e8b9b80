// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_UIO_UIO_DEVICE_H_
#define VTA_DRIVER_UIO_UIO_DEVICE_H_

#include <memory>
#include <string>

#include "driver/device.h"
#include "driver/linux/system_roots.h"

namespace vta::driver {

// "uio:NAME" with a core's UIO device (its name, "uio0" or "/dev/uio0"): a board whose Linux has no
// XRT. After a comma come options:
//   memory=u-dma-buf, memory=carve-out, memory=dma-heap   where buffers come from; else the first
//                                        of them in this order that the system has, where dma-heap
//                                        counts with `coherent` only
//   u-dma-buf=NAME                       which of the module's devices; else the largest
//   coherent                             the core is behind a port that sees the caches (ACP)
// Errors: kInvalidArgument for other options; kNotFound, listing the UIO devices; kDevice if the
// device is in use, or there is no memory, saying what was looked for; those of
// make_register_device().
std::unique_ptr<Device> open_uio_device(const std::string& uri, const CoreConfig& core,
                                        const SystemRoots& roots = {});

// Makes open() know the scheme "uio".
void register_uio_device();

}  // namespace vta::driver

#endif  // VTA_DRIVER_UIO_UIO_DEVICE_H_
