// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_MODEL_SERIES_TEXT_H_
#define VTA_HW_HLSC_MODEL_SERIES_TEXT_H_

#include <optional>
#include <string>

#include "hw/hlsc/model/nest_body.h"

namespace vta::hlsc::model {

// A nest that only requests bursts, or only takes beats whose data timing does not depend on: it
// plans its iterations (sim/process_network/series.h) instead of waiting in each.
struct SeriesText {
  std::string begin;      // before the loops
  std::string iteration;  // of the innermost loop
  std::string idle;       // a cycle without an iteration
  std::string end;        // after the loops: `now` is the first cycle after the nest
};
// None for other nests.
std::optional<SeriesText> series_text(const NestBody& body);

}  // namespace vta::hlsc::model

#endif  // VTA_HW_HLSC_MODEL_SERIES_TEXT_H_
