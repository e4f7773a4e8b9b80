// SPDX-License-Identifier: Apache-2.0
#include "tools/onnxruntime_ep/provider.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "tools/onnxruntime_ep/context_node.h"
#include "tools/onnxruntime_ep/profiler.h"
#include "tools/onnxruntime_ep/status.h"

namespace vta::onnxruntime_ep {
namespace {

// For messages: "12 nodes from 'conv1' to 'fc'".
std::string text_of(const Graph& graph, const Part& part) {
  const auto name = [&](size_t index) {
    const Node& node = graph.nodes()[index];
    return node.name.empty() ? node.op : node.name;
  };
  if (part.nodes.size() == 1) return fmt::format("node '{}'", name(part.nodes[0]));
  return fmt::format("{} nodes from '{}' to '{}'", part.nodes.size(), name(part.nodes.front()),
                     name(part.nodes.back()));
}

std::vector<std::string> made_values(const Graph& graph, const Part& part) {
  std::vector<std::string> values;
  for (const size_t index : part.nodes)
    for (const std::string& output : graph.nodes()[index].outputs)
      if (!output.empty()) values.push_back(output);
  std::ranges::sort(values);
  return values;
}

std::vector<std::string> names_of(const std::vector<Ort::ConstValueInfo>& values) {
  std::vector<std::string> names;
  for (const Ort::ConstValueInfo& value : values)
    names.push_back(value == nullptr ? "" : value.GetName());
  return names;
}

Provider& provider_of(OrtEp* ep) { return *static_cast<Provider*>(ep); }

}  // namespace

Provider::Provider(const OrtSessionOptions& session, const OrtLogger* logger, bool has_profiling)
    : logger_(logger) {
  ort_version_supported = ORT_API_VERSION;
  GetName = [](const OrtEp*) noexcept { return kProvider; };
  OrtEp::GetCapability = [](OrtEp* ep, const OrtGraph* graph,
                            OrtEpGraphSupportInfo* support) noexcept {
    return guarded([&] { provider_of(ep).add_parts(Ort::ConstGraph(graph), *support); });
  };
  OrtEp::Compile = [](OrtEp* ep, const OrtGraph** graphs, const OrtNode** fused, size_t count,
                      OrtNodeComputeInfo** kernels, OrtNode** contexts) noexcept {
    return guarded([&] {
      std::vector<std::unique_ptr<PartKernel>> made;
      for (size_t i = 0; i < count; ++i) {
        made.push_back(provider_of(ep).kernel_of(Ort::ConstGraph(graphs[i]),
                                                 Ort::ConstNode(fused[i]),
                                                 contexts == nullptr ? nullptr : &contexts[i]));
      }
      for (size_t i = 0; i < count; ++i) kernels[i] = made[i].release();
    });
  };
  OrtEp::ReleaseNodeComputeInfos = [](OrtEp*, OrtNodeComputeInfo** kernels, size_t count) noexcept {
    for (size_t i = 0; i < count; ++i) delete static_cast<PartKernel*>(kernels[i]);
  };
  try {
    options_ = read_options(session);
  } catch (...) {
    error_ = std::current_exception();
  }
  if (!has_profiling) return;
  set_create_profiler([](OrtEp* ep, ProfilerInterface** profiler) noexcept {
    return guarded([&] { *profiler = new_profiler(*ep); });
  });
}

void Provider::add_parts(const Ort::ConstGraph& ort_graph, OrtEpGraphSupportInfo& support) {
  if (ort_graph.GetParentNode() != nullptr) return;  // branches and bodies
  const Graph graph(ort_graph);
  const Part all = whole(graph);
  if (all.nodes.empty()) return;
  std::vector<Part> parts;
  try {
    if (error_) std::rethrow_exception(error_);
    parts = compiled_parts(graph);
  } catch (...) {
    error_ = std::current_exception();
    parts = {all};
  }
  size_t num_nodes = 0;
  for (const Part& part : parts) {
    fuse(graph, part, support);
    num_nodes += part.nodes.size();
  }
  log(ORT_LOGGING_LEVEL_INFO, fmt::format("{} of {} nodes, in {}", num_nodes, graph.nodes().size(),
                                          counted(parts.size(), "part")));
}

void Provider::fuse(const Graph& graph, const Part& part, OrtEpGraphSupportInfo& support) const {
  OrtNodeFusionOptions fusion{};
  fusion.ort_version_supported = ORT_API_VERSION;
  fusion.drop_constant_initializers = true;
  std::vector<const OrtNode*> nodes;
  for (const size_t index : part.nodes) nodes.push_back(graph.nodes()[index].node);
  Ort::ThrowOnError(Ort::GetEpApi().EpGraphSupportInfo_AddNodesToFuse(&support, nodes.data(),
                                                                      nodes.size(), &fusion));
}

// The parts of a compiled model; empty if it is none.
std::vector<Part> Provider::context_parts(const Graph& graph) {
  std::vector<Part> parts;
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    const Node& node = graph.nodes()[i];
    if (!node.other_provider.empty() || !is_context_node(node)) continue;
    if (options_.writes_context) {
      fail(ErrorCode::kInvalidArgument,
           "node '{}' is compiled already: give the original model, or set ep.context_enable to 0",
           node.name);
    }
    parts.push_back(part_of(graph, {i}));
    parts_[made_values(graph, parts.back())] = with_context(node.name, [&] {
      return std::make_shared<const CompiledPart>(
          read_context_node(graph, node, graph.model_file()));
    });
  }
  return parts;
}

// Splits the graph anew for as long as a part does not compile.
std::vector<Part> Provider::compiled_parts(const Graph& graph) {
  if (std::vector<Part> parts = context_parts(graph); !parts.empty()) return parts;
  if (excluded_nodes(graph).empty()) {
    const Part all = whole(graph);
    const CompiledPart& compiled = compile(graph, all);
    if (compiled.program) return {all};
    if (compiled.needs_calibration) return {};  // as all parts of it
  }
  Refusals refused = refused_nodes(graph);
  while (true) {
    std::vector<Part> parts = split(graph, refused);
    const size_t before = refused.size();
    for (const Part& part : parts) {
      if (compile(graph, part).program) continue;
      for (const size_t index : part.nodes) refused[index] = "its part does not compile";
    }
    if (refused.size() == before) return parts;
  }
}

const CompiledPart& Provider::compile(const Graph& graph, const Part& part) {
  const std::vector<std::string> key = made_values(graph, part);
  auto found = parts_.find(key);
  if (found == parts_.end()) {
    const auto compiled = with_context(text_of(graph, part), [&] {
      return std::make_shared<const CompiledPart>(compile_part(graph, part, options_));
    });
    found = parts_.emplace(key, compiled).first;
    if (!compiled->program) note_left(graph, part, *compiled);
  }
  return *found->second;
}

// Errors: kInvalidArgument if the user excludes other providers.
void Provider::note_left(const Graph& graph, const Part& part, const CompiledPart& compiled) const {
  const std::string why = text_of(graph, part) + ": " + compiled.why;
  if (!compiled.needs_calibration) return log(ORT_LOGGING_LEVEL_INFO, why);
  const std::string cure =
      why +
      ": give inputs (npz:FILE, imagefolder:DIR), a network that `vta-compile --save-quantized` "
      "has written (FILE.vtaq), or a model with QuantizeLinear and DequantizeLinear";
  if (!options_.allows_other_providers) fail(ErrorCode::kInvalidArgument, "{}", cure);
  log(ORT_LOGGING_LEVEL_WARNING, cure + ". Other providers run them");
}

std::unique_ptr<PartKernel> Provider::kernel_of(const Ort::ConstGraph& graph,
                                                const Ort::ConstNode& fused, OrtNode** context) {
  if (error_) std::rethrow_exception(error_);
  const Graph nodes(graph);
  const auto part = parts_.find(made_values(nodes, whole(nodes)));
  VTA_ASSERT(part != parts_.end() && part->second->program, "a part that was not asked for");
  const vta_program* const program = part->second->program.get();
  if (!device_) {
    vta_device* device = nullptr;
    check(vta_device_open(options_.device.c_str(), program, &device));
    device_.reset(device);
    if (vta_device_info_of(device)->computes == 0) {
      fail(ErrorCode::kInvalidArgument, "option device '{}': it computes no results",
           options_.device);
    }
  }
  const vta_program_info& info = *vta_program_info_of(program);
  log(ORT_LOGGING_LEVEL_INFO,
      fmt::format("{} on {}: {} of {} multiply-accumulates on the core",
                  text_of(nodes, whole(nodes)), vta_device_info_of(device_.get())->uri,
                  info.macs_on_core, info.macs));
  if (options_.writes_context && context != nullptr)
    *context = context_of(graph, *part->second, fused.GetName()).release();
  return std::make_unique<PartKernel>(*this, part->second, device_.get(), fused.GetName(),
                                      names_of(fused.GetInputs()), names_of(fused.GetOutputs()));
}

Ort::Node Provider::context_of(const Ort::ConstGraph& graph, const CompiledPart& part,
                               const std::string& name) const {
  if (options_.embeds_context) return context_node(part, name);
  std::filesystem::path model = options_.context_file;
  if (const std::filesystem::path file = graph.GetModelPath(); model.empty() && !file.empty())
    model = file.parent_path() / (file.stem().string() + "_ctx.onnx");  // as ONNX Runtime does
  return context_node(part, name, model);
}

void Provider::log(OrtLoggingLevel level, const std::string& message) const {
  ORT_CXX_LOG_NOEXCEPT(logger_, level, (std::string(kProvider) + ": " + message).c_str());
}

}  // namespace vta::onnxruntime_ep
