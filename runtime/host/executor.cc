// SPDX-License-Identifier: Apache-2.0
#include "runtime/host/executor.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "runtime/host/buffers.h"
#include "runtime/host/fusion.h"
#include "runtime/host/host_operators.h"
#include "runtime/host/onednn.h"

namespace vta::host {
namespace {

using dnnl::memory;
using Arguments = std::unordered_map<int, memory>;

struct Eltwise {
  dnnl::algorithm algorithm;
  float alpha = 0, beta = 0;
};

Eltwise eltwise_of(const Operation& operation) {
  const auto number = [](double x) { return static_cast<float>(x); };
  switch (operation.kind) {
    case OpKind::kRelu:
      return {dnnl::algorithm::eltwise_relu};
    case OpKind::kClip:
      return {dnnl::algorithm::eltwise_clip, number(operation.attrs.lo),
              number(operation.attrs.hi)};
    case OpKind::kLeakyRelu:
      return {dnnl::algorithm::eltwise_relu, number(operation.attrs.alpha)};
    case OpKind::kSigmoid:
      return {dnnl::algorithm::eltwise_logistic};
    case OpKind::kTanh:
      return {dnnl::algorithm::eltwise_tanh};
    case OpKind::kSilu:
      return {dnnl::algorithm::eltwise_swish, 1};
    default:
      return {dnnl::algorithm::eltwise_hardswish};
  }
}

dnnl::pooling_forward::primitive_desc describe_pool(const Operation& operation,
                                                    const memory::desc& source) {
  const OpAttrs& a = operation.attrs;
  const memory::dims in = source.dims(), &out = operation.type.shape;
  const bool is_global =
      operation.kind == OpKind::kGlobalAvgPool2d || operation.kind == OpKind::kGlobalMaxPool2d;
  const bool is_max =
      operation.kind == OpKind::kMaxPool2d || operation.kind == OpKind::kGlobalMaxPool2d;
  memory::dims kernel = {in[2], in[3]}, stride = {1, 1}, before = {0, 0}, after = {0, 0};
  if (!is_global) {
    kernel = {a.kernel[0], a.kernel[1]};
    stride = {a.stride[0], a.stride[1]};
    before = {a.pad[0], a.pad[1]};
    for (size_t axis = 0; axis < 2; ++axis) {  // what windows reach
      const int64_t reached = (out[2 + axis] - 1) * stride[axis] + kernel[axis];
      after[axis] = std::max<int64_t>(0, reached - in[2 + axis] - before[axis]);
    }
  }
  const auto average = a.count_include_pad ? dnnl::algorithm::pooling_avg_include_padding
                                           : dnnl::algorithm::pooling_avg_exclude_padding;
  const dnnl::pooling_forward::desc desc(dnnl::prop_kind::forward_inference,
                                         is_max ? dnnl::algorithm::pooling_max : average, source,
                                         any_layout(out), stride, kernel, before, after);
  return {desc, cpu()};
}

}  // namespace

struct Executor::Impl {
  // What one layer does when the network runs.
  struct Step {
    size_t result;
    std::vector<std::function<void()>> actions;
    std::vector<size_t> dead;  // tensors that nobody reads from here on
  };

  Impl(std::vector<Operation> given, std::vector<size_t> given_outputs,
       const Options& given_options)
      : operations(std::move(given)),
        outputs(std::move(given_outputs)),
        options(given_options),
        stream(cpu()),
        tensors(operations.size()),
        memories(operations.size()),
        uses(operations.size()) {
    use_threads(options.num_threads);
    const std::vector<Layer> layers = form_layers(operations, outputs, options.fuse);
    for (const Layer& layer : layers) {
      for (size_t input : layer.inputs) ++uses[input];
    }
    for (size_t output : outputs) ++uses[output];
    for (size_t i = 0; i < operations.size(); ++i) {
      if (operations[i].kind == OpKind::kConstant) tensors[i] = operations[i].value;
    }
    for (const Layer& layer : layers) prepare(layer);
    Step last{operations.size(), {}, {}};
    for (size_t output : outputs) need_tensor(output, last);
    steps.push_back(std::move(last));
  }

  void prepare(const Layer& layer) {
    Step step{layer.result(), {}, {}};
    const Operation& base = operations[layer.base];
    if (is_onednn(operations, base)) {
      with_context(base.name, [&] {
        translate_errors(to_string(base.kind), [&] { prepare_onednn(layer, step); });
      });
    } else {
      prepare_host(layer, step);
    }
    for (size_t input : layer.inputs) {
      if (--uses[input] == 0) drop(input, step);
    }
    for (uint8_t* bytes : temporaries) buffers.give_back(bytes);
    temporaries.clear();
    if (uses[layer.result()] == 0) drop(layer.result(), step);
    steps.push_back(std::move(step));
  }

  void drop(size_t value, Step& step) {
    // A sum is formed in its operand's buffer, which lives on.
    if (memories[value] && !taken_over[value]) buffers.give_back(memories[value].get_data_handle());
    if (operations[value].kind != OpKind::kConstant) step.dead.push_back(value);
  }

  void prepare_host(const Layer& layer, Step& step) {
    for (size_t input : layer.inputs) need_tensor(input, step);
    const size_t index = layer.base;
    step.actions.push_back([this, index] {
      const Operation& operation = operations[index];
      std::vector<Tensor> operands;
      for (size_t input : operation.inputs) operands.push_back(tensors[input]);
      tensors[index] = with_context(
          operation.name, [&] { return execute(operation.kind, operation.attrs, operands); });
    });
  }

  void prepare_onednn(const Layer& layer, Step& step) {
    const Operation& base = operations[layer.base];
    switch (base.kind) {
      case OpKind::kConv2d:
      case OpKind::kConv2dTranspose:
      case OpKind::kDense:
        return prepare_product(layer, step);
      case OpKind::kAdd:
        return prepare_add(layer, step);
      case OpKind::kConcat:
        return prepare_concat(layer, step);
      case OpKind::kLrn: {
        const auto source = layout_of(layer.inputs[0]);
        const dnnl::lrn_forward::desc desc(
            dnnl::prop_kind::forward_inference, dnnl::algorithm::lrn_across_channels, source,
            base.attrs.size, static_cast<float>(base.attrs.alpha),
            static_cast<float>(base.attrs.beta), static_cast<float>(base.attrs.bias));
        return prepare_unary<dnnl::lrn_forward>({desc, cpu()}, layer, step);
      }
      case OpKind::kMaxPool2d:
      case OpKind::kAvgPool2d:
      case OpKind::kGlobalAvgPool2d:
      case OpKind::kGlobalMaxPool2d:
        return prepare_unary<dnnl::pooling_forward>(describe_pool(base, layout_of(layer.inputs[0])),
                                                    layer, step);
      default: {
        const Eltwise eltwise = eltwise_of(base);
        const dnnl::eltwise_forward::desc desc(dnnl::prop_kind::forward_inference,
                                               eltwise.algorithm, layout_of(layer.inputs[0]),
                                               eltwise.alpha, eltwise.beta);
        return prepare_unary<dnnl::eltwise_forward>({desc, cpu()}, layer, step);
      }
    }
  }

  template <typename Primitive>
  void prepare_unary(const typename Primitive::primitive_desc& desc, const Layer& layer,
                     Step& step) {
    Arguments args;
    args[DNNL_ARG_SRC] = need_memory(layer.inputs[0], desc.src_desc(), step);
    args[DNNL_ARG_DST] = new_result(layer.result(), desc.dst_desc());
    run_primitive(Primitive(desc), std::move(args), step);
  }

  void prepare_add(const Layer& layer, Step& step) {
    const size_t a = layer.inputs[0], b = layer.inputs[1];
    const memory::desc layout = memories[a] ? layout_of(a) : layout_of(b);
    Arguments args;
    args[DNNL_ARG_SRC_0] = need_memory(a, layout, step);
    args[DNNL_ARG_SRC_1] = need_memory(b, layout, step);
    args[DNNL_ARG_DST] = new_result(layer.result(), layout);
    const dnnl::binary::desc desc(dnnl::algorithm::binary_add, layout, layout, layout);
    run_primitive(dnnl::binary({desc, cpu()}), std::move(args), step);
  }

  void prepare_concat(const Layer& layer, Step& step) {
    std::vector<memory::desc> sources;
    for (size_t input : layer.inputs) sources.push_back(layout_of(input));
    const int64_t axis = operations[layer.base].attrs.axis;
    const dnnl::concat::primitive_desc desc(static_cast<int>(axis < 0 ? axis + 4 : axis), sources,
                                            cpu());
    Arguments args;
    for (size_t i = 0; i < layer.inputs.size(); ++i) {
      args[DNNL_ARG_MULTIPLE_SRC + static_cast<int>(i)] =
          need_memory(layer.inputs[i], sources[i], step);
    }
    args[DNNL_ARG_DST] = new_result(layer.result(), desc.dst_desc());
    run_primitive(dnnl::concat(desc), std::move(args), step);
  }

  void prepare_product(const Layer& layer, Step& step) {
    const Operation& base = operations[layer.base];
    const ProductShape shape = product_shape(base.kind, base.attrs, operations[base.inputs[0]].type,
                                             operations[base.inputs[1]].type, base.type);
    const memory::desc bias = base.inputs.size() == 3 ? plain_layout(shape.bias) : memory::desc();
    const memory::desc result =
        layer.has_residual ? layout_of(layer.inputs.back()) : any_layout(shape.result);
    const dnnl::primitive_attr attr = post_operations(layer);
    if (base.kind == OpKind::kConv2d) {
      add_product<dnnl::convolution_forward>(describe_convolution(shape, bias, result, attr), shape,
                                             layer, step);
    } else if (base.kind == OpKind::kDense) {
      add_product<dnnl::inner_product_forward>(describe_dense(shape, bias, result, attr), shape,
                                               layer, step);
    } else {
      add_product<dnnl::deconvolution_forward>(describe_transposed(shape, bias, result, attr),
                                               shape, layer, step);
    }
  }

  template <typename Primitive>
  void add_product(const typename Primitive::primitive_desc& desc, const ProductShape& shape,
                   const Layer& layer, Step& step) {
    const Operation& base = operations[layer.base];
    Arguments args;
    args[DNNL_ARG_SRC] = need_memory(base.inputs[0], desc.src_desc(), step);
    const memory plain = wrap(tensors[base.inputs[1]], shape.weights, shape.weights_tag);
    args[DNNL_ARG_WEIGHTS] = in_layout(plain, desc.weights_desc(), stream);
    stream.wait();
    if (base.inputs.size() == 3) {
      args[DNNL_ARG_BIAS] = wrap(tensors[base.inputs[2]], shape.bias, memory::format_tag::x);
    }
    if (layer.has_residual) {
      memories[layer.result()] = memories[layer.inputs.back()];
      taken_over[layer.inputs.back()] = true;
      args[DNNL_ARG_DST] = memories[layer.result()];
    } else {
      args[DNNL_ARG_DST] = new_result(layer.result(), desc.dst_desc());
    }
    run_primitive(Primitive(desc), std::move(args), step);
  }

  dnnl::primitive_attr post_operations(const Layer& layer) const {
    dnnl::post_ops all;
    for (size_t member : layer.tail) {
      const Operation& operation = operations[member];
      if (operation.kind == OpKind::kAdd) {
        all.append_sum();
      } else {
        const Eltwise eltwise = eltwise_of(operation);
        all.append_eltwise(1, eltwise.algorithm, eltwise.alpha, eltwise.beta);
      }
    }
    dnnl::primitive_attr attr;
    attr.set_post_ops(all);
    return attr;
  }

  void run_primitive(dnnl::primitive primitive, Arguments args, Step& step) {
    step.actions.push_back([this, primitive = std::move(primitive), args = std::move(args)] {
      primitive.execute(stream, args);
    });
  }

  memory::desc layout_of(size_t value) const {
    return memories[value] ? memories[value].get_desc()
                           : plain_layout(operations[value].type.shape);
  }

  memory new_memory(const memory::desc& layout) {
    return {layout, cpu(), buffers.take(layout.get_size())};
  }

  memory new_result(size_t value, const memory::desc& layout) {
    return memories[value] = new_memory(layout);
  }

  // The value in a layout; reordered by an action of `step` into a buffer for this step if it is in
  // another one.
  memory need_memory(size_t value, const memory::desc& wanted, Step& step) {
    memory source = memories[value];
    if (!source) {
      source = memory(plain_layout(operations[value].type.shape), cpu(), nullptr);
      step.actions.push_back([this, source, value]() mutable {
        // oneDNN takes a mutable pointer for what it only reads.
        source.set_data_handle(const_cast<uint8_t*>(tensors[value].bytes().data()));
      });
    }
    if (source.get_desc() == wanted) return source;
    const memory copy = new_memory(wanted);
    temporaries.push_back(static_cast<uint8_t*>(copy.get_data_handle()));
    run_primitive(dnnl::reorder(source, copy), {{DNNL_ARG_FROM, source}, {DNNL_ARG_TO, copy}},
                  step);
    return copy;
  }

  void need_tensor(size_t value, Step& step) {
    if (!memories[value] || has_tensor[value]) return;
    has_tensor[value] = true;
    step.actions.push_back([this, value] { tensors[value] = exported(value); });
  }

  Tensor exported(size_t value) {
    Tensor tensor(operations[value].type);
    memory plain(plain_layout(tensor.shape()), cpu(), tensor.mutable_bytes().data());
    dnnl::reorder(memories[value], plain).execute(stream, memories[value], plain);
    stream.wait();
    return tensor;
  }

  void set_inputs(const std::vector<Tensor>& inputs) {
    for (size_t i = 0; i < operations.size(); ++i) {
      const Operation& operation = operations[i];
      if (operation.kind != OpKind::kInput) continue;
      const auto index = static_cast<size_t>(operation.attrs.index);
      if (index >= inputs.size()) {
        fail(ErrorCode::kInvalidArgument, "{}: input {} is missing, {} were given", operation.name,
             index, inputs.size());
      }
      if (inputs[index].type() != operation.type) {
        fail(ErrorCode::kInvalidArgument, "{}: the input is {}, expected {}", operation.name,
             to_string(inputs[index].type()), to_string(operation.type));
      }
      tensors[i] = inputs[index];
    }
  }

  const std::vector<Operation> operations;
  const std::vector<size_t> outputs;
  const Options options;
  dnnl::stream stream;
  std::vector<Step> steps;
  Buffers buffers;
  std::vector<Tensor> tensors;   // of values that are plain at some time; empty while they are not
  std::vector<memory> memories;  // of values in oneDNN's layouts
  std::vector<size_t> uses;      // while layers are prepared: by layers that are still to come
  std::vector<bool> taken_over = std::vector<bool>(operations.size());
  std::vector<bool> has_tensor = std::vector<bool>(operations.size());
  std::vector<uint8_t*> temporaries;  // buffers of the layer that is being prepared
};

Executor::Executor(std::vector<Operation> operations, std::vector<size_t> outputs,
                   const Options& options)
    : impl_(std::make_unique<Impl>(std::move(operations), std::move(outputs), options)) {}

Executor::~Executor() = default;

std::vector<Tensor> Executor::run(const std::vector<Tensor>& inputs, const Observer& on_value) {
  Impl& impl = *impl_;
  impl.set_inputs(inputs);
  if (on_value) {
    for (size_t i = 0; i < impl.operations.size(); ++i) {
      if (impl.operations[i].kind == OpKind::kInput) on_value(i, impl.tensors[i]);
    }
  }
  for (const Impl::Step& step : impl.steps) {
    use_threads(impl.options.num_threads);  // host operators set it, too
    translate_errors("a step of the network", [&] {
      for (const std::function<void()>& action : step.actions) action();
      impl.stream.wait();
    });
    if (on_value && step.result < impl.operations.size()) {
      on_value(step.result, impl.tensors[step.result].empty() ? impl.exported(step.result)
                                                              : impl.tensors[step.result]);
    }
    for (size_t value : step.dead) impl.tensors[value] = Tensor();
  }
  std::vector<Tensor> results;
  for (size_t output : impl.outputs) results.push_back(impl.tensors[output]);
  for (size_t i = 0; i < impl.operations.size(); ++i) {
    if (impl.operations[i].kind != OpKind::kConstant) impl.tensors[i] = Tensor();
  }
  return results;
}

}  // namespace vta::host
