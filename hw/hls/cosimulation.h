// SPDX-License-Identifier: Apache-2.0
//
// Runs the Verilated kernel on the items of a native run, with random stalls at its streams, and
// compares what comes out. `vta-hlsc cosim` writes the one file that includes it, after the class
// Vtop of Verilator, and that defines connect().
#ifndef VTA_HW_HLS_COSIMULATION_H_
#define VTA_HW_HLS_COSIMULATION_H_

#include <verilated.h>
#if VM_TRACE  // Verilator's: whether the model can write a waveform
#include <verilated_fst_c.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <random>

#include "hw/hls/testbench.h"

namespace hls {

// The pins of a stream: the item in little-endian bytes (null for tokens), `blocked` (empty or
// full) is set by the test, `moves` (pop or push) by the kernel.
struct stream_pins {
  void* data = nullptr;
  size_t bytes = 0;
  uint8_t* blocked = nullptr;
  uint8_t* moves = nullptr;
};

using verilated_top = ::Vtop;

// The Verilated kernel, after its reset. Writes its waveform to `wave`, if that is not empty.
class cosimulated {
 public:
  explicit cosimulated(const std::string& wave);
  ~cosimulated() {
#if VM_TRACE
    if (trace_) trace_->close();
#endif
  }
  cosimulated(const cosimulated&) = delete;
  cosimulated& operator=(const cosimulated&) = delete;

  // The outputs, after the inputs have changed.
  void settle() {
    top_.clk = 0;
    top_.eval();
  }
  // A clock edge.
  void edge() {
    half(0);
    half(1);
    top_.clk = 0;
  }

  std::map<std::string, stream_pins> inputs, outputs;
  std::map<std::string, std::pair<void*, size_t>> constants;

 private:
  void half(uint8_t clk) {
    top_.clk = clk;
    top_.eval();
#if VM_TRACE
    if (trace_) trace_->dump(time_);
    time_ += 5;
#endif
  }

  verilated_top top_;
#if VM_TRACE
  std::unique_ptr<VerilatedFstC> trace_;
  uint64_t time_ = 0;
#endif
};

// Enters the pins of the top; `vta-hlsc cosim` writes it.
void connect(verilated_top& top, cosimulated& kernel);

inline cosimulated::cosimulated([[maybe_unused]] const std::string& wave) {
#if VM_TRACE
  Verilated::traceEverOn(true);
  if (!wave.empty()) {
    trace_ = std::make_unique<VerilatedFstC>();
    top_.trace(trace_.get(), 99);
    trace_->open(wave.c_str());
  }
#endif
  connect(top_, *this);
  for (auto& [name, pin] : inputs) *pin.blocked = 1;
  for (auto& [name, pin] : outputs) *pin.blocked = 1;
  top_.rst = 1;
  for (int i = 0; i < 4; ++i) edge();
  top_.rst = 0;
}

// Probability, in percent, that the environment of a stream is ready in a cycle.
class cosimulation_run {
 public:
  cosimulation_run(cosimulated& top, const test_vectors& vectors, uint64_t seed, uint32_t ready)
      : top_(top), vectors_(vectors), random_(seed), ready_(ready) {
    for (const auto& [name, value] : vectors.constants) {
      const auto& [pin, bytes] = top.constants.at(name);
      std::memcpy(pin, value.data(), std::min(value.size(), bytes));
    }
  }

  // Empty if all outputs are right.
  std::string run() {
    for (uint64_t idle = 0; idle < kMaxIdleCycles; ++idle, ++cycles_) {
      drive();
      top_.settle();
      if (const std::string broken = sample(idle); !broken.empty()) return broken;
      top_.edge();
      // Only a move changes the difference, and it begins a new quiet time.
      if (idle == kQuietCycles && difference().empty()) break;
    }
    return difference();
  }
  uint64_t last_move() const { return last_move_; }
  size_t surplus() const { return surplus_; }

 private:
  // Between two items a kernel may compute for long; one that has sent all is done earlier.
  static constexpr uint64_t kQuietCycles = 2000, kMaxIdleCycles = 1'000'000;

  void drive() {
    for (auto& [name, pins] : top_.inputs) {
      const auto& items = items_of(name);
      const size_t at = taken_[name];
      // An item stays until it is taken.
      bool& is_open = open_[name];
      is_open = at < items.size() && (is_open || is_ready());
      *pins.blocked = is_open ? 0 : 1;
      for (size_t i = 0; i < pins.bytes; ++i) {
        const bool is_item = is_open && i < items[at].size();
        static_cast<uint8_t*>(pins.data)[i] = is_item   ? items[at][i]
                                              : is_open ? 0
                                                        : static_cast<uint8_t>(random_());
      }
    }
    for (auto& [name, pins] : top_.outputs) {
      bool& is_open = open_[name];
      is_open = is_open || is_ready();
      *pins.blocked = is_open ? 0 : 1;
    }
  }

  std::string sample(uint64_t& idle) {
    for (auto& [name, pins] : top_.inputs) {
      if (*pins.moves == 0) continue;
      if (!open_[name]) return name + ": an item is taken from an empty stream";
      ++taken_[name];
      note_move(name, idle);
    }
    for (auto& [name, pins] : top_.outputs) {
      if (*pins.moves == 0) continue;
      if (!open_[name]) return name + ": an item is sent to a full stream";
      const auto* data = static_cast<const uint8_t*>(pins.data);
      sent_[name].emplace_back(data, data + pins.bytes);
      note_move(name, idle);
    }
    return "";
  }
  void note_move(const std::string& name, uint64_t& idle) {
    open_[name] = false;
    idle = 0;
    last_move_ = cycles_;
  }

  std::string difference() {
    surplus_ = 0;
    for (const auto& [name, wanted] : vectors_.outputs) {
      size_t surplus = 0;
      if (std::string found = difference_of(name, sent_[name], wanted, surplus); !found.empty())
        return found;
      surplus_ += surplus;
    }
    return "";
  }

  const std::vector<item_bytes>& items_of(const std::string& input) const {
    static const std::vector<item_bytes> kNone;
    const auto found = vectors_.inputs.find(input);
    return found == vectors_.inputs.end() ? kNone : found->second;
  }
  bool is_ready() { return random_() % 100 < ready_; }

  cosimulated& top_;
  const test_vectors& vectors_;
  std::mt19937_64 random_;
  const uint32_t ready_;
  std::map<std::string, bool> open_;
  std::map<std::string, size_t> taken_;
  std::map<std::string, std::vector<item_bytes>> sent_;
  uint64_t cycles_ = 0, last_move_ = 0;
  size_t surplus_ = 0;
};

// Names the streams of the top that the testbench does not use: often a process is missing.
inline void warn_of_open_ends(const cosimulated& top, const test_vectors& vectors) {
  for (const auto& [name, pins] : top.inputs) {
    if (!vectors.inputs.contains(name))
      std::printf("warning: %s: no process writes this stream, and no put() of the testbench\n",
                  name.c_str());
  }
  for (const auto& [name, pins] : top.outputs) {
    if (!vectors.outputs.contains(name))
      std::printf("warning: %s: no process reads this stream, and no output() of the testbench\n",
                  name.c_str());
  }
}

// Arguments: the first seed, the number of runs, the file for a waveform of the first run ("").
int cosimulate(const test_vectors& vectors, int argc, char** argv) {
  if (argc != 4) return 2;
  const uint64_t first = std::strtoull(argv[1], nullptr, 10);
  const uint64_t runs = std::strtoull(argv[2], nullptr, 10);
  for (uint64_t seed = first; seed < first + runs; ++seed) {
    constexpr uint32_t kReady[] = {100, 50, 15};
    const uint32_t ready = kReady[(seed - first) % 3];
    cosimulated top(seed == first ? argv[3] : "");
    if (seed == first) warn_of_open_ends(top, vectors);
    for (const auto& [name, value] : vectors.constants) {
      if (top.constants.contains(name)) continue;
      std::printf("set(\"%s\"): the Verilog has no such HLS_INPUT\n", name.c_str());
      return 1;
    }
    cosimulation_run run(top, vectors, seed, ready);
    const std::string found = run.run();
    std::printf("seed %llu, streams ready in %u %% of cycles: %s, last item in cycle %llu\n",
                static_cast<unsigned long long>(seed), ready,
                found.empty() ? "equal to the native run" : found.c_str(),
                static_cast<unsigned long long>(run.last_move()));
    if (run.surplus() > 0)
      std::printf(
          "  %zu items after those of the native run are not compared: a pipelined loop may "
          "run ahead of missing input\n",
          run.surplus());
    if (!found.empty()) return 1;
  }
  return 0;
}

}  // namespace hls

#endif  // VTA_HW_HLS_COSIMULATION_H_
