// SPDX-License-Identifier: Apache-2.0
//
// Shared libraries in a cache. What this process loads, it executes: a library ends with its
// checksum, belongs to this user, and lies in a folder that no other user can write.
#ifndef VTA_SIM_CYCLE_MODEL_LIBRARY_H_
#define VTA_SIM_CYCLE_MODEL_LIBRARY_H_

#include <filesystem>

namespace vta::sim {

// Creates the folder, for this user alone, if there is none, and removes what processes have left
// that were killed while they built. Errors: kIo, also for a folder of another user, or one that
// others can write.
void make_library_folder(const std::filesystem::path& folder);

// Appends the checksum to a library that a compiler has written.
void seal_library(const std::filesystem::path& file);

// Loads a sealed library, which stays loaded: a handle for dlsym(). Null if there is none, if it is
// damaged, or if others can write it: build it again. Errors: kIo if it belongs to another
// user or the system cannot load it.
void* load_library(const std::filesystem::path& file);

}  // namespace vta::sim

#endif  // VTA_SIM_CYCLE_MODEL_LIBRARY_H_
