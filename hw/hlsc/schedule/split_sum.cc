// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/split_sum.h"

#include <algorithm>
#include <utility>

#include "hw/hlsc/schedule/delay.h"

namespace vta::hlsc::schedule {

using ir::kNoValue;
using ir::Opcode;
using ir::ValueId;

namespace {

constexpr uint32_t kMinChunkBits = 4;
constexpr uint32_t kCarryBits = 2;  // of an addition: the carry in, and the carry out

// A number as chunks of equal widths, the lowest first; the last may be narrower. The addition of
// two numbers starts with their low chunks, so that sums of sums take a step more for each level,
// not for each chunk of each level.
using Chunks = std::vector<ValueId>;

class ChunkAdder {
 public:
  ChunkAdder(PartBuilder& parts, uint32_t width) : parts_(parts), width_(width) {
    while (chunk_bits_ < width && fits(chunk_bits_ + 1)) ++chunk_bits_;
  }

  bool is_possible() const { return fits(chunk_bits_); }

  Chunks chunks_of(ValueId value) {
    Chunks chunks;
    for (uint32_t at = 0; at < width_; at += chunk_bits_)
      chunks.push_back(parts_.slice(value, at, std::min(chunk_bits_, width_ - at)));
    return chunks;
  }

  Chunks add(const Chunks& a, const Chunks& b, ValueId carry = kNoValue) {
    Chunks sum;
    for (size_t i = 0; i < a.size(); ++i) {
      const bool is_last = i + 1 == a.size();
      if (carry == kNoValue && (parts_.is_constant(a[i], 0) || parts_.is_constant(b[i], 0))) {
        sum.push_back(parts_.is_constant(a[i], 0) ? b[i] : a[i]);
      } else {
        sum.push_back(add_chunk(a[i], b[i], is_last, carry));
      }
    }
    return sum;
  }

 private:
  bool fits(uint32_t bits) const {
    return parts_.fits(Opcode::kAdd, std::min(bits, width_) + kCarryBits, {});
  }

  // A carry in is added below the lowest bit, to a one. Replaces `carry` by the carry out.
  ValueId add_chunk(ValueId a, ValueId b, bool is_last, ValueId& carry) {
    const uint32_t low = carry == kNoValue ? 0 : 1, bits = parts_.width(a);
    const ValueId one = low == 0 ? kNoValue : parts_.constant(1, 1);
    const ValueId top = is_last ? kNoValue : parts_.constant(1, 0);
    const uint32_t width = low + bits + (is_last ? 0 : 1);
    const ValueId total = parts_.append(
        Opcode::kAdd, width, {parts_.concat({one, a, top}), parts_.concat({carry, b, top})});
    if (!is_last) carry = parts_.slice(total, low + bits, 1);
    return parts_.slice(total, low, bits);
  }

  PartBuilder& parts_;
  const uint32_t width_;
  uint32_t chunk_bits_ = kMinChunkBits;
};

// The most terms, from `first` on, of which one operation can make a sum that is not long; 0: not
// even two.
size_t fitting_terms(const PartBuilder& parts, const std::vector<ValueId>& terms, size_t first) {
  const uint32_t width = parts.width(terms[0]);
  if (!parts.fits(Opcode::kAdd, width, {terms[0], terms[0]})) return 0;
  size_t count = std::min<size_t>(2, terms.size() - first);
  for (; count + 1 < kLongSum && first + count < terms.size(); ++count) {
    std::vector<ValueId> more(terms.begin() + static_cast<std::ptrdiff_t>(first),
                              terms.begin() + static_cast<std::ptrdiff_t>(first + count + 1));
    if (!parts.fits(Opcode::kSum, width, std::move(more))) break;
  }
  return count;
}

ValueId sum_of(PartBuilder& parts, std::vector<ValueId> terms) {
  const uint32_t width = parts.width(terms[0]);
  if (terms.size() == 1) return terms[0];
  const Opcode opcode = terms.size() == 2 ? Opcode::kAdd : Opcode::kSum;
  return parts.append(opcode, width, std::move(terms));
}

// A tree of sums of whole terms.
ValueId sum_in_tree(PartBuilder& parts, std::vector<ValueId> terms) {
  while (terms.size() > 1) {
    std::vector<ValueId> sums;
    for (size_t first = 0; first < terms.size();) {
      const size_t count = fitting_terms(parts, terms, first);
      const auto begin = terms.begin() + static_cast<std::ptrdiff_t>(first);
      sums.push_back(sum_of(parts, {begin, begin + static_cast<std::ptrdiff_t>(count)}));
      first += count;
    }
    terms = std::move(sums);
  }
  return terms[0];
}

}  // namespace

ValueId split_sum(PartBuilder& parts, std::vector<ValueId> terms) {
  if (terms.size() == 1) return terms[0];
  if (fitting_terms(parts, terms, 0) != 0) return sum_in_tree(parts, std::move(terms));
  ChunkAdder adder(parts, parts.width(terms[0]));
  if (!adder.is_possible()) return kNoValue;
  std::vector<Chunks> numbers;
  for (ValueId term : terms) numbers.push_back(adder.chunks_of(term));
  while (numbers.size() > 1) {
    std::vector<Chunks> sums;
    for (size_t i = 0; i + 1 < numbers.size(); i += 2)
      sums.push_back(adder.add(numbers[i], numbers[i + 1]));
    if (numbers.size() % 2 == 1) sums.push_back(numbers.back());
    numbers = std::move(sums);
  }
  return parts.concat(numbers[0]);
}

ValueId split_difference(PartBuilder& parts, ValueId from, ValueId taken) {
  ChunkAdder adder(parts, parts.width(from));
  if (!adder.is_possible()) return kNoValue;
  const Chunks sum = adder.add(adder.chunks_of(from), adder.chunks_of(parts.inverted(taken)),
                               parts.constant(1, 1));
  return parts.concat(sum);
}

}  // namespace vta::hlsc::schedule
