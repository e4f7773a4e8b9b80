// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/network_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <type_traits>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/files/object_reader.h"
#include "base/files/strict_json.h"
#include "compiler/graph/names.h"

namespace vta::import {
namespace {

constexpr size_t kMaxLayers = 4096;
constexpr size_t kMaxOutputs = 16;
constexpr int64_t kMaxDim = 1 << 20;
constexpr int64_t kMaxImageSide = 1 << 16;

std::array<int64_t, 2> pair_of(const std::vector<int64_t>& list) { return {list[0], list[1]}; }

// One integer for all sides, two for height and width, or four: top, left, bottom, right.
std::array<int64_t, 4> sides_of(const std::vector<int64_t>& list) {
  if (list.size() == 2) return {list[0], list[1], list[0], list[1]};
  return {list[0], list[1], list[2], list[3]};
}

// Reads a value of each type.
void read_value(ObjectReader& fields, const char* key, bool& value) { value = fields.boolean(key); }
void read_value(ObjectReader& fields, const char* key, double& value) {
  value = fields.number(key);
}
void read_value(ObjectReader& fields, const char* key, int64_t& value) {
  value = fields.integer(key, 1, kMaxDim);
}
void read_value(ObjectReader& fields, const char* key, std::vector<int64_t>& value) {
  value = fields.integers(key);
}
void read_value(ObjectReader& fields, const char* key, std::array<int64_t, 2>& value) {
  value = pair_of(fields.integers(key, {2}));
}
void read_value(ObjectReader& fields, const char* key, std::array<int64_t, 4>& value) {
  value = sides_of(fields.integers(key, {4, 2}));
}
void read_value(ObjectReader& fields, const char* key, std::array<double, 2>& value) {
  const std::vector<double> list = fields.numbers(key);
  if (list.size() != 2) fields.refuse(key, "two numbers");
  value = {list[0], list[1]};
}
template <typename Choice>
  requires std::is_enum_v<Choice>
void read_value(ObjectReader& fields, const char* key, Choice& value) {
  value = with_context(fmt::format("field '{}'", key),
                       [&] { return choice_from_string<Choice>(fields.text(key)); });
}

template <auto kMember>
void read_member(ObjectReader& fields, const char* key, OpAttrs& attrs) {
  read_value(fields, key, attrs.*kMember);
}

void read_axis(ObjectReader& fields, const char* key, OpAttrs& attrs) {
  attrs.axis = fields.integer(key, -8, 7);
}

// The attributes of kLayerOps.
struct AttrReader {
  std::string_view name;
  void (*read)(ObjectReader& fields, const char* key, OpAttrs& attrs);
};
constexpr AttrReader kAttrReaders[] = {
    {"kernel", read_member<&OpAttrs::kernel>},
    {"stride", read_member<&OpAttrs::stride>},
    {"dilation", read_member<&OpAttrs::dilation>},
    {"pad", read_member<&OpAttrs::pad>},
    {"groups", read_member<&OpAttrs::groups>},
    {"ceil_mode", read_member<&OpAttrs::ceil_mode>},
    {"count_include_pad", read_member<&OpAttrs::count_include_pad>},
    {"epsilon", read_member<&OpAttrs::epsilon>},
    {"lo", read_member<&OpAttrs::lo>},
    {"hi", read_member<&OpAttrs::hi>},
    {"begin", read_member<&OpAttrs::begin>},
    {"end", read_member<&OpAttrs::end>},
    {"step", read_member<&OpAttrs::step>},
    {"before", read_member<&OpAttrs::before>},
    {"after", read_member<&OpAttrs::after>},
    {"output_pad", read_member<&OpAttrs::output_pad>},
    {"out", read_member<&OpAttrs::out>},
    {"scale", read_member<&OpAttrs::scale>},
    {"alpha", read_member<&OpAttrs::alpha>},
    {"beta", read_member<&OpAttrs::beta>},
    {"bias", read_member<&OpAttrs::bias>},
    {"pad_value", read_member<&OpAttrs::pad_value>},
    {"cubic_a", read_member<&OpAttrs::cubic_a>},
    {"axes", read_member<&OpAttrs::axes>},
    {"shape", read_member<&OpAttrs::shape>},
    {"perm", read_member<&OpAttrs::perm>},
    {"keep_dims", read_member<&OpAttrs::keep_dims>},
    {"crd", read_member<&OpAttrs::crd>},
    {"exclude_outside", read_member<&OpAttrs::exclude_outside>},
    {"axis", read_axis},
    {"size", read_member<&OpAttrs::size>},
    {"block", read_member<&OpAttrs::block>},
    {"pad_mode", read_member<&OpAttrs::pad_mode>},
    {"resize_mode", read_member<&OpAttrs::resize_mode>},
    {"coordinates", read_member<&OpAttrs::coordinates>},
    {"rounding", read_member<&OpAttrs::rounding>},
};

void read_attr(ObjectReader& fields, const std::string& name, OpAttrs& attrs) {
  const auto* reader = std::ranges::find(kAttrReaders, name, &AttrReader::name);
  VTA_ASSERT(reader != std::end(kAttrReaders), "every attribute of a layer has a reader");
  reader->read(fields, name.c_str(), attrs);
}

// Attributes without a sensible default.
bool is_required(OpKind kind, const std::string& attr) {
  static const std::set<std::string> always = {"kernel", "lo",     "hi",    "begin", "end",
                                               "step",   "before", "after", "alpha", "shape",
                                               "perm",   "axes",   "size",  "block", "beta"};
  const bool is_pool = kind == OpKind::kMaxPool2d || kind == OpKind::kAvgPool2d;
  return always.count(attr) != 0 || (is_pool && attr == "stride") ||
         (kind == OpKind::kConcat && attr == "axis");
}

bool has_channels(OpKind kind) {
  return kind == OpKind::kConv2d || kind == OpKind::kConv2dTranspose || kind == OpKind::kDense;
}

bool has_parameters(OpKind kind) { return has_channels(kind) || kind == OpKind::kBatchNorm; }

// The operators of layers: all of float32 except prelu and arg_max, which only ONNX models use.
constexpr OpKind kLayerOps[] = {
    OpKind::kConv2d,
    OpKind::kConv2dTranspose,
    OpKind::kDense,
    OpKind::kMatmul,
    OpKind::kBatchNorm,
    OpKind::kRelu,
    OpKind::kClip,
    OpKind::kLeakyRelu,
    OpKind::kSigmoid,
    OpKind::kTanh,
    OpKind::kHardSigmoid,
    OpKind::kHardSwish,
    OpKind::kSilu,
    OpKind::kAbs,
    OpKind::kExp,
    OpKind::kLog,
    OpKind::kSqrt,
    OpKind::kErf,
    OpKind::kGelu,
    OpKind::kSoftplus,
    OpKind::kMish,
    OpKind::kElu,
    OpKind::kPower,
    OpKind::kAdd,
    OpKind::kSub,
    OpKind::kMul,
    OpKind::kDiv,
    OpKind::kMin,
    OpKind::kMax,
    OpKind::kMaxPool2d,
    OpKind::kAvgPool2d,
    OpKind::kGlobalAvgPool2d,
    OpKind::kGlobalMaxPool2d,
    OpKind::kResize2d,
    OpKind::kSoftmax,
    OpKind::kLrn,
    OpKind::kReduceMean,
    OpKind::kFlatten,
    OpKind::kReshape,
    OpKind::kTranspose,
    OpKind::kConcat,
    OpKind::kStridedSlice,
    OpKind::kPad,
    OpKind::kDepthToSpace,
};

OpKind read_op(ObjectReader& fields) {
  const std::string op = fields.text("op");
  std::vector<const char*> names;
  for (OpKind kind : kLayerOps) {
    if (op == to_string(kind)) return kind;
    names.push_back(to_string(kind));
  }
  fail(ErrorCode::kUnsupported, "field 'op': unknown operator {}; expected one of {}",
       shown(fields.value("op")), fmt::join(names, ", "));
}

void read_channels(ObjectReader& fields, LayerDescription& layer) {
  layer.channels = fields.integer("channels", 1, kMaxDim);
  layer.bias = fields.has("bias") ? fields.boolean("bias") : true;
}

std::string read_name(ObjectReader& fields, const char* key) {
  const std::string name = fields.text(key);
  if (!is_name(name)) {
    fields.refuse(key, "a name of 1 to 128 letters, digits and _./:-");
  }
  return name;
}

// A layer with parameters has one input; its parameters are operands too.
void check_num_inputs(const LayerDescription& layer) {
  const auto min = static_cast<size_t>(has_parameters(layer.kind) ? 1 : min_inputs(layer.kind));
  const auto max = static_cast<size_t>(has_parameters(layer.kind) ? 1 : max_inputs(layer.kind));
  if (layer.inputs.size() >= min && layer.inputs.size() <= max) return;
  fail(ErrorCode::kInvalidArgument, "field 'inputs': expected {} (operator {}), got {}",
       min == max ? fmt::format("{}", min) : fmt::format("{} to {}", min, max),
       to_string(layer.kind), layer.inputs.size());
}

LayerDescription read_layer(const Json& json, const std::string& previous) {
  ObjectReader fields(json);
  LayerDescription layer;
  layer.name = read_name(fields, "name");
  layer.kind = read_op(fields);
  layer.inputs = fields.has("inputs") ? fields.texts("inputs") : std::vector{previous};
  check_num_inputs(layer);
  for (const std::string& attr : attr_names(layer.kind)) {
    if (fields.has(attr.c_str()) || is_required(layer.kind, attr)) {
      read_attr(fields, attr, layer.attrs);
    }
  }
  if (has_channels(layer.kind)) read_channels(fields, layer);
  layer.params = layer.name;
  if (has_parameters(layer.kind) && fields.has("params")) {
    layer.params = read_name(fields, "params");
  }
  fields.refuse_unknown_keys();
  return layer;
}

std::vector<LayerDescription> read_layers(ObjectReader& fields, const std::string& input_name) {
  const Json& list = fields.value("layers");
  if (!list.is_array() || list.empty() || list.size() > kMaxLayers) {
    fields.refuse("layers", fmt::format("a list of 1 to {} layers", kMaxLayers));
  }
  std::vector<LayerDescription> layers;
  for (const Json& json : list) {
    const bool is_named = json.is_object() && json.contains("name") && json["name"].is_string();
    const std::string where = is_named
                                  ? fmt::format("layer {} {}", layers.size(), shown(json["name"]))
                                  : fmt::format("layer {}", layers.size());
    const std::string previous = layers.empty() ? input_name : layers.back().name;
    layers.push_back(with_context(where, [&] { return read_layer(json, previous); }));
  }
  return layers;
}

void read_fit(ObjectReader& fields, const ImageExtent& extent, ImageSpec& spec) {
  if (fields.has("resize_short_side")) {
    const int64_t crop = std::max(extent.height, extent.width);
    spec.resize_short_side = fields.integer("resize_short_side", crop, kMaxImageSide);
  }
  if (fields.has("resize")) {
    spec.resize = pair_of(fields.integers("resize", {2}));
    const auto [height, width] = spec.resize;
    if (height < extent.height || width < extent.width || std::max(height, width) > kMaxImageSide) {
      fields.refuse("resize", fmt::format("[h, w] from the input's [{}, {}] to {}", extent.height,
                                          extent.width, kMaxImageSide));
    }
  }
  if (fields.has("letterbox")) spec.letterbox = fields.integer("letterbox", 0, 255);
  if (fields.has("filter")) spec.filter = fields.text("filter");
}

ImageSpec read_image_spec(const Json& json, const std::vector<int64_t>& shape) {
  ObjectReader fields(json);
  ImageSpec spec;
  if (shape.size() != 4) {
    fail(ErrorCode::kInvalidArgument, "expected an input of shape [1, c, h, w] for an image");
  }
  if (fields.has("layout")) spec.layout = fields.text("layout");
  if (spec.layout != "nchw" && spec.layout != "nhwc")
    fields.refuse("layout", "\"nchw\" or \"nhwc\"");
  const ImageExtent extent = image_extent(spec, shape);
  read_fit(fields, extent, spec);
  spec.channels = fields.text("channels");
  const int64_t num_channels = spec.channels == "gray" ? 1 : 3;
  if (spec.channels != "rgb" && spec.channels != "bgr" && spec.channels != "gray") {
    fields.refuse("channels", "\"rgb\", \"bgr\" or \"gray\"");
  }
  if (extent.channels != num_channels) {
    fields.refuse("channels",
                  fmt::format("{} as the input has", counted(extent.channels, "channel")));
  }
  spec.scale = fields.number("scale");
  const auto read_per_channel = [&](const char* key) {
    std::vector<double> values = fields.numbers(key);
    if (static_cast<int64_t>(values.size()) != num_channels) {
      fields.refuse(key, counted(num_channels, "number"));
    }
    return values;
  };
  spec.mean = read_per_channel("mean");
  spec.stddev = read_per_channel("stddev");
  for (double value : spec.stddev) {
    if (!(value >= 1e-6)) fields.refuse("stddev", "at least 1e-6 each");
  }
  check(spec, num_channels);
  fields.refuse_unknown_keys();
  return spec;
}

void read_input(const Json& json, NetworkDescription& network) {
  ObjectReader fields(json);
  network.input_name = read_name(fields, "name");
  network.input_shape = fields.integers("shape");
  const std::vector<int64_t>& shape = network.input_shape;
  if ((shape.size() != 2 && shape.size() != 4) || shape[0] != 1 ||
      std::any_of(shape.begin(), shape.end(),
                  [](int64_t dim) { return dim < 1 || dim > kMaxDim; })) {
    fields.refuse("shape", fmt::format("[1, c, h, w] or [1, c] with 1 to {} each", kMaxDim));
  }
  if (fields.has("image")) {
    network.image =
        with_context("image", [&] { return read_image_spec(fields.value("image"), shape); });
  }
  if (fields.has("sample")) {
    network.sample = fields.text("sample");
    if (!network.image) fields.refuse("sample", "a field 'image' for the sample");
  }
  fields.refuse_unknown_keys();
}

void read_weights(const Json& json, NetworkDescription& network) {
  ObjectReader fields(json);
  const bool from_file = fields.has("file"), synthetic = fields.has("synthetic");
  if (from_file == synthetic) {
    fail(ErrorCode::kInvalidArgument, "expected either 'file' or 'synthetic', got {}", shown(json));
  }
  if (from_file) {
    network.weights_file = fields.text("file");
    if (network.weights_file.empty()) fields.refuse("file", "a file's name");
  } else {
    with_context("synthetic", [&] {
      ObjectReader inner(fields.value("synthetic"));
      network.seed = inner.seed("seed");
      inner.refuse_unknown_keys();
    });
  }
  fields.refuse_unknown_keys();
}

std::vector<double> read_anchors(const Json& list) {
  const Json object = {{"anchors", list}};
  return ObjectReader(object).numbers("anchors");
}

OutputSpec read_output_spec(const Json& json) {
  ObjectReader fields(json);
  OutputSpec spec;
  spec.kind = fields.text("kind");
  if (spec.kind == "classes") {
    if (fields.has("top")) spec.top = fields.integer("top", 1, 1000);
  } else if (spec.kind == "yolo") {
    const Json& lists = fields.value("anchors");
    if (!lists.is_array() || lists.size() > kMaxOutputs)
      fields.refuse("anchors", "a list per output");
    for (const Json& list : lists) spec.anchors.push_back(read_anchors(list));
    if (fields.has("min_score")) spec.min_score = fields.number("min_score");
    if (fields.has("max_overlap")) spec.max_overlap = fields.number("max_overlap");
  } else if (spec.kind == "image") {
    if (fields.has("scale")) spec.scale = fields.number("scale");
    if (fields.has("offset")) spec.offset = fields.number("offset");
  } else if (spec.kind != "none") {
    fields.refuse("kind", "\"classes\", \"yolo\", \"image\" or \"none\"");
  }
  fields.refuse_unknown_keys();
  return spec;
}

// Default: the last layer.
std::vector<std::string> read_outputs(ObjectReader& fields, const std::string& last) {
  if (!fields.has("outputs")) return {last};
  const std::vector<std::string> outputs = fields.texts("outputs");
  if (outputs.empty() || outputs.size() > kMaxOutputs) {
    fields.refuse("outputs", fmt::format("1 to {} names of layers", kMaxOutputs));
  }
  return outputs;
}

std::string read_quantize(ObjectReader& fields) {
  const std::string method = fields.text("quantize");
  if (method != "global" && method != "max" && method != "mse" && method != "kl") {
    fields.refuse("quantize", "\"global\", \"max\", \"mse\" or \"kl\"");
  }
  return method;
}

Place read_first_convolution(ObjectReader& fields) {
  const std::optional<Place> place = place_from_string(fields.text("first_convolution"));
  if (!place) fields.refuse("first_convolution", "\"host\" or \"core\"");
  return *place;
}

}  // namespace

bool is_name(const std::string& text) {
  constexpr size_t kMaxChars = 128;
  return !text.empty() && text.size() <= kMaxChars &&
         std::all_of(text.begin(), text.end(), graph::is_name_letter);
}

ImageSpec parse_image_spec(const std::string& json_text, const std::vector<int64_t>& shape) {
  return read_image_spec(parse_strict_json(json_text), shape);
}

OutputSpec parse_output_spec(const std::string& json_text) {
  return read_output_spec(parse_strict_json(json_text));
}

NetworkDescription parse_network(const std::string& json_text) {
  const Json json = parse_strict_json(json_text);
  ObjectReader fields(json);
  NetworkDescription network;
  fields.integer("format", 1, 1);
  network.name = read_name(fields, "name");
  with_context("input", [&] { read_input(fields.value("input"), network); });
  if (fields.has("onnx")) {
    network.onnx_file = fields.text("onnx");
    if (network.onnx_file.empty()) fields.refuse("onnx", "a file's name");
  } else {
    with_context("weights", [&] { read_weights(fields.value("weights"), network); });
  }
  network.quantize = read_quantize(fields);
  if (fields.has("first_convolution")) {
    network.first_convolution = read_first_convolution(fields);
  }
  if (fields.has("labels")) network.labels = fields.text("labels");
  if (fields.has("calibration")) network.calibration = fields.text("calibration");
  if (network.onnx_file.empty()) {
    network.layers = read_layers(fields, network.input_name);
    network.outputs = read_outputs(fields, network.layers.back().name);
  }
  if (fields.has("postprocess")) {
    network.output_spec =
        with_context("postprocess", [&] { return read_output_spec(fields.value("postprocess")); });
  }
  fields.refuse_unknown_keys();
  return network;
}

}  // namespace vta::import
