// SPDX-License-Identifier: Apache-2.0
#include "base/limits/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace vta {
namespace {

TEST(InParallel, CallsTheActionOnceForEachIndexWithANumberOfItsWorker) {
  for (const size_t workers : {1, 3, 200}) {
    std::vector<std::atomic<int>> calls(100), running(workers);
    in_parallel(calls.size(), workers, [&](size_t worker, size_t index) {
      EXPECT_EQ(++running.at(worker), 1) << "one call of a worker at a time";
      ++calls[index];
      --running[worker];
    });
    for (const auto& count : calls) EXPECT_EQ(count, 1);
  }
  in_parallel(0, 3, [](size_t, size_t) { FAIL(); });
}

TEST(InParallel, CallsEachIndexOnceOnAllProcessors) {
  std::vector<std::atomic<int>> calls(1000);
  in_parallel(calls.size(), [&](size_t index) { ++calls[index]; });
  for (const std::atomic<int>& of_index : calls) EXPECT_EQ(of_index, 1);
  EXPECT_THROW(in_parallel(9, [](size_t) { throw std::runtime_error("no"); }), std::runtime_error);
}

TEST(InParallel, BeginsNothingAfterAnErrorAndThrowsIt) {
  std::atomic<int> calls = 0;
  const auto action = [&](size_t, size_t index) {
    ++calls;
    if (index == 2) throw std::runtime_error("no");
  };
  EXPECT_THROW(in_parallel(1000, 1, action), std::runtime_error);
  EXPECT_EQ(calls, 3);
  EXPECT_THROW(in_parallel(1000, 4, action), std::runtime_error);
}

}  // namespace
}  // namespace vta
