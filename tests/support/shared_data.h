// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_SUPPORT_SHARED_DATA_H_
#define VTA_TESTS_SUPPORT_SHARED_DATA_H_

#include <filesystem>

namespace vta::test {

// The folder of real weights, images and models for some tests; "" if there is none. It is not part
// of the repository. A test that needs it is skipped without it:
//   if (shared_data().empty()) GTEST_SKIP() << "[SKIP] no shared data";
inline std::filesystem::path shared_data() {
  const std::filesystem::path folder = "../shared/data";  // tests run in the project's root
  return std::filesystem::exists(folder) ? folder : std::filesystem::path();
}

}  // namespace vta::test

#endif  // VTA_TESTS_SUPPORT_SHARED_DATA_H_
