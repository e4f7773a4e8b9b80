// SPDX-License-Identifier: Apache-2.0
#include "compiler/import/network.h"

#include <algorithm>
#include <string_view>

#include "base/errors/counted.h"
#include "base/errors/nearest.h"
#include "base/files/file.h"
#include "base/files/file_start.h"
#include "base/files/object_reader.h"
#include "base/numbers/parse_number.h"
#include "compiler/import/build_graph.h"
#include "compiler/import/measure_batch_norms.h"
#include "compiler/import/network_file.h"
#include "compiler/import/onnx_network.h"
#include "compiler/import/parameters.h"
#include "compiler/import/quantized_file.h"
#include "configs/config_files.h"
#include "runtime/host/image.h"
#include "runtime/host/network_input.h"

namespace vta::import {
namespace fs = std::filesystem;
namespace {

constexpr uint64_t kMaxFileBytes = uint64_t{4} << 20;
constexpr const char* kSynthetic = "synthetic";
constexpr int64_t kMaxSide = 1 << 16;  // of an input

std::vector<std::string> installed_networks() {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::path& folder : network_folders()) {
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
    }
  }
  std::ranges::sort(names);
  return names;
}

// Names in other collections of networks that ship, without their suffix. MXNet's v1 of deeper
// ResNets has the strides elsewhere.
constexpr std::pair<std::string_view, std::string_view> kAliases[] = {{"resnet18_v1", "resnet18"},
                                                                      {"resnet34_v1", "resnet34"}};

std::string own_name(const std::string& name) {
  for (const auto& [alias, own] : kAliases) {
    if (name == alias) return std::string(own);
    if (name == std::string(alias) + ".json") return std::string(own) + ".json";
  }
  return name;
}

fs::path find_file_of(const std::string& name);

fs::path find_network(const std::string& name) {
  std::error_code error;
  // A file of the user's with that name comes first.
  return find_file_of(fs::exists(name, error) ? name : own_name(name));
}

fs::path find_file_of(const std::string& name) {
  if (name.empty()) fail(ErrorCode::kInvalidArgument, "expected the name of a network, got ''");
  std::error_code error;
  // A folder with the name of a network does not count.
  const bool needs_suffix = !has_network_suffix(name) && !fs::is_regular_file(name, error);
  try {
    return find_file(needs_suffix ? name + ".json" : name, network_folders());
  } catch (const Error& missing) {
    if (needs_suffix && fs::exists(name, error))
      fail(ErrorCode::kInvalidArgument, "{}: not a regular file", name);
    fail(missing.code(), "{}{}", missing.what(),
         did_you_mean(fs::path(name).stem().string(), installed_networks()));
  }
}

// The input on which batch-norm statistics are measured: the sample, or standard normals.
Tensor sample_input(const NetworkDescription& network, const fs::path& folder, uint64_t seed) {
  const std::vector<int64_t>& shape = network.input_shape;
  if (network.sample.empty()) return host::noise_input({DType::kFloat32, shape}, seed);
  const ImageSpec& spec = *network.image;
  const host::Image image = host::read_image(find_beside(network.sample, folder));
  return with_context("sample " + network.sample,
                      [&] { return host::preprocess(image, spec, shape); });
}

graph::Graph synthetic_graph(const NetworkDescription& description, const fs::path& folder,
                             uint64_t seed) {
  graph::Graph graph = build_graph(description, [seed](const Parameter& parameter) {
    return synthetic_parameter(parameter, seed);
  });
  measure_batch_norms(graph, sample_input(description, folder, seed));
  return graph;
}

graph::Graph graph_from_file(const NetworkDescription& description, const fs::path& weights) {
  ParameterFile file(weights);
  graph::Graph graph = build_graph(
      description, [&file](const Parameter& parameter) { return file.read(parameter); });
  file.refuse_unused();
  return graph;
}

// Images are resized directly to the new size: crop sizes of the file would not fit it.
void set_input_size(NetworkDescription& description, const std::array<int64_t, 2>& size) {
  std::vector<int64_t>& shape = description.input_shape;
  if (shape.size() != 4 || size[0] < 1 || size[1] < 1 || size[0] > kMaxSide || size[1] > kMaxSide) {
    fail(ErrorCode::kInvalidArgument,
         "input size {} x {}: the input is [{}], expected an image with sides from 1 to {}",
         size[0], size[1], fmt::join(shape, ", "), kMaxSide);
  }
  shape[2] = size[0];
  shape[3] = size[1];
  if (!description.image) return;
  description.image->resize_short_side = 0;
  description.image->resize = {0, 0};
}

void refuse_weights_and_seed(const NetworkOptions& options) {
  if (!options.weights.empty()) {
    fail(ErrorCode::kInvalidArgument, "weights '{}': an ONNX model contains its weights",
         options.weights);
  }
  if (options.seed) {
    fail(ErrorCode::kInvalidArgument, "seed {}: an ONNX model has no synthetic weights",
         *options.seed);
  }
}

// Options for what only ONNX models leave open.
void refuse_open_sizes(const NetworkOptions& options, const char* reason) {
  if (!options.input_values.empty()) {
    fail(ErrorCode::kInvalidArgument,
         "--input-value {}: only inputs of an ONNX model can become constants",
         options.input_values[0]);
  }
  if (!options.batch_axes.empty())
    fail(ErrorCode::kInvalidArgument, "--batch-axis {}: {}", options.batch_axes[0], reason);
  if (!options.input_shapes.empty())
    fail(ErrorCode::kInvalidArgument, "--input-shape {}: {}", options.input_shapes[0], reason);
}

// Builds the graph from the layers of the network file and weights from a file or a seed.
void load_json_graph(const NetworkDescription& description, const NetworkOptions& options,
                     Network& network) {
  if (description.image && description.image->layout != ImageSpec().layout)
    fail(ErrorCode::kInvalidArgument,
         "input.image.layout: only ONNX models have inputs of layout {}",
         description.image->layout);
  const bool own = options.weights.empty();
  const std::string weights = own ? description.weights_file : options.weights;
  if (weights.empty() || weights == kSynthetic) {
    const uint64_t seed = options.seed.value_or(description.seed);
    network.weights = fmt::format("{}:{}", kSynthetic, seed);
    network.has_synthetic_weights = true;
    network.graph = synthetic_graph(description, network.folder, seed);
  } else {
    if (options.seed) {
      fail(ErrorCode::kInvalidArgument,
           "seed {}: the weights come from '{}', they are not synthetic", *options.seed, weights);
    }
    network.weights = plain_text(weights);
    network.graph = graph_from_file(description, own ? find_beside(weights, network.folder)
                                                     : find_file(weights, network_folders()));
  }
}

Network load(const fs::path& path, const NetworkOptions& options) {
  if (is_onnx_model(path)) {
    refuse_weights_and_seed(options);
    return load_onnx_model(path, options);
  }
  refuse_open_sizes(options, "a network file states all sizes of its inputs");
  NetworkDescription description = parse_network(read_text_file(path, kMaxFileBytes));
  if (options.input_size) set_input_size(description, *options.input_size);
  Network network;
  network.image = description.image;
  network.output_spec = description.output_spec;
  network.folder = path.parent_path();
  network.sample = description.sample;
  network.labels = description.labels;
  network.calibration = description.calibration;
  network.default_quantize = description.quantize;
  network.first_convolution = description.first_convolution;
  if (!description.onnx_file.empty()) {
    refuse_weights_and_seed(options);
    load_onnx_graph(find_beside(description.onnx_file, network.folder), description, network);
  } else {
    load_json_graph(description, options, network);
  }
  std::vector<TensorType> outputs;
  for (graph::NodeId id : network.graph.outputs()) outputs.push_back(network.graph.node(id).type);
  with_context("postprocess", [&] { check(network.output_spec, outputs); });
  return network;
}

Network load_quantized(const fs::path& path, const NetworkOptions& options) {
  if (!options.weights.empty() || options.seed)
    fail(ErrorCode::kInvalidArgument, "a quantized network contains its weights");
  refuse_open_sizes(options, "the sizes of a quantized network are fixed");
  if (options.input_size) {
    fail(ErrorCode::kInvalidArgument,
         "input size {} x {}: the input size of a quantized network is fixed",
         (*options.input_size)[0], (*options.input_size)[1]);
  }
  Network network = parse_quantized_file(read_file(path));
  network.folder = path.parent_path();
  return network;
}

void set_preprocessing(Network& network, const PreprocessOptions& options) {
  const std::vector<graph::NodeId> inputs = network.graph.inputs();
  if (inputs.size() != 1) {
    fail(ErrorCode::kInvalidArgument, "--preprocess and its like: the network has {}, expected one",
         counted(inputs.size(), "input"));
  }
  network.image = image_spec_of(options, network.image, network.graph.node(inputs[0]).type);
}

// What a file of another format is, and how it becomes an ONNX model; null: unknown.
const char* foreign_format(const fs::path& path) {
  struct Format {
    std::string_view suffix, start;
    size_t start_offset;
    const char* advice;
  };
  static constexpr const char* kPyTorch =
      "a PyTorch file: export the model in Python with torch.onnx.export(model, input, "
      "'model.onnx')";
  static constexpr const char* kTfLite =
      "a TensorFlow Lite model: convert it with tflite2onnx or 'python3 -m tf2onnx.convert "
      "--tflite model.tflite --output model.onnx'";
  static constexpr const char* kKeras =
      "a Keras model: convert it with tf2onnx.convert.from_keras(model, output_path='model.onnx')";
  static constexpr Format kFormats[] = {{".pt", "PK", 0, kPyTorch},
                                        {".pth", "PK", 0, kPyTorch},
                                        {".tflite", "TFL3", 4, kTfLite},
                                        {".h5", "\x89HDF", 0, kKeras},
                                        {".keras", "PK", 0, kKeras}};
  std::string start = file_start(path, 8);
  start.resize(8);
  for (const Format& format : kFormats) {
    const std::string_view bytes(start.data() + format.start_offset, format.start.size());
    if (path.extension() == format.suffix) return format.advice;
    if (format.start != "PK" && bytes == format.start) return format.advice;
  }
  return start.starts_with("PK") ? kPyTorch : nullptr;
}

}  // namespace

std::vector<fs::path> Network::files() const {
  std::vector<fs::path> found;
  for (const std::string& name : {weights, sample, labels, calibration}) {
    if (name.empty()) continue;
    try {
      found.push_back(find_beside(name, folder));
    } catch (const Error&) {  // not a file, as "synthetic:1"
    }
  }
  return found;
}

bool has_network_suffix(const std::string& name) {
  return name.ends_with(".json") || name.ends_with(".onnx") || name.ends_with(".vtaq");
}

std::array<int64_t, 2> parse_input_size(const std::string& text) {
  const size_t cross = text.find('x');
  const auto number = [&](const std::string& digits) {
    const auto value = parse_number<int64_t>(digits);
    if (!value || *value < 1 || *value > kMaxSide) {
      fail(ErrorCode::kInvalidArgument,
           "input size: expected HEIGHTxWIDTH of 1 to {} each, got '{}'", kMaxSide, text);
    }
    return *value;
  };
  const int64_t height = number(text.substr(0, cross));
  return {height, cross == std::string::npos ? height : number(text.substr(cross + 1))};
}

Network load_network(const std::string& name, const NetworkOptions& options) {
  const fs::path path = find_network(name);
  return with_context(path.string(), [&] {
    std::error_code error;
    if (!fs::is_regular_file(path, error))
      fail(ErrorCode::kInvalidArgument, "not a regular file");  // a pipe would be waited for
    if (const char* const advice = foreign_format(path))
      fail(ErrorCode::kUnsupported, "{}", advice);
    Network network =
        path.extension() == ".vtaq" ? load_quantized(path, options) : load(path, options);
    if (options.preprocess.any()) set_preprocessing(network, options.preprocess);
    return network;
  });
}

Network parse_onnx_network(const std::string& name, std::span<const uint8_t> model,
                           const NetworkOptions& options) {
  return with_context(name, [&] {
    refuse_weights_and_seed(options);
    Network network = network_of(name, onnx::parse_model(model), options);
    if (options.preprocess.any()) set_preprocessing(network, options.preprocess);
    return network;
  });
}

}  // namespace vta::import
