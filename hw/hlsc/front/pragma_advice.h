// SPDX-License-Identifier: Apache-2.0
//
// What to write with hw/hls in place of a pragma of Vitis HLS.
#ifndef VTA_HW_HLSC_FRONT_PRAGMA_ADVICE_H_
#define VTA_HW_HLSC_FRONT_PRAGMA_ADVICE_H_

#include <string>

namespace vta::hlsc::front {

// For clang's warning about an unknown pragma at `place`, "file:line": "; PIPELINE: use ..." if the
// source has a `#pragma HLS` there. "" for all other warnings.
std::string pragma_advice(const std::string& place, const std::string& warning);

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_PRAGMA_ADVICE_H_
