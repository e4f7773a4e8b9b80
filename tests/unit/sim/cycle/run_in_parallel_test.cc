// SPDX-License-Identifier: Apache-2.0
#include "sim/cycle/run_in_parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace vta::sim {
namespace {

TEST(RunInParallel, ReturnsWhenBothHaveEnded) {
  std::atomic<bool> started = false;
  bool native = false, model = false, stopped = false;
  run_in_parallel(
      [&] {
        while (!started) {
        }
        native = true;
      },
      [&] {
        started = true;
        model = true;
      },
      [&] { stopped = true; });
  EXPECT_TRUE(native && model);
  EXPECT_FALSE(stopped);
}

TEST(RunInParallel, ThrowsWhatTheModelThrows) {
  bool native = false;
  EXPECT_THROW(
      run_in_parallel([&] { native = true; }, [] { throw std::logic_error("model"); }, [] {}),
      std::logic_error);
  EXPECT_TRUE(native);
}

TEST(RunInParallel, StopsTheModelWhenTheNativeRunThrows) {
  std::atomic<bool> stopped = false;
  EXPECT_THROW(run_in_parallel([] { throw std::runtime_error("native"); },
                               [&] {
                                 while (!stopped) {
                                 }
                               },
                               [&] { stopped = true; }),
               std::runtime_error);
}

}  // namespace
}  // namespace vta::sim
