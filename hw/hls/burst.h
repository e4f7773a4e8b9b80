// SPDX-License-Identifier: Apache-2.0
//
// Ports to DRAM in bursts of 64-bit beats. A burst has 1 to kBurstBeats beats, starts at a multiple
// of kBeatBytes and does not cross a 4 KiB boundary, so that it is legal in AXI4 and AXI3.
// burst_beats() below splits a range into such bursts. An illegal burst throws natively and may
// hang in hardware.
#ifndef VTA_HW_HLS_BURST_H_
#define VTA_HW_HLS_BURST_H_

#include <cstdint>

#include "hw/hls/stream.h"

#ifndef __HLSC__
#include <stdexcept>
#include <string>
#endif

namespace hls {

constexpr uint32_t kBeatBytes = 8;
constexpr uint32_t kBurstBeats = 16;
constexpr uint32_t kBurstBytes = kBurstBeats * kBeatBytes;
constexpr uint32_t kBurstBoundaryBytes = 4096;

// The number of beats of the next burst, if `beats` beats remain from `address` on: up to the next
// multiple of kBurstBytes, which keeps every burst within 4 KiB by masks alone.
inline uint32_t burst_beats(uint32_t address, uint32_t beats) {
  const uint32_t limit = kBurstBeats - address / kBeatBytes % kBurstBeats;
  return beats < limit ? beats : limit;
}

// True if the burst is legal.
inline bool is_burst(uint32_t address, uint32_t beats) {
  const uint32_t within = address % kBurstBoundaryBytes;
  return beats != 0 && beats <= kBurstBeats && address % kBeatBytes == 0 &&
         within + beats * kBeatBytes <= kBurstBoundaryBytes;
}

#ifdef __HLSC__

// `bursts`: how many requests may be in flight.
template <int bursts>
struct read_port {
  void request(uint32_t address, uint32_t beats) { request_op(this, address, beats); }
  uint64_t read() { return read_op(this); }
  static void request_op(void*, uint32_t, uint32_t) __asm__("__hls_read_request");
  static uint64_t read_op(void*) __asm__("__hls_read_beat");
  char handle[bursts];
};

template <int bursts>
struct write_port {
  void request(uint32_t address, uint32_t beats) { request_op(this, address, beats); }
  void write(uint64_t beat) { write_op(this, beat); }
  void wait_responses() { wait_op(this); }
  static void request_op(void*, uint32_t, uint32_t) __asm__("__hls_write_request");
  static void write_op(void*, uint64_t) __asm__("__hls_write_beat");
  static void wait_op(void*) __asm__("__hls_write_wait");
  char handle[bursts];
};

#else

// Receives the beats that a port reads.
struct beat_sink {
  virtual ~beat_sink() = default;
  virtual void beat(uint64_t value) = 0;
};

// Errors: std::logic_error if the burst is illegal.
inline void check_burst(const char* port, uint32_t address, uint32_t beats) {
  if (is_burst(address, beats)) return;
  throw std::logic_error(std::string("port ") + port + ": " + std::to_string(beats) +
                         " beats from byte " + std::to_string(address) +
                         " on are not a legal burst (1 to 16 aligned beats within 4 KiB)");
}

// Natively DRAM is the byte array given to bind(), and reads and writes take effect at once.
template <int bursts>
class read_port : public channel {
 public:
  explicit read_port(const char* name) : channel(name, bursts) {}

  void bind(const uint8_t* dram) { dram_ = dram; }
  // Sends all beats that are read from now on to `sink`; null: to none.
  void record(beat_sink* sink) { sink_ = sink; }

  // Beats arrive in the order of the requests.
  void request(uint32_t address, uint32_t beats) {
    check_burst(name(), address, beats);
    wait_for_space();
    ring_[(head_ + size_) % bursts] = {address, beats};
    ++size_;
  }
  uint64_t read() {
    if (left_ == 0) next_burst();
    --left_;
    uint64_t beat;
    __builtin_memcpy(&beat, at_, kBeatBytes);
    at_ += kBeatBytes;
    if (sink_ != nullptr) sink_->beat(beat);
    return beat;
  }
  // Natively only: copies beats to `to`, and not to the sink of record().
  void read(void* to, uint32_t beats) {
    uint8_t* next = static_cast<uint8_t*>(to);
    while (beats != 0) {
      if (left_ == 0) next_burst();
      const uint32_t some = beats < left_ ? beats : left_;
      __builtin_memcpy(next, at_, some * kBeatBytes);
      next += some * kBeatBytes;
      at_ += some * kBeatBytes;
      left_ -= some;
      beats -= some;
    }
  }
  void clear() { head_ = size_ = left_ = 0; }

 private:
  struct burst {
    uint32_t address, beats;
  };
  void next_burst() {
    wait_for_data();
    --size_;
    at_ = dram_ + ring_[head_].address;
    left_ = ring_[head_].beats;
    head_ = (head_ + 1) % bursts;
  }
  const uint8_t* dram_ = nullptr;
  const uint8_t* at_ = nullptr;
  beat_sink* sink_ = nullptr;
  uint32_t left_ = 0, head_ = 0;
  burst ring_[bursts];
};

template <int bursts>
class write_port {
 public:
  explicit write_port(const char* name) : name_(name) {}

  void bind(uint8_t* dram) { dram_ = dram; }

  // Each request is followed by its beats.
  void request(uint32_t address, uint32_t beats) {
    check_burst(name_, address, beats);
    at_ = dram_ + address;
  }
  void write(uint64_t beat) { write(&beat, 1); }
  // Natively only.
  void write(const uint64_t* from, uint32_t beats) {
    __builtin_memcpy(at_, from, beats * kBeatBytes);
    at_ += beats * kBeatBytes;
  }
  // Returns when all earlier writes are in memory.
  void wait_responses() {}

 private:
  const char* name_;
  uint8_t* dram_ = nullptr;
  uint8_t* at_ = nullptr;
};

#endif

}  // namespace hls

#endif  // VTA_HW_HLS_BURST_H_
