// SPDX-License-Identifier: Apache-2.0
#include "runtime/dataset/dataset.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/gzip.h"
#include "base/files/npz_writer.h"
#include "base/files/scratch_folder.h"
#include "runtime/host/image.h"
#include "tests/support/error_in.h"

namespace vta {
namespace {

using Bytes = std::vector<uint8_t>;
namespace fs = std::filesystem;

const TensorType kColourInput = {DType::kFloat32, {1, 3, 32, 32}};
const TensorType kGrayInput = {DType::kFloat32, {1, 1, 2, 2}};
const ImageSpec kColourPixels = {0, "rgb", 1, {}, {}};
const ImageSpec kGrayPixels = {0, "gray", 1, {}, {}};

std::vector<float> values_of(const Tensor& tensor) {
  return {tensor.data<float>().begin(), tensor.data<float>().end()};
}

void expect_error(const std::string& words, const std::function<void()>& action) {
  const std::string message = error_in(action);
  EXPECT_NE(message.find(words), std::string::npos) << "expected: " << words << "\nis: " << message;
}

TEST(DatasetSpec, HasKindPathAndCount) {
  const DatasetSpec spec = parse_dataset_spec("cifar10:data/test.bin:100");
  EXPECT_EQ(spec.kind, DatasetSpec::Kind::kCifar10);
  EXPECT_EQ(spec.path, "data/test.bin");
  EXPECT_EQ(spec.count, 100);
  EXPECT_EQ(parse_dataset_spec("imagefolder:a").kind, DatasetSpec::Kind::kImageFolder);
  EXPECT_EQ(parse_dataset_spec("mnist:a").kind, DatasetSpec::Kind::kMnist);
  EXPECT_EQ(parse_dataset_spec("npz:a").kind, DatasetSpec::Kind::kNpz);
  EXPECT_EQ(parse_dataset_spec("npz:digits.npz").count, std::nullopt);
}

TEST(DatasetSpec, LeavesColonsInFileNamesAlone) {
  EXPECT_EQ(parse_dataset_spec("npz:a:b.npz").path, "a:b.npz");
  EXPECT_EQ(parse_dataset_spec("npz:a:b.npz:7").path, "a:b.npz");
}

TEST(DatasetSpec, RefusesOtherForms) {
  for (const char* text : {"", "test.bin", "coco:x", "npz:", ":x"}) {
    EXPECT_THROW(parse_dataset_spec(text), Error) << text;
  }
}

TEST(DatasetSpec, ErrorsOfAnyFormatNameTheFileOnce) {
  const ScratchFolder folder;
  const std::string path = folder / "x";
  write_file(path, std::string("neither"));
  const TensorType input{DType::kFloat32, {1, 3, 32, 32}};
  for (const char* format : {"npz:", "cifar10:", "mnist:"}) {
    const std::string error =
        error_in([&] { open_dataset(parse_dataset_spec(format + path), {{"x", input}}); });
    EXPECT_EQ(error.find(path), 0u) << error;
    EXPECT_EQ(error.rfind(path), 0u) << error;
  }
}

class DatasetFiles : public ::testing::Test {
 protected:
  fs::path write(const std::string& name, const Bytes& bytes) {
    const fs::path path = fs::path(folder_.path()) / name;
    fs::create_directories(path.parent_path());
    write_file(path, bytes);
    return path;
  }

  Dataset open(DatasetSpec::Kind kind, const fs::path& path, const TensorType& input,
               const std::optional<ImageSpec>& image, std::optional<int64_t> count = {}) {
    return open_dataset({kind, path, count}, {{"x", input, image}});
  }

  ScratchFolder folder_;
};

// Two records: label 3, red 10, green 20, blue 30; label 9, all 255.
Bytes cifar_records() {
  Bytes bytes = {3};
  for (const uint8_t plane : {10, 20, 30}) bytes.insert(bytes.end(), 1024, plane);
  bytes.push_back(9);
  bytes.insert(bytes.end(), 3072, 255);
  return bytes;
}

class Cifar10 : public DatasetFiles {
 protected:
  Dataset open_cifar(const Bytes& bytes, std::optional<int64_t> count = {}) {
    return open(DatasetSpec::Kind::kCifar10, write("d.bin", bytes), kColourInput, kColourPixels,
                count);
  }
};

TEST_F(Cifar10, GivesLabelsAndPlanes) {
  const Dataset dataset = open_cifar(cifar_records());
  EXPECT_EQ(dataset.labels, (std::vector<int64_t>{3, 9}));
  const std::vector<float> first = values_of(dataset.inputs(0)[0]);
  EXPECT_EQ(first[0], 10);
  EXPECT_EQ(first[1024], 20);
  EXPECT_EQ(first[3071], 30);
  EXPECT_EQ(values_of(dataset.inputs(1)[0])[5], 255);
}

TEST_F(Cifar10, StopsAtTheCount) {
  EXPECT_EQ(open_cifar(cifar_records(), 1).num_images, 1);
  EXPECT_EQ(open_cifar(cifar_records(), 1).labels.size(), 1u);
  expect_error("expected a count of at least 1 image, got 0",
               [&] { open_cifar(cifar_records(), 0); });
}

TEST_F(Cifar10, TakesAllImagesIfThereAreFewerThanTheCount) {
  EXPECT_EQ(open_cifar(cifar_records(), 3).num_images, 2);
  EXPECT_EQ(open_cifar(cifar_records(), INT64_MAX).labels, (std::vector<int64_t>{3, 9}));
}

TEST_F(Cifar10, ALimitMayBeLargerThanTheSet) {
  EXPECT_EQ(first_images(open_cifar(cifar_records()), 5).num_images, 2);
  EXPECT_EQ(first_images(open_cifar(cifar_records()), 1).labels, std::vector<int64_t>{3});
}

TEST_F(Cifar10, SpreadImagesAreEvenlySpaced) {
  std::vector<uint8_t> records;
  for (uint8_t label = 0; label < 10; ++label) {
    records.push_back(label);
    records.insert(records.end(), 3072, label);
  }
  const Dataset dataset = open_cifar(records);
  EXPECT_EQ(spread_images(dataset, 4).labels, (std::vector<int64_t>{0, 2, 5, 7}));
  EXPECT_EQ(values_of(spread_images(dataset, 4).inputs(2)[0])[0], 5);
  EXPECT_EQ(spread_images(dataset, 11).num_images, 10);
}

TEST_F(Cifar10, NamesTheBadRecord) {
  Bytes bytes = cifar_records();
  bytes[3073] = 10;
  expect_error("d.bin: record 1 has label 10, expected 0 to 9", [&] { open_cifar(bytes); });
  bytes.pop_back();
  expect_error("6145 bytes are not a multiple", [&] { open_cifar(bytes); });
  expect_error("0 bytes are not a multiple", [&] { open_cifar({}); });
}

TEST_F(Cifar10, NeedsToKnowHowPixelsBecomeInputs) {
  const fs::path file = write("d.bin", cifar_records());
  expect_error("give --preprocess imagenet, none, 0-1 or -1-1",
               [&] { open(DatasetSpec::Kind::kCifar10, file, kColourInput, std::nullopt); });
  expect_error("expected an image float32[1, c, h, w]", [&] {
    open(DatasetSpec::Kind::kCifar10, file, {DType::kFloat32, {1, 10}}, kColourPixels);
  });
}

class Mnist : public DatasetFiles {
 protected:
  // Two images of 2x2.
  Bytes images_ = {0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8};
  Bytes labels_ = {0, 0, 8, 1, 0, 0, 0, 2, 7, 4};

  Dataset open_mnist() {
    write("t10k-labels-idx1-ubyte", labels_);
    return open(DatasetSpec::Kind::kMnist, write("t10k-images-idx3-ubyte", images_), kGrayInput,
                kGrayPixels);
  }
};

TEST_F(Mnist, ReadsImagesAndTheLabelsBesideThem) {
  const Dataset dataset = open_mnist();
  EXPECT_EQ(dataset.labels, (std::vector<int64_t>{7, 4}));
  EXPECT_EQ(values_of(dataset.inputs(1)[0]), (std::vector<float>{5, 6, 7, 8}));
}

Bytes gzipped(const Bytes& bytes) {
  Bytes result(bytes.size() + 64);
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = const_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = result.data();
  stream.avail_out = static_cast<uInt>(result.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

TEST_F(Mnist, ReadsCompressedFiles) {
  images_ = gzipped(images_);
  labels_ = gzipped(labels_);
  EXPECT_EQ(values_of(open_mnist().inputs(0)[0]), (std::vector<float>{1, 2, 3, 4}));
}

TEST_F(Mnist, NamesWhatIsWrong) {
  labels_[7] = 1;
  labels_.pop_back();
  expect_error("2 images, but", [&] { open_mnist(); });
  labels_[0] = 1;
  expect_error("t10k-labels-idx1-ubyte: not an IDX file of bytes with 1 axis",
               [&] { open_mnist(); });
  labels_ = {0, 0, 8, 1, 0, 0, 0, 2, 7, 4};
  images_.pop_back();
  expect_error("7 bytes after the header, shape [2, 2, 2] needs 8", [&] { open_mnist(); });
  images_ = gzipped(images_);
  images_.resize(images_.size() - 9);
  expect_error("gzip: damaged or truncated", [&] { open_mnist(); });
  expect_error("the file name does not contain 'images-idx3'", [&] {
    open(DatasetSpec::Kind::kMnist,
         write("x.bin", {0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 9}), kGrayInput,
         kGrayPixels);
  });
}

TEST(Gunzip, StopsAtTheLimitAndAtTheEnd) {
  const Bytes zeros(5000);
  EXPECT_EQ(gunzip(gzipped(zeros), 5000), zeros);
  expect_error("more than 4999 bytes", [&] { gunzip(gzipped(zeros), 4999); });
  Bytes longer = gzipped(zeros);
  longer.push_back(0);
  expect_error("1 byte after the end", [&] { gunzip(longer, 5000); });
}

class ImageFolder : public DatasetFiles {
 protected:
  void add(const std::string& name, uint8_t gray) {
    write(name, host::encode_png({2, 2, Bytes(12, gray)}));
  }
  Dataset open_folder() {
    return open(DatasetSpec::Kind::kImageFolder, folder_.path(), kGrayInput, kGrayPixels);
  }
  // The first pixel of every image.
  static std::vector<float> pixels(const Dataset& dataset) {
    std::vector<float> result;
    for (const auto& inputs : all_inputs(dataset)) result.push_back(inputs[0].data<float>()[0]);
    return result;
  }
};

TEST_F(ImageFolder, NumbersClassesInTheOrderOfTheirNames) {
  add("cat/2.png", 2);
  add("cat/1.PNG", 1);
  add("ape/x.png", 3);
  write("cat/notes.txt", {});
  const Dataset dataset = open_folder();
  EXPECT_EQ(dataset.labels, (std::vector<int64_t>{0, 1, 1}));
  EXPECT_EQ(pixels(dataset), (std::vector<float>{3, 1, 2}));
}

TEST_F(ImageFolder, IsReadInBatchesWhoseLastRepeatsItsFirstImage) {
  for (uint8_t i = 0; i < 5; ++i) add(std::string("a/") + static_cast<char>('0' + i) + ".png", i);
  const Dataset batches = in_batches(open_folder(), 3);
  ASSERT_EQ(batches.num_images, 2);
  const auto first_pixels = [&](int64_t batch) {
    const Tensor stacked = batches.inputs(batch).at(0);
    EXPECT_EQ(stacked.shape(), (std::vector<int64_t>{3, 1, 2, 2}));
    const auto x = stacked.data<float>();
    return std::vector<float>{x[0], x[4], x[8]};
  };
  EXPECT_EQ(first_pixels(0), (std::vector<float>{0, 1, 2}));
  EXPECT_EQ(first_pixels(1), (std::vector<float>{3, 4, 3}));
}

TEST_F(ImageFolder, TakesNumbersAsClasses) {
  add("10/a.png", 1);
  add("9/a.png", 2);
  const Dataset dataset = open_folder();
  EXPECT_EQ(dataset.labels, (std::vector<int64_t>{10, 9}));
}

TEST_F(ImageFolder, FollowsAListOfClasses) {
  add("b c.png", 2);
  add("a.png", 1);
  write("classes.txt", {'7', ' ', 'b', ' ', 'c', '.', 'p', 'n', 'g', '\n', '0', ' ', 'a', '.', 'p',
                        'n', 'g', '\n'});
  const Dataset dataset = open_folder();
  EXPECT_EQ(dataset.labels, (std::vector<int64_t>{7, 0}));
  EXPECT_EQ(pixels(dataset), (std::vector<float>{2, 1}));
}

TEST_F(ImageFolder, HasNoLabelsIfTheImagesAreInTheFolderItself) {
  add("b.png", 2);
  add("a.png", 1);
  fs::create_directory(folder_ / "empty");
  const Dataset dataset = open_folder();
  EXPECT_EQ(dataset.labels, std::vector<int64_t>());
  EXPECT_EQ(pixels(dataset), (std::vector<float>{1, 2}));
}

TEST_F(ImageFolder, NamesWhatIsWrong) {
  expect_error("expected images, in subfolders per class, listed in 'classes.txt' or in the folder",
               [&] { open_folder(); });
  write("classes.txt", {'7', ' ', 'b', '\n'});
  expect_error("classes.txt: line 1: no such file 'b'", [&] { open_folder(); });
  write("classes.txt", {'\n', 'b', '\n'});
  expect_error("classes.txt: line 2: expected a class number and a file, got 'b'",
               [&] { open_folder(); });
  fs::remove(folder_ / "classes.txt");
  write("cat/x.png", {1, 2, 3});
  expect_error("x.png: not a JPEG, PNG, WebP or BMP image", [&] { open_folder().inputs(0); });
  expect_error("no such folder", [&] {
    open(DatasetSpec::Kind::kImageFolder, folder_ / "dog", kGrayInput, kGrayPixels);
  });
}

NamedArray array_of(ArrayType type, std::vector<int64_t> shape, const auto& values) {
  NamedArray array{type, std::move(shape), {}};
  const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
  array.bytes.assign(bytes, bytes + values.size() * size_bytes(type));
  return array;
}

// A network with the inputs `ids`, of two integers, and `gain`, of one number.
class ArrayFiles : public DatasetFiles {
 protected:
  ArrayFiles() {
    arrays_["ids"] = array_of(ArrayType::kInt64, {3, 2}, std::vector<int64_t>{0, 1, 2, 3, 4, 5});
    arrays_["gain"] = array_of(ArrayType::kFloat64, {3}, std::vector<double>{0.5, 1.5, 2.5});
    arrays_["labels"] = array_of(ArrayType::kInt64, {3}, std::vector<int64_t>{7, 8, 9});
  }

  std::string write_arrays(const std::string& name, const NamedArrays& arrays) {
    return write(name, to_npz(arrays));
  }
  Dataset open_arrays(const std::string& path, const std::string& form = "npz:") {
    return open_dataset(parse_dataset_spec(form + path), inputs_);
  }
  void expect_refused(const NamedArrays& arrays, const std::string& message) {
    const std::string path = write_arrays("bad.npz", arrays);
    expect_error(path + ": " + message, [&] { open_arrays(path); });
  }

  const std::vector<DatasetInput> inputs_ = {{"ids", {DType::kInt32, {1, 2}}},
                                             {"gain", {DType::kFloat32, {1}}}};
  NamedArrays arrays_;
};

TEST_F(ArrayFiles, HaveAnArrayForEachInput) {
  const Dataset dataset = open_arrays(write_arrays("a.npz", arrays_));
  EXPECT_EQ(dataset.labels, (std::vector<int64_t>{7, 8, 9}));
  const std::vector<Tensor> inputs = dataset.inputs(1);
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_EQ(inputs[0].type(), inputs_[0].type);
  EXPECT_EQ(inputs[0].data<int32_t>()[0], 2);
  EXPECT_EQ(inputs[0].data<int32_t>()[1], 3);
  EXPECT_EQ(values_of(inputs[1]), (std::vector<float>{1.5}));
  EXPECT_EQ(open_arrays(folder_ / "a.npz:2").num_images, 2);
}

TEST_F(ArrayFiles, HoldASingleInputThatIsNotAnImage) {
  const std::vector<DatasetInput> vector = {{"x", {DType::kFloat32, {1, 2}}}};
  NamedArrays arrays;
  arrays["x"] = array_of(ArrayType::kFloat32, {2, 2}, std::vector<float>{1, 2, 3, 4});
  const std::string path = write_arrays("x.npz", arrays);
  const Dataset dataset = open_dataset(parse_dataset_spec("npz:" + path), vector);
  EXPECT_EQ(values_of(dataset.inputs(1)[0]), (std::vector<float>{3, 4}));
  EXPECT_TRUE(dataset.labels.empty());
}

TEST_F(ArrayFiles, NameWhatIsWrong) {
  NamedArrays arrays = arrays_;
  arrays["gain"] = array_of(ArrayType::kFloat32, {2}, std::vector<float>{1, 2});
  expect_refused(arrays, "array 'gain' has 2 rows, array 'ids' has 3");
  arrays["gain"] = array_of(ArrayType::kFloat32, {3, 1}, std::vector<float>{1, 2, 3});
  expect_refused(arrays, "array 'gain' is float32[3, 1], the network's input is float32[1]");
  arrays.erase("gain");
  expect_refused(arrays,
                 "array 'gain' is missing; expected one for each input of the network: ids, gain");
  arrays = arrays_;
  arrays["labels"] = array_of(ArrayType::kInt64, {2}, std::vector<int64_t>{1, 2});
  expect_refused(arrays, "labels are int64[2], expected one integer per image (3)");
}

TEST_F(ArrayFiles, AreTheOnlyFormatForSeveralInputs) {
  const std::string path = write_arrays("a.npz", arrays_);
  expect_error(path + ": the network has 2 inputs, images are the input of a network with one",
               [&] { open_arrays(path, "cifar10:"); });
}

TEST_F(ArrayFiles, OfAFolderFollowEachOther) {
  NamedArrays second;
  second["ids"] = array_of(ArrayType::kInt64, {1, 2}, std::vector<int64_t>{6, 7});
  second["gain"] = array_of(ArrayType::kFloat32, {1}, std::vector<float>{3.5});
  second["labels"] = array_of(ArrayType::kInt64, {1}, std::vector<int64_t>{1});
  write_arrays("set/b.npz", arrays_);
  write_arrays("set/a.npz", second);
  write("set/notes.txt", {});
  const Dataset dataset = open_arrays(folder_ / "set");
  EXPECT_EQ(dataset.labels, (std::vector<int64_t>{1, 7, 8, 9}));
  for (const int64_t image : {3, 0, 1, 0}) {
    EXPECT_EQ(values_of(dataset.inputs(image)[1])[0], image == 0 ? 3.5f : image - 0.5f) << image;
  }
}

TEST_F(ArrayFiles, OfAFolderAreAlike) {
  const std::string folder = folder_ / "set";
  fs::create_directories(folder);
  expect_error(folder + ": no .npz files in this folder", [&] { open_arrays(folder); });
  write_arrays("set/a.npz", arrays_);
  const Dataset dataset = open_arrays(folder);
  NamedArrays other = arrays_;
  other.erase("labels");
  write_arrays("set/b.npz", other);
  expect_error(folder + "/b.npz: without labels, unlike a.npz", [&] { open_arrays(folder); });
  other.erase("ids");
  write_arrays("set/b.npz", other);
  expect_error(folder + "/b.npz: array 'ids' is missing", [&] { open_arrays(folder); });
  write_arrays("set/a.npz", other);  // after the data set was opened
  expect_error(folder + "/a.npz: array 'ids' is missing", [&] { dataset.inputs(0); });
}

}  // namespace
}  // namespace vta
