// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_SUPPORT_NOISE_H_
#define VTA_TESTS_SUPPORT_NOISE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "base/numbers/random.h"
#include "runtime/tensor/tensor.h"

namespace vta::test {

// fp32, normally distributed; the same for the same seed.
inline Tensor noise(std::vector<int64_t> shape, uint64_t seed) {
  Random random(seed);
  Tensor result({DType::kFloat32, std::move(shape)});
  for (float& x : result.mutable_data<float>()) x = static_cast<float>(random.normal());
  return result;
}

}  // namespace vta::test

#endif  // VTA_TESTS_SUPPORT_NOISE_H_
