// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_SUPPORT_SAMPLE_IMAGES_H_
#define VTA_TESTS_SUPPORT_SAMPLE_IMAGES_H_

#include "compiler/calibration.h"

namespace vta::test {

// An input of this type, fp32 [n, ...]: the network's sample n times, each darker than the
// previous.
inline Tensor sample_images(const import::Network& network, const TensorType& type) {
  const Tensor sample = own_calibration(network).sets.at(0).at(0);
  Tensor input(type);
  const auto from = sample.data<float>();
  const auto to = input.mutable_data<float>();
  for (size_t i = 0; i < to.size(); ++i) {
    to[i] = from[i % from.size()] * (1.0F - 0.125F * static_cast<float>(i / from.size()));
  }
  return input;
}

}  // namespace vta::test

#endif  // VTA_TESTS_SUPPORT_SAMPLE_IMAGES_H_
