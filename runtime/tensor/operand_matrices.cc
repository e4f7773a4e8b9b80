// SPDX-License-Identifier: Apache-2.0
#include "runtime/tensor/operand_matrices.h"

namespace vta {

std::vector<int64_t> operand_matrices(const std::vector<int64_t>& operand,
                                      const std::vector<int64_t>& result) {
  std::vector<int64_t> numbers = {0};
  int64_t below = 1;  // matrices of the operand for one step along the axis
  for (size_t back = 2; back < result.size(); ++back) {
    const int64_t repeated = result.end()[-1 - static_cast<int64_t>(back)];
    const int64_t size = back < operand.size() ? operand.end()[-1 - static_cast<int64_t>(back)] : 1;
    const std::vector<int64_t> inner = numbers;
    for (int64_t i = 1; i < repeated; ++i) {
      for (int64_t number : inner) numbers.push_back(size == 1 ? number : number + i * below);
    }
    below *= size;
  }
  return numbers;
}

}  // namespace vta
