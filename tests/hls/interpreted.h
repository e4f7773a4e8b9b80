// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_HLS_INTERPRETED_H_
#define VTA_TESTS_HLS_INTERPRETED_H_

#include <map>
#include <string>
#include <vector>

#include "hw/hlsc/ir/ir.h"
#include "tests/hls/trial.h"

namespace vta::kernels {

// The outputs of a design for a trial's inputs.
struct Outcome {
  std::map<std::string, std::vector<Item>> outputs;
  std::vector<uint8_t> dram;
};

// `seed` determines the interleaving of the processes.
// Errors: kInvalidArgument if the run does not end; errors of the interpreter.
Outcome interpret(const hlsc::ir::Design& design, const Trial& trial, uint64_t seed);

// The first difference as text; empty if there is none.
std::string difference(const Trial& expected, const Outcome& outcome);

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_INTERPRETED_H_
