// SPDX-License-Identifier: Apache-2.0
//
// Bounded FIFOs between two processes, with blocking reads and writes.
#ifndef VTA_HW_HLS_STREAM_H_
#define VTA_HW_HLS_STREAM_H_

#include <cstdint>
#ifndef __HLSC__
#include <string>
#include <utility>
#endif

#include "hw/hls/fiber.h"

namespace hls {

// What hls::stream of Vitis HLS has and ours has not: the result of a poll depends on how far other
// processes are, so that hardware would compute something else for each pattern of stalls, and the
// native run, which has no time, something else again. The compiler's error names the cure.
#define HLS_POLL(cure) __attribute__((unavailable("its result would depend on timing; " cure)))
#define HLS_POLL_READ                                                                           \
  HLS_POLL(                                                                                     \
      "read() waits: take items in a fixed order, let an item mark the end, or give the other " \
      "work to an HLS_PROCESS of its own")
#define HLS_POLL_WRITE                                                                          \
  HLS_POLL(                                                                                     \
      "write() waits: make the stream deeper, or give the other work to an HLS_PROCESS of its " \
      "own")
#define HLS_POLLS(T)                \
  bool empty() const HLS_POLL_READ; \
  bool read_nb(T&) HLS_POLL_READ;   \
  bool full() const HLS_POLL_WRITE; \
  bool write_nb(const T&) HLS_POLL_WRITE;

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
  HLS_POLLS(T)
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
  // Natively only: `count` items from or to an array, as many at a time as there are.
  void read(T* to, uint64_t count) {
    while (count != 0) {
      wait_for_data();
      const uint32_t some = least(size_, depth - head_, count);
      __builtin_memcpy(to, ring_ + head_, some * sizeof(T));
      head_ = head_ + some == depth ? 0 : head_ + some;
      size_ -= some;
      to += some;
      count -= some;
    }
  }
  void write(const void* from, uint64_t count) {
    const char* next = static_cast<const char*>(from);
    while (count != 0) {
      wait_for_space();
      const uint32_t end = head_ + size_, tail = end >= depth ? end - depth : end;
      const uint32_t some = least(depth - size_, depth - tail, count);
      __builtin_memcpy(ring_ + tail, next, some * sizeof(T));
      size_ += some;
      next += some * sizeof(T);
      count -= some;
    }
  }
  HLS_POLLS(T)
  void clear() { head_ = size_ = 0; }

 private:
  static uint32_t least(uint32_t a, uint32_t b, uint64_t c) {
    const uint32_t ab = a < b ? a : b;
    return c < ab ? static_cast<uint32_t>(c) : ab;
  }

  uint32_t head_ = 0;
  T ring_[depth];
};

// An array of streams, which have the names name_0, name_1, ...
template <class T, int count, int depth>
class streams {
 public:
  explicit streams(const char* name) : streams(name, std::make_integer_sequence<int, count>()) {}

  stream<T, depth>& operator[](int index) { return items_[index]; }
  stream<T, depth>* begin() { return items_; }
  stream<T, depth>* end() { return items_ + count; }

 private:
  template <int... i>
  streams(const char* name, std::integer_sequence<int, i...>)
      : names_{std::string(name) + "_" + std::to_string(i)...},
        items_{stream<T, depth>(names_[i].c_str())...} {}

  const std::string names_[count];
  stream<T, depth> items_[count];
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

#undef HLS_POLLS
#undef HLS_POLL_WRITE
#undef HLS_POLL_READ
#undef HLS_POLL

}  // namespace hls

#endif  // VTA_HW_HLS_STREAM_H_
