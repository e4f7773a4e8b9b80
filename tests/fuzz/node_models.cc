// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/node_models.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include "base/errors/error.h"
#include "base/files/file.h"

namespace vta::fuzz {
namespace {

namespace fs = std::filesystem;
namespace pb = ::onnx;

constexpr size_t kMaxBytes = 8192;  // the length that scripts/fuzz gives to the fuzzer
constexpr size_t kMaxConstantBytes = 64;

template <typename Message>
Message read_message(const fs::path& path) {
  const std::vector<uint8_t> bytes = read_file(path);
  Message message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    fail(ErrorCode::kCorrupt, "{} is not a message of ONNX", path.string());
  return message;
}

void write_model(const fs::path& path, const pb::ModelProto& model) {
  const std::string bytes = model.SerializeAsString();
  if (bytes.size() <= kMaxBytes) write_file(path, bytes);
}

// Data of more than one axis stay inputs.
bool is_parameter(const pb::TensorProto& tensor) {
  const bool is_real = tensor.data_type() == pb::TensorProto::FLOAT;
  return tensor.raw_data().size() <= kMaxConstantBytes && (!is_real || tensor.dims_size() <= 1);
}

// Whether there is any.
bool add_small_inputs(const fs::path& data, pb::ModelProto& model) {
  pb::GraphProto& graph = *model.mutable_graph();
  for (int i = 0; i < graph.input_size(); ++i) {
    const fs::path file = data / fmt::format("input_{}.pb", i);
    if (!fs::exists(file) || !graph.input(i).type().has_tensor_type()) continue;
    auto tensor = read_message<pb::TensorProto>(file);
    if (!is_parameter(tensor)) continue;
    tensor.set_name(graph.input(i).name());
    *graph.add_initializer() = tensor;
  }
  return graph.initializer_size() > 0;
}

}  // namespace

void write_node_models(const fs::path& tests, const fs::path& folder) {
  for (const fs::directory_entry& test : fs::directory_iterator(tests)) {
    const fs::path file = test.path() / "model.onnx";
    if (!fs::exists(file)) continue;
    auto model = read_message<pb::ModelProto>(file);
    const std::string name = test.path().filename();
    write_model(folder / name, model);
    if (add_small_inputs(test.path() / "test_data_set_0", model))
      write_model(folder / (name + "_constants"), model);
  }
}

}  // namespace vta::fuzz
