// SPDX-License-Identifier: Apache-2.0
//
// Kernels that are written at test time, in Verilog: compiled, Verilated in one go, and loaded.
#ifndef VTA_TESTS_HLS_RANDOM_VERILOG_BATCH_H_
#define VTA_TESTS_HLS_RANDOM_VERILOG_BATCH_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/base/scratch_folder.h"
#include "tests/hls/trial.h"
#include "tests/hls/verilog_model.h"

namespace vta::kernels {

// The program must export its symbols (CMake: ENABLE_EXPORTS) and hold all of Verilator's runtime:
// a batch is linked against it.
class VerilogBatch {
 public:
  // Errors: kInvalidArgument with what Verilator or clang prints; kIo.
  explicit VerilogBatch(const std::vector<Kernel>& kernels);

  // Those in the model. Some of the others have no schedule at all,
  const std::vector<Kernel>& kernels() const { return kernels_; }
  // and of some the compiler says by kernel what is wrong.
  const std::map<std::string, std::string>& errors() const { return errors_; }
  // Kernels in the model that have longer initiation intervals than they ask for.
  int num_slower() const { return num_slower_; }

  std::unique_ptr<VerilogModel> model() const {
    return std::unique_ptr<VerilogModel>(make_model_());
  }

 private:
  void build() const;
  void load();

  ScratchFolder folder_;
  std::vector<Kernel> kernels_;
  std::map<std::string, std::string> errors_;
  int num_slower_ = 0;
  decltype(&make_verilog_model) make_model_ = nullptr;
};

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_RANDOM_VERILOG_BATCH_H_
