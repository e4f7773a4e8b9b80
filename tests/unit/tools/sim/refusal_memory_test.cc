// SPDX-License-Identifier: Apache-2.0
//
// The memory that a process takes before it refuses a small file: at most 64 MB for 3 MB, whatever
// the file claims or inflates to. Each file is read in a process of its own, whose largest resident
// memory the kernel reports.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <functional>

#include "base/errors/error.h"
#include "base/files/checksum.h"
#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "configs/core_config.h"
#include "runtime/dataset/dataset.h"
#include "runtime/host/image.h"
#include "tests/unit/base/files/array_bytes.h"
#include "tools/compile/network_arguments.h"
#include "tools/sim/network_input.h"

namespace vta::sim {
namespace {

using test::Bytes;

constexpr int64_t kMaxFileBytes = 3 << 20;
constexpr int64_t kMaxRefusalBytes = 64 << 20;
constexpr size_t kInflatedBytes = size_t{96} << 20;  // of some 100 KB

// The largest resident memory of a process that runs `action`, beyond what it has at its start.
// Fails unless the action throws vta::Error.
int64_t memory_of_refusal(const std::function<void()>& action) {
  const auto run = [](const std::function<int()>& work) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(work());
    int status = 0;
    struct rusage usage = {};
    EXPECT_EQ(::wait4(child, &status, 0, &usage), child);
    EXPECT_EQ(status, 0) << "not refused";
    return int64_t{usage.ru_maxrss} << 10;
  };
  const int64_t before = run([] { return 0; });
  const int64_t after = run([&] {
    try {
      action();
    } catch (const Error&) {
      return 0;
    }
    return 1;
  });
  return after - before;
}

Bytes gzipped(const Bytes& bytes) {
  Bytes result(bytes.size() / 100 + 1024);
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = const_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = result.data();
  stream.avail_out = static_cast<uInt>(result.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

void add_big_endian(Bytes& bytes, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes.push_back(static_cast<uint8_t>(value >> shift));
}

Bytes idx(const std::vector<uint32_t>& shape, size_t elems) {
  Bytes bytes;
  add_big_endian(bytes, 0x0800 + static_cast<uint32_t>(shape.size()));
  for (const uint32_t size : shape) add_big_endian(bytes, size);
  bytes.resize(bytes.size() + elems);
  return bytes;
}

void add_chunk(Bytes& png, const std::string& type, const Bytes& data) {
  add_big_endian(png, static_cast<uint32_t>(data.size()));
  Bytes checked(type.begin(), type.end());
  checked.insert(checked.end(), data.begin(), data.end());
  png.insert(png.end(), checked.begin(), checked.end());
  add_big_endian(png, crc32(checked));
}

// A PNG that claims 30,000 x 30,000 pixels.
Bytes large_png() {
  Bytes png = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  Bytes header;
  add_big_endian(header, 30'000);
  add_big_endian(header, 30'000);
  header.insert(header.end(), {8, 2, 0, 0, 0});
  add_chunk(png, "IHDR", header);
  add_chunk(png, "IDAT", Bytes(kMaxFileBytes / 2));
  add_chunk(png, "IEND", {});
  return png;
}

class RefusalMemory : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const Bytes& bytes) {
    EXPECT_LE(std::ssize(bytes), kMaxFileBytes) << name;
    write_file(folder_ / name, bytes);
    return folder_ / name;
  }

  // float32 zeros of these shapes, deflated.
  std::string write_npz(const std::string& name,
                        const std::vector<std::pair<std::string, std::string>>& shapes) {
    std::vector<std::pair<std::string, Bytes>> members;
    for (const auto& [array, shape] : shapes) {
      members.emplace_back(array + ".npy", test::npy(test::npy_header("<f4", shape),
                                                     Bytes(kInflatedBytes / shapes.size())));
    }
    return write(name, test::zip(members, true));
  }

  static void expect_small(const std::string& what, const std::function<void()>& action) {
    const int64_t bytes = memory_of_refusal(action);
    EXPECT_LE(bytes, kMaxRefusalBytes) << what;
    std::printf("%s: %.1f MB\n", what.c_str(), static_cast<double>(bytes) / (1 << 20));
  }

  // As inputs, data sets, calibration images and weights of digits.json.
  void expect_small_as_arrays(const std::string& file) {
    const TensorType type{DType::kFloat32, {1, 1, 8, 8}};
    expect_small(file + " as a data set", [&] {
      open_dataset(parse_dataset_spec("npz:" + file), {{"data", type, std::nullopt}});
    });
    expect_small(file + " as weights", [&] {
      NetworkArguments arguments;
      arguments.weights = file;
      load_network("digits.json", arguments);
    });
  }

  const ScratchFolder folder_;
};

TEST_F(RefusalMemory, OfArraysIsThatOfTheirHeaders) {
  expect_small_as_arrays(write_npz("one.npz", {{"images", "(25165824,)"}}));
  expect_small_as_arrays(
      write_npz("rows.npz", {{"images", "(393216, 1, 8, 8)"}, {"labels", "(4,)"}}));
  expect_small_as_arrays(write_npz("named.npz", {{"data", "(6, 1, 2048, 2048)"}}));
  expect_small_as_arrays(write_npz("conv1.npz", {{"conv1.weight", "(6, 1, 2048, 2048)"}}));
  expect_small_as_arrays(
      write_npz("two.npz", {{"conv1.weight", "(8, 1572864)"}, {"b", "(12582912,)"}}));
}

TEST_F(RefusalMemory, OfAHeaderIsInProportion) {
  std::string entries, texts, lists;
  while (entries.size() < 2'900'000)
    entries += fmt::format("\"{}\":{{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]}},",
                           entries.size());
  while (texts.size() < 2'900'000) texts += fmt::format("\"{:x}\":\"\",", texts.size());
  while (lists.size() < 2'900'000) lists += "[],";
  entries.pop_back();
  texts.pop_back();
  lists.pop_back();
  for (const std::string& header : {"{" + entries + "}", "{\"__metadata__\":{" + texts + "}}",
                                    "{\"a\":{\"dtype\":\"F32\",\"shape\":[" + lists + "]}}"}) {
    expect_small_as_arrays(write("a.safetensors", test::safetensors(header, {})));
  }
}

// As networks, quantized networks and cores.
TEST_F(RefusalMemory, OfJsonIsInProportion) {
  for (const char* part : {"[],", "{},", "0,", "\"\",", "[[]],", "{\"a\":[]},"}) {
    std::string list = "[";
    while (list.size() < 2'900'000) list += part;
    list.back() = ']';
    const std::string text = "{\"format\": 1, \"layers\": " + list + "}";
    const std::string file = write("a.json", Bytes(text.begin(), text.end()));
    expect_small(std::string(part) + " as a network", [&] { load_network(file, {}); });
    const Bytes vtaq = test::safetensors("{\"__metadata__\":{\"graph\":" + list + "}}", {});
    const std::string quantized = write("a.vtaq", vtaq);
    expect_small(std::string(part) + " as a quantized network",
                 [&] { load_network(quantized, {}); });
    expect_small(std::string(part) + " as a core", [&] { load_core_config(file); });
  }
}

// A field of a protobuf message that has `body`.
std::string field(int number, const std::string& body) {
  std::string bytes(1, static_cast<char>(number << 3 | 2));
  for (size_t left = body.size();; left >>= 7) {
    bytes += static_cast<char>(left < 128 ? left : left % 128 + 128);
    if (left < 128) return bytes + body;
  }
}

// Models of empty messages and texts, of two or three bytes each in the file.
TEST_F(RefusalMemory, OfAnOnnxModelIsInProportion) {
  constexpr int kGraph = 7, kNode = 1, kInitializer = 5, kInput = 11, kInputs = 1, kAttribute = 5,
                kStrings = 6, kOpset = 8, kMetadata = 14;
  const auto many = [](const std::string& part) {
    std::string text;
    while (text.size() < 2'900'000) text += part;
    return text;
  };
  const auto graph = [&](int number) { return field(kGraph, many(field(number, ""))); };
  const std::vector<std::pair<const char*, std::string>> models = {
      {"nodes", graph(kNode)},
      {"initializers", graph(kInitializer)},
      {"inputs", graph(kInput)},
      {"inputs of a node", field(kGraph, field(kNode, many(field(kInputs, ""))))},
      {"attributes", field(kGraph, field(kNode, many(field(kAttribute, ""))))},
      {"strings", field(kGraph, field(kInitializer, many(field(kStrings, ""))))},
      {"opsets", many(field(kOpset, ""))},
      {"metadata", many(field(kMetadata, ""))},
      // The tag of field 25 has two bytes.
      {"functions", many(std::string("\xca\x01\x00", 3))}};
  for (const auto& [what, text] : models) {
    const std::string file = write("a.onnx", Bytes(text.begin(), text.end()));
    expect_small(what, [&] { load_network(file, {}); });
  }
}

TEST_F(RefusalMemory, OfCompressedDataSetsIsThatOfTheirHeaders) {
  const std::string images = folder_ / "train-images-idx3-ubyte";
  const Bytes labels = idx({2}, 2);
  const auto open = [&] {
    open_dataset(parse_dataset_spec("mnist:" + images),
                 {{"data", {DType::kFloat32, {1, 1, 8, 8}}, ImageSpec{}}});
  };
  write("train-labels-idx1-ubyte", labels);
  const uint32_t rows = kInflatedBytes >> 12;
  Bytes damaged = gzipped(idx({rows, 64, 64}, kInflatedBytes));
  damaged.resize(damaged.size() - 8);
  for (const Bytes& file : {gzipped(Bytes(kInflatedBytes)), gzipped(idx({2, 8, 8}, kInflatedBytes)),
                            gzipped(idx({rows, 64, 64}, kInflatedBytes)), damaged}) {
    write("train-images-idx3-ubyte", file);
    expect_small("mnist", open);
  }
  write("train-images-idx3-ubyte", idx({2, 8, 8}, 128));
  write("train-labels-idx1-ubyte", gzipped(idx({kInflatedBytes}, kInflatedBytes)));
  expect_small("labels of mnist", open);
  write("train-labels-idx1-ubyte", damaged);
  expect_small("labels of mnist", open);
}

TEST_F(RefusalMemory, OfImagesIsThatOfTheirHeaders) {
  const Bytes jpeg = {0xff, 0xd8, 0xff, 0xc0, 0,    17, 8, 0xff, 0xff, 0xff, 0xff,
                      3,  // 65535 x 65535
                      1,    0x11, 0,    2,    0x11, 1,  3, 0x11, 1,    0xff, 0xd9};
  Bytes bmp = {'B', 'M'};
  bmp.resize(1 << 20);
  const Bytes header = {40, 0, 0, 0, 0, 0x40, 0, 0, 0, 0x10, 0, 0, 1, 0, 24, 0};  // 16384 x 4096
  std::copy(header.begin(), header.end(), bmp.begin() + 14);
  bmp[10] = 54;
  for (const auto& [name, bytes] :
       {std::pair("png", large_png()), std::pair("jpeg", jpeg), std::pair("bmp", bmp)}) {
    const std::string file = write(std::string("image.") + name, bytes);
    expect_small(name, [&] { host::read_image(file); });
  }
}

}  // namespace
}  // namespace vta::sim
