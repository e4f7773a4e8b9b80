// SPDX-License-Identifier: Apache-2.0
//
// Predicates on text, for EXPECT_PRED2, which prints both sides.
#ifndef VTA_TESTS_CLI_TEXT_MATCH_H_
#define VTA_TESTS_CLI_TEXT_MATCH_H_

#include <string>

namespace vta::cli_test {

bool contains(const std::string& text, const std::string& part);
bool lacks(const std::string& text, const std::string& part);

// `pattern`: a POSIX extended regular expression, found anywhere in the text; ^ and $ are the
// text's ends.
bool matches(const std::string& text, const std::string& pattern);

}  // namespace vta::cli_test

#endif  // VTA_TESTS_CLI_TEXT_MATCH_H_
