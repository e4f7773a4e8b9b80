// SPDX-License-Identifier: Apache-2.0
//
// Bounded FIFOs between two processes, with blocking reads and writes.
#ifndef VTA_HW_HLS_STREAM_H_
#define VTA_HW_HLS_STREAM_H_

#include <cstdint>

#include "hw/hls/fiber.h"

namespace hls {

#ifdef __HLSC__

// hlsc recognizes these calls by their names and reads `depth` from the type.
template <class T, int depth>
struct stream {
  T read() {
    T value;
    read_op(this, &value, sizeof value);
    return value;
  }
  void write(const T& value) {
    T copy = value;
    write_op(this, &copy, sizeof copy);
  }
  static void read_op(void*, void*, unsigned long) __asm__("__hls_stream_read");
  static void write_op(void*, void*, unsigned long) __asm__("__hls_stream_write");
  char handle[depth];
};

// A stream without data: counts the tokens that have been pushed and not yet popped.
template <int depth>
struct token_queue {
  void push() { push_op(this); }
  void pop() { pop_op(this); }
  static void push_op(void*) __asm__("__hls_token_push");
  static void pop_op(void*) __asm__("__hls_token_pop");
  char handle[depth];
};

#else

template <class T, int depth>
class stream : public channel {
 public:
  explicit stream(const char* name) : channel(name, depth) {}

  T read() {
    wait_for_data();
    --size_;
    const T value = ring_[head_];
    head_ = head_ + 1 == depth ? 0 : head_ + 1;
    return value;
  }
  void write(const T& value) {
    wait_for_space();
    const uint32_t tail = head_ + size_;
    ring_[tail >= depth ? tail - depth : tail] = value;
    ++size_;
  }
  void clear() { head_ = size_ = 0; }

 private:
  uint32_t head_ = 0;
  T ring_[depth];
};

template <int depth>
class token_queue : public channel {
 public:
  explicit token_queue(const char* name) : channel(name, depth) {}

  void push() {
    wait_for_space();
    ++size_;
  }
  void pop() {
    wait_for_data();
    --size_;
  }
  void clear() { size_ = 0; }
};

#endif

}  // namespace hls

#endif  // VTA_HW_HLS_STREAM_H_
