// SPDX-License-Identifier: Apache-2.0
//
// Pixel pairs: which GEMMs a core with `pixels` 2 runs two iterations at a time. Their result is
// that of the iterations one after another. C++14 without the standard library, for hw/core; the
// compiler's estimates use it, too.
#ifndef VTA_HW_ISA_PIXEL_PAIRS_H_
#define VTA_HW_ISA_PIXEL_PAIRS_H_

#include <cstdint>

namespace vta {
namespace isa {

// RAMs of INP, among which a core with pixel pairs interleaves its elements.
constexpr uint32_t kPairedInpWays = 4;

// The fields of a GEMM that decide.
struct GemmPairing {
  bool split, reset;
  uint32_t num_uops;
  uint32_t dst_factor_in, src_factor_in, wgt_factor_in;
};

// Whether iterations j and j + 1 of the inner loop, j even, are one: a cycle for a micro-op of
// both. They have the same weight. Their ACC elements are in different RAMs, which the lowest bit
// of the index selects, and so are their INP elements, by the two lowest bits. Each ACC element
// thus gets its products one after another, in the order of the micro-ops. This differs from the
// order of the iterations, which matters only to micro-ops that overwrite, if there are several:
// with one, no two iterations of a pair have the same element. Plain GEMMs write OUT, which has one
// port.
constexpr bool runs_in_pairs(const GemmPairing& gemm) {
  return gemm.split & !(gemm.reset & (gemm.num_uops > 1)) & (gemm.dst_factor_in % 2 == 1) &
         (gemm.src_factor_in % kPairedInpWays != 0) & (gemm.wgt_factor_in == 0);
}

}  // namespace isa
}  // namespace vta

#endif  // VTA_HW_ISA_PIXEL_PAIRS_H_
