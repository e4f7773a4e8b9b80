// SPDX-License-Identifier: Apache-2.0
//
// UncontendedDram, which computes a burst's cycles at its request, against SharedDram, which
// simulates DramModel: processes with random timing see the same cycles.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/numbers/random.h"
#include "sim/process_network/shared_dram.h"
#include "sim/process_network/uncontended_dram.h"

namespace vta::process_network {
namespace {

constexpr int kBursts = 60;

// Two masters that read and one that writes, with timing from a seed.
class World {
 public:
  template <class SomeDram>
  void run(const MemoryConfig& config, uint64_t seed, bool in_series = false) {
    seed_ = seed;
    in_series_ = in_series;
    SomeDram dram(network_, config);
    fetch_.requests.bind_writer(ask_fetch_);
    fetch_.beats.bind_reader(take_fetch_);
    load_.requests.bind_writer(ask_load_);
    load_.beats.bind_reader(take_load_);
    store_.requests.bind_writer(write_);
    store_.beats.bind_writer(write_);
    store_.idle.bind_reader(write_);
    dram.add(fetch_, MemoryMaster::kFetch);
    dram.add(load_, MemoryMaster::kLoad);
    dram.add(store_, MemoryMaster::kStore);
    EXPECT_TRUE(network_.run(std::chrono::steady_clock::now() + std::chrono::seconds(20)));
    last_cycle_ = dram.last_cycle();
  }
  // The cycles of the actions of a process.
  const std::vector<Cycle>& cycles(size_t process) const { return cycles_of_[process]; }
  Cycle last_cycle() const { return last_cycle_; }
  const std::vector<Process::Wait>& waits(size_t process) const {
    return network_.processes()[process]->waits();
  }

 private:
  Random random(uint64_t process) const { return Random(seed_ * 16 + process); }
  // The same burst lengths for the requesting and the reading process.
  static uint32_t length(Random& lengths) { return static_cast<uint32_t>(lengths.between(1, 16)); }

  // Requests and takes bursts in nests of some iterations, as a generated model: one by one, or in
  // series.
  void ask(Process& process, ReadPort& port, uint64_t number) {
    Random times = random(number), lengths = random(number + 8);
    Cycle now = 1;
    for (int left = kBursts; left > 0;) {
      Nest nest(*this, process, port.requests.series, now);
      for (uint64_t turn = times.between(1, 9); turn > 0 && left > 0; --turn, --left) {
        if (times.chance(30)) nest.pause(times, port.requests);
        const DramRequest request = {0, length(lengths)};
        if (in_series_) {
          port.requests.plan(request);
        } else {
          nest.issue = wait_for_space(process, port.requests, nest.issue, 0, nest.issue);
          port.requests.push(nest.issue++, request);
        }
      }
      now = nest.end(port.requests);
      cycles_of_[number].push_back(now);
      now += times.chance(30) ? times.next() % 40 : 0;
    }
    process.end(now);
  }
  void take(Process& process, ReadPort& port, uint64_t number) {
    Random times = random(number + 2), lengths = random(number + 8);
    Cycle now = 1;
    for (int i = 0; i < kBursts; ++i) {
      Nest nest(*this, process, port.beats.series, now);
      for (uint32_t left = length(lengths); left > 0;) {
        if (times.chance(20)) nest.pause(times, port.beats);
        const auto count = static_cast<uint32_t>(times.between(1, left));
        left -= count;
        if (in_series_) port.beats.plan(count);
        for (uint32_t beat = 0; !in_series_ && beat < count; ++beat) {
          nest.issue = wait_for_item(process, port.beats, nest.issue, 0, nest.issue);
          port.beats.pop(nest.issue++);
        }
      }
      now = nest.end(port.beats);
      cycles_of_[number + 2].push_back(now);
      now += times.chance(20) ? times.next() % 25 : 0;
    }
    process.end(now);
  }
  // A nest of one stage.
  struct Nest {
    Nest(World& world, Process& process, Series& its_series, Cycle now)
        : in_series(world.in_series_), series(its_series), issue(now) {
      if (in_series) series.begin(process, 0, now, 0, 0);
    }
    // Iterations without an access, or a cycle without an iteration.
    template <class StreamEnd>
    void pause(Random& times, StreamEnd& stream) {
      const bool is_idle = times.chance(50);
      const uint64_t count = is_idle ? 1 : times.between(1, 3);
      if (!in_series) {
        issue += count;
      } else if (is_idle) {
        stream.settle();
        series.idle();
      } else {
        series.skip(count);
      }
    }
    template <class StreamEnd>
    Cycle end(StreamEnd& stream) {
      if (!in_series) return issue + 1;
      stream.settle();
      return series.end();
    }
    bool in_series;
    Series& series;
    Cycle issue;
  };
  void write(Process& process) {
    Random times = random(4), lengths = random(5);
    Cycle now = 0;
    for (int i = 0; i < kBursts; ++i) {
      const uint32_t beats = length(lengths);
      now = wait_for_space(process, store_.requests, now, 0, now);
      store_.requests.push(now++, {0, beats});
      for (uint32_t left = beats; left > 0; --left) {
        now = wait_for_space(process, store_.beats, now, 0, now);
        cycles_of_[4].push_back(now);
        store_.beats.push(now, {});
        now += 1 + (times.chance(20) ? times.next() % 9 : 0);
      }
      if (times.chance(30)) now = wait_for_item(process, store_.idle, now, 0, now) + 1;
      cycles_of_[4].push_back(now);
    }
    process.end(now);
  }

  uint64_t seed_ = 0;
  bool in_series_ = false;
  Cycle last_cycle_ = 0;
  std::vector<Cycle> cycles_of_[5];
  ProcessNetwork network_;
  ReadPort fetch_{4}, load_{8};
  WritePort store_{8};
  Process ask_fetch_{network_, "ask_fetch", [this] { ask(ask_fetch_, fetch_, 0); }};
  Process take_fetch_{network_, "take_fetch", [this] { take(take_fetch_, fetch_, 0); }};
  Process ask_load_{network_, "ask_load", [this] { ask(ask_load_, load_, 1); }};
  Process take_load_{network_, "take_load", [this] { take(take_load_, load_, 1); }};
  Process write_{network_, "write", [this] { write(write_); }};
};

TEST(UncontendedDram, TakesTheCyclesOfTheModel) {
  for (const char* name : {"ideal64", "random"}) {
    for (uint64_t seed = 0; seed < 40; ++seed) {
      SCOPED_TRACE(std::string(name) + ", seed " + std::to_string(seed));
      MemoryConfig config = load_memory_config(name);
      config.seed = static_cast<uint32_t>(seed);
      if (seed % 2 != 0) config.max_request_gap_cycles = 9;
      ASSERT_TRUE(UncontendedDram::fits(config));
      World free, shared;
      free.run<UncontendedDram>(config, seed);
      shared.run<SharedDram>(config, seed);
      EXPECT_EQ(free.last_cycle(), shared.last_cycle());
      for (size_t process = 0; process < 5; ++process) {
        ASSERT_FALSE(free.cycles(process).empty());
        EXPECT_EQ(free.cycles(process), shared.cycles(process)) << "process " << process;
      }
    }
  }
}

// On UncontendedDram with a channel for all readers or one each, and on SharedDram.
TEST(Series, TakesTheCyclesOfSingleAccesses) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const MemoryConfig config = load_memory_config(seed % 2 == 0 ? "ideal64" : "random");
    World one_by_one, in_series;
    if (seed % 3 == 0) {
      one_by_one.run<SharedDram>(config, seed);
      in_series.run<SharedDram>(config, seed, true);
    } else {
      one_by_one.run<UncontendedDram>(config, seed);
      in_series.run<UncontendedDram>(config, seed, true);
    }
    EXPECT_EQ(one_by_one.last_cycle(), in_series.last_cycle());
    for (size_t process = 0; process < 5; ++process) {
      SCOPED_TRACE(process);
      EXPECT_EQ(one_by_one.cycles(process), in_series.cycles(process));
      EXPECT_TRUE(std::ranges::equal(
          one_by_one.waits(process), in_series.waits(process), [](auto& a, auto& b) {
            return a.from == b.from && a.to == b.to && a.object == b.object;
          }));
    }
  }
}

TEST(UncontendedDram, FitsMemoriesWithSufficientBandwidth) {
  EXPECT_FALSE(UncontendedDram::fits(load_memory_config("pynq-z1")));
  MemoryConfig config = load_memory_config("ideal64");
  config.bytes_per_100_cycles = 1599;
  EXPECT_FALSE(UncontendedDram::fits(config));
}

}  // namespace
}  // namespace vta::process_network
