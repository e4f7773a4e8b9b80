// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/text_match.h"

#include <regex.h>

#include "base/errors/error.h"

namespace vta::cli_test {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool lacks(const std::string& text, const std::string& part) { return !contains(text, part); }

bool matches(const std::string& text, const std::string& pattern) {
  regex_t compiled;
  VTA_ASSERT(::regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB) == 0,
             "a valid pattern");
  const bool found = ::regexec(&compiled, text.c_str(), 0, nullptr, 0) == 0;
  ::regfree(&compiled);
  return found;
}

}  // namespace vta::cli_test
