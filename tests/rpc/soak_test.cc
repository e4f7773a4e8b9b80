// SPDX-License-Identifier: Apache-2.0
//
// A server at load for a long time: clients that stay and run programs, clients that come, upload a
// megabyte, run a program and go without freeing it, and clients that vanish in the middle of an
// upload. Every result is right, and the server's memory and open files stay flat. Prints the
// percentiles of the latencies.
//
// The load is a steady one, so that latencies of different machines and of servers side by side can
// be compared. It is 60 programs a second, four times the ResNet-18 inferences of a core at 100 MHz
// (6.7 million cycles each), and uploads that fill a link of 100 Mbit/s.
//   VTA_SOAK_MINUTES   by default two seconds
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <span>
#include <thread>
#include <vector>

#include "base/limits/stopwatch.h"
#include "base/numbers/random.h"
#include "base/numbers/statistics.h"
#include "runtime/rpc/messages.h"
#include "tests/rpc/server_process.h"
#include "tests/rpc/tiny_client.h"
#include "tests/support/test_count.h"

namespace vta {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr int kStaying = 3, kComing = 3;  // threads; one that comes has two sessions
constexpr double kRunsPerSecond = 60, kVisitsPerSecond = 12, kVanishingPerSecond = 50;
constexpr double kMinShareOfLoad = 0.95;
constexpr size_t kUploadBytes = 1 << 20;
// In two seconds, the uploads of all clients, in frames and in the device's memory, may be live at
// once in the last quarter but not in the first. In ten minutes that happens in every quarter, and
// the limit notices a leak of 400 bytes a visit.
constexpr uint64_t kMaxGrowthBytes = 4 * kComing * kUploadBytes;
constexpr uint64_t kLongMinutes = 10, kMaxGrowthOfLongBytes = 2 << 20;
constexpr int kMaxMoreFiles = 4 * (kStaying + kComing);  // connections that open or close
constexpr uint64_t kWarmUpVisits = 5 * kComing;

// 0: two seconds.
uint64_t num_minutes() { return support::environment_number("VTA_SOAK_MINUTES", 0, 1); }

milliseconds duration() {
  const uint64_t minutes = num_minutes();
  return minutes == 0 ? milliseconds(2000) : std::chrono::minutes(minutes);
}

// When the requests of a thread are due. One that is late starts at once, and the next ones are due
// as if it had not been, so that a slow server has no less load.
class Pace {
 public:
  // `phase`: of a period, by which the first one is later.
  explicit Pace(double per_second, double phase = 0)
      : period_(std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(1 / per_second))),
        due_(Clock::now() + std::chrono::duration_cast<Clock::duration>(phase * period_)) {}

  // Waits for the next one.
  void wait() { std::this_thread::sleep_until(due_ += period_); }
  // Since the last one was due, not since it started: its wait for an earlier one counts.
  double seconds_since() const {
    return std::chrono::duration<double>(Clock::now() - due_).count();
  }

 private:
  const Clock::duration period_;
  Clock::time_point due_;
};

// The latencies of one kind of request, in seconds.
class Latencies {
 public:
  void add(double seconds) { seconds_.push_back(seconds); }
  void add(const Latencies& other) {
    seconds_.insert(seconds_.end(), other.seconds_.begin(), other.seconds_.end());
  }
  size_t count() const { return seconds_.size(); }
  void print(const char* what) const {
    if (seconds_.empty()) return;
    const auto ms = [&](double percent) { return 1e3 * percentile(seconds_, percent); };
    std::printf("%s: %zu, median %.3f ms, 90 %% %.3f, 99 %% %.3f, 99.9 %% %.3f, longest %.3f\n",
                what, seconds_.size(), ms(50), ms(90), ms(99), ms(99.9), ms(100));
  }

 private:
  std::vector<double> seconds_;
};

// What a thread measured.
struct Worker {
  Latencies runs, visits;
  uint64_t wrong = 0;
  std::string error;
};

// Clients of all kinds, until they are stopped or one has an error.
class Load {
 public:
  Load(uint16_t port, uint64_t seed) : port_(port), workers_(kStaying + kComing + 1) {
    for (size_t i = 0; i < workers_.size(); ++i)
      threads_.emplace_back([this, seed, i] { work(i, seed + 1'000'000 * i); });
  }
  ~Load() { stop(); }

  bool is_stopped() const { return stop_; }
  uint64_t num_visits() const { return num_visits_; }
  const std::vector<Worker>& stop() {
    stop_ = true;
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
    return workers_;
  }

 private:
  void work(size_t index, uint64_t seed) {
    Worker& worker = workers_[index];
    try {
      if (index < kStaying) {
        stay(seed, static_cast<double>(index) / kStaying, worker);
      } else if (index < kStaying + kComing) {
        come_and_go(seed, static_cast<double>(index - kStaying) / kComing, worker);
      } else {
        vanish(seed);
      }
    } catch (const std::exception& error) {
      worker.error = error.what();
      stop_ = true;
    }
  }

  void stay(uint64_t seed, double phase, Worker& worker) {
    support::TinyClient client(uri(), seed);
    Pace pace(kRunsPerSecond / kStaying, phase);
    while (!stop_) {
      pace.wait();
      worker.wrong += client.run() ? 0 : 1;
      worker.runs.add(pace.seconds_since());
    }
  }

  void come_and_go(uint64_t seed, double phase, Worker& worker) {
    const std::vector<uint8_t> content(kUploadBytes, static_cast<uint8_t>(seed));
    Pace pace(kVisitsPerSecond / kComing, phase);
    for (; !stop_; ++seed) {
      pace.wait();
      const auto device = rpc::open_rpc_device(uri(), {});
      device->copy_in(device->allocate(kUploadBytes), content);
      support::TinyClient client(uri(), seed);
      worker.wrong += client.run() ? 0 : 1;
      worker.visits.add(pace.seconds_since());
      ++num_visits_;
    }
  }

  // Sends a part of a session and resets the connection.
  void vanish(uint64_t seed) {
    const std::vector<uint8_t> content(rpc::kMaxChunkBytes);
    std::vector<uint8_t> session;
    auto add = [&, id = uint32_t{0}](const auto& message) mutable {
      const std::vector<uint8_t> frame = rpc::encode(message, ++id);
      session.insert(session.end(), frame.begin(), frame.end());
    };
    add(rpc::HelloCall{rpc::kMagic, rpc::kProtocolVersion, ""});
    add(rpc::AllocateCall{kUploadBytes});
    add(rpc::CopyInCall{0, content});
    Random random(seed);
    Pace pace(kVanishingPerSecond);
    while (!stop_) {
      pace.wait();
      send_and_reset({session.data(), static_cast<size_t>(random.between(
                                          1, static_cast<int64_t>(session.size())))});
    }
  }

  void send_and_reset(std::span<const uint8_t> bytes) const {
    const int client = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port_);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(client, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0)
      ::send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    const linger at_once{1, 0};
    ::setsockopt(client, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    ::close(client);
  }

  std::string uri() const { return fmt::format("rpc://127.0.0.1:{}", port_); }

  const uint16_t port_;
  std::vector<Worker> workers_;
  std::atomic<bool> stop_ = false;
  std::atomic<uint64_t> num_visits_ = 0;
  std::vector<std::thread> threads_;
};

// The most that the server has of memory and files in a while, as it has clients in between.
struct Use {
  uint64_t bytes = 0;
  int files = 0;
};
Use most_used(const support::ServerProcess& server, const Load& load, milliseconds time) {
  Use most;
  const Clock::time_point start = Clock::now();
  while (Clock::now() - start < time && !load.is_stopped()) {
    most.bytes = std::max(most.bytes, server.resident_bytes());
    most.files = std::max(most.files, server.open_files());
    std::this_thread::sleep_for(milliseconds(20));
  }
  return most;
}

TEST(RpcSoak, MemoryAndFilesStayFlatAtLoad) {
  const uint64_t seed = support::test_seed(1);
  const milliseconds part = duration() / 4;
  support::ServerProcess server(0, {"--core", "tiny_1x8", "--max-clients", "64"});
  server.discard_output();
  const Stopwatch watch;
  Load load(server.port(), seed);
  while (load.num_visits() < kWarmUpVisits && !load.is_stopped())
    std::this_thread::sleep_for(milliseconds(1));
  const Use first = most_used(server, load, part);
  most_used(server, load, 2 * part);  // the half between them
  const Use last = most_used(server, load, part);
  const double seconds = watch.seconds();
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
  if (num_minutes() > 0) {  // in two seconds a single stall is too much of the load
    EXPECT_GE(static_cast<double>(runs.count()), kMinShareOfLoad * kRunsPerSecond * seconds);
    EXPECT_GE(static_cast<double>(visits.count()), kMinShareOfLoad * kVisitsPerSecond * seconds);
  }
  EXPECT_LT(last.bytes, first.bytes + (num_minutes() >= kLongMinutes ? kMaxGrowthOfLongBytes
                                                                     : kMaxGrowthBytes));
  EXPECT_LE(last.files, first.files + kMaxMoreFiles);
}

}  // namespace
}  // namespace vta
