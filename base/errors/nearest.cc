// SPDX-License-Identifier: Apache-2.0
#include "base/errors/nearest.h"

#include <algorithm>

namespace vta {
namespace {

// Damerau-Levenshtein distance, without edits inside a swapped pair (optimal string alignment).
size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> rows(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) rows[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      rows[i][j] = std::min(
          {rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.size()][b.size()];
}

}  // namespace

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  constexpr size_t kMaxWordChars = 100;
  if (word.size() > kMaxWordChars) return "";
  std::string nearest;
  size_t least = SIZE_MAX;
  for (const std::string& candidate : candidates) {
    const size_t edits = distance(word, candidate);
    if (edits >= least || 3 * edits > candidate.size()) continue;
    nearest = candidate;
    least = edits;
  }
  return nearest.empty() ? "" : " (did you mean '" + nearest + "'?)";
}

}  // namespace vta
