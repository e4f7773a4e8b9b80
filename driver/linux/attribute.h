// SPDX-License-Identifier: Apache-2.0
//
// Attributes of sysfs: small text files that are read and written whole.
#ifndef VTA_DRIVER_LINUX_ATTRIBUTE_H_
#define VTA_DRIVER_LINUX_ATTRIBUTE_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace vta::driver {

// Its text without spaces and newlines at the end.
// Errors: kNotFound; kIo with the system's reason (and what to do, if it is permission).
std::string read_attribute(const std::filesystem::path& path);

// Its number, decimal or with 0x. Errors: those of read_attribute(); kIo if it is none.
uint64_t read_number_attribute(const std::filesystem::path& path);

// In one write, as drivers want it. Errors: as read_attribute(); what the kernel answers is one.
void write_attribute(const std::filesystem::path& path, const std::string& text);

// Names in a folder, sorted; none if there is no such folder.
std::vector<std::string> names_in(const std::filesystem::path& folder);

// Of a name with digits at its end before another: "uio2" before "uio10".
bool comes_before(const std::string& a, const std::string& b);

}  // namespace vta::driver

#endif  // VTA_DRIVER_LINUX_ATTRIBUTE_H_
