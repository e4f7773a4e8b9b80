// SPDX-License-Identifier: Apache-2.0
//
// The .vta file: round trip and damage, with wrong and with corrected checksums.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/numbers/random.h"
#include "runtime/program/program.h"
#include "tests/support/error_in.h"
#include "tests/support/program_preamble.h"
#include "tests/unit/compiler/lower/core_run.h"

namespace vta {
namespace {

using Json = nlohmann::ordered_json;

using support::fix_checksum;
using support::kCrcAt;
using support::kFileBytesAt;
using support::kHeaderAt;
using support::kHeaderBytesAt;
using support::kVersionAt;

// quantize -> convolution on the core -> dequantize.
Program small_program() {
  graph::Graph graph;
  const auto data = graph.add_input("data", {DType::kFloat32, {1, 8, 2, 2}});
  OpAttrs attrs;
  attrs.frac_bits = 4;
  const auto quantized = graph.add(OpKind::kQuantize, "quantize", {data}, attrs);
  const auto w = graph.add_constant("w", Tensor({8, 8, 1, 1}, std::vector<int8_t>(64, 3)));
  const auto b = graph.add_constant("b", Tensor({8}, std::vector<int32_t>(8, -5)));
  attrs = OpAttrs();
  attrs.shift = 3;
  attrs.lo = -127;
  attrs.hi = 127;
  const auto conv = graph.add(OpKind::kQConv2d, "conv", {quantized, w, b}, attrs);
  graph.node(conv).on_core = true;
  attrs = OpAttrs();
  attrs.frac_bits = 2;
  const auto result = graph.add(OpKind::kDequantize, "dequantize", {conv}, attrs);
  const auto other =
      graph.add_constant("other", Tensor({1, 8, 2, 2}, std::vector<float>(32, 0.5f)));
  graph.set_outputs({graph.add(OpKind::kAdd, "sum", {result, other})});
  const graph::NodeId sum = graph.outputs().at(0);
  Program program = lower::lower(graph, test::core_named("tiny_1x8"), lower::Mode::kFused,
                                 {.reasons = {{sum, HostReason::kOutsideLayers}}})
                        .program;
  program.network = "small";
  program.quantize = "global";
  program.weights = "synthetic:1";
  program.outputs[0].labels = "labels.txt";
  program.inputs[0].sample = "sample.png";
  return program;
}

std::string error_of(const std::vector<uint8_t>& bytes) {
  const std::string error =
      error_in([&] { parse_program(bytes, "test.vta"); }, ErrorCode::kCorrupt);
  EXPECT_TRUE(error.empty() || error.starts_with("test.vta: ")) << error;
  return error;
}

template <typename T>
void put(std::vector<uint8_t>& file, size_t at, T value) {
  std::memcpy(&file[at], &value, sizeof value);
}

// The file with another JSON header and a valid preamble.
std::vector<uint8_t> with_header(const std::vector<uint8_t>& file, const std::string& header) {
  uint64_t old_size;
  std::memcpy(&old_size, &file[kHeaderBytesAt], sizeof old_size);
  const auto aligned = [](uint64_t bytes) { return (bytes + 63) / 64 * 64; };
  std::vector<uint8_t> result(file.begin(), file.begin() + kHeaderAt);
  result.insert(result.end(), header.begin(), header.end());
  result.resize(aligned(result.size()));
  result.insert(result.end(),
                file.begin() + static_cast<std::ptrdiff_t>(aligned(kHeaderAt + old_size)),
                file.end());
  put<uint64_t>(result, kFileBytesAt, result.size());
  put<uint64_t>(result, kHeaderBytesAt, header.size());
  fix_checksum(result);
  return result;
}

Json header_of(const std::vector<uint8_t>& file) {
  uint64_t size;
  std::memcpy(&size, &file[kHeaderBytesAt], sizeof size);
  return Json::parse(file.begin() + kHeaderAt,
                     file.begin() + static_cast<std::ptrdiff_t>(kHeaderAt + size));
}

TEST(ProgramFile, RoundTrips) {
  const Program program = small_program();
  const std::vector<uint8_t> file = serialize(program);
  const Program read = parse_program(file, "test.vta");
  EXPECT_EQ(serialize(read), file);
  EXPECT_TRUE(read.core.same_hardware(program.core));
  EXPECT_EQ(read.network, "small");
  EXPECT_EQ(read.arena_image, program.arena_image);
  ASSERT_EQ(read.steps.size(), program.steps.size());
  EXPECT_EQ(read.steps.back().host_reason, HostReason::kOutsideLayers);
  for (size_t i = 0; i < read.steps.size(); ++i) {
    EXPECT_EQ(read.steps[i].layer, program.steps[i].layer);
    EXPECT_EQ(read.steps[i].attrs, program.steps[i].attrs);
    EXPECT_EQ(read.steps[i].host_reason, program.steps[i].host_reason);
    EXPECT_EQ(read.steps[i].inputs, program.steps[i].inputs);
  }
  EXPECT_EQ(read.outputs[0].labels, "labels.txt");
}

// A product of two inputs, [2, 5, 20] x [2, 20, 9].
Program product_of_matrices() {
  graph::Graph graph;
  graph.name = "product";
  OpAttrs attrs;
  attrs.lo = -127;
  attrs.hi = 127;
  const auto a = graph.add_input("a", {DType::kInt8, {2, 5, 20}});
  const auto b = graph.add_input("b", {DType::kInt8, {2, 20, 9}});
  const auto product = graph.add(OpKind::kQMatmul, "product", {a, b}, attrs);
  graph.node(product).on_core = true;
  graph.set_outputs({product});
  return lower::lower(graph, load_core_config("vta_1x16"), lower::Mode::kFused).program;
}

TEST(ProgramFile, RoundTripsLayoutsOfMatrices) {
  const Program program = product_of_matrices();
  const Program read = parse_program(serialize(program), "test");
  std::vector<Layout> layouts;
  for (size_t i = 0; i < read.values.size(); ++i) {
    EXPECT_EQ(read.values[i].layout, program.values[i].layout) << i;
    if (read.values[i].on_device) layouts.push_back(read.values[i].layout);
  }
  EXPECT_EQ(layouts, (std::vector{Layout::kRows, Layout::kWeights, Layout::kRows}));
}

TEST(ProgramFile, RefusesOtherLayoutsThanTheOperators) {
  const auto error_with = [](size_t device_value, Layout layout) -> std::string {
    Program program = product_of_matrices();
    for (ProgramValue& value : program.values) {
      if (value.on_device && device_value-- == 0) value.layout = layout;
    }
    return error_in([&] { check(program); });
  };
  EXPECT_EQ(error_with(3, Layout::kRows), "");  // there are three
  for (size_t i = 0; i < 3; ++i) {
    const std::string images = error_with(i, Layout::kImages);
    EXPECT_NE(images.find("2 or 4 axes"), std::string::npos) << images;
  }
  const std::string rows = error_with(1, Layout::kRows);
  EXPECT_NE(rows.find("expected layout weights, got rows"), std::string::npos) << rows;
}

TEST(ProgramFile, RoundTripsAnUnfoldedInput) {
  Program program = small_program();
  const auto pack = std::ranges::find(program.steps, ProgramStep::Kind::kPack, &ProgramStep::kind);
  ASSERT_NE(pack, program.steps.end());
  pack->op = OpKind::kUnfold2d;
  pack->attrs.stride = {2, 2};
  program.values[pack->inputs[0]].type.shape = {1, 8, 3, 4};
  for (ProgramStep& step : program.steps) {
    if (step.op == OpKind::kQuantize) program.values[step.inputs[0]].type.shape = {1, 8, 3, 4};
  }
  const Program read = parse_program(serialize(program), "test");
  const ProgramStep& step = read.steps[static_cast<size_t>(pack - program.steps.begin())];
  EXPECT_EQ(step.op, OpKind::kUnfold2d);
  EXPECT_TRUE(step.attrs == pack->attrs);
}

TEST(ProgramFile, RoundTripsThroughAFile) {
  const auto path = std::filesystem::temp_directory_path() / "vta_program_file_test.vta";
  const Program program = small_program();
  write_program(program, path);
  EXPECT_EQ(serialize(read_program(path)), serialize(program));
  std::filesystem::remove(path);
  EXPECT_THROW(read_program(path), Error);
}

TEST(ProgramFile, RefusesEveryFlippedByte) {
  const std::vector<uint8_t> file = serialize(small_program());
  for (size_t i = 0; i < file.size(); ++i) {
    std::vector<uint8_t> damaged = file;
    damaged[i] ^= static_cast<uint8_t>(1 + i % 255);
    ASSERT_NE(error_of(damaged), "") << "byte " << i;
  }
}

TEST(ProgramFile, RefusesEveryTruncation) {
  const std::vector<uint8_t> file = serialize(small_program());
  for (size_t size = 0; size < file.size(); ++size) {
    ASSERT_NE(error_of({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)}), "")
        << size;
  }
  std::vector<uint8_t> longer = file;
  longer.push_back(0);
  EXPECT_NE(error_of(longer), "");
}

TEST(ProgramFile, SurvivesFlippedBytesWithAValidChecksum) {
  const std::vector<uint8_t> file = serialize(small_program());
  const size_t data_at = kHeaderAt + header_of(file).dump().size();
  for (size_t i = 0; i < data_at; ++i) {
    for (uint8_t flip : {0x01, 0x10, 0x80}) {
      std::vector<uint8_t> damaged = file;
      damaged[i] ^= flip;
      if (i < kCrcAt || i >= kFileBytesAt) fix_checksum(damaged);
      error_of(damaged);  // an Error or a program that check() accepts; never a crash
    }
  }
}

TEST(ProgramFile, KeepsTheNamesOfOutputs) {
  Program program = small_program();
  EXPECT_EQ(output_name(program, 0), program.value(program.outputs.at(0).value).name);
  program.outputs.at(0).name = "scores/1";
  EXPECT_EQ(output_name(parse_program(serialize(program), "test"), 0), "scores/1");
}

TEST(ProgramFile, KeepsTheNamesOfClasses) {
  Program program = small_program();
  EXPECT_TRUE(parse_program(serialize(program), "test").class_names.empty());
  for (int i = 0; i < 32; ++i) program.class_names.push_back(fmt::format("class \u00fc{}", i));
  EXPECT_EQ(num_named_classes(program), 32);
  EXPECT_EQ(parse_program(serialize(program), "test").class_names, program.class_names);
}

// non_zero of the input, on the host.
Program program_with_open_output() {
  graph::Graph graph;
  const auto data = graph.add_input("data", {DType::kFloat32, {2, 3}});
  graph.set_outputs({graph.add(OpKind::kNonZero, "non_zero", {data})});
  return lower::lower(graph, test::core_named("tiny_1x8"), lower::Mode::kFused,
                      {.reasons = {{graph.outputs().at(0), HostReason::kOpenAxes}}})
      .program;
}

TEST(ProgramFile, KeepsOpenAxes) {
  const Program program = parse_program(serialize(program_with_open_output()), "test");
  const auto output = static_cast<size_t>(program.outputs.at(0).value);
  EXPECT_EQ(to_string(program.values.at(output).type), "int32[2, <=6]");
}

TEST(ProgramFile, RefusesOpenAxesThatTheOperatorDoesNotGive) {
  Program closed = program_with_open_output();
  closed.value(closed.outputs.at(0).value).type.open_axes = 0;
  EXPECT_NE(error_of(serialize(closed)).find("non_zero makes int32[2, <=6], not int32[2, 6]"),
            std::string::npos);
  Program input = program_with_open_output();
  input.value(input.inputs.at(0).value).type.open_axes = 1;
  EXPECT_NE(error_of(serialize(input)).find("has open axes"), std::string::npos);
  Program beyond = program_with_open_output();
  beyond.value(beyond.outputs.at(0).value).type.open_axes = 0b110;
  EXPECT_THROW(check(beyond), Error);
  Program on_device = small_program();
  for (ProgramValue& value : on_device.values) value.type.open_axes = value.on_device ? 1 : 0;
  EXPECT_NE(error_of(serialize(on_device)).find("open axes of a device value"), std::string::npos);
}

TEST(ProgramFile, RefusesLengthsBeyondTheFile) {
  std::vector<uint8_t> file = serialize(small_program());
  put<uint64_t>(file, kHeaderBytesAt, uint64_t{1} << 60);
  fix_checksum(file);
  EXPECT_NE(error_of(file).find("a header of 1152921504606846976 bytes"), std::string::npos);
  put<uint32_t>(file, kVersionAt, 9);
  EXPECT_NE(error_of(file).find("program format 9, this build reads 13"), std::string::npos);
}

// Replaces every leaf of the header by values of other types and ranges.
void for_each_leaf(Json& json, const std::function<void(Json&)>& visit) {
  if (json.is_structured()) {
    for (Json& item : json) for_each_leaf(item, visit);
  } else {
    visit(json);
  }
}

TEST(ProgramFile, SurvivesEveryInvalidHeaderField) {
  const std::vector<uint8_t> file = serialize(small_program());
  Json header = header_of(file);
  const std::vector<Json> wild = {nullptr,
                                  true,
                                  "text",
                                  "",
                                  -1,
                                  0,
                                  1,
                                  3,
                                  1000000,
                                  uint64_t{1} << 40,
                                  UINT64_MAX,
                                  1.5,
                                  Json::array(),
                                  Json::object()};
  size_t refused = 0, accepted = 0;
  std::vector<Json*> leaves;
  for_each_leaf(header, [&](Json& leaf) { leaves.push_back(&leaf); });
  for (Json* leaf : leaves) {
    const Json original = *leaf;
    for (const Json& value : wild) {
      if (value == original) continue;
      *leaf = value;
      (error_of(with_header(file, header.dump())).empty() ? accepted : refused) += 1;
    }
    *leaf = original;
  }
  EXPECT_GT(refused, 10 * accepted) << "only names and harmless numbers may be accepted";
}

TEST(ProgramFile, RefusesMissingKeys) {
  const std::vector<uint8_t> file = serialize(small_program());
  const Json header = header_of(file);
  for (const auto& [key, value] : header.items()) {
    Json without = header;
    without.erase(key);
    EXPECT_NE(error_of(with_header(file, without.dump())).find("field '" + key + "' is missing"),
              std::string::npos)
        << key;
  }
}

// --- check()

std::string check_error(const std::function<void(Program&)>& change) {
  Program program = small_program();
  change(program);
  return error_in([&] { check(program); }, ErrorCode::kCorrupt);
}

size_t first_step(const Program& program, ProgramStep::Kind kind) {
  const auto found = std::ranges::find(program.steps, kind, &ProgramStep::kind);
  return static_cast<size_t>(found - program.steps.begin());
}

TEST(ProgramCheck, AcceptsAProgramOfTheCompiler) {
  EXPECT_EQ(check_error([](Program&) {}), "");
}

TEST(ProgramCheck, NamesTheError) {
  const auto expect = [](const std::string& words, const std::function<void(Program&)>& change) {
    const std::string error = check_error(change);
    EXPECT_NE(error.find(words), std::string::npos) << "expected: " << words << "\nis: " << error;
  };
  using Kind = ProgramStep::Kind;
  expect("1 class name for 32 classes", [](Program& p) { p.class_names = {"cat"}; });
  expect("class name 'a?b': expected one line of text",
         [](Program& p) { p.class_names.assign(32, "a\nb"); });
  expect("value 99 does not exist", [](Program& p) { p.steps[0].inputs = {99}; });
  expect("value -1 does not exist", [](Program& p) { p.outputs[0].value = -1; });
  expect("is used before a step computes it",
         [](Program& p) { std::swap(p.steps[0], p.steps[1]); });
  expect("has a result already", [](Program& p) { p.steps.push_back(p.steps[0]); });
  expect("beyond the image",
         [](Program& p) { p.steps[first_step(p, Kind::kCore)].num_instructions = 1u << 31; });
  expect("not a multiple of 16",
         [](Program& p) { p.steps[first_step(p, Kind::kCore)].stream_offset_bytes += 1; });
  expect("its stream continues, but no step of the core follows",
         [](Program& p) { p.steps[first_step(p, Kind::kCore)].continues = true; });
  expect("the next one starts at", [](Program& p) {
    ProgramStep& first = p.steps[first_step(p, Kind::kCore)];
    const size_t next = first_step(p, Kind::kCore) + 1;
    first.continues = true;
    p.steps.insert(p.steps.begin() + static_cast<std::ptrdiff_t>(next), p.steps[next - 1]);
    p.steps[next].continues = false;
  });
  expect("expected a value on the host, got one on the device",
         [](Program& p) { p.steps[first_step(p, Kind::kCore)].kind = Kind::kUnpack; });
  const auto core = [](Program& p) -> ProgramStep& { return p.steps[first_step(p, Kind::kCore)]; };
  expect("expected 1 or 2 operands, got 0", [&](Program& p) { core(p).inputs.clear(); });
  expect("by 0 groups", [&](Program& p) { core(p).attrs.groups = 0; });
  expect("by 3 groups", [&](Program& p) { core(p).attrs.groups = 3; });
  expect("kernel 65537 is outside 1 to 65536",
         [&](Program& p) { core(p).attrs.kernel[0] = 65537; });
  expect("stride 0 is outside", [&](Program& p) { core(p).attrs.stride[1] = 0; });
  expect("makes int8[1, 8, 1, 2], not int8[1, 8, 2, 2]",
         [&](Program& p) { core(p).attrs.stride[0] = 2; });
  expect("matmul is not an operator of the core",
         [&](Program& p) { core(p).op = OpKind::kMatmul; });
  expect("qadd has 1 input", [&](Program& p) { core(p).op = OpKind::kQAdd; });
  expect("a copy needs 1 operand of the result's type, got 2 operands", [&](Program& p) {
    core(p).op = OpKind::kConcat;
    core(p).inputs.push_back(core(p).inputs[0]);
  });
  const auto pack = [](Program& p) -> ProgramStep& { return p.steps[first_step(p, Kind::kPack)]; };
  expect("packed as it is or by unfold2d, not by relu",
         [&](Program& p) { pack(p).op = OpKind::kRelu; });
  expect("unfold2d makes int8[1, 16, 2, 1], not int8[1, 8, 2, 2]", [&](Program& p) {
    pack(p).op = OpKind::kUnfold2d;
    pack(p).attrs.kernel = {1, 2};
  });
  const OpAttrs pool;  // of one pixel
  expect("a max pool of the result of qdense, expected qconv2d", [&](Program& p) {
    core(p).op = OpKind::kQDense;
    core(p).pool = pool;
  });
  expect("a convolution with a max pool has 1 operand, got 2", [&](Program& p) {
    core(p).inputs.push_back(core(p).inputs[0]);
    core(p).pool = pool;
  });
  expect("the max pool of qconv2d makes int8[1, 8, 1, 2], not int8[1, 8, 2, 2]", [&](Program& p) {
    core(p).pool = pool;
    core(p).pool->stride[0] = 2;
  });
  expect("products 9 is outside 0 to 8", [&](Program& p) { core(p).attrs.products = 9; });
  expect("the arena's end", [](Program& p) { p.arena_bytes -= 1; });
  expect("overlap in the arena", [](Program& p) {
    const ProgramStep& core = p.steps[first_step(p, Kind::kCore)];
    p.values[core.outputs[0]].arena_offset_bytes = p.values[core.inputs[0]].arena_offset_bytes;
  });
  expect("makes", [](Program& p) { p.values[p.outputs[0].value].type.shape[1] = 4; });
  expect("empty or larger", [](Program& p) { p.values[0].type.shape[1] = 0; });
  expect("batch", [](Program& p) { p.core.batch = 3; });
}

}  // namespace
}  // namespace vta
