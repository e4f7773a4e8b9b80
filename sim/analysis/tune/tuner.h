// SPDX-License-Identifier: Apache-2.0
//
// Tuner: proposes tilings of one task, and learns from their measured cycles. The space is
// lower::legal_tilings() with all numbers of slots.
//
//   exhaustive  the space in ascending order of estimated cost
//   random      uniform over tiles, then over slots
//   genetic     starts with those of the least estimated cost, then crosses and mutates the best
//               ones measured so far (Holland: Adaptation in Natural and Artificial Systems, 1975)
//   learned     as genetic; of 40 children the one that a ridge regression on the measured tilings
//               predicts to be the fastest, except for every fourth proposal
#ifndef VTA_SIM_ANALYSIS_TUNE_TUNER_H_
#define VTA_SIM_ANALYSIS_TUNE_TUNER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/lower/tiling.h"
#include "configs/core_config.h"

namespace vta::sim {

class Tuner {
 public:
  virtual ~Tuner() = default;

  // A legal tiling that has not been proposed; nullopt: the tuner has no more. Depends only
  // on the results passed to tell() so far.
  virtual std::optional<lower::Tiling> propose() = 0;

  virtual void tell(const lower::Tiling& tiling, uint64_t cycles) = 0;
};

enum class TunerKind { kExhaustive, kRandom, kGenetic, kLearned };
std::vector<std::string> tuner_names();
TunerKind tuner_from_string(const std::string& name);  // Errors: kInvalidArgument

// `first`: the tiling in use, which is not proposed. The same arguments and measurements give the
// same proposals.
std::unique_ptr<Tuner> make_tuner(TunerKind kind, const lower::TilingProblem& problem,
                                  const CoreConfig& core, const lower::Tiling& first,
                                  uint64_t seed);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_TUNE_TUNER_H_
