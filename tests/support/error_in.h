// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_SUPPORT_ERROR_IN_H_
#define VTA_TESTS_SUPPORT_ERROR_IN_H_

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "base/errors/error.h"

namespace vta {

// The message of the Error that `action` throws, "" for none. An Error of another code than `code`
// fails the test.
template <class Action>
std::string error_in(Action&& action, std::optional<ErrorCode> code = std::nullopt) {
  try {
    action();
  } catch (const Error& error) {
    if (code) EXPECT_EQ(error.code(), *code) << error.what();
    return error.what();
  }
  return "";
}

// The Error that `action` throws; the test fails if it throws none.
template <class Action>
Error expect_error(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error(ErrorCode::kIo, "");
}

}  // namespace vta

#endif  // VTA_TESTS_SUPPORT_ERROR_IN_H_
