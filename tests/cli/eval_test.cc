// SPDX-License-Identifier: Apache-2.0
//
// vta-sim eval, and what all commands say of inputs in batches.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files/array_file.h"
#include "base/files/file.h"
#include "base/files/npz_writer.h"
#include "base/files/scratch_folder.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"
#include "tests/onnx/model_builder.h"

namespace vta::cli_test {
namespace {

using nlohmann::json;

// Samples of tests/onnx/two_inputs.onnx, whose class is the brightest of the first four channels,
// or 3 if mode is 1.
NamedArrays samples_of_two_inputs(const std::vector<int64_t>& channels,
                                  const std::vector<int64_t>& modes) {
  constexpr int64_t kPixels = 16, kChannels = 16;
  const auto count = static_cast<int64_t>(channels.size());
  std::vector<float> images(channels.size() * kChannels * kPixels);
  std::vector<int64_t> labels;
  for (int64_t i = 0; i < count; ++i) {
    std::fill_n(images.begin() + (i * kChannels + channels[i]) * kPixels, kPixels, 1.0f);
    labels.push_back(modes[i] == 1 ? 3 : channels[i]);
  }
  const auto array = [](ArrayType type, std::vector<int64_t> shape, const auto& values) {
    NamedArray result{type, std::move(shape), {}};
    const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
    result.bytes.assign(bytes, bytes + values.size() * size_bytes(type));
    return result;
  };
  return {{"image", array(ArrayType::kFloat32, {count, kChannels, 4, 4}, images)},
          {"mode", array(ArrayType::kInt64, {count}, modes)},
          {"labels", array(ArrayType::kInt64, {count}, labels)}};
}

// x [T, 8], whose rows the last operator averages.
std::string model_of_time(const ScratchFolder& folder) {
  onnx::ModelBuilder model;
  model.input("x", {1, 8}).axis_name("x", 0, "T").output("y");
  model.floats("w", {8, 8}, std::vector<double>(64, 0.25)).node("MatMul", {"x", "w"}, {"m"});
  model.node("ReduceMean", {"m"}, {"y"}, {{"axes", std::vector<int64_t>{0}}});
  write_file(folder / "time.onnx", model.bytes());
  return folder / "time.onnx";
}

TEST(VtaSim, EvalWritesTheOutputsOfEveryImage) {
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "y.npz").string();
  run_ok(
      {"vta-sim", "eval", "digits.json", "--dataset", "npz:digits/test.npz:6", "--output", file});
  const NamedArrays arrays = read_arrays(file);
  ASSERT_EQ(arrays.size(), 1u);
  EXPECT_EQ(arrays.begin()->second.type_text(), "float32[6, 10]");
}

TEST(VtaSim, EvalReportsPercentagesOfInt8AndFp32) {
  const json report =
      run_json({"vta-sim", "eval", "digits.json", "--dataset", "npz:digits/test.npz:40"});
  EXPECT_EQ(report.at("images"), 40);
  for (const char* key : {"top1", "top5", "fp32_top1", "fp32_top5", "agreement"}) {
    EXPECT_GE(report.at(key).get<double>(), 80) << key;
    EXPECT_LE(report.at(key).get<double>(), 100) << key;
  }
  expect_counters(report.at("counters"));
  EXPECT_PRED2(contains,
               run_ok({"vta-sim", "eval", "digits.json", "--dataset", "npz:digits/test.npz:5"}),
               "Accuracy on 5 images:\n");
}

TEST(VtaSim, EvalTakesImagesOfItsOwnWhereTheNetworkHasNone) {
  const ScratchFolder folder;
  json network = json::parse(read_text_file("configs/networks/digits.json"));
  network.erase("calibration");
  const std::string file = folder.path() / "digits.json";
  write_file(file, network.dump());
  const auto source = [&](const std::vector<std::string>& how) {
    std::vector<std::string> command = {"vta-sim", "eval", file, "--dataset",
                                        "npz:digits/test.npz:20"};
    command.insert(command.end(), how.begin(), how.end());
    return run_json(command).at("calibration").get<std::string>();
  };
  EXPECT_EQ(source({}), "16 images of the data set");
  EXPECT_EQ(source({"--calibrate", "npz:digits/test.npz:3"}), "3 images");
  EXPECT_EQ(source({"--quantize", "global"}), "");
  EXPECT_PRED2(
      contains, run_ok({"vta-sim", "eval", file, "--dataset", "npz:digits/test.npz:5"}),
      "Scales were calibrated on 5 images of the data set; --calibrate chooses others, and "
      "gives vta-compile and run such scales, too\n");
  EXPECT_EQ(run_json({"vta-sim", "run", file}).at("calibration"), network.at("input").at("sample"));
}

TEST(VtaSim, EvalTakesSeveralInputsFromAFileOrAFolder) {
  const ScratchFolder folder;
  const NamedArrays arrays = samples_of_two_inputs({0, 1, 2, 0, 1}, {0, 0, 0, 1, 1});
  std::filesystem::create_directories(folder / "set");
  write_file(folder / "set/a.npz", to_npz(arrays));
  write_file(folder / "set/b.npz", to_npz(samples_of_two_inputs({2}, {1})));
  const auto eval = [&](const std::string& path) {
    return std::vector<std::string>{"vta-sim", "eval", "tests/onnx/two_inputs.onnx", "--dataset",
                                    "npz:" + path};
  };
  const json file = run_json(eval(folder / "set/a.npz"));
  EXPECT_EQ(file.at("images"), 5);
  const json both = run_json(eval(folder / "set"));
  EXPECT_EQ(both.at("images"), 6);
  for (const char* key : {"top1", "fp32_top1", "agreement"}) {
    EXPECT_EQ(file.at(key), 100) << key;
    EXPECT_EQ(both.at(key), 100) << key;
  }
  NamedArrays without = arrays;
  without.erase("mode");
  write_file(folder / "bad.npz", to_npz(without));
  EXPECT_PRED2(contains, run(eval(folder / "bad.npz")).err,
               "array 'mode' is missing; expected one for each input of the network: image, mode");
}

TEST(VtaSim, EvalOnACoreOfBatchFourAgreesWithBatchOne) {
  const std::vector<std::string> command = {"vta-sim", "eval", "digits.json", "--dataset",
                                            "npz:digits/test.npz:10"};
  std::vector<std::string> four = command;
  four.insert(four.end(), {"--core", "vta_4x8"});
  const json batch_1 = run_json(command);
  const json batch_4 = run_json(four);
  for (const char* key : {"images", "top1", "top5", "fp32_top1", "agreement"}) {
    EXPECT_EQ(batch_1.at(key), batch_4.at(key)) << key;
  }
}

TEST(VtaSim, EvalFindsTheSameWithAnyNumberOfThreads) {
  const auto with_threads = [](const std::string& threads) {
    json report = run_json({"vta-sim", "eval", "digits.json", "--dataset", "npz:digits/test.npz",
                            "--limit", "30", "--threads", threads});
    EXPECT_EQ(report.at("threads"), std::stoi(threads));
    for (const char* key : {"threads", "eval_seconds", "device_seconds", "host_seconds",
                            "compile_seconds", "wall_seconds"}) {
      report.erase(key);
    }
    return report;
  };
  const json one = with_threads("1");
  EXPECT_EQ(one.at("images"), 30);
  EXPECT_EQ(one, with_threads("3"));
  const json few = run_json(
      {"vta-sim", "eval", "digits.json", "--dataset", "npz:digits/test.npz:2", "--threads", "5"});
  EXPECT_EQ(few.at("threads"), 2) << "no thread without an image";
}

TEST(VtaSim, EveryCommandRefusesAnOpenAxisThatMayNotBeABatch) {
  const ScratchFolder folder;
  const std::string model = model_of_time(folder);
  const std::vector<std::vector<std::string>> commands = {
      {"vta-compile", model},
      {"vta-sim", "run", model},
      {"vta-sim", "eval", model, "--dataset", "npz:none.npz"},
      {"vta-sim", "report", model, "-o", folder / "report.html"},
      {"vta-sim", "profile", model},
      {"vta-sim", "bench", model},
      {"vta-sim", "bench", model, "--fp32"},
      {"vta-sim", "tune", model, "--log", folder / "log.jsonl"},
      {"vta-sim", "explore", model},
      {"vta-sim", "export", model, folder / "raw"},
      {"vta-sim", "info", model}};
  for (const std::vector<std::string>& command : commands) {
    const ToolRun refused = run(command);
    EXPECT_EQ(refused.status, 1) << command[1];
    EXPECT_PRED2(contains, refused.err,
                 "axis 0 ('T') of input 'x' has no known size, and it is not shown to be a batch: "
                 "operator 'y' (reduce_mean) combines its positions");
    EXPECT_PRED2(contains, refused.err, "--batch-axis x=0") << command[1];
    EXPECT_PRED2(contains, refused.err, "--input-shape x=Nx8") << command[1];
  }
}

TEST(VtaSim, EveryInputMayBeGivenABatchAxisOrAShape) {
  const ScratchFolder folder;
  const std::string model = model_of_time(folder);
  run_ok({"vta-compile", model, "--batch-axis", "0"});
  run_ok({"vta-sim", "info", model, "--batch-axis", "x=0"});
  run_ok({"vta-sim", "bench", model, "--fp32", "--batch-axis", "0", "--repeat", "1"});
  const json report =
      run_json({"vta-sim", "run", model, "--input-shape", "x=6x8", "--device", "functional"});
  EXPECT_EQ(report.at("outputs")[0].at("type"), "float32[1, 8]");
  const ToolRun wrong = run({"vta-sim", "run", model, "--input-shape", "x=6x9"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_PRED2(contains, wrong.err, "--input-shape: input 'x' is [?, 8], got [6, 9]");
}

TEST(VtaSim, BenchCountsTheSamplesOfADeclaredBatchInFp32Too) {
  const ScratchFolder folder;
  for (const bool is_batch : {true, false}) {
    onnx::ModelBuilder model;
    model.input("x", {4, 8})
        .output("y")
        .node("Softmax", {"x"}, {"y"}, {{"axis", int64_t{is_batch ? 1 : 0}}});
    write_file(folder / "model.onnx", model.bytes());
    const json report =
        run_json({"vta-sim", "bench", folder / "model.onnx", "--fp32", "--repeat", "1"});
    EXPECT_EQ(report.at("batch"), is_batch ? 4 : 1);
  }
}

TEST(VtaSim, CalibrationComesFromADataSetOnRequest) {
  const std::vector<std::string> command = {
      "vta-sim", "eval", "digits.json", "--dataset", "npz:digits/test.npz:3", "--quantize", "max"};
  std::vector<std::string> requested = command;
  requested.insert(requested.end(), {"--calibrate", "npz:digits/calibration.npz:8"});
  EXPECT_EQ(run_json(command).at("calibration"), "digits/calibration.npz");
  EXPECT_EQ(run_json(requested).at("calibration"), "8 images");
}

}  // namespace
}  // namespace vta::cli_test
