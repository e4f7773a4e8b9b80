// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_BASE_FILES_INSTALLATION_H_
#define VTA_BASE_FILES_INSTALLATION_H_

#include <filesystem>
#include <optional>

namespace vta {

// PREFIX, if this code is in a program PREFIX/bin/NAME or in a shared library
// PREFIX/lib/libNAME.so. Whether PREFIX holds an installation, the caller finds out by looking for
// its files. nullopt if the system does not tell.
std::optional<std::filesystem::path> installation_prefix();

}  // namespace vta

#endif  // VTA_BASE_FILES_INSTALLATION_H_
