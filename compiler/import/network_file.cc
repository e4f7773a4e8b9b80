// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/network_file.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "compiler/graph/names.h"
#include "compiler/import/object_reader.h"
#include "runtime/base/error.h"
#include "runtime/base/strict_json.h"

namespace vta::import {
namespace {

constexpr size_t kMaxLayers = 4096;
constexpr size_t kMaxOutputs = 16;
constexpr int64_t kMaxDim = 1 << 20;
constexpr int64_t kMaxPictureSide = 1 << 16;

std::array<int64_t, 2> pair_of(const std::vector<int64_t>& list) { return {list[0], list[1]}; }

// One number for all sides, two for height and width, or top, left, bottom, right.
std::array<int64_t, 4> sides_of(const std::vector<int64_t>& list) {
  if (list.size() == 2) return {list[0], list[1], list[0], list[1]};
  return {list[0], list[1], list[2], list[3]};
}

template <typename Choice>
Choice choice(ObjectReader& fields, const char* key) {
  return with_context(fmt::format("field '{}'", key),
                      [&] { return choice_from_string<Choice>(fields.text(key)); });
}

std::array<double, 2> number_pair(ObjectReader& fields, const char* key) {
  const std::vector<double> list = fields.numbers(key);
  if (list.size() != 2) refuse_field(key, fields.value(key), "two numbers");
  return {list[0], list[1]};
}

using ReadAttr = void (*)(ObjectReader&, OpAttrs&);

// How each attribute of ops.def stands in the file.
const std::map<std::string, ReadAttr>& attr_readers() {
  static const std::map<std::string, ReadAttr> readers = {
      {"kernel",
       [](ObjectReader& f, OpAttrs& a) { a.kernel = pair_of(f.integers("kernel", {2})); }},
      {"stride",
       [](ObjectReader& f, OpAttrs& a) { a.stride = pair_of(f.integers("stride", {2})); }},
      {"dilation",
       [](ObjectReader& f, OpAttrs& a) { a.dilation = pair_of(f.integers("dilation", {2})); }},
      {"pad", [](ObjectReader& f, OpAttrs& a) { a.pad = sides_of(f.integers("pad", {4, 2})); }},
      {"groups", [](ObjectReader& f, OpAttrs& a) { a.groups = f.integer("groups", 1, kMaxDim); }},
      {"ceil_mode", [](ObjectReader& f, OpAttrs& a) { a.ceil_mode = f.boolean("ceil_mode"); }},
      {"count_include_pad",
       [](ObjectReader& f, OpAttrs& a) { a.count_include_pad = f.boolean("count_include_pad"); }},
      {"epsilon", [](ObjectReader& f, OpAttrs& a) { a.epsilon = f.number("epsilon"); }},
      {"lo", [](ObjectReader& f, OpAttrs& a) { a.lo = f.number("lo"); }},
      {"hi", [](ObjectReader& f, OpAttrs& a) { a.hi = f.number("hi"); }},
      {"begin", [](ObjectReader& f, OpAttrs& a) { a.begin = f.integers("begin"); }},
      {"end", [](ObjectReader& f, OpAttrs& a) { a.end = f.integers("end"); }},
      {"step", [](ObjectReader& f, OpAttrs& a) { a.step = f.integers("step"); }},
      {"before", [](ObjectReader& f, OpAttrs& a) { a.before = f.integers("before"); }},
      {"after", [](ObjectReader& f, OpAttrs& a) { a.after = f.integers("after"); }},
      {"output_pad",
       [](ObjectReader& f, OpAttrs& a) { a.output_pad = pair_of(f.integers("output_pad", {2})); }},
      {"out", [](ObjectReader& f, OpAttrs& a) { a.out = pair_of(f.integers("out", {2})); }},
      {"scale", [](ObjectReader& f, OpAttrs& a) { a.scale = number_pair(f, "scale"); }},
      {"alpha", [](ObjectReader& f, OpAttrs& a) { a.alpha = f.number("alpha"); }},
      {"beta", [](ObjectReader& f, OpAttrs& a) { a.beta = f.number("beta"); }},
      {"bias", [](ObjectReader& f, OpAttrs& a) { a.bias = f.number("bias"); }},
      {"pad_value", [](ObjectReader& f, OpAttrs& a) { a.pad_value = f.number("pad_value"); }},
      {"cubic_a", [](ObjectReader& f, OpAttrs& a) { a.cubic_a = f.number("cubic_a"); }},
      {"axes", [](ObjectReader& f, OpAttrs& a) { a.axes = f.integers("axes"); }},
      {"shape", [](ObjectReader& f, OpAttrs& a) { a.shape = f.integers("shape"); }},
      {"perm", [](ObjectReader& f, OpAttrs& a) { a.perm = f.integers("perm"); }},
      {"keep_dims", [](ObjectReader& f, OpAttrs& a) { a.keep_dims = f.boolean("keep_dims"); }},
      {"select_last",
       [](ObjectReader& f, OpAttrs& a) { a.select_last = f.boolean("select_last"); }},
      {"crd", [](ObjectReader& f, OpAttrs& a) { a.crd = f.boolean("crd"); }},
      {"exclude_outside",
       [](ObjectReader& f, OpAttrs& a) { a.exclude_outside = f.boolean("exclude_outside"); }},
      {"axis", [](ObjectReader& f, OpAttrs& a) { a.axis = f.integer("axis", -8, 7); }},
      {"size", [](ObjectReader& f, OpAttrs& a) { a.size = f.integer("size", 1, kMaxDim); }},
      {"block", [](ObjectReader& f, OpAttrs& a) { a.block = f.integer("block", 1, kMaxDim); }},
      {"pad_mode",
       [](ObjectReader& f, OpAttrs& a) { a.pad_mode = choice<PadMode>(f, "pad_mode"); }},
      {"resize_mode",
       [](ObjectReader& f, OpAttrs& a) { a.resize_mode = choice<ResizeMode>(f, "resize_mode"); }},
      {"coordinates",
       [](ObjectReader& f, OpAttrs& a) { a.coordinates = choice<Coordinates>(f, "coordinates"); }},
      {"rounding",
       [](ObjectReader& f, OpAttrs& a) { a.rounding = choice<Rounding>(f, "rounding"); }},
  };
  return readers;
}

// Those without a sensible default.
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

OpKind read_op(ObjectReader& fields) {
  static constexpr OpKind kAllowed[] = {
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
  const std::string op = fields.text("op");
  std::vector<const char*> names;
  for (OpKind kind : kAllowed) {
    if (op == to_string(kind)) return kind;
    names.push_back(to_string(kind));
  }
  fail(ErrorCode::kUnsupported, "field 'op': {} where one of {} is expected",
       shown(fields.value("op")), fmt::join(names, ", "));
}

void read_channels(ObjectReader& fields, LayerDescription& layer) {
  layer.channels = fields.integer("channels", 1, kMaxDim);
  layer.bias = fields.has("bias") ? fields.boolean("bias") : true;
}

std::string read_name(ObjectReader& fields, const char* key) {
  const std::string name = fields.text(key);
  if (!is_name(name)) {
    refuse_field(key, fields.value(key), "a name of 1 to 128 letters, digits and _./:-");
  }
  return name;
}

// Those with parameters have one operand besides.
void check_num_inputs(const LayerDescription& layer) {
  const auto least = static_cast<size_t>(has_parameters(layer.kind) ? 1 : min_inputs(layer.kind));
  const auto most = static_cast<size_t>(has_parameters(layer.kind) ? 1 : max_inputs(layer.kind));
  if (layer.inputs.size() >= least && layer.inputs.size() <= most) return;
  fail(ErrorCode::kInvalidArgument, "field 'inputs': {} where {} are expected (operator {})",
       layer.inputs.size(),
       least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most),
       to_string(layer.kind));
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
      attr_readers().at(attr)(fields, layer.attrs);
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

std::vector<LayerDescription> read_layers(const Json& list, const std::string& input_name) {
  if (!list.is_array() || list.empty() || list.size() > kMaxLayers) {
    refuse_field("layers", list, fmt::format("a list of 1 to {} layers", kMaxLayers));
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

void read_fit(ObjectReader& fields, const std::vector<int64_t>& shape, ImageSpec& spec) {
  if (fields.has("resize_short_side")) {
    const int64_t crop = std::max(shape[2], shape[3]);
    spec.resize_short_side = fields.integer("resize_short_side", crop, kMaxPictureSide);
  }
  if (fields.has("resize")) {
    spec.resize = pair_of(fields.integers("resize", {2}));
    const auto [height, width] = spec.resize;
    if (height < shape[2] || width < shape[3] || std::max(height, width) > kMaxPictureSide) {
      refuse_field("resize", fields.value("resize"),
                   fmt::format("[h, w] from the input's [{}, {}] to {}", shape[2], shape[3],
                               kMaxPictureSide));
    }
  }
  if (fields.has("letterbox")) spec.letterbox = fields.integer("letterbox", 0, 255);
  if (fields.has("filter")) spec.filter = fields.text("filter");
}

ImageSpec read_image_spec(const Json& json, const std::vector<int64_t>& shape) {
  ObjectReader fields(json);
  ImageSpec spec;
  if (shape.size() != 4) {
    fail(ErrorCode::kInvalidArgument, "a picture needs an input of shape [1, c, h, w]");
  }
  read_fit(fields, shape, spec);
  spec.channels = fields.text("channels");
  const int64_t num_channels = spec.channels == "gray" ? 1 : 3;
  if (spec.channels != "rgb" && spec.channels != "bgr" && spec.channels != "gray") {
    refuse_field("channels", fields.value("channels"), "\"rgb\", \"bgr\" or \"gray\"");
  }
  if (shape[1] != num_channels) {
    refuse_field("channels", fields.value("channels"),
                 fmt::format("a picture of the input's {} channels", shape[1]));
  }
  spec.scale = fields.number("scale");
  const auto read_per_channel = [&](const char* key) {
    std::vector<double> values = fields.numbers(key);
    if (static_cast<int64_t>(values.size()) != num_channels) {
      refuse_field(key, fields.value(key), fmt::format("{} numbers", num_channels));
    }
    return values;
  };
  spec.mean = read_per_channel("mean");
  spec.stddev = read_per_channel("stddev");
  for (double value : spec.stddev) {
    if (!(value >= 1e-6)) refuse_field("stddev", fields.value("stddev"), "at least 1e-6 each");
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
    refuse_field("shape", fields.value("shape"),
                 fmt::format("[1, c, h, w] or [1, c] with 1 to {} each", kMaxDim));
  }
  if (fields.has("image")) {
    network.image =
        with_context("image", [&] { return read_image_spec(fields.value("image"), shape); });
  }
  if (fields.has("sample")) {
    network.sample = fields.text("sample");
    if (!network.image) refuse_field("sample", fields.value("sample"), "a field 'image' beside it");
  }
  fields.refuse_unknown_keys();
}

void read_weights(const Json& json, NetworkDescription& network) {
  ObjectReader fields(json);
  const bool from_file = fields.has("file"), synthetic = fields.has("synthetic");
  if (from_file == synthetic) {
    fail(ErrorCode::kInvalidArgument, "{} where either 'file' or 'synthetic' is expected",
         shown(json));
  }
  if (from_file) {
    network.weights_file = fields.text("file");
    if (network.weights_file.empty()) refuse_field("file", fields.value("file"), "a file's name");
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
      refuse_field("anchors", lists, "a list for each output");
    for (const Json& list : lists) spec.anchors.push_back(read_anchors(list));
    if (fields.has("min_score")) spec.min_score = fields.number("min_score");
    if (fields.has("max_overlap")) spec.max_overlap = fields.number("max_overlap");
  } else if (spec.kind == "picture") {
    if (fields.has("scale")) spec.scale = fields.number("scale");
    if (fields.has("offset")) spec.offset = fields.number("offset");
  } else {
    refuse_field("kind", fields.value("kind"), "\"classes\", \"yolo\" or \"picture\"");
  }
  fields.refuse_unknown_keys();
  return spec;
}

// The last layer, if the file names none.
std::vector<std::string> read_outputs(ObjectReader& fields, const std::string& last) {
  if (!fields.has("outputs")) return {last};
  const std::vector<std::string> outputs = fields.texts("outputs");
  if (outputs.empty() || outputs.size() > kMaxOutputs) {
    refuse_field("outputs", fields.value("outputs"),
                 fmt::format("1 to {} names of layers", kMaxOutputs));
  }
  return outputs;
}

std::string read_quantize(ObjectReader& fields) {
  const std::string method = fields.text("quantize");
  if (method != "global" && method != "max" && method != "mse" && method != "kl") {
    refuse_field("quantize", fields.value("quantize"), "\"global\", \"max\", \"mse\" or \"kl\"");
  }
  return method;
}

std::string read_first_convolution(ObjectReader& fields) {
  const std::string side = fields.text("first_convolution");
  if (side != "host" && side != "core") {
    refuse_field("first_convolution", fields.value("first_convolution"), "\"host\" or \"core\"");
  }
  return side;
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
    if (network.onnx_file.empty()) refuse_field("onnx", fields.value("onnx"), "a file's name");
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
    network.layers = read_layers(fields.value("layers"), network.input_name);
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
