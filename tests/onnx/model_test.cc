// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/model.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/onnx/model_builder.h"
#include "tests/support/error_in.h"

namespace vta::onnx {
namespace {

namespace fs = std::filesystem;
using Storage = TensorSpec::Storage;

struct Sample {
  ElementType type;
  std::vector<double> values;
};

const Sample kSamples[] = {
    {ElementType::kFloat, {0, 1.5, -2.25, 1e30}},
    {ElementType::kDouble, {0, 1.5, -2.25, 1e30}},
    {ElementType::kFloat16, {0, 1.5, -2.25, 65504, 0x1p-24, 0x1p-14}},
    {ElementType::kBfloat16, {0, 1.5, -2.25, 0x1p100}},
    {ElementType::kInt8, {0, 127, -128}},
    {ElementType::kUint8, {0, 127, 255}},
    {ElementType::kInt16, {0, 32767, -32768}},
    {ElementType::kUint16, {0, 65535}},
    {ElementType::kInt32, {0, 2147483647, -2147483648.0}},
    {ElementType::kUint32, {0, 4294967295.0}},
    {ElementType::kInt64, {0, 0x1p40, -0x1p40}},
    {ElementType::kUint64, {0, 0x1p40}},
    {ElementType::kBool, {0, 1}},
};

TEST(OnnxModel, ReadsEveryElementTypeFromRawBytesAndFromTypedFields) {
  for (const Sample& sample : kSamples) {
    for (const Storage storage : {Storage::kRaw, Storage::kTyped}) {
      const auto count = static_cast<int64_t>(sample.values.size());
      const Array array =
          parse_tensor(tensor_bytes({"t", sample.type, {count}, sample.values, storage})).array;
      ASSERT_EQ(array.size(), count) << to_string(sample.type);
      for (int64_t i = 0; i < count; ++i) {
        const double value = sample.values[static_cast<size_t>(i)];
        EXPECT_EQ(array.at(i), array.is_float() ? double{static_cast<float>(value)} : value)
            << to_string(sample.type) << " element " << i;
      }
    }
  }
}

TEST(OnnxModel, ReadsTwoFourBitElementsPerByte) {
  const Array array = parse_tensor(tensor_bytes({"t", ElementType::kInt4, {3}, {-8, 7, -1}})).array;
  EXPECT_EQ(array.ints, (std::vector<int64_t>{-8, 7, -1}));
  const Array positive =
      parse_tensor(tensor_bytes({"t", ElementType::kUint4, {3}, {15, 0, 8}})).array;
  EXPECT_EQ(positive.ints, (std::vector<int64_t>{15, 0, 8}));
}

std::string error_of(const std::vector<uint8_t>& tensor) {
  return error_in([&] { parse_tensor(tensor); });
}

TEST(OnnxModel, NamesTheElementTypeThatItDoesNotRead) {
  EXPECT_EQ(error_of(tensor_bytes({"t", static_cast<ElementType>(17), {1}, {0}, Storage::kTyped})),
            "tensor 't': element type float8e4m3fn is not supported");
}

TEST(OnnxModel, RefusesFewerBytesThanTheShapeSays) {
  EXPECT_EQ(error_of(tensor_bytes({"t", ElementType::kFloat, {2, 3}, {1, 2, 3}})),
            "tensor 't': raw_data has 12 bytes, float[2, 3] has 24");
  EXPECT_EQ(error_of(tensor_bytes({"t", ElementType::kFloat, {2, 3}, {1, 2, 3}, Storage::kTyped})),
            "tensor 't': 3 elements stored, float[2, 3] has 6");
}

TEST(OnnxModel, RefusesSizesBeforeItAllocatesThem) {
  EXPECT_EQ(error_of(tensor_bytes({"t", ElementType::kFloat, {1 << 30, 1 << 30}, {}})),
            "tensor 't': shape [1073741824, 1073741824] has more than 2147483647 elements");
  EXPECT_EQ(error_of(tensor_bytes({"t", ElementType::kFloat, {-1}, {}})),
            "tensor 't': shape [-1] has a negative dimension");
}

TEST(OnnxModel, RefusesATypedValueOutsideItsType) {
  EXPECT_EQ(error_of(tensor_bytes({"t", ElementType::kInt8, {1}, {200}, Storage::kTyped})),
            "tensor 't': value 200 is outside -128 to 127");
}

TEST(OnnxModel, RejectsBytesThatAreNotAModel) {
  const std::vector<uint8_t> text = {'h', 'e', 'l', 'l', 'o'};
  EXPECT_THROW(parse_model(text), Error);
  EXPECT_THROW(parse_model({}), Error);
}

// A model file whose only tensor is stored in another file.
class ExternalData : public testing::Test {
 protected:
  ExternalData() {
    fs::create_directories(scratch_.path() / "model");
    write_file(scratch_.path() / "model/data.bin", std::vector<uint8_t>(20, 1));
  }

  std::string result(const std::string& location, const std::string& offset = "",
                     const std::string& length = "") {
    ModelBuilder model;
    model.constant(
        {"t", ElementType::kUint8, {8}, {}, Storage::kExternal, location, offset, length});
    const fs::path path = scratch_.path() / "model/model.onnx";
    write_file(path, model.bytes());
    try {
      return fmt::format("{} elements", read_model(path).constants.at("t").size());
    } catch (const Error& error) {
      const std::string message = error.what();
      const size_t folder = message.find(scratch_.path().string());
      return folder == std::string::npos ? message : message.substr(0, folder) + "...";
    }
  }

  ScratchFolder scratch_;
};

TEST_F(ExternalData, IsReadFromTheModelsFolder) {
  EXPECT_EQ(result("data.bin"), "8 elements");
  EXPECT_EQ(result("data.bin", "12", "8"), "8 elements");
}

TEST_F(ExternalData, IsRefusedOutsideTheModelsFolder) {
  write_file(scratch_.path() / "secret.bin", std::vector<uint8_t>(20, 1));
  const std::string refusal =
      "tensor 't': external data: location '{}' is not a file in the model's folder";
  for (const std::string location : {"../secret.bin", "sub/../../secret.bin", ""}) {
    EXPECT_EQ(result(location), fmt::format(fmt::runtime(refusal), location));
  }
  const std::string absolute = (scratch_.path() / "secret.bin").string();
  EXPECT_TRUE(result(absolute).starts_with("tensor 't': external data: location '"));
  fs::create_symlink("../secret.bin", scratch_.path() / "model/link.bin");
  EXPECT_EQ(result("link.bin"), fmt::format(fmt::runtime(refusal), "link.bin"));
}

TEST_F(ExternalData, IsRefusedBeyondTheEndOfItsFile) {
  EXPECT_EQ(result("data.bin", "13"), "tensor 't': external data: ...");
  EXPECT_EQ(result("data.bin", "18446744073709551615"), "tensor 't': external data: ...");
}

TEST_F(ExternalData, IsRejectedIfItsTextsAreNotNumbersOrTheLengthDiffers) {
  EXPECT_EQ(result("data.bin", "-1"),
            "tensor 't': external data: offset '-1' is not a number of bytes");
  EXPECT_EQ(result("data.bin", "0", "7"),
            "tensor 't': external data: length 7, the tensor has 8 bytes");
}

TEST_F(ExternalData, IsRefusedWhereItDoesNotExist) {
  EXPECT_EQ(result("none.bin"), "tensor 't': external data: no such file: ...");
}

// A byte of a file is eight in memory, and 32 while protobuf's array grows.
TEST(OnnxModel, ReadsManySmallIntegers) {
  constexpr uint32_t kCount = (1 << 20) + 1;                          // has just grown
  std::string bytes("\x08\x81\x80\x40\x10\x07\x3a\x81\x80\x40", 10);  // dims, data_type, int64_data
  bytes.append(kCount, '\x01');
  const auto* const first = reinterpret_cast<const uint8_t*>(bytes.data());
  EXPECT_EQ(parse_tensor({first, bytes.size()}).array.dims, Dims{kCount});
}

// They are printed, and are names of arrays in files.
TEST(OnnxModel, RefusesNamesOfInputsAndOutputsThatAFileCannotHave) {
  const auto error_of_output = [](const std::string& name) -> std::string {
    const auto bytes =
        ModelBuilder().input("x", {1, 4}).node("Relu", {"x"}, {name}).output(name).bytes();
    return error_in([&] { parse_model(bytes); });
  };
  EXPECT_EQ(error_of_output("a b/c:0 %d \xc3\xa4"), "");
  EXPECT_EQ(error_of_output(std::string(1000, 'y')), "");
  const std::string control = "': control characters in its name";
  EXPECT_EQ(error_of_output("a\nerror: b"), "output 'a?error: b" + control);
  EXPECT_EQ(error_of_output(std::string("a\0b", 3)), "output 'a?b" + control);
  EXPECT_EQ(error_of_output("a\xc2\x9b"
                            "b"),
            "output 'a?b" + control);  // CSI in UTF-8
  EXPECT_EQ(error_of_output(std::string(1001, 'y')),
            "an output's name of 1001 bytes, at most 1000 are supported");
}

}  // namespace
}  // namespace vta::onnx
