// SPDX-License-Identifier: Apache-2.0
//
// AccessHistory: last accesses to each element of a memory, for the detection of unordered
// accesses.
#ifndef VTA_RUNTIME_PROGRAM_ACCESS_HISTORY_H_
#define VTA_RUNTIME_PROGRAM_ACCESS_HISTORY_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vta {

// Load, gemm, alu, store; in a stream builder without split instructions load, compute, store.
inline constexpr int kStages = 4;

// By stage, the last instruction that is known to have ended, as index + 1; 0: none.
using VectorClock = std::array<uint32_t, kStages>;

class AccessHistory {
 public:
  explicit AccessHistory(size_t num_elems = 0) : elems_(num_elems) {}

  size_t size() const { return elems_.size(); }

  // Records a read by instruction `index` of `stage`, whose clock is `clock`. Returns the
  // instruction of another stage whose write is not ordered before it, as index + 1, or 0.
  uint32_t read(size_t element, int stage, uint32_t index, const VectorClock& clock) {
    Element& e = elems_[element];
    e.reads[stage] = index + 1;
    return unordered_write(e, stage, clock);
  }

  // As read(), for a write: it conflicts with any unordered access of another stage. Returns the
  // latest one.
  uint32_t write(size_t element, int stage, uint32_t index, const VectorClock& clock) {
    Element& e = elems_[element];
    uint32_t conflict = unordered_write(e, stage, clock);
    for (int other = 0; other < kStages; ++other) {
      if (other != stage && e.reads[other] > clock[other])
        conflict = std::max(conflict, e.reads[other]);
    }
    e.writer = static_cast<uint8_t>(stage);
    e.write = index + 1;
    return conflict;
  }

 private:
  // Instructions as index + 1; 0: none. The last ones suffice: earlier accesses were ordered before
  // them, or reported.
  struct Element {
    uint32_t write = 0;
    uint8_t writer = 0;
    std::array<uint32_t, kStages> reads{};
  };

  static uint32_t unordered_write(const Element& e, int stage, const VectorClock& clock) {
    return e.writer != stage && e.write > clock[e.writer] ? e.write : 0;
  }

  std::vector<Element> elems_;
};

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_ACCESS_HISTORY_H_
