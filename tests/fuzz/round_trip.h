// SPDX-License-Identifier: Apache-2.0
//
// What a reader accepts must be written, and read and written again with the same result.
#ifndef VTA_TESTS_FUZZ_ROUND_TRIP_H_
#define VTA_TESTS_FUZZ_ROUND_TRIP_H_

#include <cstdlib>
#include <optional>

#include "base/errors/error.h"

namespace vta::fuzz {

// `parse` refuses the input by an Error. After that an Error is a finding, as it ends the process.
template <typename Input, typename Parse, typename Write>
void check_round_trip(const Input& input, Parse parse, Write write) {
  std::optional<decltype(parse(input))> accepted;
  try {
    accepted.emplace(parse(input));
  } catch (const Error&) {
    return;
  }
  const auto written = write(*accepted);
  if (write(parse(written)) != written) std::abort();
}

}  // namespace vta::fuzz

#endif  // VTA_TESTS_FUZZ_ROUND_TRIP_H_
