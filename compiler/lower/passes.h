// SPDX-License-Identifier: Apache-2.0
//
// Passes that legalize an int8 graph for a core.
#ifndef VTA_COMPILER_LOWER_PASSES_H_
#define VTA_COMPILER_LOWER_PASSES_H_

#include <map>
#include <string>

#include "compiler/graph/graph.h"
#include "compiler/lower/mode.h"
#include "configs/core_config.h"
#include "runtime/tensor/host_reason.h"
#include "runtime/tensor/place.h"

namespace vta::lower {

// Rewrites ResNet shortcuts of option A (every other pixel, new channels zero) to convolutions with
// weights of zeros and ones, which are exact and run on the core.
//
//   before:  %s = strided_slice(%x) {step = [1, 1, 2, 2]}
//            %p = pad(%s) {before = [0, 8, 0, 0], ...}
//   after:   %p = qconv2d(%x, %p.weight, %p.bias) {kernel = [1, 1], stride = [2, 2]}
//
// Does not change: tensors that are not int8 or have fewer than block_in channels (they stay on the
// host); a slice with another user, an offset, or fewer channels or images; padding of other axes
// than channels. Returns whether the graph changed. Idempotent.
bool fuse_shortcut(graph::Graph& graph, const CoreConfig& core);

// Computes moves of channels that are not views, because they cross blocks, by convolutions that
// copy: GEMM is the only part of the core that moves numbers between lanes. Moves are shuffles
// (reshape, transpose, reshape), slices and concats of channels, and sequences of these.
//
//   before:  %r = reshape(%x) {shape = [1, 2, 12, 8, 8]}
//            %t = transpose(%r) {perm = [0, 2, 1, 3, 4]}
//            %s = reshape(%t) {shape = [1, 24, 8, 8]}
//   after:   %s.conv = qconv2d(%x, %s.conv.weight, %s.conv.bias) {products = 1}
//
// The result of a move of several tensors, at most 4, is the sum of their convolutions. Does not
// change moves of results of operators that the core does not have. Returns whether the graph
// changed. Idempotent.
bool move_channels(graph::Graph& graph, const CoreConfig& core);

// Changes the batch size of the graph, usually one, to that of the core. Inputs have the images on
// their first axis, other values on the axis given by graph/passes/image_axis.h. The results of
// each image do not change. Constants are repeated if an operator needs them per image. Errors:
// kUnsupported, naming the layer, for an operator that combines images (independent_images.h) and
// for an output whose first axis is not the images.
graph::Graph rebatch(const graph::Graph& graph, const CoreConfig& core);

// Rewrites a dense layer of a flattened image, with channels a multiple of the block, to a
// convolution whose kernel covers the image, so that the image stays in the core's layout. The
// convolution's result is flattened instead, which is a view. Returns whether the graph changed.
// Idempotent.
bool unflatten_dense(graph::Graph& graph, const CoreConfig& core);

// Moves max pools from a concat of convolutions to the convolutions, in whose streams they can be
// computed. The concat and its operands must have no other use.
//
//   before:  %c = concat(%a, %b) {axis = 1}
//            %p = max_pool2d(%c) {kernel = [3, 3], stride = [2, 2]}
//   after:   %p.a = max_pool2d(%a) {...}
//            %p.b = max_pool2d(%b) {...}
//            %c.pooled = concat(%p.a, %p.b) {axis = 1}
//
// Returns whether the graph changed. Idempotent.
bool hoist_pools(graph::Graph& graph);

// What VTA's flow computes on the host, and the core computes as well.
struct Placement {
  // A first convolution with few input channels; on the core with its windows as channels
  // (unfold_inputs).
  Place first_convolution = Place::kCore;
  // The dense layers that no convolution or dense layer follows.
  Place classifiers = Place::kCore;
  // VTA's start_name and stop_name: layers before `start`, and from `stop` on, are on the host. A
  // layer's name, or an operator of the graph, whose first layer it is; "": no limit.
  std::string start, stop;
};

// Sets on_core of the operators that the core computes (core_lowerings.h has the conditions):
// - qconv2d and qconv2d_transpose of any groups, and qdense, with constant weights, biases and
//   shifts. `placement` has one with fewer than block_in input channels and no convolution before
//   it, and the last dense layers.
// - qadd, max_pool2d and qavg_pool2d of a value on the core. A max pool with padding needs a value
//   that is never negative. The input of a pool's window fits half of ACC.
// - qmul of two tensors of one shape, or of a tensor and [n, c, 1, 1].
// - qmatmul of any operands.
// - views of device values (view_offsets()).
// Errors: kInvalidArgument if no layer has the name `start` or `stop`, or `stop` is not after it.
// kUnsupported if block_in and block_out differ, or if the core's UOP, ACC or token queues
// are too small for the stream of any layer.
// Returns the reason for each node that stays on the host; kFloatModel for every node that computes
// in fp32.
using HostReasons = std::map<graph::NodeId, HostReason>;
HostReasons partition(graph::Graph& graph, const CoreConfig& core, const Placement& placement = {});

// Fills the lanes that a convolution of fewer than block_in channels leaves idle, if it is on the
// core and reads a host value. Columns, rows, or both of its kernel become channels, which are
// formed while the value is packed, after quantizing it.
//
//   before:  %q = quantize(%x) {frac_bits = 6} : int8[1, 3, 224, 224]
//            %c = qconv2d(%q, %w, %b) {kernel = [7, 7], stride = [2, 2], pad = [3, 3, 3, 3]}  @core
//   after:   %u = unfold2d(%x) {kernel = [7, 7], stride = [2, 2], pad = [3, 3, 2, 2],
//                               frac_bits = 6} : int8[1, 147, 112, 112]
//            %c = qconv2d(%u, %c.unfolded, %b) {products = 147}  @core
//
// The pass takes the fold with the least cost of find_tiling(), or none (a kernel of 1x1). Weights
// without a counterpart are zeros. Exact for every convolution.
void unfold_inputs(graph::Graph& graph, const CoreConfig& core, Mode mode);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_PASSES_H_
