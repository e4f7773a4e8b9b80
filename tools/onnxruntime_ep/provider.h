// SPDX-License-Identifier: Apache-2.0
//
// The execution provider of one session.
#ifndef VTA_TOOLS_ONNXRUNTIME_EP_PROVIDER_H_
#define VTA_TOOLS_ONNXRUNTIME_EP_PROVIDER_H_

#include <exception>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tools/onnxruntime_ep/compiled_part.h"
#include "tools/onnxruntime_ep/options.h"
#include "tools/onnxruntime_ep/part_kernel.h"
#include "tools/onnxruntime_ep/profiling_api.h"

namespace vta::onnxruntime_ep {

// Parts are compiled when ONNX Runtime asks for the provider's nodes: what libvta refuses can still
// go to other providers then. Errors of its functions: the text of libvta, with the part.
class Provider : public EpWithProfiling {
 public:
  // `has_profiling`: of the ONNX Runtime. Errors of the session's options are kept for its nodes.
  Provider(const OrtSessionOptions& session, const OrtLogger* logger, bool has_profiling);

 private:
  // A part by the names of the values that it makes, which no other node of the session makes.
  using Parts = std::map<std::vector<std::string>, std::shared_ptr<const CompiledPart>>;

  void add_parts(const Ort::ConstGraph& graph, OrtEpGraphSupportInfo& support);
  void fuse(const Graph& graph, const Part& part, OrtEpGraphSupportInfo& support) const;
  std::vector<Part> compiled_parts(const Graph& graph);
  std::vector<Part> context_parts(const Graph& graph);
  const CompiledPart& compile(const Graph& graph, const Part& part);
  void note_left(const Graph& graph, const Part& part, const CompiledPart& compiled) const;
  std::unique_ptr<PartKernel> kernel_of(const Ort::ConstGraph& graph, const Ort::ConstNode& fused,
                                        OrtNode** context);
  Ort::Node context_of(const Ort::ConstGraph& graph, const CompiledPart& part,
                       const std::string& name) const;
  void log(OrtLoggingLevel level, const std::string& message) const;

  Options options_;
  Ort::Logger logger_;
  Parts parts_;
  Device device_;  // of all parts
  // ONNX Runtime goes on without a provider that fails to say which nodes it takes; in Python,
  // up to 1.28 at least, also without one that cannot be made. So the provider takes all
  // nodes, and fails when it is to compile them.
  std::exception_ptr error_;
};

}  // namespace vta::onnxruntime_ep

#endif  // VTA_TOOLS_ONNXRUNTIME_EP_PROVIDER_H_
