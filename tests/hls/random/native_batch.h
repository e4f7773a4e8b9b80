// SPDX-License-Identifier: Apache-2.0
//
// Kernels generated at test time: compiled natively, many at once, and loaded.
#ifndef VTA_TESTS_HLS_RANDOM_NATIVE_BATCH_H_
#define VTA_TESTS_HLS_RANDOM_NATIVE_BATCH_H_

#include <string>
#include <vector>

#include "base/files/scratch_folder.h"
#include "tests/hls/trial.h"

namespace vta::kernels {

struct KernelSource {
  std::string name;  // an identifier, unique in the program
  std::string text;  // in the form of the files in tests/hls/kernels
};

// The program must export its symbols (CMake: ENABLE_EXPORTS) and contain all of vta_hls, because a
// batch is linked against it. Undefined behaviour in a kernel traps and ends the program.
class NativeBatch {
 public:
  // Errors: kInvalidArgument with the compiler's output; kIo.
  explicit NativeBatch(const std::vector<KernelSource>& sources);

  // In the order of the sources; `path` names a file that exists as long as the batch.
  const std::vector<Kernel>& kernels() const { return kernels_; }

 private:
  void load(const std::vector<KernelSource>& sources);

  ScratchFolder folder_;
  std::vector<Kernel> kernels_;
};

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_RANDOM_NATIVE_BATCH_H_
