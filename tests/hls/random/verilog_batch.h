// SPDX-License-Identifier: Apache-2.0
//
// Kernels generated at test time, in Verilog: compiled, Verilated at once, and loaded.
#ifndef VTA_TESTS_HLS_RANDOM_VERILOG_BATCH_H_
#define VTA_TESTS_HLS_RANDOM_VERILOG_BATCH_H_

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/files/scratch_folder.h"
#include "tests/hls/trial.h"
#include "tests/hls/verilog_model.h"

namespace vta::kernels {

// The program must export its symbols (CMake: ENABLE_EXPORTS) and contain all of Verilator's
// runtime, because a batch is linked against it.
class VerilogBatch {
 public:
  // `registered`: the names of kernels whose RAMs are read through output registers. Errors:
  // kInvalidArgument with the output of Verilator or clang; kIo.
  VerilogBatch(const std::vector<Kernel>& kernels, const std::set<std::string>& registered);

  // The kernels in the model. Some of the others have no schedule,
  const std::vector<Kernel>& kernels() const { return kernels_; }
  // and the compiler rejects some: the message by kernel.
  const std::map<std::string, std::string>& errors() const { return errors_; }
  // Kernels in the model with longer initiation intervals than requested.
  int num_slower() const { return num_slower_; }

  std::unique_ptr<VerilogModel> model() const {
    return std::unique_ptr<VerilogModel>(make_model_());
  }

 private:
  void verilate() const;
  void compile_model() const;
  void load();

  ScratchFolder folder_;
  std::vector<Kernel> kernels_;
  std::map<std::string, std::string> errors_;
  int num_slower_ = 0;
  decltype(&make_verilog_model) make_model_ = nullptr;
};

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_RANDOM_VERILOG_BATCH_H_
