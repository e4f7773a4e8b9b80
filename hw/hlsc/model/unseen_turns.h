// SPDX-License-Identifier: Apache-2.0
//
// The turns of a pipelined loop that nobody sees anything of, all at once.
//
// An iteration of a nest that waits for nobody is of the common kind if some checks hold
// (quiet_path.h); apart from that it changes registers and asks for ports. If nobody looks at the
// ports meanwhile (sim/process_network/arbiter.h), all that is left of a whole loop is what its
// last iteration leaves in registers, sums, and the checks. These are bounds mostly: they hold in
// all turns if they hold for the largest of what changes from turn to turn.
#ifndef VTA_HW_HLSC_MODEL_UNSEEN_TURNS_H_
#define VTA_HW_HLSC_MODEL_UNSEEN_TURNS_H_

#include <optional>
#include <string>

#include "hw/hlsc/model/nest_body.h"
#include "hw/hlsc/model/quiet_path.h"

namespace vta::hlsc::model {

struct UnseenTurns {
  // Statements in front of the nest, for the largest values; they know whether it is `quiet`.
  std::string preparation;
  // The condition under which all turns of the loop that is about to start are of the common kind,
  // with its counter at the first one.
  std::string condition;
  // What they do, as statements: all but the last one, then, once the loop's head is computed for
  // it, the last one up to the counter's step.
  std::string first, last;
};

// None if the nest is not like that. The objects in local variables are set in `body`'s text.
std::optional<UnseenTurns> unseen_turns(const NestBody& body, const QuietPath& quiet);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_UNSEEN_TURNS_H_
