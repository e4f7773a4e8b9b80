// SPDX-License-Identifier: Apache-2.0
//
// Networks with several inputs, of float32 and int32: from a model to its outputs.
#include "tools/sim/network_input.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/npz_writer.h"
#include "base/files/scratch_folder.h"
#include "compiler/calibration.h"
#include "compiler/compile.h"
#include "configs/core_config.h"
#include "runtime/host/host_operators.h"
#include "runtime/session/session.h"
#include "sim/functional/functional_device.h"
#include "tests/onnx/model_builder.h"
#include "tests/support/error_in.h"
#include "tools/compile/network_arguments.h"
#include "tools/sim/batched_inference.h"

namespace vta::sim {
namespace {

NamedArray array_of(ArrayType type, std::vector<int64_t> shape, const auto& values) {
  NamedArray array{type, std::move(shape), {}};
  const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
  array.bytes.assign(bytes, bytes + values.size() * size_bytes(type));
  return array;
}

class SeveralInputs : public ::testing::Test {
 protected:
  // y: a convolution of a + b; e: the rows `ids` of a table whose row i is i + 0.5.
  SeveralInputs() {
    onnx::ModelBuilder model;
    model.input("a", {1, 16, 4, 4}).input("b", {1, 16, 4, 4});
    model.input("ids", {1, 2}, onnx::ElementType::kInt64);
    model.floats("w", {8, 16, 1, 1}, std::vector<double>(128, 0.25));
    model.floats("table", {3, 1}, {0.5, 1.5, 2.5});
    model.node("Add", {"a", "b"}, {"sum"}).node("Conv", {"sum", "w"}, {"y"});
    model.node("Gather", {"table", "ids"}, {"e"});
    model.output("y").output("e");
    write_file(folder_ / "two.onnx", model.bytes());
    const std::vector<float> image(256, 0.5f);
    const std::vector<int64_t> ids = {2, 1};
    arrays_["a"] = arrays_["b"] = array_of(ArrayType::kFloat32, {1, 16, 4, 4}, image);
    arrays_["ids"] = array_of(ArrayType::kInt64, {1, 2}, ids);
    write_file(folder_ / "all.npz", to_npz(arrays_));
    network_ = import::load_network(folder_ / "two.onnx");
  }

  Program program(const NetworkArguments& arguments = {}) {
    return compile(network_, compile_options(network_, arguments)).program;
  }

  std::string error(const std::vector<std::string>& texts) {
    return error_in([&] { input_files(program(), texts); });
  }

  const ScratchFolder folder_;
  NamedArrays arrays_;
  import::Network network_;
};

TEST_F(SeveralInputs, AreReadByName) {
  const std::string all = folder_ / "all.npz";
  const Program p = program({.calibrate = "npz:" + all});
  EXPECT_EQ(p.calibration, "1 image");
  const auto runs = input_files(p, {"ids=" + all, "a=" + all, "b=" + all, all});
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0], runs[1]);
  EXPECT_EQ(text_of(p, runs[0]), fmt::format("a={0}, b={0}, ids={0}", all));
  ImageInputs inputs;
  for (size_t i = 0; i < 3; ++i) inputs.push_back(read_program_input(p, i, runs[0][i], false));
  const auto device = open_functional_device("functional", p.core);
  Session session(p, *device, host::execute);
  const ImageOutputs outputs = infer_batch(p, session, {inputs}, nullptr).at(0);
  EXPECT_EQ(outputs.at(0).type(), (TensorType{DType::kFloat32, {1, 8, 4, 4}}));
  EXPECT_NEAR(outputs.at(0).data<float>()[0], 4.0f, 0.04f);
  EXPECT_EQ(outputs.at(1).data<float>()[0], 2.5f);
  EXPECT_EQ(outputs.at(1).data<float>()[1], 1.5f);
}

// A convolution, and a constant of this shape as a second output: prior boxes.
import::Network network_with_priors(const ScratchFolder& folder, std::vector<int64_t> shape) {
  onnx::ModelBuilder model;
  model.input("x", {1, 16, 2, 2});
  model.floats("w", {8, 16, 1, 1}, std::vector<double>(128, 0.25));
  model.floats("priors", std::move(shape), {1, 2, 3, 4, 5, 6});
  model.node("Conv", {"x", "w"}, {"y"}).output("y").output("priors");
  write_file(folder / "priors.onnx", model.bytes());
  return import::load_network(folder / "priors.onnx");
}

TEST(BatchedInference, GivesEachImageTheOutputsThatNoInputChanges) {
  const ScratchFolder folder;
  const import::Network network = network_with_priors(folder, {1, 2, 3});
  const Program p = compile(network, compile_options(network, {.core = "vta_4x8"})).program;
  const std::vector<ImageInputs> images(3, {Tensor(TensorType{DType::kFloat32, {1, 16, 2, 2}})});
  const auto device = open_functional_device("functional", p.core);
  Session session(p, *device, host::execute);
  for (const ImageOutputs& outputs : infer_batch(p, session, images, nullptr)) {
    ASSERT_EQ(outputs.at(1).type(), (TensorType{DType::kFloat32, {1, 2, 3}}));
    EXPECT_EQ(outputs[1].data<float>()[0], 1.0f);
    EXPECT_EQ(outputs[1].data<float>()[5], 6.0f);
  }
  const import::Network rows = network_with_priors(folder, {2, 3});
  const std::string refusal =
      error_in([&] { compile(rows, compile_options(rows, {.core = "vta_4x8"})); });
  EXPECT_NE(refusal.find("output priors is the same for each"), std::string::npos) << refusal;
}

// A dense layer on the five rows of a sample.
TEST(BatchedInference, GivesEachImageAllOfItsRows) {
  onnx::ModelBuilder model;
  model.input("x", {1, 5, 8});
  model.integers("shape", {5, 8}).floats("w", {8, 8}, std::vector<double>(64, 0.25));
  model.node("Reshape", {"x", "shape"}, {"rows"});
  model.node("Gemm", {"rows", "w"}, {"y"}).output("y");
  const ScratchFolder folder;
  write_file(folder / "rows.onnx", model.bytes());
  const import::Network network = import::load_network(folder / "rows.onnx");
  const Program p = compile(network, compile_options(network, {.core = "vta_4x8"})).program;
  std::vector<ImageInputs> images;
  for (const float value : {0.5f, 1.0f}) {
    Tensor x(TensorType{DType::kFloat32, {1, 5, 8}});
    std::ranges::fill(x.mutable_data<float>(), value);
    images.push_back({x});
  }
  const auto device = open_functional_device("functional", p.core);
  Session session(p, *device, host::execute);
  const std::vector<ImageOutputs> outputs = infer_batch(p, session, images, nullptr);
  for (size_t image = 0; image < 2; ++image) {
    const Tensor& y = outputs.at(image).at(0);
    ASSERT_EQ(y.type(), (TensorType{DType::kFloat32, {5, 8}}));
    for (const float value : y.data<float>()) EXPECT_NEAR(value, 1 + image, 0.1f);
  }
}

TEST_F(SeveralInputs, AreAllNecessary) {
  EXPECT_EQ(error({"a=x.npy", "ids=y.npy"}), "--input: 0 files for input b, 1 for input a");
  EXPECT_EQ(error({"c=x.npy"}),
            "--input c=x.npy: the network has inputs a, b, ids; name one as NAME=FILE");
  EXPECT_EQ(error({"x.npy"}),
            "--input x.npy: the network has inputs a, b, ids; name one as NAME=FILE");
}

TEST_F(SeveralInputs, AreNoiseByDefault) {
  const Calibration own = own_calibration(network_);
  EXPECT_EQ(own.source, kNoise);
  ASSERT_EQ(own.sets.size(), 1u);
  ASSERT_EQ(own.sets[0].size(), 3u);
  EXPECT_NE(own.sets[0][0].data<float>()[0], own.sets[0][1].data<float>()[0]);
  for (int32_t index : own.sets[0][2].data<int32_t>()) {
    EXPECT_GE(index, 0);
    EXPECT_LE(index, 1);
  }
}

TEST_F(SeveralInputs, RefuseArraysThatDoNotFit) {
  const auto refused = [&](NamedArrays arrays, const std::string& what) {
    write_file(folder_ / "bad.npz", to_npz(arrays));
    const Error error =
        expect_error([&] { program({.calibrate = "npz:" + std::string(folder_ / "bad.npz")}); });
    EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
  };
  NamedArrays arrays = arrays_;
  arrays["ids"] = array_of(ArrayType::kInt64, {1, 2}, std::vector<int64_t>{0, int64_t{1} << 31});
  refused(arrays, "element 1 of array 'ids' is 2147483648, beyond 32 bits");
  arrays["ids"] = array_of(ArrayType::kFloat32, {1, 2}, std::vector<float>{0, 1});
  refused(arrays, "array 'ids' is float32[1, 2], the network's input is int32");
  arrays["ids"] = array_of(ArrayType::kInt64, {2, 2}, std::vector<int64_t>{0, 1, 1, 0});
  refused(arrays, "array 'ids' has 2 rows, array 'a' has 1");
  arrays.erase("ids");
  refused(arrays, "array 'ids' is missing");
}

TEST(NamedFile, IsAFileIfItExists) {
  const ScratchFolder folder;
  const std::string odd = folder / "a=b.npy";
  EXPECT_EQ(parse_named_file("ids=a.npy").name, "ids");
  EXPECT_EQ(parse_named_file("ids=a.npy").file, "a.npy");
  EXPECT_EQ(parse_named_file("a.npy").name, "");
  write_file(odd, std::string("x"));
  EXPECT_EQ(parse_named_file(odd).file, odd);
}

}  // namespace
}  // namespace vta::sim
