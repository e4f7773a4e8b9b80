// SPDX-License-Identifier: Apache-2.0
//
// The orientation in which cameras store images (EXIF 2.3, tag 0x0112).
#ifndef VTA_RUNTIME_HOST_ORIENTATION_H_
#define VTA_RUNTIME_HOST_ORIENTATION_H_

#include <cstdint>
#include <span>

#include "runtime/host/image.h"

namespace vta::host {

// 1: as stored; 2: mirrored; 3: rotated by 180 degrees; 4: flipped; 5 to 8: these with x and y
// exchanged.
inline constexpr int kOrientationAsStored = 1;

// The orientation in EXIF data, which start with a TIFF header. Data without one, and damaged data,
// are not an error: kOrientationAsStored.
int exif_orientation(std::span<const uint8_t> tiff);

// The orientation in a JPEG, PNG or WebP file; of other files kOrientationAsStored.
int orientation_of(std::span<const uint8_t> file);

// The upright image of one that is stored in an orientation.
Image upright(Image stored, int orientation);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_ORIENTATION_H_
