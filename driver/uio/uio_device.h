// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_UIO_UIO_DEVICE_H_
#define VTA_DRIVER_UIO_UIO_DEVICE_H_

#include <memory>
#include <string>

#include "driver/device.h"
#include "driver/linux/system_roots.h"

namespace vta::driver {

// Opens "uio:NAME", where NAME is the name of a core's UIO device, "uio0" or "/dev/uio0", on a
// board without XRT. "uio:" takes `vta`, the node of our own device tree, or else `fabric`, the
// node of PYNQ's images. Options follow after commas:
//   memory=u-dma-buf, memory=carve-out, memory=zocl, memory=dma-heap
//                   source of the buffers; by default the first available one in this order,
//                   dma-heap only with `coherent`
//   u-dma-buf=NAME  device of the module u-dma-buf; by default the largest
//   coherent        the core is on a cache-coherent port (ACP)
//   root=DIR        for tests: DIR/sys, DIR/dev, DIR/proc instead of the system's
// The device's description has the URI with the name and the memory that were taken.
// Errors: kInvalidArgument for other options and for PYNQ's audio codec; kNotFound, listing the UIO
// devices; kDevice if the device is in use or no memory is available, naming the sources tried; any
// error of make_register_device().
std::unique_ptr<Device> open_uio_device(const std::string& uri, const CoreConfig& core,
                                        const SystemRoots& system = {});

// The URI of the core that "uio:" takes, in the system or below a root. Errors: kInvalidArgument
// for a root whose name has a comma, which separates the URI's options.
std::string uio_uri(const std::string& root);

// How many interrupts Linux has counted of the core's UIO device, the one that "uio:" takes.
// Errors: kNotFound.
uint64_t core_interrupts(const SystemRoots& roots = {});

// Registers the scheme "uio" for open().
void register_uio_device();

}  // namespace vta::driver

#endif  // VTA_DRIVER_UIO_UIO_DEVICE_H_
