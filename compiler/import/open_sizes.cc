// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/open_sizes.h"

#include <algorithm>
#include <set>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/errors/nearest.h"
#include "base/numbers/parse_number.h"
#include "compiler/graph/passes/fold_constants.h"
#include "compiler/graph/passes/independent_images.h"
#include "compiler/onnx/batch_axis.h"
#include "compiler/onnx/import_onnx.h"

namespace vta::import {
namespace {

using onnx::Model;
using onnx::ValueDef;

// Positions of an axis in the proof. Unlikely as a size that the model fixes, which could look like
// the batch.
constexpr int64_t kProbeImages = 5;
constexpr int64_t kMaxSize = int64_t{1} << 28;
constexpr size_t kMaxRank = 8;

std::optional<int64_t> number_in(const std::string& digits, int64_t first, int64_t last) {
  const auto value = parse_number<int64_t>(digits);
  return value && *value >= first && *value <= last ? value : std::nullopt;
}

std::vector<int64_t> parse_shape(const std::string& text) {
  std::vector<int64_t> shape;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('x', begin), text.size());
    const auto size = number_in(text.substr(begin, end - begin), 1, kMaxSize);
    if (!size || shape.size() == kMaxRank) {
      fail(ErrorCode::kInvalidArgument,
           "--input-shape: expected up to {} sizes from 1 to {}, such as 1x3x48x320, got '{}'",
           kMaxRank, kMaxSize, text);
    }
    shape.push_back(*size);
    begin = end + 1;
  }
  return shape;
}

void set_shape(Model& model, ValueDef& input, const std::vector<int64_t>& shape) {
  if (!input.has_shape) input.dims.resize(shape.size());
  input.has_shape = true;
  bool fits = input.dims.size() == shape.size();
  std::vector<std::string> declared;
  for (size_t axis = 0; axis < input.dims.size(); ++axis) {
    const std::optional<int64_t>& size = input.dims[axis];
    declared.push_back(size ? fmt::format("{}", *size) : "?");
    fits = fits && (!size || *size == shape[axis]);
  }
  if (!fits) {
    fail(ErrorCode::kInvalidArgument, "--input-shape: input '{}' is [{}], got [{}]",
         onnx::printable(input.name), fmt::join(declared, ", "), fmt::join(shape, ", "));
  }
  for (size_t axis = 0; axis < shape.size(); ++axis) set_size(model, input.dims[axis], shape[axis]);
}

// Makes `axis` of the input its batch. Returns whether it has several declared positions.
bool set_batch_axis(Model& model, ValueDef& input, size_t axis) {
  std::optional<int64_t>& size = input.dims.at(axis);
  if (size.value_or(1) == 1) {
    set_size(model, size, 1);
    return false;
  }
  if (axis > 0) {
    fail(ErrorCode::kInvalidArgument,
         "--batch-axis {}: axis {} of input '{}' has the declared size {}; a batch of several "
         "samples must be on axis 0",
         axis, axis, onnx::printable(input.name), *size);
  }
  return true;
}

std::string axis_text(const ValueDef& input, size_t axis) {
  const std::string name = onnx::axis_name(input, axis);
  return name.empty() ? fmt::format("axis {} of input '{}'", axis, onnx::printable(input.name))
                      : fmt::format("axis {} ('{}') of input '{}'", axis, onnx::printable(name),
                                    onnx::printable(input.name));
}

// Operators that models of one image use on the batch, too: those that only move numbers, and the
// first row of several.
bool may_expect_one_image(const graph::Node& node, const graph::ImageAxis& axis) {
  switch (node.kind) {
    case OpKind::kReshape:
    case OpKind::kFlatten:
    case OpKind::kConcat:
    case OpKind::kPad:
    case OpKind::kTile:
    case OpKind::kGather:
    case OpKind::kGatherElements:
    case OpKind::kGatherNd:
    case OpKind::kScatterElements:
    case OpKind::kScatterNd:
    case OpKind::kNonZero:
    case OpKind::kUnique:
    case OpKind::kNonMaxSuppression:
    case OpKind::kCompress:
    case OpKind::kShapeOf:
      return true;
    case OpKind::kStridedSlice:
      return node.attrs.begin[axis.axis] == 0 && node.type.shape[axis.axis] == 1;
    default:
      return false;
  }
}

// Whether the open first axes of a model are a batch: imports it with several positions.
class BatchProof {
 public:
  explicit BatchProof(const Model& model) : model_(model) {
    for (const ValueDef& input : model.inputs) {
      if (input.dims.empty() || input.dims[0]) continue;
      open_.insert(input.name);
      const std::optional<size_t> batch = onnx::batch_axis_by_name(input);
      if (batch != 0) {
        unnamed_.push_back(&input);
      } else if (onnx::axis_name(input, 0).empty()) {
        nameless_.push_back(&input);
      }
    }
  }

  // What speaks against a batch.
  std::optional<std::string> doubt() const {
    if (unnamed_.empty() && nameless_.empty()) return std::nullopt;
    const ValueDef& input = *(unnamed_.empty() ? nameless_ : unnamed_).front();
    const std::optional<std::string> reason = reason_against();
    if (!reason) return std::nullopt;
    std::vector<std::string> sizes;
    for (const std::optional<int64_t>& size : input.dims)
      sizes.push_back(size ? fmt::format("{}", *size) : "N");
    const std::string name = onnx::printable(input.name);
    return fmt::format(
        "{} has no known size, and it is not shown to be a batch: {}. If it is one, say "
        "--batch-axis {}=0: one sample an inference; else give its size: --input-shape {}={}",
        axis_text(input, 0), *reason, name, name, fmt::join(sizes, "x"));
  }

 private:
  std::optional<std::string> reason_against() const {
    Model several = model_;
    for (ValueDef& input : several.inputs) {
      if (open_.contains(input.name)) set_size(several, input.dims[0], kProbeImages);
    }
    try {
      onnx::Imported imported = onnx::import_onnx(std::move(several));
      return mixer_of(imported);
    } catch (const Error& error) {
      if (unnamed_.empty()) return std::nullopt;
      return fmt::format("the model does not take {} positions there ({})", kProbeImages,
                         error.what());
    }
  }

  std::optional<std::string> mixer_of(onnx::Imported& imported) const {
    std::vector<std::optional<size_t>> axes;
    for (const onnx::Port& port : imported.inputs)
      axes.push_back(open_.contains(port.name) ? std::optional<size_t>(0) : std::nullopt);
    graph::fold_constants(imported.graph);
    const graph::ImageAxes found = graph::find_image_axes(imported.graph, axes, kProbeImages);
    for (graph::NodeId id : found.mixers) {
      const graph::Node& node = imported.graph.node(id);
      const auto operand = std::ranges::find_if(
          node.inputs, [&](graph::NodeId input) { return found.axes.contains(input); });
      if (unnamed_.empty() && may_expect_one_image(node, found.axes.at(*operand))) continue;
      return fmt::format("operator '{}' ({}) combines its positions", node.name,
                         to_string(node.kind));
    }
    return std::nullopt;
  }

  const Model& model_;
  std::set<std::string> open_;  // inputs with an open first axis
  std::vector<const ValueDef*> unnamed_, nameless_;
};

}  // namespace

NamedText parse_named(const std::string& text) {
  const size_t equals = text.rfind('=');
  if (equals == std::string::npos) return {"", text};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

ValueDef& input_named(Model& model, const std::string& name, const char* option) {
  std::vector<std::string> names;
  for (ValueDef& input : model.inputs) {
    if (input.name == name) return input;
    names.push_back(input.name);
  }
  fail(ErrorCode::kInvalidArgument, "{}: the model has no input '{}'{}; its inputs: {}", option,
       onnx::printable(name), did_you_mean(name, names), fmt::join(names, ", "));
}

void set_size(Model& model, std::optional<int64_t>& axis, int64_t size) {
  if (axis) return;
  axis = size;
  for (ValueDef& output : model.outputs) output.dims.assign(output.dims.size(), std::nullopt);
}

void set_input_shapes(Model& model, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const NamedText named = parse_named(text);
    if (named.name.empty() && model.inputs.size() != 1) {
      fail(ErrorCode::kInvalidArgument, "--input-shape '{}': the model has {}, expected NAME={}",
           text, counted(model.inputs.size(), "input"), named.value);
    }
    ValueDef& input =
        named.name.empty() ? model.inputs[0] : input_named(model, named.name, "--input-shape");
    set_shape(model, input, parse_shape(named.value));
  }
}

bool set_batch_axes(Model& model, const std::vector<std::string>& texts) {
  bool is_declared = false;
  for (const std::string& text : texts) {
    const NamedText named = parse_named(text);
    const auto axis = number_in(named.value, 0, kMaxRank - 1);
    if (!axis) {
      fail(ErrorCode::kInvalidArgument,
           "--batch-axis: expected AXIS or NAME=AXIS with an axis from 0 to {}, got '{}'",
           kMaxRank - 1, text);
    }
    std::vector<ValueDef*> inputs;
    if (!named.name.empty()) inputs.push_back(&input_named(model, named.name, "--batch-axis"));
    for (ValueDef& input : model.inputs)
      if (named.name.empty() && std::ssize(input.dims) > *axis) inputs.push_back(&input);
    if (inputs.empty() || std::ssize(inputs[0]->dims) <= *axis) {
      fail(ErrorCode::kInvalidArgument, "--batch-axis '{}': {} no axis {}", text,
           inputs.empty() ? "the inputs have" : "the input has", *axis);
    }
    for (ValueDef* input : inputs)
      is_declared |= set_batch_axis(model, *input, static_cast<size_t>(*axis));
  }
  return is_declared;
}

std::optional<std::string> set_proven_batches(Model& model) {
  std::optional<std::string> doubt = BatchProof(model).doubt();
  for (ValueDef& input : model.inputs) {
    if (!input.dims.empty() && onnx::batch_axis_by_name(input) != 0)
      set_size(model, input.dims[0], 1);
  }
  return doubt;
}

void check_declared_batch(const graph::Graph& graph) {
  if (graph::independent_images(graph) > 1) return;
  const std::vector<graph::NodeId> inputs = graph.inputs();
  const graph::Node& first = graph.node(inputs.at(0));
  const int64_t images = first.type.shape.at(0);
  const auto check_rows = [&](const char* what, const graph::Node& node) {
    if (!node.type.shape.empty() && node.type.shape[0] == images) return;
    fail(ErrorCode::kInvalidArgument,
         "--batch-axis 0: {} '{}' is {}, expected {} on its first axis as of input '{}'", what,
         node.name, to_string(node.type), counted(images, "sample"), first.name);
  };
  for (graph::NodeId id : inputs) check_rows("input", graph.node(id));
  for (graph::NodeId id : graph.outputs()) check_rows("output", graph.node(id));
  graph::Graph folded = graph;
  graph::fold_constants(folded);
  const graph::ImageAxes found =
      graph::find_image_axes(folded, std::vector<std::optional<size_t>>(inputs.size(), 0), images);
  if (found.mixers.empty()) {
    fail(ErrorCode::kInvalidArgument,
         "--batch-axis 0: not all outputs have the {} on their first axis",
         counted(images, "sample"));
  }
  const graph::Node& mixer = folded.node(found.mixers[0]);
  fail(ErrorCode::kInvalidArgument,
       "--batch-axis 0: operator '{}' ({}) combines the {} positions of the first axis; without "
       "the option they are one sample",
       mixer.name, to_string(mixer.kind), images);
}

}  // namespace vta::import
