// SPDX-License-Identifier: Apache-2.0
#include "runtime/host/requantize.h"

namespace vta::host {

std::vector<Requantization> channel_requantizations(const OpAttrs& attrs,
                                                    const std::vector<Tensor>& inputs) {
  const auto biases = inputs[2].data<int32_t>();
  if (attrs.scaled && inputs.size() < 4)
    fail(ErrorCode::kInvalidArgument, "free scales need an operand of factors");
  const auto numbers = inputs.size() < 4 ? std::span<const int32_t>{} : inputs[3].data<int32_t>();
  std::vector<Requantization> result;
  for (size_t c = 0; c < biases.size(); ++c) {
    const int32_t number = numbers.empty() ? static_cast<int32_t>(attrs.shift) : numbers[c];
    if (!attrs.scaled && !numbers.empty() && (number < 0 || number > 31)) {
      fail(ErrorCode::kInvalidArgument, "shift {} of channel {} is outside 0 to 31", number, c);
    }
    result.emplace_back(attrs, attrs.scaled ? attrs.shift : number, attrs.scaled ? number : 1,
                        biases[c]);
  }
  return result;
}

}  // namespace vta::host
