// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_UNIT_HW_HLSC_SCHEDULE_RANDOM_RECURRENCES_H_
#define VTA_TESTS_UNIT_HW_HLSC_SCHEDULE_RANDOM_RECURRENCES_H_

#include <cstdint>
#include <string>

namespace vta::hlsc {

// The text of a design with one pipelined loop: chains of gates, multiplexers, sums and comparisons
// from one to three registers, and items of a stream, to these registers and to another stream.
std::string random_recurrences(uint64_t seed);

}  // namespace vta::hlsc

#endif  // VTA_TESTS_UNIT_HW_HLSC_SCHEDULE_RANDOM_RECURRENCES_H_
