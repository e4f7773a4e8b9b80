// SPDX-License-Identifier: Apache-2.0
//
// Attributes of sysfs: small text files that are read and written as a whole.
#ifndef VTA_DRIVER_LINUX_ATTRIBUTE_H_
#define VTA_DRIVER_LINUX_ATTRIBUTE_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace vta::driver {

// Reads an attribute without trailing whitespace.
// Errors: kNotFound; kIo with the system's reason, and a cure if permission is missing.
std::string read_attribute(const std::filesystem::path& path);

// Reads a number, decimal or with 0x. Errors: as read_attribute(); kIo if it is not a number.
uint64_t read_number_attribute(const std::filesystem::path& path);

// Writes an attribute with one system call, as kernel drivers require. Errors: as read_attribute(),
// including the kernel's response.
void write_attribute(const std::filesystem::path& path, const std::string& text);

// The sorted names in a folder; none if the folder does not exist.
std::vector<std::string> names_in(const std::filesystem::path& folder);

// Orders names with trailing numbers numerically: "uio2" before "uio10".
bool comes_before(const std::string& a, const std::string& b);

}  // namespace vta::driver

#endif  // VTA_DRIVER_LINUX_ATTRIBUTE_H_
