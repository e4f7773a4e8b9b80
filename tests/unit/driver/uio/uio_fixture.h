// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_UNIT_DRIVER_UIO_UIO_FIXTURE_H_
#define VTA_TESTS_UNIT_DRIVER_UIO_UIO_FIXTURE_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "configs/core_config.h"
#include "driver/uio/uio_device.h"
#include "sim/functional/functional_device.h"
#include "sim/functional/native_core.h"
#include "tests/support/board/fake_board.h"
#include "tests/support/error_in.h"
#include "tests/unit/driver/device_programs.h"

namespace vta::driver {

// The UIO driver on a fake Linux.
struct Uio : testing::Test {
  // The functional core with the board's registers.
  void begin() {
    std::shared_ptr<sim::NativeCore> native = sim::make_native_core(core);
    board.begin([native](auto&&... arguments) { return native->run(arguments..., nullptr); });
  }
  std::unique_ptr<Device> open(const std::string& uri) {
    return open_uio_device(uri, core, board.roots);
  }
  std::string error_of(const std::string& uri) {
    return error_in([&] { open(uri); });
  }
  void expect_open_error(const std::string& uri, const std::string& part) {
    const std::string message = error_of(uri);
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
  void expect_runs(Device& device) {
    const auto functional = sim::open_functional_device("functional", core);
    for (uint64_t seed = 0; seed < 5; ++seed) {
      SCOPED_TRACE("program of seed " + std::to_string(seed));
      const auto program = support::generate_legal_program(core, seed);
      const Outcome expected = run_program(*functional, program);
      Outcome got = run_program(device, program);
      EXPECT_EQ(got.error, "");
      EXPECT_TRUE(got.arena == expected.arena) << "the arenas differ";
      got.counters.cycles.reset();
      got.counters.stages.reset();
      EXPECT_TRUE(got.counters == expected.counters);
    }
  }

  const CoreConfig core = load_core_config("tiny_1x8");
  support::FakeBoard board{core};
};

}  // namespace vta::driver

#endif  // VTA_TESTS_UNIT_DRIVER_UIO_UIO_FIXTURE_H_
