// SPDX-License-Identifier: Apache-2.0
//
// A small process with a correct schedule, which tests damage.
#ifndef VTA_TESTS_UNIT_HW_HLSC_SCHEDULE_DAMAGED_H_
#define VTA_TESTS_UNIT_HW_HLSC_SCHEDULE_DAMAGED_H_

#include <gtest/gtest.h>

#include <string>

#include "base/errors/error.h"
#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/schedule/check.h"
#include "hw/hlsc/schedule/operation_text.h"
#include "hw/hlsc/schedule/scheduler.h"
#include "tests/support/error_in.h"

namespace vta::hlsc::schedule {

class Damaged {
 public:
  // The body of process p, and other processes after it, over the objects below.
  explicit Damaged(const std::string& body, const Options& options = {}) {
    constexpr const char* kObjects = R"(design d
ram m : 8 x 16 lanes 8 banks 1
ram k : 8 x 16 lanes 8 banks 1
register r : 8
stream in : 8 x 2
stream out : 8 x 2
stream t : 0 x 2
stream u : 0 x 2
process p { )";
    design = ir::parse(kObjects + body, "d.hlsir");
    ir::verify(design);
    schedule = schedule::schedule(design, options);
    check(design, schedule);  // it is correct so far
  }

  ir::Process& process() { return design.processes[0]; }
  ProcessSchedule& of_process() { return schedule.processes[0]; }
  Nest& nest() { return of_process().nests.begin()->second; }
  uint32_t& entry() { return of_process().entry_step.begin()->second; }
  uint32_t& num_steps() { return of_process().num_steps.at(&process().body); }

  // The nth operation whose operation_text() is `text`.
  ir::ValueId value(const std::string& text, int nth = 0) {
    for (ir::ValueId i = 0; i < process().ops.size(); ++i) {
      if (operation_text(design, process().ops[i]) == text && nth-- == 0) return i;
    }
    ADD_FAILURE() << "no operation " << text;
    return 0;
  }
  uint32_t& step(const std::string& text, int nth = 0) {
    return of_process().step[value(text, nth)];
  }

  void expect(const std::string& rule) {
    const Error error = expect_error([&] { check(design, schedule); });
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    const std::string what = error.what();
    EXPECT_NE(what.find("process p"), std::string::npos) << what;
    EXPECT_NE(what.find("rule '" + rule + "'"), std::string::npos) << what;
  }

  ir::Design design;
  Schedule schedule;
};

}  // namespace vta::hlsc::schedule

#endif  // VTA_TESTS_UNIT_HW_HLSC_SCHEDULE_DAMAGED_H_
