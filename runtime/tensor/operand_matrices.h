// SPDX-License-Identifier: Apache-2.0
//
// Broadcasting in products of matrices: the axes before the last two are matched from the back, and
// an axis of size 1, or a missing one, is repeated.
#ifndef VTA_RUNTIME_TENSOR_OPERAND_MATRICES_H_
#define VTA_RUNTIME_TENSOR_OPERAND_MATRICES_H_

#include <cstdint>
#include <vector>

namespace vta {

// For each matrix of a product of shape `result`, [..., rows, columns], the number of the matrix of
// an operand of shape `operand` that it is computed from.
std::vector<int64_t> operand_matrices(const std::vector<int64_t>& operand,
                                      const std::vector<int64_t>& result);

}  // namespace vta

#endif  // VTA_RUNTIME_TENSOR_OPERAND_MATRICES_H_
