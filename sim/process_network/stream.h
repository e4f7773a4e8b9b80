// SPDX-License-Identifier: Apache-2.0
//
// Streams whose items carry the cycle in which they become visible. The reader queries the cycle of
// the oldest item, the writer the cycle with space for an item; both may be unknown.
#ifndef VTA_SIM_PROCESS_NETWORK_STREAM_H_
#define VTA_SIM_PROCESS_NETWORK_STREAM_H_

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "sim/process_network/process.h"

namespace vta::process_network {

// The two ends of a stream, which wake the processes that wait at them.
class StreamEnds {
 public:
  void bind_reader(Process& process) { reader_ = &process; }
  void bind_writer(Process& process) { writer_ = &process; }
  // Null: outside the network, or DRAM.
  const Process* reader() const { return reader_; }
  const Process* writer() const { return writer_; }
  void reader_waits() { reader_waits_ = true; }
  void writer_waits() { writer_waits_ = true; }

 protected:
  void wake_reader(Cycle at) {
    if (std::exchange(reader_waits_, false)) reader_->network().wake(*reader_, at);
  }
  void wake_writer(Cycle at) {
    if (std::exchange(writer_waits_, false)) writer_->network().wake(*writer_, at);
  }

 private:
  Process* reader_ = nullptr;
  Process* writer_ = nullptr;
  bool reader_waits_ = false, writer_waits_ = false;
};

// An item without content, or whose content does not affect timing.
struct NoContent {};

// The timing of a FIFO of hw/rtl: hls_tokens for items without content, hls_fifo for others. An
// item is visible `delay` cycles after its push, and after the pop of the previous item.
template <class Item, uint32_t depth, uint32_t delay>
class Stream : public StreamEnds {
 public:
  bool has_front() const { return popped_ != pushed_; }
  Cycle front_at() const { return std::max(seen_[popped_ % kSlots], last_pop_ + 1); }
  const Item& front() const { return items_[popped_ % kSlots]; }
  Item pop(Cycle at) {
    const uint64_t i = popped_++ % kSlots;
    pop_cycles_[i] = last_pop_ = at;
    wake_writer(at + 1);
    return items_[i];
  }

  bool knows_space() const { return pushed_ < depth || pushed_ - popped_ < depth; }
  Cycle space_at() const {
    return pushed_ < depth ? 0 : pop_cycles_[(pushed_ - depth) % kSlots] + 1;
  }
  void push(Cycle at, Item item) {
    const uint64_t i = pushed_++ % kSlots;
    items_[i] = item;
    seen_[i] = at + delay;
    wake_reader(at + delay);
  }

  uint64_t size() const { return pushed_ - popped_; }

 private:
  static constexpr uint64_t kSlots = std::bit_ceil(uint64_t{depth});
  std::array<Item, kSlots> items_;
  std::array<Cycle, kSlots> seen_, pop_cycles_;
  uint64_t pushed_ = 0, popped_ = 0;
  Cycle last_pop_ = kNever;  // wraps to 0
};

// An input stream: each item arrives a given number of cycles after the pop of the previous one.
template <class Item>
class InputStream : public StreamEnds {
 public:
  std::vector<Item> items;
  std::vector<Cycle> gaps;        // before each item; default 0
  std::vector<Cycle> pop_cycles;  // of popped items

  bool has_front() const { return pop_cycles.size() < items.size(); }
  Cycle front_at() const {
    const size_t i = pop_cycles.size();
    return (i == 0 ? 0 : pop_cycles.back() + 1) + (i < gaps.size() ? gaps[i] : 0);
  }
  const Item& front() const { return items[pop_cycles.size()]; }
  void pop(Cycle at) { pop_cycles.push_back(at); }
};

// An output stream: space for each item appears a given number of cycles after the previous item.
template <class Item>
class OutputStream : public StreamEnds {
 public:
  std::vector<Item> items;
  std::vector<Cycle> gaps;         // before each item; default 0
  std::vector<Cycle> push_cycles;  // of the items

  bool knows_space() const { return true; }
  Cycle space_at() const {
    const size_t i = items.size();
    return (i == 0 ? 0 : push_cycles.back() + 1) + (i < gaps.size() ? gaps[i] : 0);
  }
  void push(Cycle at, Item item) {
    items.push_back(item);
    push_cycles.push_back(at);
  }
};

// Returns the first cycle from `from` on with an item, or with space. `object`: the object of the
// wait, which is recorded from cycle `since` on.
template <class S>
Cycle wait_for_item(Process& process, S& stream, Cycle from, uint32_t object, Cycle since) {
  while (!stream.has_front()) {
    stream.reader_waits();
    process.now = from;
    process.wait(object, since, stream.writer());
  }
  const Cycle at = std::max(from, stream.front_at());
  process.waited(object, since, at);
  return at;
}
template <class S>
Cycle wait_for_space(Process& process, S& stream, Cycle from, uint32_t object, Cycle since) {
  while (!stream.knows_space()) {
    stream.writer_waits();
    process.now = from;
    process.wait(object, since, stream.reader());
  }
  const Cycle at = std::max(from, stream.space_at());
  process.waited(object, since, at);
  return at;
}

}  // namespace vta::process_network

#endif  // VTA_SIM_PROCESS_NETWORK_STREAM_H_
