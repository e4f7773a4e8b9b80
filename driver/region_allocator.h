// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_REGION_ALLOCATOR_H_
#define VTA_DRIVER_REGION_ALLOCATOR_H_

#include <memory>
#include <string>

#include "driver/buffer_allocator.h"

namespace vta::driver {

// Returns an allocator of parts of one large buffer, first fit, in pages of kArenaAlignmentBytes.
// The allocated buffers may outlive the allocator. `name`: for describe(). Errors: kDevice if the
// buffer is not page-aligned on the bus or smaller than a page.
std::unique_ptr<BufferAllocator> make_region_allocator(std::unique_ptr<Buffer> region,
                                                       const std::string& name);

}  // namespace vta::driver

#endif  // VTA_DRIVER_REGION_ALLOCATOR_H_
