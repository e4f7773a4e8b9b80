// SPDX-License-Identifier: Apache-2.0
//
// Named arrays as a NumPy .npz file.
#ifndef VTA_BASE_FILES_NPZ_WRITER_H_
#define VTA_BASE_FILES_NPZ_WRITER_H_

#include <cstdint>
#include <vector>

#include "base/files/array_file.h"

namespace vta {

// A zip archive of members NAME.npy in order of the names, not compressed; the same arrays give the
// same bytes. numpy.load() and read_arrays() read it. Errors: kUnsupported for bfloat16, a name of
// more than 1024 bytes, and 4 GiB or more in total.
std::vector<uint8_t> to_npz(const NamedArrays& arrays);

}  // namespace vta

#endif  // VTA_BASE_FILES_NPZ_WRITER_H_
