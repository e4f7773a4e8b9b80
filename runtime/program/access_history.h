// SPDX-License-Identifier: Apache-2.0
//
// AccessHistory: last accesses to each element of a memory, for the detection of unordered
// accesses.
#ifndef VTA_RUNTIME_PROGRAM_ACCESS_HISTORY_H_
#define VTA_RUNTIME_PROGRAM_ACCESS_HISTORY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vta::program {

// At most: load, gemm, alu, store; without split instructions load, compute, store.
inline constexpr int kStages = 4;

// By stage, the number of its instructions that are known to have ended.
using VectorClock = std::array<uint32_t, kStages>;

class AccessHistory {
 public:
  explicit AccessHistory(size_t num_elems = 0) : elems_(num_elems) {}

  size_t size() const { return elems_.size(); }

  // Records a read by instruction number `time` (from 1) of `stage`, whose clock is `clock`.
  // Returns a stage with a write that is not ordered before it, or -1.
  int read(size_t element, int stage, uint32_t time, const VectorClock& clock) {
    Element& e = elems_[element];
    e.read_time[stage] = time;
    if (e.writer != stage && e.write_time > clock[e.writer]) return e.writer;
    return -1;
  }

  // As read(), for a write: it conflicts with any unordered access of another stage.
  int write(size_t element, int stage, uint32_t time, const VectorClock& clock) {
    Element& e = elems_[element];
    int conflict = -1;
    if (e.writer != stage && e.write_time > clock[e.writer]) conflict = e.writer;
    for (int other = 0; other < kStages; ++other) {
      if (other != stage && e.read_time[other] > clock[other]) conflict = other;
    }
    e.writer = static_cast<uint8_t>(stage);
    e.write_time = time;
    return conflict;
  }

 private:
  struct Element {
    uint32_t write_time = 0;  // 0: never
    uint8_t writer = 0;
    std::array<uint32_t, kStages> read_time{};
  };
  std::vector<Element> elems_;
};

}  // namespace vta::program

#endif  // VTA_RUNTIME_PROGRAM_ACCESS_HISTORY_H_
