// SPDX-License-Identifier: Apache-2.0
//
// Writes the initial inputs for fuzzing: small files of every format, FOLDER/<format>/<name>, and
// their list, FOLDER/<format>.list; with a folder of ONNX's node tests also their models.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/files/checksum.h"
#include "base/files/file.h"
#include "runtime/rpc/messages.h"
#include "tests/fuzz/compiled_seeds.h"
#include "tests/fuzz/file_seeds.h"
#include "tests/fuzz/node_models.h"
#include "tests/onnx/model_builder.h"
#include "tests/unit/base/files/array_bytes.h"

namespace vta {
namespace {

namespace fs = std::filesystem;
using onnx::ElementType;
using onnx::ModelBuilder;
using Integers = std::vector<int64_t>;

void write_model(const fs::path& folder, const char* name, const ModelBuilder& model) {
  write_file(folder / "onnx" / name, model.bytes());
}

// Several operators per model, so that few inputs reach many of them.
void write_models(const fs::path& folder) {
  ModelBuilder image(13);
  image.input("x", {-1, 4, 6, 6})
      .floats("w", {4, 2, 3, 3}, std::vector<double>(72, 0.5))
      .floats("b", {4}, {1, 2, 3, 4})
      .floats("wt", {4, 2, 2, 2}, std::vector<double>(32, 0.25))
      .node("Conv", {"x", "w", "b"}, {"c"},
            {{"group", int64_t{2}}, {"pads", Integers{1, 1, 1, 1}}, {"strides", Integers{2, 2}}})
      .node("BatchNormalization", {"c", "b", "b", "b", "b"}, {"n"})
      .node("LeakyRelu", {"n"}, {"l"}, {{"alpha", 0.1f}})
      .node("ConvTranspose", {"l", "wt"}, {"t"}, {{"strides", Integers{2, 2}}})
      .node("MaxPool", {"t"}, {"m"}, {{"kernel_shape", Integers{2, 2}}, {"ceil_mode", int64_t{1}}})
      .node("AveragePool", {"m"}, {"a"},
            {{"kernel_shape", Integers{3, 3}}, {"auto_pad", "SAME_UPPER"}})
      .node("GlobalAveragePool", {"a"}, {"g"})
      .node("Flatten", {"g"}, {"f"})
      .node("Softmax", {"f"}, {"y"})
      .output("y");
  write_model(folder, "image", image);

  ModelBuilder shapes(13);
  shapes.input("x", {1, 4, 3, 2})
      .integers("zero", {0})
      .integers("one", {1})
      .integers("two", {2})
      .integers("open", {-1})
      .integers("pads", {0, 0, 1, -1, 0, 0, 0, 1})
      .node("Shape", {"x"}, {"s"})
      .node("Gather", {"s", "zero"}, {"n"})
      .node("Slice", {"s", "one", "two"}, {"c"})
      .node("Div", {"c", "two"}, {"half"})
      .node("Concat", {"n", "half", "open"}, {"to"}, {{"axis", int64_t{0}}})
      .node("Reshape", {"x", "to"}, {"r"})
      .node("Transpose", {"r"}, {"t"}, {{"perm", Integers{0, 2, 1}}})
      .node("Unsqueeze", {"t", "one"}, {"u"})
      .node("Pad", {"u", "pads"}, {"p"})
      .node("Split", {"p"}, {"a", "b"}, {{"axis", int64_t{3}}})
      .node("ReduceMean", {"a"}, {"y"}, {{"axes", Integers{2, 3}}, {"keepdims", int64_t{0}}})
      .node("ArgMax", {"b"}, {"z"}, {{"axis", int64_t{2}}})
      .output("y")
      .output("z");
  write_model(folder, "shapes", shapes);

  ModelBuilder rows(18);
  rows.input("x", {2, 3})
      .floats("w", {3, 4}, std::vector<double>(12, 1))
      .floats("slope", {4}, {1, 2, 3, 4})
      .floats("low", {}, {0})
      .floats("scales", {4}, {1, 1, 2, 2})
      .integers("to", {1, 2, 2, 2})
      .node("Gemm", {"x", "w"}, {"g"}, {{"alpha", 0.5f}})
      .node("PRelu", {"g", "slope"}, {"p"})
      .node("Clip", {"p", "low"}, {"c"})
      .node("Reshape", {"c", "to"}, {"i"})
      .node("Resize", {"i", "", "scales"}, {"r"}, {{"mode", "cubic"}})
      .node("LRN", {"r"}, {"l"}, {{"size", int64_t{3}}})
      .node("Max", {"l", "low"}, {"y"})
      .output("y");
  write_model(folder, "rows", rows);

  ModelBuilder indexed(13);
  indexed.input("x", {2, 3})
      .input("i", {2, 3}, ElementType::kInt64)
      .integers("two", {2})
      .integers("shape", {2, 2, 3})
      .integers("pairs", {0, 1})
      .node("Gather", {"x", "pairs"}, {"g"}, {{"axis", int64_t{1}}})
      .node("GatherElements", {"x", "i"}, {"e"})
      .node("ScatterElements", {"e", "i", "x"}, {"s"}, {{"axis", int64_t{1}}})
      .node("GatherND", {"s", "pairs"}, {"n"})
      .node("TopK", {"s", "two"}, {"values", "k"})
      .node("Mod", {"i", "i"}, {"m"})
      .node("Less", {"m", "i"}, {"l"})
      .node("Where", {"l", "s", "x"}, {"w"})
      .node("Expand", {"w", "shape"}, {"b"})
      .node("CumSum", {"b", "two"}, {"c"}, {{"reverse", int64_t{1}}})
      .node("ReduceSum", {"c", "pairs"}, {"r"}, {{"keepdims", int64_t{0}}})
      .node("ReduceMax", {"b"}, {"q"}, {{"axes", Integers{1}}})
      .node("OneHot", {"k", "two", "pairs"}, {"h"})
      .node("Cast", {"h"}, {"f"}, {{"to", int64_t{1}}})
      .node("LogSoftmax", {"f"}, {"y"})
      .output("g")
      .output("n")
      .output("r")
      .output("q")
      .output("y");
  write_model(folder, "indexed", indexed);

  ModelBuilder selections(13);
  selections.input("boxes", {1, 4, 4})
      .input("scores", {1, 2, 4})
      .integers("limit", {3})
      .floats("overlap", {}, {0.5})
      .integers("two", {2})
      .integers("one", {1})
      .integers("zero", {0})
      .integers("all", {0, -1})
      .node("NonMaxSuppression", {"boxes", "scores", "limit", "overlap"}, {"s"})
      .node("Slice", {"s", "two", "limit", "one"}, {"column"})
      .node("Squeeze", {"column", "one"}, {"i"})
      .node("Squeeze", {"boxes", "zero"}, {"b"})
      .node("Gather", {"b", "i"}, {"kept"})
      .node("Concat", {"kept", "b"}, {"c"}, {{"axis", int64_t{0}}})
      .node("Reshape", {"c", "all"}, {"r"})
      .node("Greater", {"r", "overlap"}, {"mask"})
      .node("NonZero", {"mask"}, {"n"})
      .node("Transpose", {"n"}, {"t"})
      .node("GatherND", {"r", "t"}, {"g"})
      .node("Unique", {"g"}, {"y", "first", "inverse", "count"})
      .node("Shape", {"y"}, {"k"})
      .node("TopK", {"g", "k"}, {"best", "at"})
      .output("s")
      .output("inverse")
      .output("count")
      .output("best");
  write_model(folder, "selections", selections);

  ModelBuilder sequences(23);
  sequences.input("x", {2, 3, 4})
      .floats("w", {1, 8, 4}, std::vector<double>(32, 0.5))
      .floats("r", {1, 8, 2}, std::vector<double>(16, 0.25))
      .floats("v", {1, 6, 4}, std::vector<double>(24, 0.5))
      .floats("q", {1, 6, 2}, std::vector<double>(12, 0.25))
      .floats("angles", {2, 3, 1}, std::vector<double>(6, 0.5))
      .node("LSTM", {"x", "w", "r"}, {"s", "", "c"}, {{"hidden_size", int64_t{2}}})
      .node("GRU", {"x", "v", "q"}, {"g"},
            {{"hidden_size", int64_t{2}}, {"direction", "reverse"}, {"layout", int64_t{1}}})
      .node("RotaryEmbedding", {"x", "angles", "angles"}, {"e"}, {{"num_heads", int64_t{2}}})
      .node("Attention", {"e", "x", "x"}, {"a"},
            {{"q_num_heads", int64_t{2}}, {"kv_num_heads", int64_t{2}}, {"is_causal", int64_t{1}}})
      .node("Einsum", {"a", "x"}, {"y"}, {{"equation", "bij, bkj -> bik"}})
      .output("s")
      .output("g")
      .output("y");
  write_model(folder, "sequences", sequences);

  ModelBuilder quantized(13);
  quantized.input("x", {1, 2, 2, 2})
      .floats("s", {}, {0.5})
      .floats("odd", {}, {0.3})
      .constant({"zero", ElementType::kInt8, {}, {0}})
      .constant({"w", ElementType::kInt8, {1, 2, 1, 1}, {3, -3}})
      .node("QuantizeLinear", {"x", "s", "zero"}, {"q"})
      .node("QLinearConv", {"q", "s", "zero", "w", "s", "zero", "s", "zero"}, {"c"})
      .node("QLinearConv", {"q", "odd", "zero", "w", "s", "zero", "s", "zero"}, {"e"})
      .node("DequantizeLinear", {"c", "s", "zero"}, {"d"})
      .node("DequantizeLinear", {"e", "s", "zero"}, {"f"})
      .node("Add", {"d", "f"}, {"a"})
      .node("QuantizeLinear", {"a", "s", "zero"}, {"y"})
      .output("y");
  write_model(folder, "quantized", quantized);
}

void write_networks(const fs::path& folder) {
  write_file(folder / "json" / "small", R"({"format": 1, "name": "small",
 "input": {"name": "x", "shape": [1, 3, 8, 8], "image": {"channels": "rgb", "scale": 0.5,
  "mean": [1, 2, 3], "stddev": [1, 1, 1], "resize_short_side": 9}, "sample": "a.png"},
 "weights": {"synthetic": {"seed": 7}}, "quantize": "mse", "labels": "l.txt",
 "layers": [
  {"name": "c", "op": "conv2d", "channels": 4, "kernel": 3, "pad": [1, 1, 0, 0], "stride": 2, "bias": false},
  {"name": "n", "op": "batch_norm", "epsilon": 0.001},
  {"name": "r", "op": "clip", "lo": 0, "hi": 6},
  {"name": "a", "op": "add", "inputs": ["r", "n"]},
  {"name": "p", "op": "max_pool2d", "kernel": 2, "stride": 2, "ceil_mode": true},
  {"name": "s", "op": "strided_slice", "begin": [0, 0, 0, 0], "end": [1, 4, 2, 2], "step": [1, 2, 1, 1]},
  {"name": "w", "op": "pad", "before": [0, 1, 0, 0], "after": [0, 1, 0, 0]},
  {"name": "g", "op": "global_avg_pool2d"},
  {"name": "f", "op": "flatten"},
  {"name": "d", "op": "dense", "channels": 10, "params": "fc"},
  {"name": "y", "op": "softmax"}]})");
}

void write_arrays(const fs::path& folder) {
  const test::Bytes elements = test::bytes_of<float>({1, 2, 3, 4, 5, 6});
  test::Bytes member = test::npy(test::npy_header("<f4", "(2, 3)", true), elements, 2);
  test::Bytes archive = test::zip({{"a.npy", member}, {"b.npy", member}}, true);
  member.insert(member.begin(), 1);
  archive.insert(archive.begin(), 0);
  write_file(folder / "npz" / "member", member);
  write_file(folder / "npz" / "archive", archive);
  write_file(folder / "safetensors" / "two", test::safetensors(R"({"__metadata__": {"format": "pt"},
 "a": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]},
 "b": {"dtype": "BF16", "shape": [4], "data_offsets": [16, 24]}})",
                                                               elements));
}

// A session with every call, as a client sends it.
void write_frames(const fs::path& folder) {
  constexpr uint64_t kArena = 4096;  // the first allocated address
  const std::vector<uint8_t> data = {1, 2, 3, 4};
  const rpc::RunCall run{kArena, 8192, 16, 3, 1000, "conv1"};
  std::vector<uint8_t> session;
  uint32_t id = 0;
  const auto add = [&](const auto& message) {
    const std::vector<uint8_t> frame = rpc::encode(message, ++id);
    write_file(folder / "rpc" / fmt::format("call{}", id), frame);
    session.insert(session.end(), frame.begin(), frame.end());
  };
  add(rpc::HelloCall{rpc::kMagic, rpc::kProtocolVersion, "0123456789abcdef"});
  add(rpc::DescribeCall{});
  add(rpc::AllocateCall{8192});
  add(rpc::CopyInCall{kArena, data});
  add(rpc::CopyOutCall{kArena, 4});
  add(run);
  add(rpc::EvaluateCall{1, 2, run});
  add(rpc::CancelCall{6});
  add(rpc::FreeCall{kArena});
  add(rpc::FlashBeginCall{4, crc32(data), "pynq-z1", "vta_1x16", "vta.bit"});
  add(rpc::FlashDataCall{data});
  add(rpc::FlashEndCall{});
  add(rpc::CloseCall{});
  write_file(folder / "rpc" / "session", session);
}

// FOLDER/<format>.list: the files of a format in the form of libFuzzer's -seed_inputs.
void write_list(const fs::path& folder, const std::string& format) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder / format))
    files.push_back(fs::absolute(entry.path()).string());
  std::ranges::sort(files);
  write_file(folder / (format + ".list"), fmt::format("{}", fmt::join(files, ",")));
}

}  // namespace
}  // namespace vta

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::fprintf(stderr, "usage: %s FOLDER [NODE_TESTS]\n", argv[0]);
    return 2;
  }
  const vta::fs::path folder = argv[1];
  constexpr const char* kFormats[] = {"onnx",      "json",      "npz",   "safetensors",
                                      "quantized", "program",   "image", "config",
                                      "schedules", "bitstream", "rpc"};
  for (const char* format : kFormats) {
    vta::fs::remove_all(folder / format);  // also of seeds that are not written any more
    vta::fs::create_directories(folder / format);
  }
  vta::write_models(folder);
  vta::write_networks(folder);
  vta::write_arrays(folder);
  vta::fuzz::write_compiled_seeds(folder);
  vta::fuzz::write_image_seeds(folder);
  vta::fuzz::write_config_seeds(folder);
  vta::fuzz::write_bitstream_seeds(folder);
  vta::write_frames(folder);
  for (const char* format : kFormats) vta::write_list(folder, format);
  if (argc == 3) vta::fuzz::write_node_models(argv[2], folder / "onnx");
  return 0;
}
