// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_LINUX_GUARDED_READ_H_
#define VTA_DRIVER_LINUX_GUARDED_READ_H_

#include <cstdint>
#include <optional>

namespace vta::driver {

// Reads a register that may not exist; none if the bus answers with an error (SIGBUS). Threads
// wait for each other; a handler of SIGBUS is installed for the duration of the read only, and
// passes a signal of another thread on to the handler before it.
std::optional<uint32_t> read_guarded(const volatile uint32_t* address);

}  // namespace vta::driver

#endif  // VTA_DRIVER_LINUX_GUARDED_READ_H_
