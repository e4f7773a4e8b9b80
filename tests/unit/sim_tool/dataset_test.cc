// SPDX-License-Identifier: Apache-2.0
#include "sim/tool/dataset.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/base/error.h"
#include "runtime/base/file.h"

namespace vta::sim {
namespace {

const TensorType kCifarInput = {DType::kFloat32, {1, 3, 32, 32}};
const ImageSpec kPlainPixels = {0, "rgb", 1, {0, 0, 0}, {1, 1, 1}};

// Two records: label 3, red 10, green 20, blue 30; label 9, all 255.
std::string cifar_file() {
  std::vector<uint8_t> bytes = {3};
  for (const uint8_t plane : {10, 20, 30}) bytes.insert(bytes.end(), 1024, plane);
  bytes.push_back(9);
  bytes.insert(bytes.end(), 3072, 255);
  const std::string file =
      ::testing::TempDir() + "two_images_" + std::to_string(::getpid()) + ".bin";
  write_file(file, bytes);
  return file;
}

TEST(DatasetSpec, HasKindFileAndCount) {
  const DatasetSpec spec = parse_dataset_spec("cifar10:data/test.bin:100");
  EXPECT_EQ(spec.kind, DatasetSpec::Kind::kCifar10);
  EXPECT_EQ(spec.file, "data/test.bin");
  EXPECT_EQ(spec.count, 100);
}

TEST(DatasetSpec, TakesAllImagesWithoutCount) {
  const DatasetSpec spec = parse_dataset_spec("npz:digits.npz");
  EXPECT_EQ(spec.kind, DatasetSpec::Kind::kNpz);
  EXPECT_EQ(spec.count, std::nullopt);
}

TEST(DatasetSpec, LeavesColonsInFileNamesAlone) {
  EXPECT_EQ(parse_dataset_spec("npz:a:b.npz").file, "a:b.npz");
  EXPECT_EQ(parse_dataset_spec("npz:a:b.npz:7").file, "a:b.npz");
}

TEST(DatasetSpec, RefusesOtherForms) {
  for (const char* text : {"", "test.bin", "mnist:x", "npz:", ":x"}) {
    EXPECT_THROW(parse_dataset_spec(text), Error) << text;
  }
}

TEST(Cifar10, GivesLabelsAndPlanes) {
  const Dataset dataset =
      read_dataset(parse_dataset_spec("cifar10:" + cifar_file()), kCifarInput, kPlainPixels);
  EXPECT_EQ(dataset.labels, (std::vector<int64_t>{3, 9}));
  const auto first = dataset.inputs[0].data<float>();
  EXPECT_FLOAT_EQ(first[0], 10);
  EXPECT_FLOAT_EQ(first[1024], 20);
  EXPECT_FLOAT_EQ(first[3071], 30);
  EXPECT_FLOAT_EQ(dataset.inputs[1].data<float>()[5], 255);
}

TEST(Cifar10, StopsAtTheCount) {
  const std::string file = cifar_file();
  EXPECT_EQ(read_dataset(parse_dataset_spec("cifar10:" + file + ":1"), kCifarInput, kPlainPixels)
                .inputs.size(),
            1u);
  EXPECT_THROW(
      read_dataset(parse_dataset_spec("cifar10:" + file + ":3"), kCifarInput, kPlainPixels), Error);
  EXPECT_THROW(
      read_dataset(parse_dataset_spec("cifar10:" + file + ":0"), kCifarInput, kPlainPixels), Error);
}

TEST(Cifar10, NeedsToKnowHowPixelsBecomeInputs) {
  EXPECT_THROW(
      read_dataset(parse_dataset_spec("cifar10:" + cifar_file()), kCifarInput, std::nullopt),
      Error);
}

TEST(Npz, IsAlsoFoundBesideTheInstalledNetworks) {
  const Dataset dataset = read_dataset(parse_dataset_spec("npz:digits/test.npz:7"),
                                       {DType::kFloat32, {1, 1, 8, 8}}, std::nullopt);
  EXPECT_EQ(dataset.inputs.size(), 7u);
  EXPECT_EQ(dataset.labels.size(), 7u);
}

TEST(Npz, RefusesImagesOfAnotherShape) {
  EXPECT_THROW(read_dataset(parse_dataset_spec("npz:digits/test.npz"), kCifarInput, std::nullopt),
               Error);
}

}  // namespace
}  // namespace vta::sim
