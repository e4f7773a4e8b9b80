// SPDX-License-Identifier: Apache-2.0
//
// The passes that ready an int8 graph for a core.
#ifndef VTA_COMPILER_LOWER_PASSES_H_
#define VTA_COMPILER_LOWER_PASSES_H_

#include <string>

#include "compiler/graph/graph.h"
#include "configs/core_config.h"

namespace vta::lower {

// Turns the shortcuts of option A (every other pixel, new channels zero) into convolutions with a
// weight of zeros and ones, exactly; so the core computes them.
//
//   before:  %s = strided_slice(%x) {step = [1, 1, 2, 2]}     after:  %p = qconv2d(%x, %p.weight,
//   %p.bias)
//            %p = pad(%s) {before = [0, 8, 0, 0], ...}                     {kernel = [1, 1], stride
//            = [2, 2]}
//
// Leaves alone: tensors that are not int8 or have fewer than block_in channels (they stay on the
// host); a slice with another user, an offset, or fewer channels or images; padding of other axes
// than channels. Returns whether the graph changed. Idempotent.
bool fuse_shortcut(graph::Graph& graph, const CoreConfig& core);

// The graph for as many images as the core takes at once, where it was made for another number
// (one, as networks are): inputs have them on their first axis, and what depends on inputs where
// image_axis.h says. Each image gets what it would get alone. Constants are repeated where an
// operator wants one for each image. Errors: kUnsupported, naming the layer, for an operator that
// computes across images, and for an output that does not have them on its first axis.
graph::Graph rebatch(const graph::Graph& graph, const CoreConfig& core);

// Turns a dense layer of a flattened image of whole blocks into a convolution whose kernel is the
// image, so that the image need not leave the core to be flattened; its result is flattened
// instead, which moves nothing. Returns whether the graph changed. Idempotent.
bool unflatten_dense(graph::Graph& graph, const CoreConfig& core);

// Where a network's first convolution goes whose few input channels leave most lanes of the core
// idle: to the host, as in VTA's own flow, or to the core with the others.
enum class FirstConvolution { kHost, kCore };
FirstConvolution first_convolution_from_string(
    const std::string& text);  // "host", "core".
                               // Errors: kInvalidArgument

// Sets on_core of the operators that the core computes:
// - qconv2d and qconv2d_transpose of any groups, and qdense. One of fewer than block_in input
//   channels with no convolution before it goes where `first` says. Weights, biases and shifts must
//   be constants.
// - qadd and max_pool2d behind such an operator (pools that reach padding: if it is never
// negative).
// - those that only look at device values in another way (view_offsets()).
// Errors: kUnsupported if block_in and block_out differ, or the core's UOP, ACC or token queues are
// too small for any stream.
void partition(graph::Graph& graph, const CoreConfig& core,
               FirstConvolution first = FirstConvolution::kHost);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_PASSES_H_
