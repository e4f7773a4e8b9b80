// SPDX-License-Identifier: Apache-2.0
#include "base/files/array_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/errors/error.h"
#include "base/limits/memory_limit.h"
#include "base/numbers/random.h"
#include "tests/support/error_in.h"
#include "tests/unit/base/files/array_bytes.h"

namespace vta {
namespace {

using test::Bytes;
using test::bytes_of;
using test::npy;
using test::npy_header;

std::string error_of(const Bytes& bytes) {
  try {
    parse_arrays(bytes, "file");
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find('\n'), std::string::npos);
    EXPECT_TRUE(message.starts_with("file: ")) << message;
    return message.substr(6);
  }
  return "";
}

NamedArray only_array(const Bytes& file) {
  const NamedArrays arrays = parse_arrays(file, "file");
  EXPECT_EQ(arrays.size(), 1u);
  return arrays.begin()->second;
}

Bytes npz_of(const Bytes& member) { return test::zip({{"a.npy", member}}, false); }

TEST(Npz, ReadsStoredAndDeflatedMembers) {
  const Bytes first = npy(npy_header("<f4", "(2, 3)"), bytes_of<float>({1, 2, 3, 4, 5, 6}));
  const Bytes second = npy(npy_header("|u1", "(3,)"), {7, 8, 255});
  for (bool deflate : {false, true}) {
    const NamedArrays arrays =
        parse_arrays(test::zip({{"conv.weight.npy", first}, {"b.npy", second}}, deflate), "file");
    ASSERT_EQ(arrays.size(), 2u);
    EXPECT_EQ(arrays.at("conv.weight").type_text(), "float32[2, 3]");
    EXPECT_EQ(arrays.at("conv.weight").to_floats(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(arrays.at("b").to_integers(), (std::vector<int64_t>{7, 8, 255}));
  }
}

TEST(Npz, ReadsEveryElementType) {
  const auto floats = [](const char* descr, const Bytes& elements) {
    return only_array(npz_of(npy(npy_header(descr, "(2,)"), elements))).to_floats();
  };
  const std::vector<float> expected = {1, -2};
  EXPECT_EQ(floats("<f8", bytes_of<double>({1, -2})), expected);
  EXPECT_EQ(floats("<f4", bytes_of<float>({1, -2})), expected);
  EXPECT_EQ(floats("<f2", bytes_of<uint16_t>({0x3c00, 0xc000})), expected);
  EXPECT_EQ(floats("<i8", bytes_of<int64_t>({1, -2})), expected);
  EXPECT_EQ(floats("<i4", bytes_of<int32_t>({1, -2})), expected);
  EXPECT_EQ(floats("|i1", bytes_of<int8_t>({1, -2})), expected);
  EXPECT_EQ(floats("|u1", {1, 254}), (std::vector<float>{1, 254}));
}

TEST(Npz, ReadsEveryHeaderVersionAndSpelling) {
  const Bytes element = bytes_of<float>({5});
  for (uint8_t version : {1, 2, 3}) {
    EXPECT_EQ(only_array(npz_of(npy(npy_header("<f4", "(1,)"), element, version))).to_floats(),
              std::vector<float>{5});
  }
  EXPECT_EQ(
      only_array(npz_of(npy("{\"shape\":(),\"fortran_order\":False,\"descr\":\"<f4\"}", element)))
          .shape,
      std::vector<int64_t>{});
}

TEST(Npz, TurnsFortranOrderIntoRows) {
  const NamedArray array = only_array(
      npz_of(npy(npy_header("<i4", "(2, 3)", true), bytes_of<int32_t>({1, 4, 2, 5, 3, 6}))));
  EXPECT_EQ(array.to_integers(), (std::vector<int64_t>{1, 2, 3, 4, 5, 6}));
}

TEST(Npz, ReadsEmptyArraysAndArchives) {
  EXPECT_EQ(only_array(npz_of(npy(npy_header("<f4", "(0, 3)"), {}))).num_elems(), 0);
  EXPECT_EQ(only_array(npz_of(npy(npy_header("<f4", "(0, 3)", true), {}))).num_elems(), 0);
  EXPECT_TRUE(parse_arrays(test::zip({}, false), "file").empty());
}

TEST(Npz, SaysWhatIsWrong) {
  const Bytes four = bytes_of<float>({1});
  EXPECT_EQ(error_of(npz_of(npy(npy_header(">f4", "(1,)"), four))),
            "array 'a': element type '>f4', expected <f8, <f4, <f2, <i8, <i4, |i1 or |u1");
  EXPECT_EQ(error_of(npz_of(npy(npy_header("<f4", "(2,)"), four))),
            "array 'a': ends after 72 of 76 bytes");
  EXPECT_EQ(error_of(npz_of(npy(npy_header("<f4", "()"), bytes_of<float>({1, 2})))),
            "array 'a': more than the 70 bytes of its shape");
  EXPECT_EQ(error_of(test::zip({{"a.txt", {}}}, false)), "member 'a.txt' is not a .npy file");
  EXPECT_EQ(error_of(npz_of(npy(npy_header("<f4", "(1,)"), four, 4))),
            "array 'a': .npy version 4, expected 1 to 3");
  EXPECT_EQ(error_of(npz_of({'x', 'y', 'z', 'x', 'y', 'z', 1, 0})),
            "array 'a': not a .npy file: wrong magic bytes");
}

TEST(Npz, RefusesMalformedHeaders) {
  for (const char* header :
       {"",
        "{",
        "{}",
        "x",
        "{'descr': '<f4'}",
        "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1 2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (a,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} {}",
        "{'descr': '<f4, 'fortran_order': False, 'shape': (1,)}",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '|O', 'fortran_order': False, 'shape': (1,)}"}) {
    EXPECT_NE(error_of(npz_of(npy(header, bytes_of<float>({1})))), "") << header;
  }
}

TEST(Npz, RefusesASizeThatTheFileDoesNotHave) {
  const Bytes member = npy(npy_header("<f4", "(1000000000,)"), bytes_of<float>({1}));
  EXPECT_NE(error_of(npz_of(member)), "");
  EXPECT_NE(error_of(test::zip({{"a.npy", member}}, true)), "");
}

// 20 MB of zeros are 20 kB deflated; the header is wrong already.
TEST(Npz, ChecksSizesBeforeItInflates) {
  Bytes member = npy(npy_header("<f4", "(2, 3)"), Bytes(20'000'000));
  const Bytes file = test::zip({{"a.npy", member}}, true);
  EXPECT_EQ(error_of(file), "array 'a': more than the 94 bytes of its shape");
}

TEST(Npz, NamesTheArrayThatExceedsTheMemoryLimit) {
  const uint64_t usual = memory_limit_bytes();
  set_memory_limit_bytes(memory_in_use_bytes() + 100);
  const std::string error = error_of(npz_of(npy(npy_header("<f4", "(5, 6)"), Bytes(4 * 5 * 6))));
  set_memory_limit_bytes(usual);
  EXPECT_TRUE(
      error.starts_with("array 'a': array 'a' [5, 6], with the arrays before it, needs 120 "
                        "bytes; "))
      << error;
}

TEST(Npy, IsAFileWithOneArray) {
  const Bytes file = npy(npy_header("<f4", "(2,)"), bytes_of<float>({3, 4}));
  EXPECT_EQ(only_array(file).to_floats(), (std::vector<float>{3, 4}));
  EXPECT_EQ(parse_arrays(file, "file").begin()->first, "");
  EXPECT_NE(error_of(Bytes(file.begin(), file.end() - 1)), "");
}

TEST(Npz, RejectsDuplicateNames) {
  const Bytes member = npy(npy_header("|u1", "(1,)"), {1});
  EXPECT_NE(error_of(test::zip({{"a.npy", member}, {"a.npy", member}}, false)), "");
}

TEST(Npz, RefusesDamagedElements) {
  Bytes file = npz_of(npy(npy_header("|u1", "(1,)"), {42}));
  const auto at = std::find(file.begin(), file.end(), 42);
  *at = 43;
  EXPECT_NE(error_of(file).find("CRC"), std::string::npos);
}

constexpr const char* kHeader =
    R"({"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
    R"("b":{"dtype":"BF16","shape":[],"data_offsets":[8,10]}})";

TEST(Safetensors, ReadsItsArrays) {
  Bytes data = bytes_of<float>({1.5f, -3});
  data.insert(data.end(), {0x80, 0x3f});
  const NamedArrays arrays = parse_arrays(test::safetensors(kHeader, data), "file");
  ASSERT_EQ(arrays.size(), 2u);
  EXPECT_EQ(arrays.at("w").to_floats(), (std::vector<float>{1.5f, -3}));
  EXPECT_EQ(arrays.at("b").type_text(), "bfloat16[]");
  EXPECT_EQ(arrays.at("b").to_floats(), std::vector<float>{1});
}

TEST(Safetensors, ReadsHalvesExactly) {
  const std::vector<uint16_t> halves = {0x0000, 0x8000, 0x0001, 0x03ff, 0x0400, 0x7bff, 0x3555};
  const Bytes file = test::safetensors(R"({"h":{"dtype":"F16","shape":[7],"data_offsets":[0,14]}})",
                                       bytes_of(halves));
  EXPECT_EQ(only_array(file).to_floats(), (std::vector<float>{0.0f, -0.0f, 0x1p-24f, 0x1.ff8p-15f,
                                                              0x1p-14f, 65504.0f, 0x1.554p-2f}));
  const Bytes special = test::safetensors(
      R"({"h":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}})", {0x00, 0xfc, 0x00, 0x7e});
  EXPECT_EQ(only_array(special).to_floats()[0], -INFINITY);
  EXPECT_TRUE(std::isnan(only_array(special).to_floats()[1]));
}

TEST(Safetensors, SaysWhatIsWrong) {
  const auto file = [](const std::string& header, size_t size) {
    return test::safetensors(header, Bytes(size));
  };
  EXPECT_EQ(error_of({}), "0 bytes are neither an .npz nor a .safetensors file");
  EXPECT_EQ(error_of(file(R"({"w":{"dtype":"F8","shape":[1],"data_offsets":[0,1]}})", 1)),
            "array 'w' has dtype 'F8', expected F64, F32, F16, BF16, I64, I32, I8 or U8");
  EXPECT_EQ(error_of(file(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4)),
            "array 'w': float32[2] takes 8 bytes, data_offsets [0, 4] hold 4");
  EXPECT_EQ(error_of(file(R"({"w":{"dtype":"I8","shape":[2],"data_offsets":[0,2]},)"
                          R"("v":{"dtype":"I8","shape":[2],"data_offsets":[1,3]}})",
                          3)),
            "array 'v' starts at byte 1, expected 2: arrays overlap");
  EXPECT_EQ(error_of(file(R"({"w":{"dtype":"I8","shape":[2],"data_offsets":[1,3]}})", 3)),
            "array 'w' starts at byte 1, expected 0: bytes outside all arrays");
  EXPECT_EQ(error_of(file("{}", 3)), "3 bytes after the last array");
  EXPECT_EQ(error_of(file(R"({"w":{"dtype":"I8","shape":[2],"data_offsets":[2,4]}})", 3)),
            "array 'w': data_offsets [2, 4] are not a range within 3 bytes");
}

TEST(Safetensors, RefusesMalformedHeaders) {
  for (
      const char* header :
      {"",
       "[]",
       "1",
       "{",
       R"({"w":1})",
       R"({"w":{}})",
       R"({"w":{"dtype":1,"shape":[1],"data_offsets":[0,1]}})",
       R"({"w":{"dtype":"I8","shape":1,"data_offsets":[0,1]}})",
       R"({"w":{"dtype":"I8","shape":[-1],"data_offsets":[0,1]}})",
       R"({"w":{"dtype":"I8","shape":[1.0],"data_offsets":[0,1]}})",
       R"({"w":{"dtype":"I8","shape":["1"],"data_offsets":[0,1]}})",
       R"({"w":{"dtype":"I8","shape":[1],"data_offsets":[1,0]}})",
       R"({"w":{"dtype":"I8","shape":[1],"data_offsets":[0]}})",
       R"({"w":{"dtype":"I8","shape":[1],"data_offsets":[0,1,2]}})",
       R"({"w":{"dtype":"I8","shape":[1]}})",
       R"({"w":{"dtype":"I8","shape":[4294967296,4294967296],"data_offsets":[0,1]}})",
       R"({"w":{"dtype":"I8","shape":[18446744073709551615],"data_offsets":[0,1]}})",
       R"({"w":{"dtype":"I8","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,1]}})",
       R"({"w":{"dtype":"I8","shape":[1],"data_offsets":[0,1]},"w":{"dtype":"I8","shape":[1],"data_offsets":[0,1]}})",
       R"({"w":{"dtype":"I8","shape":[[[[[1]]]]],"data_offsets":[0,1]}})"}) {
    EXPECT_NE(error_of(test::safetensors(header, {0})), "") << header;
  }
}

TEST(Safetensors, RefusesAHeaderLongerThanTheFile) {
  Bytes file = test::safetensors(kHeader, Bytes(10));
  file[7] = 0xff;
  EXPECT_NE(error_of(file), "");
}

// Every truncation is an error; any other damage results in arrays or one Error.
TEST(ArrayFile, SurvivesDamage) {
  const std::vector<Bytes> files = {
      test::zip({{"a.npy", npy(npy_header("<f4", "(3, 2)", true), Bytes(24))},
                 {"b.npy", npy(npy_header("|u1", "(5,)"), Bytes(5), 2)}},
                true),
      npz_of(npy(npy_header("<i8", "(2,)"), Bytes(16))), test::safetensors(kHeader, Bytes(10))};
  Random random(5);
  for (const Bytes& file : files) {
    for (size_t size = 0; size < file.size(); ++size) {
      EXPECT_NE(error_of({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)}), "");
    }
    for (int round = 0; round < 3000; ++round) {
      Bytes damaged = file;
      for (int64_t i = random.between(1, 5); i > 0; --i) {
        damaged[random.next() % file.size()] = static_cast<uint8_t>(random.next());
      }
      error_of(damaged);
    }
  }
}

TEST(ArrayFile, NamesAFileThatIsMissing) {
  const Error error = expect_error([&] { read_arrays("/nowhere/weights.npz"); });
  EXPECT_EQ(error.code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace vta
