// SPDX-License-Identifier: Apache-2.0
//
// The nearest of several names to a misspelt one, for messages.
#ifndef VTA_BASE_ERRORS_NEAREST_H_
#define VTA_BASE_ERRORS_NEAREST_H_

#include <string>
#include <vector>

namespace vta {

// " (did you mean 'resnet18'?)" with the candidate that needs the fewest insertions, deletions,
// replacements and swaps of neighbours; "" if every candidate needs more than a third of its
// length.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace vta

#endif  // VTA_BASE_ERRORS_NEAREST_H_
