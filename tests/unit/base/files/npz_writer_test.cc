// SPDX-License-Identifier: Apache-2.0
#include "base/files/npz_writer.h"

#include <gtest/gtest.h>

#include "base/errors/error.h"

namespace vta {
namespace {

NamedArray floats(const std::vector<int64_t>& shape, const std::vector<float>& values) {
  NamedArray array{ArrayType::kFloat32, shape, {}};
  const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
  array.bytes.assign(bytes, bytes + values.size() * sizeof(float));
  return array;
}

TEST(NpzWriter, WritesWhatTheReaderReads) {
  const NamedArrays arrays = {{"scores/1", floats({1, 2, 2}, {1.5F, -2, 0, 3e-30F})},
                              {"scalar", floats({}, {7})},
                              {"empty", floats({0, 3}, {})},
                              {"bytes \xc3\xa9", {ArrayType::kInt8, {3}, {1, 0xff, 3}}},
                              {"sums", {ArrayType::kInt32, {1}, {1, 2, 3, 4}}}};
  const NamedArrays read = parse_arrays(to_npz(arrays), "test");
  ASSERT_EQ(read.size(), arrays.size());
  for (const auto& [name, array] : arrays) {
    ASSERT_TRUE(read.contains(name)) << name;
    EXPECT_EQ(read.at(name).type_text(), array.type_text()) << name;
    EXPECT_EQ(read.at(name).bytes, array.bytes) << name;
  }
  EXPECT_EQ(to_npz(arrays), to_npz(arrays)) << "no clock in it";
}

TEST(NpzWriter, RefusesWhatNumPyDoesNotHave) {
  EXPECT_THROW(to_npz({{"x", {ArrayType::kBFloat16, {1}, {0, 0}}}}), Error);
  EXPECT_THROW(to_npz({{std::string(2000, 'x'), floats({1}, {1})}}), Error);
  NamedArrays many;
  for (int i = 0; i < 65536; ++i) many[std::to_string(i)] = floats({}, {1});
  EXPECT_THROW(to_npz(many), Error) << "the file's count has 16 bits";
}

}  // namespace
}  // namespace vta
