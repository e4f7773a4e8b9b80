// SPDX-License-Identifier: Apache-2.0
//
// A part of a graph, compiled.
#ifndef VTA_TOOLS_ONNXRUNTIME_EP_COMPILED_PART_H_
#define VTA_TOOLS_ONNXRUNTIME_EP_COMPILED_PART_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tools/onnxruntime_ep/graph.h"
#include "tools/onnxruntime_ep/options.h"
#include "tools/onnxruntime_ep/parts.h"
#include "tools/onnxruntime_ep/status.h"

namespace vta::onnxruntime_ep {

// An input or output of the model, as ONNX Runtime has it.
struct Port {
  std::string name;
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  int32_t dtype = VTA_FLOAT32;  // the program's
  std::vector<int64_t> shape;   // with one row, if their number is open
  size_t num_elems = 0;         // of that shape
  bool has_open_rows = false;
};

struct CompiledPart {
  Program program;
  std::vector<Port> inputs, outputs;  // in the program's order
  size_t group = 1;  // a run computes so many times what the ports have: a core with a batch
  std::string why;   // without a program: why not
  bool needs_calibration = false;  // without a program: it has no scales
};

// Compiles a part, or says why it stays with other providers: libvta refuses it, nothing of it
// would be on the core, or it has no scales and there is no calibration. Errors: as
// vta_compile(), but kUnsupported.
CompiledPart compile_part(const Graph& graph, const Part& part, const Options& options);

// Sets the inputs, outputs and group of a part with a program, whose values have these names.
// Errors: kUnsupported for values of other types or sizes than the program's.
void set_ports(const Graph& graph, const std::vector<std::string>& inputs,
               const std::vector<std::string>& outputs, CompiledPart& part);

}  // namespace vta::onnxruntime_ep

#endif  // VTA_TOOLS_ONNXRUNTIME_EP_COMPILED_PART_H_
