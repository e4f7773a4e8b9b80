// SPDX-License-Identifier: Apache-2.0
//
// A compiled part in the memory of a device, run by ONNX Runtime.
#ifndef VTA_TOOLS_ONNXRUNTIME_EP_PART_KERNEL_H_
#define VTA_TOOLS_ONNXRUNTIME_EP_PART_KERNEL_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "tools/onnxruntime_ep/api.h"
#include "tools/onnxruntime_ep/compiled_part.h"

namespace vta::onnxruntime_ep {

class PartKernel : public OrtNodeComputeInfo {
 public:
  // `provider`: whose node it is, and `name`: of the node, for profiles. `inputs`, `outputs`: names
  // of its values, in its order. Errors: kInvalidArgument for values that the program lacks; as
  // vta_session_open().
  PartKernel(const OrtEp& provider, std::shared_ptr<const CompiledPart> part, vta_device* device,
             std::string name, const std::vector<std::string>& inputs,
             const std::vector<std::string>& outputs);

 private:
  struct Rows;
  class Run;

  Rows rows_of(const Ort::KernelContext& context) const;
  void run(const Ort::KernelContext& context) const;
  // At most CompiledPart::group rows.
  void run(const Rows& rows, size_t first, size_t count) const;

  const OrtEp& provider_;
  std::shared_ptr<const CompiledPart> part_;
  std::string name_;
  std::vector<size_t> input_of_, output_of_;  // indices in the fused node, by the program's index
  Session session_;
};

}  // namespace vta::onnxruntime_ep

#endif  // VTA_TOOLS_ONNXRUNTIME_EP_PART_KERNEL_H_
