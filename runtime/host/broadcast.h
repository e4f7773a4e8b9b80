// SPDX-License-Identifier: Apache-2.0
//
// NumPy broadcasting of two operands: axes are matched from the last one; an axis of size 1, or a
// missing one, is repeated.
#ifndef VTA_RUNTIME_HOST_BROADCAST_H_
#define VTA_RUNTIME_HOST_BROADCAST_H_

#include <vector>

#include "runtime/tensor/tensor.h"

namespace vta::host {

// The result as lines along its last axes, in which each operand is dense or one repeated element.
class Broadcast {
 public:
  Broadcast(const std::vector<int64_t>& a, const std::vector<int64_t>& b,
            const std::vector<int64_t>& result);

  // Calls line(a offset, b offset, result offset) for every line, offsets in elements. A line has
  // length() elements, a_step() and b_step() (0 or 1) apart in the operands.
  template <typename Line>
  void for_each_line(Line&& line) const {
    std::vector<int64_t> index(counts_.size());
    int64_t a = 0, b = 0;
    for (int64_t result = 0; result < num_elems_; result += length_) {
      line(a, b, result);
      for (size_t axis = counts_.size(); axis-- > 0;) {
        a += a_strides_[axis];
        b += b_strides_[axis];
        if (++index[axis] < counts_[axis]) break;
        a -= counts_[axis] * a_strides_[axis];
        b -= counts_[axis] * b_strides_[axis];
        index[axis] = 0;
      }
    }
  }

  int64_t length() const { return length_; }
  int64_t a_step() const { return a_step_; }
  int64_t b_step() const { return b_step_; }

 private:
  int64_t num_elems_ = 1;
  int64_t length_ = 1;
  int64_t a_step_ = 0, b_step_ = 0;
  std::vector<int64_t> counts_, a_strides_, b_strides_;  // the axes before the line
};

// result[i] = compute(a[i], b[i]), with a and b broadcast.
template <typename In, typename Out, typename Compute>
void compute_broadcast(const Tensor& a, const Tensor& b, Tensor& result, Compute&& compute) {
  const Broadcast lines(a.shape(), b.shape(), result.shape());
  const In *as = a.data<In>().data(), *bs = b.data<In>().data();
  Out* out = result.mutable_data<Out>().data();
  const int64_t length = lines.length();
  lines.for_each_line([&](int64_t a_at, int64_t b_at, int64_t at) {
    const In *x = as + a_at, *y = bs + b_at;
    Out* z = out + at;
    if (lines.a_step() == 1 && lines.b_step() == 1) {
      for (int64_t i = 0; i < length; ++i) z[i] = compute(x[i], y[i]);
    } else if (lines.a_step() == 1) {
      for (int64_t i = 0; i < length; ++i) z[i] = compute(x[i], *y);
    } else if (lines.b_step() == 1) {
      for (int64_t i = 0; i < length; ++i) z[i] = compute(*x, y[i]);
    } else {
      for (int64_t i = 0; i < length; ++i) z[i] = compute(*x, *y);
    }
  });
}

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_BROADCAST_H_
