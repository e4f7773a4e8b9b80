// SPDX-License-Identifier: Apache-2.0
#include "sim/cycle/run_beside.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace vta::sim {
namespace {

TEST(RunBeside, ReturnsWhenBothHaveEnded) {
  std::atomic<bool> started = false;
  bool native = false, model = false, stopped = false;
  run_beside(
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

TEST(RunBeside, ThrowsWhatTheModelThrows) {
  bool native = false;
  EXPECT_THROW(run_beside([&] { native = true; }, [] { throw std::logic_error("model"); }, [] {}),
               std::logic_error);
  EXPECT_TRUE(native);
}

TEST(RunBeside, StopsTheModelWhenTheNativeRunThrows) {
  std::atomic<bool> stopped = false;
  EXPECT_THROW(run_beside([] { throw std::runtime_error("native"); },
                          [&] {
                            while (!stopped) {
                            }
                          },
                          [&] { stopped = true; }),
               std::runtime_error);
}

}  // namespace
}  // namespace vta::sim
