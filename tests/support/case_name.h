// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_SUPPORT_CASE_NAME_H_
#define VTA_TESTS_SUPPORT_CASE_NAME_H_

#include <cctype>
#include <string>

namespace vta::support {

// For PrintTo() of a parameter that is source text: the text without the characters that are
// invalid in CTest's names.
inline std::string case_name(std::string text) {
  for (char& c : text) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return text;
}

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_CASE_NAME_H_
