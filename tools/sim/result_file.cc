// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/result_file.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/files/file.h"
#include "base/files/npz_writer.h"
#include "runtime/tensor/array_type.h"
#include "tools/sim/csv_field.h"

namespace vta::sim {
namespace {

// Calls visit(values) with the tensor's elements, a span of their type.
template <typename Visit>
void visit_values(const Tensor& tensor, Visit&& visit) {
  switch (tensor.type().dtype) {
    case DType::kFloat32:
      return visit(tensor.data<float>());
    case DType::kInt8:
      return visit(tensor.data<int8_t>());
    case DType::kInt32:
      return visit(tensor.data<int32_t>());
  }
}

}  // namespace

void add_output_option(Command& command, std::string& file) {
  command.output("--output", file, "FILE",
                 "Write every output at full size under its own name: .npz, .json or .csv");
}

ResultFile::ResultFile(std::string file) : file_(std::move(file)) {
  for (const char* suffix : {".npz", ".json", ".csv"}) {
    if (file_.ends_with(suffix)) return;
  }
  throw UsageError("--output " + file_ + ": expected a name that ends in .npz, .json or .csv");
}

void ResultFile::set_outputs(const Program& program) {
  network_ = program.network;
  for (size_t i = 0; i < program.outputs.size(); ++i) {
    names_.push_back(output_name(program, i));
    is_open_.push_back(program.values.at(program.outputs[i].value).type.is_open());
  }
}

void ResultFile::add(const std::string& input, const ImageOutputs& outputs) {
  VTA_ASSERT(outputs.size() == names_.size(), "all outputs of the program");
  inputs_.push_back(input);
  outputs_.push_back(outputs);
}

void ResultFile::write() const {
  if (file_.ends_with(".npz")) {
    write_file(file_, to_npz(arrays()));
  } else {
    write_file(file_, file_.ends_with(".json") ? json() : csv());
  }
}

std::vector<ResultFile::Part> ResultFile::parts() const {
  std::vector<Part> parts;
  const size_t count = outputs_.size();
  for (size_t i = 0; i < names_.size() && count > 0; ++i) {
    if (!is_open_[i] || count == 1) {
      parts.push_back({names_[i], i, 0, count});
      continue;
    }
    for (size_t k = 0; k < count; ++k)
      parts.push_back({fmt::format("{}/{}", names_[i], k), i, k, k + 1});
  }
  return parts;
}

// A first axis of 1, the batch, becomes that of the inputs; else they get one of their own.
std::vector<int64_t> ResultFile::shape_of(const Part& part) const {
  std::vector<int64_t> shape = outputs_[part.first][part.output].type().shape;
  const auto count = static_cast<int64_t>(part.end - part.first);
  if (!shape.empty() && shape[0] == 1) {
    shape[0] = count;
  } else if (count > 1) {
    shape.insert(shape.begin(), count);
  }
  return shape;
}

NamedArrays ResultFile::arrays() const {
  NamedArrays arrays;
  for (const Part& part : parts()) {
    NamedArray& array = arrays[part.name];
    array.type = array_type(outputs_[part.first][part.output].type().dtype);
    array.shape = shape_of(part);
    array.bytes.clear();
    for (size_t i = part.first; i < part.end; ++i) {
      const auto bytes = outputs_[i][part.output].bytes();
      array.bytes.insert(array.bytes.end(), bytes.begin(), bytes.end());
    }
  }
  return arrays;
}

std::string ResultFile::json() const {
  using Json = nlohmann::ordered_json;
  Json json = {{"network", network_}, {"inputs", inputs_}, {"outputs", Json::object()}};
  for (const Part& part : parts()) {
    Json data = Json::array();
    for (size_t i = part.first; i < part.end; ++i) {
      visit_values(outputs_[i][part.output], [&](const auto& values) {
        for (const auto value : values) data.push_back(value);
      });
    }
    json["outputs"][part.name] = {
        {"dtype", to_string(outputs_[part.first][part.output].type().dtype)},
        {"shape", shape_of(part)},
        {"data", std::move(data)}};
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string ResultFile::csv() const {
  std::string text = "input,output,index,value\n";
  for (size_t image = 0; image < inputs_.size(); ++image) {
    for (size_t i = 0; i < names_.size(); ++i) {
      const std::string start = csv_field(inputs_[image]) + "," + csv_field(names_[i]);
      visit_values(outputs_[image][i], [&](const auto& values) {
        for (size_t k = 0; k < values.size(); ++k)
          text += fmt::format("{},{},{}\n", start, k, values[k]);
      });
    }
  }
  return text;
}

}  // namespace vta::sim
