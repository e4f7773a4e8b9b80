// SPDX-License-Identifier: Apache-2.0
//
// Sizes of the inputs' axes that an ONNX model leaves open: given by the user, or 1 for a batch.
#ifndef VTA_COMPILER_IMPORT_OPEN_SIZES_H_
#define VTA_COMPILER_IMPORT_OPEN_SIZES_H_

#include <optional>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/onnx/model.h"

namespace vta::import {

// "NAME=VALUE" or "VALUE". The names of inputs may contain '='.
struct NamedText {
  std::string name, value;  // name "": none
};
NamedText parse_named(const std::string& text);

// Errors: kInvalidArgument, naming `option`, if the model has no such input.
onnx::ValueDef& input_named(onnx::Model& model, const std::string& name, const char* option);

// Gives an axis of an input that the model leaves open a size. The declared sizes of the outputs
// are those of the inputs that the exporter traced: they are not compared any more.
void set_size(onnx::Model& model, std::optional<int64_t>& axis, int64_t size);

// `texts`: "NAME=1x3x48x320", or "1x3x48x320" for the only input. Errors: kInvalidArgument for an
// unknown input, and for a size that contradicts the model's.
void set_input_shapes(onnx::Model& model, const std::vector<std::string>& texts);

// `texts`: "NAME=AXIS", or "AXIS" for every input that has it. An open axis gets the size 1: one
// sample an inference. Returns whether an axis has a declared size greater than 1, which must be
// the first; check_declared_batch() then checks the graph. Errors: kInvalidArgument.
bool set_batch_axes(onnx::Model& model, const std::vector<std::string>& texts);

// Gives first axes that are still open the size 1, but for those that onnx::batch_axis_by_name()
// names, which are left to the import. Returns why one of them may not be a batch, for a message.
// nullopt if the model, imported with several positions, computes each of them by itself (of a
// nameless axis: if no operator computes across it).
std::optional<std::string> set_proven_batches(onnx::Model& model);

// Errors: kInvalidArgument, naming an operator of the graph that combines rows of the first axis.
void check_declared_batch(const graph::Graph& graph);

}  // namespace vta::import

#endif  // VTA_COMPILER_IMPORT_OPEN_SIZES_H_
