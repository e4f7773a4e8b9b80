// SPDX-License-Identifier: Apache-2.0
//
// A server at load for a long time: clients that stay and run programs, and clients that come,
// upload a megabyte, run one program and go, some without freeing or closing anything. Every result
// is right, and the server's memory and open files stay flat. Prints the percentiles of the
// latencies.
//   VTA_TEST_COUNT   minutes; by default two seconds
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "runtime/base/random.h"
#include "runtime/base/stopwatch.h"
#include "tests/rpc/server_process.h"
#include "tests/rpc/tiny_client.h"
#include "tests/support/test_count.h"

namespace vta {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr int kStaying = 3, kComing = 3;  // clients at a time
constexpr size_t kUploadBytes = 1 << 20;
constexpr uint64_t kMaxGrowthBytes = 8 << 20;
constexpr int kMaxMoreFiles = 4 * (kStaying + kComing);  // those of clients in between

milliseconds duration() {
  if (std::getenv("VTA_TEST_COUNT") == nullptr) return milliseconds(2000);
  return std::chrono::minutes(support::test_count(1));
}

// The latencies of one kind of request, in seconds.
class Latencies {
 public:
  void add(double seconds) { seconds_.push_back(seconds); }
  void add(const Latencies& other) {
    seconds_.insert(seconds_.end(), other.seconds_.begin(), other.seconds_.end());
  }
  size_t count() const { return seconds_.size(); }
  void print(const char* what) {
    if (seconds_.empty()) return;
    std::ranges::sort(seconds_);
    const auto ms = [&](double share) {
      return 1e3 * seconds_[static_cast<size_t>(share * static_cast<double>(seconds_.size() - 1))];
    };
    std::printf("%s: %zu, median %.3f ms, 90 %% %.3f, 99 %% %.3f, 99.9 %% %.3f, longest %.3f\n",
                what, seconds_.size(), ms(0.5), ms(0.9), ms(0.99), ms(0.999), ms(1));
  }

 private:
  std::vector<float> seconds_;
};

// A client and what it measured.
struct Worker {
  Latencies runs, visits;
  uint64_t wrong = 0;
  std::string error;
};

void stay(const std::string& uri, uint64_t seed, const std::atomic<bool>& stop, Worker& worker) {
  support::TinyClient client(uri, seed);
  while (!stop) {
    const Stopwatch watch;
    worker.wrong += client.run() ? 0 : 1;
    worker.runs.add(watch.seconds());
  }
}

// The upload stays allocated, so that the server has to free it when the connection ends.
void come_and_go(const std::string& uri, uint64_t seed, const std::atomic<bool>& stop,
                 Worker& worker) {
  const std::vector<uint8_t> content(kUploadBytes, static_cast<uint8_t>(seed));
  for (uint64_t visit = 0; !stop; ++visit) {
    const Stopwatch watch;
    const auto device = rpc::open_rpc_device(uri, {});
    device->copy_in(device->allocate(kUploadBytes), content);
    support::TinyClient client(uri, seed + visit);
    worker.wrong += client.run() ? 0 : 1;
    worker.visits.add(watch.seconds());
  }
}

// Clients of all kinds, until they are stopped.
class Load {
 public:
  Load(const std::string& uri, uint64_t seed) : workers_(kStaying + kComing) {
    for (int i = 0; i < kStaying + kComing; ++i) {
      threads_.emplace_back([this, uri, seed, i] {
        try {
          (i < kStaying ? stay : come_and_go)(uri, seed + 1000 * i, stop_, workers_[i]);
        } catch (const std::exception& error) {
          workers_[i].error = error.what();
        }
      });
    }
  }
  ~Load() { stop(); }

  const std::vector<Worker>& stop() {
    stop_ = true;
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
    return workers_;
  }

 private:
  std::vector<Worker> workers_;
  std::atomic<bool> stop_ = false;
  std::vector<std::thread> threads_;
};

// The most that the server has of memory and files in a while, as it has clients in between.
struct Use {
  uint64_t bytes = 0;
  int files = 0;
};
Use most_used(const support::ServerProcess& server, milliseconds time) {
  Use most;
  const Clock::time_point start = Clock::now();
  while (Clock::now() - start < time) {
    most.bytes = std::max(most.bytes, server.resident_bytes());
    most.files = std::max(most.files, server.open_files());
    std::this_thread::sleep_for(milliseconds(5));
  }
  return most;
}

TEST(RpcSoak, MemoryAndFilesStayFlatAtLoad) {
  const uint64_t seed = support::test_seed(1);
  const milliseconds part = duration() / 4;
  const support::ServerProcess server(0, {"--core", "tiny_1x8", "--max-clients", "16"});
  Load load(fmt::format("rpc://127.0.0.1:{}", server.port()), seed);
  const Use first = most_used(server, part);
  std::this_thread::sleep_for(2 * part);
  const Use last = most_used(server, part);
  Latencies runs, visits;
  uint64_t wrong = 0;
  for (const Worker& worker : load.stop()) {
    EXPECT_EQ(worker.error, "");
    wrong += worker.wrong;
    runs.add(worker.runs);
    visits.add(worker.visits);
  }
  std::printf(
      "seed %llu, %.0f s; resident at most %.1f MB in the first quarter, %.1f MB in the last; "
      "files %d, %d\n",
      static_cast<unsigned long long>(seed), 1e-3 * static_cast<double>(duration().count()),
      1e-6 * static_cast<double>(first.bytes), 1e-6 * static_cast<double>(last.bytes), first.files,
      last.files);
  runs.print("runs of clients that stay");
  visits.print("visits with an upload of 1 MB");
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(runs.count(), 0u);
  EXPECT_GT(visits.count(), 0u);
  EXPECT_LT(last.bytes, first.bytes + kMaxGrowthBytes);
  EXPECT_LE(last.files, first.files + kMaxMoreFiles);
}

}  // namespace
}  // namespace vta
