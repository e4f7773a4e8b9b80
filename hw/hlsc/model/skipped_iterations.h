// SPDX-License-Identifier: Apache-2.0
//
// Skipped iterations: all iterations of a pipelined loop at once, if no other process can observe
// them.
//
// An iteration of a nest that never waits takes the fast path if some checks hold (fast_path.h);
// apart from that it changes registers and requests ports. If no other process observes the ports
// meanwhile (sim/process_network/arbiter.h), a whole loop reduces to the register writes of its
// last iteration, sums, and the checks. Most checks are bounds: they hold in all iterations if they
// hold for the largest values. The rounds of the loop around them are skipped likewise.
#ifndef VTA_HW_HLSC_MODEL_SKIPPED_ITERATIONS_H_
#define VTA_HW_HLSC_MODEL_SKIPPED_ITERATIONS_H_

#include <optional>
#include <string>

#include "hw/hlsc/model/fast_path.h"
#include "hw/hlsc/model/nest_body.h"

namespace vta::hlsc::model {

struct SkippedIterations {
  // Statements before the nest that find the largest values; they read the model's `quiet`.
  std::string preparation;
  // True if all iterations of the loop take the fast path; evaluated with the counter at its first
  // value.
  std::string condition;
  // Statements for all iterations but the last one, and, after the loop's head is computed for it,
  // for the last one up to the increment of the counter.
  std::string first, last;
  // Statements for all iterations in all rounds of the loop around but the last one, before and
  // after the values that the round computes before the loop.
  struct Rounds {
    std::string before, after;
  };
  std::optional<Rounds> rounds;
};

// None if iterations of the nest cannot be skipped.
std::optional<SkippedIterations> skipped_iterations(const NestBody& body, const FastPath& path);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_SKIPPED_ITERATIONS_H_
