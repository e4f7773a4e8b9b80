// SPDX-License-Identifier: Apache-2.0
//
// The cycle models of many kernels as C++, with the code that runs them (cycle_model_run.h).
#ifndef VTA_TESTS_HLS_CYCLE_MODEL_SOURCE_H_
#define VTA_TESTS_HLS_CYCLE_MODEL_SOURCE_H_

#include <map>
#include <string>

#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::kernels {

class CycleModelSource {
 public:
  // As VerilogTop::add(). Kernels with ports to DRAM are left out.
  void add(const std::string& name, const hlsc::ir::Design& design,
           const hlsc::schedule::Schedule& schedule);

  // Headers by file name, for the folder that is passed to source().
  const std::map<std::string, std::string>& headers() const { return headers_; }
  // The C++ of cycle_models().
  std::string source() const;

 private:
  std::map<std::string, std::string> headers_;
  std::string includes_, runs_;
};

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_CYCLE_MODEL_SOURCE_H_
