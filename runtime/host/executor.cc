// SPDX-License-Identifier: Apache-2.0
#include "runtime/host/executor.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "runtime/host/buffers.h"
#include "runtime/host/fusion.h"
#include "runtime/host/host_operators.h"
#include "runtime/host/onednn_version.h"
#include "runtime/host/primitives.h"

namespace vta::host {
namespace {

using dnnl::memory;
using Arguments = std::unordered_map<int, memory>;

}  // namespace

struct Executor::Impl {
  // One layer at run time.
  struct Step {
    size_t result;
    std::vector<size_t> members = {}, inputs = {};  // operations of the layer, and its operands
    LayerLayouts layouts = {};
    std::vector<std::function<void()>> actions = {};
    std::vector<size_t> dead = {};  // tensors without a later reader
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
    Step last{.result = operations.size()};
    last.layouts.result = "plain";
    if (!outputs.empty()) last.layouts.source = layout_name(outputs.front());
    for (size_t output : outputs) need_tensor(output, last);
    steps.push_back(std::move(last));
  }

  void prepare(const Layer& layer) {
    Step step{.result = layer.result(), .members = {layer.base}, .inputs = layer.inputs};
    step.members.insert(step.members.end(), layer.tail.begin(), layer.tail.end());
    const Operation& base = operations[layer.base];
    if (!layer.inputs.empty())
      step.layouts.source = step.layouts.data = layout_name(layer.inputs.front());
    if (const PrimitiveRule* const rule = primitive_of(operations, base)) {
      with_context(base.name, [&] {
        translate_errors(to_string(base.kind), [&] { prepare_primitive(*rule, layer, step); });
      });
    } else {
      prepare_host(layer, step);
    }
    step.layouts.result = layout_name(layer.result());
    for (size_t input : layer.inputs) {
      if (--uses[input] == 0) drop(input, step);
    }
    for (uint8_t* bytes : temporaries) buffers.give_back(bytes);
    temporaries.clear();
    if (uses[layer.result()] == 0) drop(layer.result(), step);
    steps.push_back(std::move(step));
  }

  void drop(size_t value, Step& step) {
    // A fused sum reuses its operand's buffer, which therefore stays allocated.
    if (memories[value] && !taken_over[value]) buffers.give_back(memories[value].get_data_handle());
    if (operations[value].kind != OpKind::kConstant) step.dead.push_back(value);
  }

  void prepare_host(const Layer& layer, Step& step) {
    step.layouts.data = "plain";
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

  // CMakeLists.txt makes a missing case an error.
  void prepare_primitive(const PrimitiveRule& rule, const Layer& layer, Step& step) {
    switch (rule.primitive) {
      case PrimitiveKind::kConvolution:
        return prepare_product<dnnl::convolution_forward>(describe_convolution, layer, step);
      case PrimitiveKind::kDeconvolution:
        return prepare_product<dnnl::deconvolution_forward>(describe_transposed, layer, step);
      case PrimitiveKind::kInnerProduct:
        return prepare_product<dnnl::inner_product_forward>(describe_dense, layer, step);
      case PrimitiveKind::kSum:
        return prepare_sum(layer, step);
      case PrimitiveKind::kConcat:
        return prepare_concat(layer, step);
      case PrimitiveKind::kLrn:
        return prepare_lrn(layer, step);
      case PrimitiveKind::kPooling:
        return prepare_pool(layer, false, step);
      case PrimitiveKind::kGlobalPooling:
        return prepare_pool(layer, true, step);
      case PrimitiveKind::kEltwise:
        return prepare_eltwise(rule.eltwise(operations[layer.base].attrs), layer, step);
    }
  }

  void prepare_lrn(const Layer& layer, Step& step) {
    const OpAttrs& a = operations[layer.base].attrs;
    prepare_unary<dnnl::lrn_forward>(
        describe_lrn(layout_of(layer.inputs[0]), a.size, static_cast<float>(a.alpha),
                     static_cast<float>(a.beta), static_cast<float>(a.bias)),
        layer, step);
  }

  void prepare_pool(const Layer& layer, bool is_global, Step& step) {
    const size_t source = layer.inputs[0];
    prepare_unary<dnnl::pooling_forward>(
        describe_pool(operations[layer.base], operations[source].type, layout_of(source),
                      is_global),
        layer, step);
  }

  void prepare_eltwise(const Eltwise& eltwise, const Layer& layer, Step& step) {
    prepare_unary<dnnl::eltwise_forward>(
        describe_eltwise(eltwise.algorithm, layout_of(layer.inputs[0]), eltwise.alpha,
                         eltwise.beta),
        layer, step);
  }

  template <typename Primitive>
  void prepare_unary(const typename Primitive::primitive_desc& desc, const Layer& layer,
                     Step& step) {
    Arguments args;
    args[DNNL_ARG_SRC] = need_memory(layer.inputs[0], desc.src_desc(), step);
    args[DNNL_ARG_DST] = new_result(layer.result(), desc.dst_desc());
    run_primitive(Primitive(desc), std::move(args), step);
  }

  void prepare_sum(const Layer& layer, Step& step) {
    const size_t a = layer.inputs[0], b = layer.inputs[1];
    const memory::desc layout = memories[a] ? layout_of(a) : layout_of(b);
    Arguments args;
    args[DNNL_ARG_SRC_0] = need_memory(a, layout, step);
    args[DNNL_ARG_SRC_1] = need_memory(b, layout, step);
    args[DNNL_ARG_DST] = new_result(layer.result(), layout);
    run_primitive(dnnl::binary(describe<dnnl::binary>({}, dnnl::algorithm::binary_add, layout,
                                                      layout, layout)),
                  std::move(args), step);
  }

  void prepare_concat(const Layer& layer, Step& step) {
    std::vector<memory::desc> sources;
    for (size_t input : layer.inputs) sources.push_back(layout_of(input));
    const int64_t axis = operations[layer.base].attrs.axis;
    const auto desc = describe_concat(static_cast<int>(axis < 0 ? axis + 4 : axis), sources);
    Arguments args;
    for (size_t i = 0; i < layer.inputs.size(); ++i) {
      args[DNNL_ARG_MULTIPLE_SRC + static_cast<int>(i)] =
          need_memory(layer.inputs[i], sources[i], step);
    }
    args[DNNL_ARG_DST] = new_result(layer.result(), desc.dst_desc());
    run_primitive(dnnl::concat(desc), std::move(args), step);
  }

  template <typename Primitive, typename Describe>
  void prepare_product(Describe&& describe_product, const Layer& layer, Step& step) {
    const Operation& base = operations[layer.base];
    const ProductShape shape = product_shape(operations, base);
    const memory::desc bias = base.inputs.size() == 3 ? plain_layout(shape.bias) : memory::desc();
    const memory::desc result =
        layer.has_residual ? layout_of(layer.inputs.back()) : any_layout(shape.result);
    add_product<Primitive>(describe_product(shape, bias, result, post_operations(layer)), shape,
                           layer, step);
  }

  template <typename Primitive>
  void add_product(const typename Primitive::primitive_desc& desc, const ProductShape& shape,
                   const Layer& layer, Step& step) {
    const Operation& base = operations[layer.base];
    step.layouts.data = layout_text(desc.src_desc());
    step.layouts.kernel = weight_layout_text(desc.weights_desc());
    Arguments args;
    args[DNNL_ARG_SRC] = need_memory(base.inputs[0], desc.src_desc(), step);
    const memory plain = wrap(tensors[base.inputs[1]], shape.weights, shape.weights_tag);
    args[DNNL_ARG_WEIGHTS] = weights_in_layout(base.inputs[1], plain, desc.weights_desc());
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

  // The steps of an unrolled loop share their weights, and one copy in oneDNN's layout.
  memory weights_in_layout(size_t value, const memory& plain, const memory::desc& wanted) {
    std::vector<ArrangedWeights>& copies = arranged[value];
    const auto found = std::ranges::find_if(copies, [&](const ArrangedWeights& copy) {
      return copy.from == plain.get_desc() && copy.to.get_desc() == wanted;
    });
    if (found != copies.end()) return found->to;
    const memory copy = in_layout(plain, wanted, stream);
    stream.wait();
    copies.push_back({plain.get_desc(), copy});
    return copy;
  }

  dnnl::primitive_attr post_operations(const Layer& layer) const {
    dnnl::post_ops all;
    for (size_t member : layer.tail) {
      const PrimitiveRule& rule = *primitive_of(operations, operations[member]);
      if (rule.primitive == PrimitiveKind::kSum) {
        all.append_sum();
      } else {
        const Eltwise eltwise = rule.eltwise(operations[member].attrs);
        append_eltwise(all, eltwise.algorithm, eltwise.alpha, eltwise.beta);
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

  std::string layout_name(size_t value) const {
    return memories[value] ? layout_text(memories[value].get_desc()) : "plain";
  }

  memory new_memory(const memory::desc& layout) {
    return {layout, cpu(), buffers.take(layout.get_size())};
  }

  memory new_result(size_t value, const memory::desc& layout) {
    return memories[value] = new_memory(layout);
  }

  // The value in the layout `wanted`; an action of `step` reorders it into a temporary buffer if
  // necessary.
  memory need_memory(size_t value, const memory::desc& wanted, Step& step) {
    memory source = memories[value];
    if (!source) {
      source = memory(plain_layout(operations[value].type.shape), cpu(), nullptr);
      step.actions.push_back([this, source, value]() mutable {
        // oneDNN takes a mutable pointer but only reads.
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

  // A constant in a layout that products read.
  struct ArrangedWeights {
    memory::desc from;
    memory to;
  };
  const std::vector<Operation> operations;
  const std::vector<size_t> outputs;
  const Options options;
  dnnl::stream stream;
  std::vector<Step> steps;
  Buffers buffers;
  std::vector<Tensor> tensors;   // plain layout; empty while a value has none
  std::vector<memory> memories;  // oneDNN's layouts
  std::map<size_t, std::vector<ArrangedWeights>> arranged;  // by the constant
  std::vector<size_t> uses;                                 // during construction: by later layers
  std::vector<bool> taken_over = std::vector<bool>(operations.size());
  std::vector<bool> has_tensor = std::vector<bool>(operations.size());
  std::vector<uint8_t*> temporaries;  // during construction: buffers of the current layer
};

Executor::Executor(std::vector<Operation> operations, std::vector<size_t> outputs,
                   const Options& options)
    : impl_(std::make_unique<Impl>(std::move(operations), std::move(outputs), options)) {}

Executor::~Executor() = default;

std::vector<ExecutedLayer> Executor::layers() const {
  std::vector<ExecutedLayer> layers;
  for (const Impl::Step& step : impl_->steps) {
    ExecutedLayer layer;
    layer.layouts = step.layouts;
    for (size_t member : step.members) layer.operations.push_back(&impl_->operations[member]);
    for (size_t input : step.inputs) layer.types.push_back(impl_->operations[input].type);
    if (!step.members.empty()) layer.types.push_back(impl_->operations[step.result].type);
    layers.push_back(std::move(layer));
  }
  return layers;
}

std::vector<Tensor> Executor::run(const std::vector<Tensor>& inputs, const Observer& on_value) {
  return run(inputs, on_value, nullptr);
}

std::vector<Tensor> Executor::run_metered(const std::vector<Tensor>& inputs, Meter& meter) {
  return run(inputs, {}, &meter);
}

std::vector<Tensor> Executor::run(const std::vector<Tensor>& inputs, const Observer& on_value,
                                  Meter* meter) {
  Impl& impl = *impl_;
  impl.set_inputs(inputs);
  if (on_value) {
    for (size_t i = 0; i < impl.operations.size(); ++i) {
      if (impl.operations[i].kind == OpKind::kInput) on_value(i, impl.tensors[i]);
    }
  }
  if (meter != nullptr) meter->begin();
  for (size_t index = 0; index < impl.steps.size(); ++index) {
    const Impl::Step& step = impl.steps[index];
    use_threads(impl.options.num_threads);  // host operators also set it
    translate_errors("a step of the network", [&] {
      for (const std::function<void()>& action : step.actions) action();
      impl.stream.wait();
    });
    if (on_value && step.result < impl.operations.size()) {
      on_value(step.result, impl.tensors[step.result].empty() ? impl.exported(step.result)
                                                              : impl.tensors[step.result]);
    }
    for (size_t value : step.dead) impl.tensors[value] = Tensor();
    if (meter != nullptr) meter->end(index);
  }
  std::vector<Tensor> results;
  for (size_t output : impl.outputs) results.push_back(impl.tensors[output]);
  for (size_t i = 0; i < impl.operations.size(); ++i) {
    if (impl.operations[i].kind != OpKind::kConstant) impl.tensors[i] = Tensor();
  }
  return results;
}

}  // namespace vta::host
