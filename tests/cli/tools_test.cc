// SPDX-License-Identifier: Apache-2.0
//
// Every subcommand of vta-sim and vta-hlsc as documented: output, JSON keys, help, exit status.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/files/array_file.h"
#include "base/files/file.h"
#include "base/files/npz_writer.h"
#include "base/files/scratch_folder.h"
#include "runtime/program/program.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"
#include "tests/onnx/model_builder.h"

namespace vta::cli_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string kDigitsProgram =
    VTA_DIGITS_PROGRAM;  // digits.json compiled for vta_1x16 by the build
const std::vector<std::string> kCounters = {
    "inp_load_nbytes",  "wgt_load_nbytes", "acc_load_nbytes", "uop_load_nbytes",
    "out_store_nbytes", "gemm_counter",    "alu_counter"};

bool has_element(const json& array, const std::string& element) {
  return std::find(array.begin(), array.end(), element) != array.end();
}

void expect_counters(const json& object) {
  for (const std::string& name : kCounters)
    EXPECT_TRUE(object.at(name).is_number_unsigned()) << name;
  EXPECT_TRUE(object.contains("cycles"));
  EXPECT_TRUE(object.contains("stages"));
}

void expect_usage_error(const std::vector<std::string>& command, const std::string& what) {
  const ToolRun result = run(command);
  EXPECT_EQ(result.status, 2) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_PRED2(matches, result.err, "^vta-(sim|compile|hlsc): error: [^\n]*\n$");
  EXPECT_PRED2(contains, result.err, what);
}

const std::string kModel = "tests/onnx/quantized/small.qdq_u8.onnx";
const std::string kPhoto = "configs/networks/samples/landscape.png";

TEST(VtaSim, RunTakesAPhotographForABareModelIfItIsToldHow) {
  const std::vector<std::string> command = {"vta-sim",    "run",    kModel,    "--device",
                                            "functional", "--json", "--input", kPhoto};
  const ToolRun refused = run(command);
  EXPECT_EQ(refused.status, 1);
  EXPECT_PRED2(contains, refused.err, "give --preprocess imagenet, none, 0-1 or -1-1");
  const auto values_with = [&](const std::vector<std::string>& options) {
    std::vector<std::string> told = command;
    told.insert(told.end(), options.begin(), options.end());
    return run_json(told).at("outputs")[0].at("values");
  };
  const json imagenet = values_with({"--preprocess", "imagenet"});
  EXPECT_EQ(imagenet.size(), 10u);
  EXPECT_EQ(imagenet, values_with({"--mean", "0.485,0.456,0.406", "--std", "0.229,0.224,0.225",
                                   "--scale", "1/255", "--layout", "nchw", "--resize", "18"}));
  EXPECT_NE(imagenet, values_with({"--preprocess", "0-1"}));
}

TEST(VtaSim, RunWritesEveryOutputUnderItsNameToAFile) {
  const ScratchFolder scratch;
  const auto file = [&](const char* name) { return (scratch.path() / name).string(); };
  std::vector<std::string> command = {"vta-sim",    "run",    "digits.json", "--device",
                                      "functional", "--json", "--output",    file("y.npz")};
  const json report = run_json(command);
  const std::string name = report.at("outputs")[0].at("name");
  const NamedArrays arrays = read_arrays(file("y.npz"));
  ASSERT_TRUE(arrays.contains(name));
  EXPECT_EQ(arrays.at(name).type_text(), "float32[1, 10]");
  EXPECT_EQ(json(arrays.at(name).to_floats()), report.at("outputs")[0].at("values"));
  command.back() = file("y.json");
  run_json(command);
  const json written = json::parse(read_text_file(file("y.json")));
  EXPECT_EQ(written.at("outputs").at(name).at("data"), report.at("outputs")[0].at("values"));
  command.back() = file("y.csv");
  run_json(command);
  EXPECT_PRED2(contains, read_text_file(file("y.csv")), "input,output,index,value\n");
  command.back() = file("y.txt");
  expect_usage_error(command, "expected a name that ends in .npz, .json or .csv");
}

TEST(VtaSim, RunWritesOutputsOfTheSizeOfTheRun) {
  const ScratchFolder scratch;
  const auto file = [&](const char* name) { return (scratch.path() / name).string(); };
  NamedArray image{ArrayType::kFloat32, {1, 3, 8, 8}, std::vector<uint8_t>(192 * sizeof(float))};
  const float pixel = 2;  // few boxes have scores
  std::memcpy(image.bytes.data(), &pixel, sizeof pixel);
  write_file(file("x.npz"), to_npz({{"image", image}}));
  std::vector<std::string> command = {"vta-sim",    "run",         "tests/onnx/detector.onnx",
                                      "--input",    file("x.npz"), "--device",
                                      "functional", "--output",    file("y.npz")};
  run_ok(command);
  const NamedArrays arrays = read_arrays(file("y.npz"));
  const std::vector<int64_t> selected = arrays.at("selected").shape;
  EXPECT_LT(selected.at(0), 40);
  EXPECT_EQ(arrays.at("pixels").shape, (std::vector<int64_t>{selected.at(0), 4}));
  command.back() = file("y.json");
  run_ok(command);
  const json written = json::parse(read_text_file(file("y.json"))).at("outputs").at("selected");
  EXPECT_EQ(written.at("shape"), json(selected));
  EXPECT_EQ(written.at("data").size(), static_cast<size_t>(selected.at(0)) * 3);
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

TEST(VtaSim, RunListsOutputsIfTheirMeaningIsDeclined) {
  const std::string text =
      run_ok({"vta-sim", "run", "digits.json", "--device", "functional", "--postprocess", "none"});
  EXPECT_PRED2(contains, text, "float32[1, 10]");
  EXPECT_FALSE(contains(text, "#1:"));
  const ToolRun image = run({"vta-sim", "run", "digits.json", "--postprocess", "image"});
  EXPECT_EQ(image.status, 1);
  EXPECT_PRED2(contains, image.err, "--postprocess image: output 0 is float32[1, 10]");
}

TEST(VtaSim, RunEndsWithTheStatisticsAndTheFiveBestClasses) {
  const std::string text = run_ok({"vta-sim", "run", "digits.json"});
  EXPECT_PRED2(matches, text,
               "\nExecution statistics:\n"
               "\tinp_load_nbytes : +[0-9]+\n"
               "\twgt_load_nbytes : +[0-9]+\n"
               "\tacc_load_nbytes : +[0-9]+\n"
               "\tuop_load_nbytes : +[0-9]+\n"
               "\tout_store_nbytes: +[0-9]+\n"
               "\tgemm_counter    : +[0-9]+\n"
               "\talu_counter     : +[0-9]+\n"
               "\tcycles          : +[0-9]+\n"
               "(\t[^\n]*\n)+"
               "\n"
               "digits prediction for sample 0, sample.png\n"
               "\t#1: [^\n]+\n\t#2: [^\n]+\n\t#3: [^\n]+\n\t#4: [^\n]+\n\t#5: [^\n]+\n$");
  EXPECT_PRED2(contains, text, "sample.png (the network's sample)");
}

TEST(VtaSim, RunWithSyntheticWeightsPretendsNoRecognition) {
  const std::string text =
      run_ok({"vta-sim", "run", "digits.json", "--weights", "synthetic", "--seed", "7"});
  EXPECT_PRED2(contains, text, "synthetic weights");
  EXPECT_PRED2(matches, text, "\t#1: class [0-9] \\([^\n]+\\)\n");
}

TEST(VtaSim, RunUsesTheSeedOfTheNetworksFileUnlessGivenOne) {
  const ScratchFolder folder;
  const std::string file = folder / "network.json";
  std::string network = read_text_file("configs/networks/resnet20_cifar.json");
  const std::string seed_one = "{\"synthetic\": {\"seed\": 1}}";
  ASSERT_NE(network.find(seed_one), std::string::npos);
  network.replace(network.find(seed_one), seed_one.size(), "{\"synthetic\": {\"seed\": 7}}");
  write_file(file, network);
  EXPECT_EQ(run_json({"vta-sim", "run", file}).at("weights"), "synthetic:7");
  EXPECT_EQ(run_json({"vta-sim", "run", file, "--seed", "9"}).at("weights"), "synthetic:9");
}

TEST(VtaSim, RunPrintsTheDocumentedJsonKeys) {
  const json report = run_json({"vta-sim", "run", "digits.json"});
  EXPECT_EQ(report.at("network"), "digits");
  EXPECT_EQ(report.at("device"), "cycle");
  EXPECT_EQ(report.at("core"), "vta_1x16");
  EXPECT_EQ(report.at("mode"), "fused");
  EXPECT_TRUE(report.at("quantize").is_string());
  EXPECT_PRED2(contains, report.at("weights").get<std::string>(), "digits");
  expect_counters(report.at("counters"));
  EXPECT_GT(report.at("counters").at("cycles").get<uint64_t>(), 0u);
  const json functional = run_json({"vta-sim", "run", "digits.json", "--device", "functional"});
  EXPECT_TRUE(functional.at("counters").at("cycles").is_null()) << "the device counts no cycles";
  for (const char* key : {"device_seconds", "host_seconds", "compile_seconds", "wall_seconds"}) {
    EXPECT_GE(report.at(key).get<double>(), 0) << key;
  }
  EXPECT_EQ(report.at("outputs").size(), 1u);
  EXPECT_EQ(report.at("outputs")[0].at("values").size(), 10u);
}

TEST(VtaSim, CountersOfTheLayersSumToTheCountersOfTheRun) {
  const json report = run_json({"vta-sim", "run", "digits.json"});
  for (const std::string& name : kCounters) {
    uint64_t sum = 0;
    for (const json& layer : report.at("layers")) {
      EXPECT_TRUE(layer.at("name").is_string() && layer.at("op").is_string());
      EXPECT_PRED2(matches, layer.at("where").get<std::string>(), "^(core|host)$");
      sum += layer.at(name).get<uint64_t>();
    }
    EXPECT_EQ(sum, report.at("counters").at(name)) << name;
  }
}

TEST(VtaSim, BothModesGiveTheSameOutputs) {
  const json fused = run_json({"vta-sim", "run", "digits.json", "--mode", "fused",
                               "--first-convolution", "host", "--schedules", "none"});
  const json compatible = run_json({"vta-sim", "run", "digits.json", "--mode", "compatible"});
  EXPECT_EQ(compatible.at("mode"), "compatible");
  EXPECT_EQ(fused.at("outputs"), compatible.at("outputs"));
  // Mode fused does not multiply padding, which is more work than its classifier of two products.
  EXPECT_LT(fused.at("counters").at("gemm_counter").get<int>(),
            compatible.at("counters").at("gemm_counter").get<int>());
}

TEST(VtaSim, RepeatReportsEverySampleAndItsSpread) {
  const json report = run_json({"vta-sim", "run", "digits.json", "--repeat", "4"});
  EXPECT_EQ(report.at("repeat").at("seconds").size(), 4u);
  EXPECT_GT(report.at("repeat").at("mean_seconds").get<double>(), 0);
  EXPECT_GE(report.at("repeat").at("stddev_seconds").get<double>(), 0);
  EXPECT_PRED2(matches, run_ok({"vta-sim", "run", "digits.json", "--repeat", "2"}),
               "\n2 samples of 1 inference: mean [0-9.]+ s, standard deviation [0-9.]+ s\n"
               "\tresults: ");
  EXPECT_PRED2(matches, run_ok({"vta-sim", "run", "digits.json", "--number", "3"}),
               "\n1 sample of 3 inferences: mean [0-9.]+ s\n\nExecution statistics:");
}

TEST(VtaSim, SeveralInputsAreNumberedSamples) {
  const std::string sample = VTA_SOURCE_FOLDER "/configs/networks/digits/sample.png";
  const std::string text = run_ok({"vta-sim", "run", "digits.json", "--input", sample, sample});
  EXPECT_PRED2(contains, text, "digits prediction for sample 0, sample.png\n");
  EXPECT_PRED2(contains, text, "digits prediction for sample 1, sample.png\n");
}

TEST(VtaSim, InferencesInFlightGiveTheSameResultsInTheSameOrder) {
  std::vector<std::string> command = {"vta-sim",    "run",    kDigitsProgram, "--device",
                                      "functional", "--json", "--input"};
  for (int seed = 1; seed <= 7; ++seed) command.push_back(fmt::format("noise:{}", seed));
  const auto results = [&](const std::vector<std::string>& options) {
    std::vector<std::string> all = command;
    all.insert(all.end(), options.begin(), options.end());
    return run_json(all);
  };
  const json one = results({"--in-flight", "1"}), three = results({"--in-flight", "3"});
  EXPECT_EQ(one.at("outputs").size(), 7u);
  EXPECT_EQ(one.at("outputs"), three.at("outputs"));
  EXPECT_EQ(one.at("counters"), three.at("counters"));
  EXPECT_EQ(one.at("throughput").at("in_flight"), 1);
  EXPECT_EQ(three.at("throughput").at("in_flight"), 3);
  EXPECT_EQ(results({}).at("throughput").at("in_flight"), 2);
  for (const char* key : {"images_per_second", "mean_latency_seconds", "max_latency_seconds"})
    EXPECT_GT(three.at("throughput").at(key), 0) << key;
  expect_usage_error({"vta-sim", "run", kDigitsProgram, "--in-flight", "2", "--repeat", "3"},
                     "--in-flight overlaps inferences");
  EXPECT_PRED2(contains,
               run_ok({"vta-sim", "run", kDigitsProgram, "--input", "noise:1", "noise:2"}),
               " images per second, 2 inferences in flight; latency: mean ");
}

TEST(VtaSim, ACompiledProgramRunsAsTheNetworkDoes) {
  const json compiled = run_json({"vta-sim", "run", kDigitsProgram});
  const json network = run_json({"vta-sim", "run", "digits.json"});
  EXPECT_EQ(compiled.at("counters"), network.at("counters"));
  EXPECT_EQ(compiled.at("outputs")[0].at("values"), network.at("outputs")[0].at("values"));
  EXPECT_EQ(compiled.at("compile_seconds"), 0);
}

TEST(VtaSim, AProgramKnowsWhatItWasCalibratedOn) {
  EXPECT_EQ(run_json({"vta-sim", "run", kDigitsProgram}).at("calibration"),
            "digits/calibration.npz");
}

TEST(VtaSim, NoOutputOverwritesAnInput) {
  const ScratchFolder folder;
  fs::copy_file(kDigitsProgram, folder / "digits.vta");
  fs::create_symlink("digits.vta", folder / "link");
  const std::string program = folder / "digits.vta", link = folder / "link";
  const std::vector<uint8_t> before = read_file(program);
  const std::vector<std::vector<std::string>> commands = {
      {"run", program, "--trace", link},
      {"run", program, "--draw", folder.path() / "." / "digits.vta"},
      {"run", "digits.json", "--input", program, "--trace", program},
      {"exec", "--insns", program, "--arena", program, "--out", link},
      {"asm", program, "-o", link}};
  for (std::vector<std::string> command : commands) {
    command.insert(command.begin(), "vta-sim");
    expect_usage_error(command, ", which would be overwritten");
  }
  EXPECT_EQ(read_file(program), before);
  expect_usage_error({"vta-sim", "run", program, "--trace", ""},
                     "--trace: expected the name of a file, got ''");
}

TEST(VtaSim, ProtectsTheFilesThatANetworkNames) {
  const ScratchFolder folder;
  fs::copy("configs/networks/digits", folder / "digits");
  fs::copy_file("configs/networks/digits.json", folder / "digits.json");
  const json network = json::parse(read_text_file(folder / "digits.json"));
  const std::string weights = folder / network.at("weights").at("file").get<std::string>();
  const std::vector<uint8_t> before = read_file(weights);
  expect_usage_error({"vta-sim", "run", folder / "digits.json", "--trace", weights},
                     "which would be overwritten");
  expect_usage_error({"vta-compile", folder / "digits.json", "-o", weights},
                     "which would be overwritten");
  EXPECT_EQ(read_file(weights), before);
  expect_usage_error({"vta-compile", "digits.json", "-o", folder / "digits.json"},
                     "has the name of a network; programs end in .vta");
}

TEST(VtaSim, NamesTheNearestOptionAndNetwork) {
  expect_usage_error({"vta-sim", "run", "digits.json", "--inptu", "x.png"},
                     "unknown option --inptu (did you mean '--input'?)");
  expect_usage_error({"vta-sim", "rnu", "digits.json"}, "rnu (did you mean 'run'?)");
  const ToolRun network = run({"vta-sim", "run", "resnte18"});
  EXPECT_EQ(network.status, 1);
  EXPECT_PRED2(contains, network.err, "(did you mean 'resnet18'?)");
}

TEST(VtaSim, SaysHowAModelOfAnotherFormatIsConverted) {
  const ScratchFolder folder;
  write_file(folder / "model.bin", std::string("\x1c\0\0\0TFL3....", 12));
  write_file(folder / "model.pt", std::string("PK\3\4 archive/data.pkl"));
  const auto error_of = [&](const std::string& name) {
    const ToolRun result = run({"vta-sim", "run", folder / name});
    EXPECT_EQ(result.status, 1);
    return result.err;
  };
  EXPECT_PRED2(contains, error_of("model.bin"), "a TensorFlow Lite model: convert it with tflite2");
  EXPECT_PRED2(contains, error_of("model.pt"), "a PyTorch file: export the model in Python with");
}

TEST(VtaSim, RefusesInputsThatAreNotFiniteNumbersAndReadsNpy) {
  const ScratchFolder folder;
  const auto npy = [](float last) {
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 8, 8), }";
    header.resize(117, ' ');
    std::string file = std::string("\x93NUMPY\1\0\x76\0", 10) + header + "\n";
    std::vector<float> values(64, 0.5f);
    values.back() = last;
    return file.append(reinterpret_cast<const char*>(values.data()), 256);
  };
  write_file(folder / "a.npy", npy(0.25f));
  EXPECT_EQ(run_json({"vta-sim", "run", "digits.json", "--input", folder / "a.npy"})
                .at("outputs")[0]
                .at("top")
                .size(),
            5u);
  write_file(folder / "b.npy", npy(NAN));
  const ToolRun result = run({"vta-sim", "run", "digits.json", "--input", folder / "b.npy"});
  EXPECT_EQ(result.status, 1);
  EXPECT_PRED2(contains, result.err,
               "element 63 of the array is nan in fp32, expected a finite number");
}

TEST(VtaSim, RefusesMoreMemoryThanTheLimit) {
  const auto error_of = [](const std::string& limit) {
    const ToolRun result =
        run({"vta-sim", "run", "digits.json", "--device", "functional", "--memory-limit", limit});
    EXPECT_EQ(result.status, 1);
    return result.err;
  };
  EXPECT_PRED2(contains, error_of("4K"), " bytes; ");
  EXPECT_PRED2(contains, error_of("4K"), "the limit is 4096 (--memory-limit)");
  EXPECT_PRED2(contains, error_of("2X"), "expected a size such as 512M or 2G, got '2X'");
  // A small file with large synthetic weights.
  const ScratchFolder folder;
  write_file(folder / "large.json", std::string(R"({"format": 1, "name": "large",
      "input": {"name": "data", "shape": [1, 32768]}, "weights": {"synthetic": {"seed": 1}}, "quantize": "max",
      "layers": [{"name": "fc", "op": "dense", "channels": 8000}]})"));
  const ToolRun large = run({"vta-compile", folder / "large.json", "--memory-limit", "512M"});
  EXPECT_EQ(large.status, 1);
  EXPECT_PRED2(contains, large.err, "a tensor float32[8000, 32768] needs 1048576064 bytes");
}

// A BMP file of a vertical stroke in the middle.
std::string stroke_bmp(uint8_t ground, uint8_t ink) {
  constexpr int kSide = 16;
  std::string file(54, '\0');
  const auto put = [&](size_t offset, uint32_t value) { std::memcpy(&file[offset], &value, 4); };
  file[0] = 'B';
  file[1] = 'M';
  put(10, 54);
  put(14, 40);
  put(18, kSide);
  put(22, kSide);
  put(26, 1 | 24 << 16);
  for (int i = 0; i < kSide * kSide; ++i)
    file += std::string(3, static_cast<char>(i % kSide == 7 || i % kSide == 8 ? ink : ground));
  return file;
}

TEST(VtaSim, SaysThatADarkDigitOnLightGroundLooksInverted) {
  const ScratchFolder folder;
  write_file(folder / "dark.bmp", stroke_bmp(255, 0));
  write_file(folder / "light.bmp", stroke_bmp(0, 255));
  const auto out = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"vta-sim", "run", "digits.json", "--device", "functional"});
    return run_ok(options);
  };
  const std::string kHint = "looks inverted";
  EXPECT_PRED2(contains, out({"--input", folder / "dark.bmp"}), kHint);
  EXPECT_PRED2(contains, out({"--input", folder / "light.bmp", "--invert"}), kHint);
  EXPECT_EQ(out({"--input", folder / "light.bmp"}).find(kHint), std::string::npos);
  EXPECT_EQ(out({"--input", folder / "dark.bmp", "--invert"}).find(kHint), std::string::npos);
  EXPECT_EQ(out({}).find(kHint), std::string::npos) << "the sample itself";
  const auto outputs = [&](const std::vector<std::string>& options) {
    std::vector<std::string> command = {"vta-sim", "run", "digits.json", "--device", "functional"};
    command.insert(command.end(), options.begin(), options.end());
    return run_json(command).at("outputs")[0].at("top");
  };
  EXPECT_EQ(outputs({"--input", folder / "dark.bmp", "--invert"}),
            outputs({"--input", folder / "light.bmp"}));
  expect_usage_error({"vta-sim", "run", "digits.json", "--input", "noise:1", "--invert"},
                     "--invert applies to images");
}

// Without a writer, opening a pipe would wait forever.
TEST(VtaSim, DoesNotWaitForAPipe) {
  const ScratchFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"vta-sim", "run", pipe},
           {"vta-compile", pipe},
           {"vta-sim", "disasm", pipe},
           {"vta-sim", "run", "digits.json", "--input", pipe},
           {"vta-sim", "run", "digits.json", "--labels", pipe},
           {"vta-sim", "run", "digits.json", "--weights", pipe},
           {"vta-sim", "run", "digits.json", "--calibrate", "npz:" + pipe},
           {"vta-sim", "eval", "digits.json", "--dataset", "npz:" + pipe},
           {"vta-sim", "eval", "digits.json", "--dataset", "mnist:" + pipe},
           {"vta-sim", "eval", "digits.json", "--dataset", "cifar10:" + pipe}}) {
    const ToolRun result = run(command);
    EXPECT_NE(result.status, 0);
    EXPECT_PRED2(contains, result.err, pipe);
  }
}

TEST(VtaSim, AProgramMayHaveAnyName) {
  const ScratchFolder folder;
  const std::string program = folder / "program";
  fs::copy_file(kDigitsProgram, program);
  EXPECT_EQ(run_json({"vta-sim", "run", program}).at("counters"),
            run_json({"vta-sim", "run", kDigitsProgram}).at("counters"));
  EXPECT_EQ(run_ok({"vta-sim", "disasm", program}), run_ok({"vta-sim", "disasm", kDigitsProgram}));
  expect_usage_error({"vta-compile", program}, "expected a network, got a compiled program");
  expect_usage_error({"vta-compile", kDigitsProgram}, "expected a network, got a compiled program");
}

TEST(VtaSim, LabelsOfAnyBytesAreShownInJson) {
  const ScratchFolder folder;
  std::string labels;
  for (int i = 0; i < 10; ++i) labels += fmt::format("chiffre num\xe9ro {}\n", i);
  write_file(folder / "labels.txt", labels);
  const json top = run_json({"vta-sim", "run", "digits.json", "--labels", folder / "labels.txt"})
                       .at("outputs")[0]
                       .at("top");
  EXPECT_EQ(top[0].at("label"), "chiffre num\xef\xbf\xbdro 7");
}

TEST(VtaSim, RunWorksFromAnyFolder) {
  const ScratchFolder elsewhere;
  const RunPlace place = {elsewhere.path(), {}};
  EXPECT_EQ(json::parse(run_ok({"vta-sim", "run", "digits.json", "--json"}, place))
                .at("outputs")[0]
                .at("values"),
            run_json({"vta-sim", "run", "digits.json"}).at("outputs")[0].at("values"));
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
      "Scales were calibrated on 5 images of the data set; choose other images with --calibrate\n");
  EXPECT_EQ(run_json({"vta-sim", "run", file}).at("calibration"), network.at("input").at("sample"));
}

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

// x [T, 8], whose rows the last operator averages.
std::string model_of_time(const ScratchFolder& folder) {
  onnx::ModelBuilder model;
  model.input("x", {1, 8}).axis_name("x", 0, "T").output("y");
  model.floats("w", {8, 8}, std::vector<double>(64, 0.25)).node("MatMul", {"x", "w"}, {"m"});
  model.node("ReduceMean", {"m"}, {"y"}, {{"axes", std::vector<int64_t>{0}}});
  write_file(folder / "time.onnx", model.bytes());
  return folder / "time.onnx";
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

TEST(VtaSim, RunFindsObjectsAndDrawsThem) {
  const ScratchFolder folder;
  const std::string drawing = folder / "boxes.png";
  const json report = run_json({"vta-sim", "run", "yolov3-tiny.json", "--input-size", "64x96",
                                "--device", "functional", "--draw", drawing});
  ASSERT_EQ(report.at("outputs").size(), 2u) << "two grids";
  EXPECT_EQ(report.at("outputs")[0].at("type"), "float32[1, 255, 2, 3]");
  EXPECT_EQ(report.at("outputs")[1].at("type"), "float32[1, 255, 4, 6]");
  for (const json& object : report.at("outputs")[0].at("objects")) {
    EXPECT_GE(object.at("score"), 0.5);
    EXPECT_LT(object.at("index"), 80);
    for (const json& edge : object.at("box")) {
      EXPECT_GE(edge, 0);
      EXPECT_LE(edge, 256) << "the sample's side";
    }
  }
  EXPECT_EQ(read_text_file(drawing).substr(1, 3), "PNG");
  EXPECT_PRED2(contains,
               run_ok({"vta-sim", "run", "yolov3-tiny.json", "--input-size", "64", "--device",
                       "functional"}),
               " (synthetic weights: class indices only)\n");
}

TEST(VtaSim, RunFindsObjectsInNoiseToo) {
  const std::vector<std::string> command = {"vta-sim",      "run",     "yolov3-tiny.json",
                                            "--input-size", "64",      "--device",
                                            "functional",   "--input", "noise:1"};
  EXPECT_TRUE(run_json(command).at("outputs")[0].at("objects").is_array());
  std::vector<std::string> drawn = command;
  const ScratchFolder folder;
  drawn.insert(drawn.end(), {"--draw", folder / "boxes.png"});
  const ToolRun result = run(drawn);
  EXPECT_EQ(result.status, 1);
  EXPECT_PRED2(contains, result.err, "--draw: cannot draw boxes: input noise:1 is not an image");
}

TEST(VtaSim, RunWithoutResultsDrawsNothing) {
  const ScratchFolder folder;
  const ToolRun result =
      run({"vta-sim", "run", "digits.json", "--no-compute", "--draw", folder / "a.png"});
  EXPECT_EQ(result.status, 1);
  EXPECT_PRED2(contains, result.err, "computes no outputs");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(VtaSim, RunDrawsWhatAGeneratorMakesOfNoise) {
  const ScratchFolder folder;
  const std::string drawing = folder / "face.png";
  const json report =
      run_json({"vta-sim", "run", "dcgan.json", "--device", "functional", "--draw", drawing});
  EXPECT_EQ(report.at("outputs")[0].at("input"), "noise:1");
  EXPECT_EQ(report.at("outputs")[0].at("type"), "float32[1, 3, 64, 64]");
  EXPECT_EQ(read_text_file(drawing).substr(1, 3), "PNG");
}

TEST(VtaSim, CalibrationComesFromADataSetOnRequest) {
  const std::vector<std::string> command = {
      "vta-sim", "eval", "digits.json", "--dataset", "npz:digits/test.npz:3", "--quantize", "max"};
  std::vector<std::string> requested = command;
  requested.insert(requested.end(), {"--calibrate", "npz:digits/calibration.npz:8"});
  EXPECT_EQ(run_json(command).at("calibration"), "digits/calibration.npz");
  EXPECT_EQ(run_json(requested).at("calibration"), "8 images");
}

TEST(VtaSim, DisassemblyAssemblesToTheSameBytes) {
  const ScratchFolder folder;
  run_ok({"vta-sim", "export", kDigitsProgram, folder / "raw"});
  int streams = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "raw")) {
    if (entry.path().extension() != ".insns") continue;
    ++streams;
    write_file(folder / "text.s", run_ok({"vta-sim", "disasm", entry.path().string()}));
    run_ok({"vta-sim", "asm", folder / "text.s", "-o", folder / "again.insns"});
    EXPECT_EQ(read_file(folder / "again.insns"), read_file(entry.path()));
  }
  EXPECT_GT(streams, 0);
}

TEST(VtaSim, DisasmNamesLayersAndPicksOne) {
  const std::string all = run_ok({"vta-sim", "disasm", kDigitsProgram});
  const std::string first_layer = all.substr(2, all.find(':') - 2);
  const std::string one = run_ok({"vta-sim", "disasm", kDigitsProgram, "--layer", first_layer});
  EXPECT_LT(one.size(), all.size());
  EXPECT_PRED2(contains, all, one.substr(0, one.size() - 1));
  EXPECT_PRED2(contains, one, "load.wgt");
  EXPECT_PRED2(contains, all, "finish");
}

TEST(VtaSim, ExportDescribesEveryStreamAndTensor) {
  const ScratchFolder folder;
  const std::string text = run_ok({"vta-sim", "export", "digits.json", folder / "raw"});
  const json description = json::parse(read_text_file(folder / "raw/program.json"));
  EXPECT_EQ(description.at("arena").at("bytes"), fs::file_size(folder / "raw/arena.bin"));
  EXPECT_EQ(description.at("core").at("block_in"), 16);
  std::map<fs::path, uint64_t> ends;  // instructions of each file
  for (const json& step : description.at("steps")) {
    if (step.at("kind") != "core") continue;
    const fs::path file = folder.path() / "raw" / step.at("file").get<std::string>();
    ends[file] = std::max(ends[file], step.at("first_instruction").get<uint64_t>() +
                                          step.at("num_instructions").get<uint64_t>());
  }
  ASSERT_FALSE(ends.empty());
  EXPECT_PRED2(contains, text,
               fmt::format(", {} instruction streams, program.json\n", ends.size()));
  for (const auto& [file, end] : ends) EXPECT_EQ(fs::file_size(file), 16 * end) << file;
}

TEST(VtaSim, ExecRunsAnExportedStreamWithTheCountersOfItsLayers) {
  const ScratchFolder folder;
  run_ok({"vta-sim", "export", kDigitsProgram, folder / "raw"});
  const json description = json::parse(read_text_file(folder / "raw/program.json"));
  const json run_report = run_json({"vta-sim", "run", kDigitsProgram});
  size_t step_index = 0;
  while (description.at("steps")[step_index].at("kind") != "core") ++step_index;
  const json& step = description.at("steps")[step_index];
  const json report = run_json({"vta-sim", "exec", "--insns",
                                folder / ("raw/" + step.at("file").get<std::string>()), "--arena",
                                folder / "raw/arena.bin", "--out", folder / "after.bin"});
  EXPECT_EQ(report.at("counters"), [&] {
    json counters = json::object();
    for (size_t i = step_index; i < description.at("steps").size(); ++i) {
      const json& other = description.at("steps")[i];
      if (!other.contains("file") || other.at("file") != step.at("file")) continue;
      const json& layer = run_report.at("layers")[i];
      for (const std::string& name : kCounters)
        counters[name] = counters.value(name, uint64_t{0}) + layer.at(name).get<uint64_t>();
    }
    counters["cycles"] = counters["stages"] = nullptr;
    return counters;
  }());
  EXPECT_EQ(fs::file_size(folder / "after.bin"), fs::file_size(folder / "raw/arena.bin"));
}

// Copies four ACC elements of 8 int32 to int8 outputs after them.
constexpr const char* kCopyProgram =
    "load.acc push_next sram=0 dram=0 size=[1,4] stride=4\n"
    "store.out pop_prev push_prev sram=0 dram=16 size=[1,4] stride=4\n"
    "finish pop_next\n";

TEST(VtaSim, ExecRunsAHandWrittenProgramAndWritesTheArena) {
  const ScratchFolder folder;
  write_file(folder / "copy.s", std::string(kCopyProgram));
  std::vector<uint8_t> arena(128 + 32, 0);
  for (int i = 0; i < 32; ++i) arena[4 * i] = static_cast<uint8_t>(3 * i);
  write_file(folder / "arena.bin", arena);
  run_ok({"vta-sim", "asm", folder / "copy.s", "-o", folder / "copy.insns", "--core", "tiny_1x8"});
  const json report =
      run_json({"vta-sim", "exec", "--insns", folder / "copy.insns", "--arena",
                folder / "arena.bin", "--out", folder / "after.bin", "--core", "tiny_1x8"});
  EXPECT_EQ(report.at("counters").at("acc_load_nbytes"), 128);
  EXPECT_EQ(report.at("counters").at("out_store_nbytes"), 32);
  for (int i = 0; i < 32; ++i) arena[128 + i] = static_cast<uint8_t>(3 * i);
  EXPECT_EQ(read_file(folder / "after.bin"), arena);
}

TEST(VtaSim, ExecReportsAFaultWithItsInstruction) {
  const ScratchFolder folder;
  write_file(folder / "bad.s",
             std::string("load.acc sram=0 dram=9999 size=[1,4] stride=4\nfinish\n"));
  write_file(folder / "arena.bin", std::vector<uint8_t>(64));
  run_ok({"vta-sim", "asm", folder / "bad.s", "-o", folder / "bad.insns"});
  const ToolRun result = run({"vta-sim", "exec", "--insns", folder / "bad.insns", "--arena",
                              folder / "arena.bin", "--out", folder / "x"});
  EXPECT_EQ(result.status, 1);
  EXPECT_PRED2(matches, result.err, "^vta-sim: error: [^\n]*load.acc[^\n]*\n$");
  EXPECT_FALSE(fs::exists(folder / "x"));
  const ToolRun as_json = run({"vta-sim", "exec", "--insns", folder / "bad.insns", "--arena",
                               folder / "arena.bin", "--json"});
  EXPECT_EQ(as_json.status, 1);
  const json error = json::parse(as_json.out).at("error");
  EXPECT_EQ(error.at("fault"), "DRAM range");
  EXPECT_EQ(error.at("instruction"), 0);
  EXPECT_EQ(error.at("value"), 64 * (9999 + 4));
  EXPECT_PRED2(contains, error.at("message").get<std::string>(), "DRAM range: ends at byte");
}

// Two stages access INP without a token: other devices may give other bytes.
TEST(VtaSim, ExecChecksForRacesFirst) {
  const ScratchFolder folder;
  write_file(folder / "racy.s",
             std::string("load.acc push_next sram=0 dram=0 size=[1,1] stride=1\n"
                         "store.out sram=0 dram=5 size=[1,1] stride=1\n"
                         "store.out pop_prev sram=0 dram=5 size=[1,1] stride=1\nfinish\n"));
  write_file(folder / "arena.bin", std::vector<uint8_t>(1024));
  run_ok({"vta-sim", "asm", folder / "racy.s", "-o", folder / "racy.insns"});
  std::vector<std::string> command = {
      "vta-sim", "exec", "--insns", folder / "racy.insns", "--arena", folder / "arena.bin",
      "--json"};
  const ToolRun checked = run(command);
  EXPECT_EQ(checked.status, 1);
  EXPECT_PRED2(contains, checked.err,
               "racy.insns: race: instructions 0 (load.acc push_next sram=0 dram=0 size=[1,1] "
               "stride=1) and 1 (store.out sram=0 dram=5 size=[1,1] stride=1) access element 0 of "
               "OUT without a token between them: the result depends on the device's timing "
               "(--unchecked runs it anyway)\n");
  EXPECT_PRED2(contains, json::parse(checked.out).at("error").at("message").get<std::string>(),
               "race: ");
  command.push_back("--unchecked");
  const ToolRun unchecked = run(command);
  EXPECT_EQ(unchecked.status, 1) << "the simulator reports it, too";
  EXPECT_PRED2(contains, unchecked.err, "of OUT without a token between them\n");
}

TEST(VtaSim, RunChecksAProgramFileForRaces) {
  const ScratchFolder folder;
  Program program = read_program(kDigitsProgram);
  const auto core = std::ranges::find(program.steps, ProgramStep::Kind::kCore, &ProgramStep::kind);
  // Without the pop of the first instruction that has one, two stages are not ordered.
  for (uint32_t i = 0; i < core->num_instructions; ++i) {
    uint8_t& flags = program.arena_image[core->stream_offset_bytes + 16 * i];
    const bool pops = (flags & 0x18) != 0;  // pop_prev, pop_next
    flags &= 0xe7;
    if (pops) break;
  }
  write_program(program, folder / "racy.vta");
  for (const char* option : {"", "--unchecked"}) {
    std::vector<std::string> command = {"vta-sim", "run", folder / "racy.vta"};
    if (*option != 0) command.push_back(option);
    const ToolRun result = run(command);
    EXPECT_EQ(result.status, 1);
    EXPECT_PRED2(contains, result.err, "race: instructions ");
    EXPECT_EQ(result.err.find("--unchecked runs it anyway") == std::string::npos, *option != 0);
  }
  expect_usage_error({"vta-sim", "run", "digits.json", "--unchecked"},
                     "--unchecked applies to programs");
}

TEST(VtaSim, InfoListsDevicesCoresMemoriesNetworksAndTheBuild) {
  const json info = run_json({"vta-sim", "info"});
  EXPECT_PRED2(has_element, info.at("devices"), "functional");
  EXPECT_EQ(info.at("cores").size(), 5u);
  EXPECT_PRED2(has_element, info.at("memories"), "ideal64");
  for (const char* network : {"digits.json", "resnet18.json", "resnet20_cifar.json"}) {
    EXPECT_PRED2(has_element, info.at("networks"), network);
  }
  EXPECT_TRUE(info.at("build").at("compiler").is_string());
  const std::string text = run_ok({"vta-sim", "info"});
  EXPECT_PRED2(contains, text, "vta_1x16        batch 1, block 16x16");
  EXPECT_PRED2(contains, text, ", extension, ALU folded by 4\n");
  EXPECT_PRED2(contains, text, "rpc://HOST:PORT                  a device that a vta-rpc-server");
}

TEST(VtaSim, InfoSaysWhatANetworkLeavesToTheHost) {
  const std::vector<std::string> command = {"vta-sim", "info", "digits.json", "--mode",
                                            "compatible"};
  const std::string text = run_ok(command);
  EXPECT_PRED2(contains, text, "multiply-accumulates on the core (99.");
  EXPECT_PRED2(contains, text, "mode compatible leaves classifiers to the host (fc)");
  std::vector<std::string> ran = command;
  ran[1] = "run";
  EXPECT_PRED2(contains, run_ok(ran), "mode compatible leaves classifiers to the host (fc)");
  EXPECT_PRED2(contains, run_ok({"vta-compile", "digits.json", "--mode", "compatible"}),
               "mode compatible leaves classifiers to the host (fc)");
  const json info = run_json(command), report = run_json(ran);
  EXPECT_EQ(info.at("host"), report.at("host"));
  EXPECT_EQ(info.at("host").back().at("reason"), "classifier");
  EXPECT_PRED2(contains, run_ok({"vta-sim", "info", "digits.json"}),
               "On the host: conversions only");
  expect_usage_error({"vta-sim", "info", "--mode", "compatible"},
                     "options of networks need a network or program");
}

TEST(VtaSim, HelpListsTheSubcommands) {
  const std::string text = run_ok({"vta-sim", "--help"});
  for (const char* name : {"run", "eval", "disasm", "asm", "info", "export", "exec"}) {
    EXPECT_PRED2(matches, text, std::string("\n  ") + name + " ");
  }
}

TEST(VtaSim, EvalOffersWhatItTakes) {
  const std::string eval = run_ok({"vta-sim", "eval", "--help"});
  EXPECT_PRED2(contains, eval, "network NET REQUIRED");
  EXPECT_PRED2(lacks, eval, ".vta)");
  EXPECT_PRED2(lacks, eval, "--no-compute");
  EXPECT_PRED2(contains, run_ok({"vta-sim", "run", "--help"}), "--no-compute");
}

TEST(VtaSim, NumbersAreWholeAndWithinTheirLimits) {
  const std::vector<std::string> exec = {"vta-sim", "exec", "--insns", "x", "--arena", "x"};
  const auto refuse = [&](const std::string& name, const std::string& value,
                          const std::string& what) {
    std::vector<std::string> command = exec;
    command.insert(command.end(), {name, value});
    expect_usage_error(command, what);
  };
  refuse("--repeat", "0", "--repeat: 0 is less than 1");
  refuse("--repeat", "4097", "--repeat: 4097 is more than 4096");
  refuse("--repeat", "99999999999", "--repeat: 99999999999 is more than 4096");
  refuse("--number", "1000001", "--number: 1000001 is more than 1000000");
  refuse("--number", "99999999999999999999",
         "expected an unsigned integer of at most 64 bits, got '99999999999999999999'");
  refuse("--number", "-1", "expected an unsigned integer of at most 64 bits, got '-1'");
  refuse("--number", "2.5", "got '2.5'");
  EXPECT_PRED2(contains, run_ok({"vta-sim", "exec", "--help"}), "(at most 4096)");
}

TEST(VtaSim, OptionsThatWouldDoNothingAreRefused) {
  const ToolRun seed = run({"vta-sim", "run", "digits.json", "--seed", "4"});
  EXPECT_EQ(seed.status, 1);
  EXPECT_PRED2(contains, seed.err, "seed 4: the weights come from 'digits/digits.safetensors'");
  expect_usage_error({"vta-sim", "disasm", kDigitsProgram, "--core", "tiny_1x8"},
                     "--core applies to raw streams only");
  expect_usage_error({"vta-sim", "disasm", "stream.insns", "--layer", "conv1"},
                     "--layer applies to programs only");
  expect_usage_error({"vta-sim", "disasm", "digits.json"},
                     "expected a program or a raw stream, got a network");
  expect_usage_error({"vta-sim", "bench", "mlp.json", "--fp32", "--core", "tiny_1x8"},
                     "--fp32 compiles nothing; it excludes --core");
  expect_usage_error({"vta-sim", "bench", "mlp.json", "--fp32", "--scales", "free"},
                     "--fp32 compiles nothing");
  expect_usage_error(
      {"vta-sim", "run", "mlp.json", "--schedules", "none", "--tuned-for", "ideal64"},
      "--schedules none has no tilings; it excludes --tuned-for");
  expect_usage_error(
      {"vta-sim", "eval", "digits.json", "--dataset", "npz:digits/test.npz", "--std", "7"},
      "the data set holds the network's inputs, not pixels; it excludes --preprocess");
  const ToolRun memory = run({"vta-sim", "run", "mlp.json", "--tuned-for", "nosuch"});
  EXPECT_EQ(memory.status, 1);
  EXPECT_PRED2(contains, memory.err, "--tuned-for: memory 'nosuch' is neither a file nor one of");
}

TEST(VtaSim, RefusesDecimalNumbersThatAreNoneOrBeyondTheirLimits) {
  for (const char* value : {"inf", "1e999", "nan", "0x10", " 5", "5x", ""}) {
    expect_usage_error({"vta-sim", "report", "mlp.json", "--clock", value},
                       std::string("--clock: expected a finite number, got '") + value + "'");
    expect_usage_error({"vta-sim", "compare", "a", "b", "--tolerance", value},
                       std::string("--tolerance: expected a finite number, got '") + value + "'");
    expect_usage_error({"vta-hlsc", "report", "x.cc", "--period", value},
                       std::string("--period: expected a finite number, got '") + value + "'");
  }
  expect_usage_error({"vta-sim", "report", "mlp.json", "--clock", "-1"},
                     "--clock: expected a number from 1 to 500, got '-1'");
  const ToolRun port = run({"vta-sim", "run", "digits.json", "--device", "rpc://a:65536"});
  EXPECT_EQ(port.status, 1);
  EXPECT_PRED2(contains, port.err, "'a:65536': port 65536, the highest is 65535");
  const ToolRun levels = run({"vta-sim", "run", "digits.json", "--scale", "1e300"});
  EXPECT_EQ(levels.status, 1);
  EXPECT_PRED2(contains, levels.err, "make a pixel of 255 in channel 0 inf, expected a finite");
}

TEST(VtaSim, ExecRefusesAnArenaThatEndsBeforeTheDataOfTheProgram) {
  const ScratchFolder folder;
  write_file(folder / "copy.s", std::string(kCopyProgram));
  write_file(folder / "arena.bin", std::string(128 + 31, 0));
  run_ok({"vta-sim", "asm", folder / "copy.s", "-o", folder / "copy.insns", "--core", "tiny_1x8"});
  const ToolRun result =
      run({"vta-sim", "exec", "--insns", folder / "copy.insns", "--arena", folder / "arena.bin",
           "--out", folder / "after.bin", "--core", "tiny_1x8"});
  EXPECT_EQ(result.status, 1);
  EXPECT_PRED2(contains, result.err, "accesses DRAM up to byte 160; the arena ends at byte 159");
  EXPECT_FALSE(fs::exists(folder / "after.bin"));
}

TEST(VtaSim, WrongUsageIsOneLineAndStatusTwo) {
  expect_usage_error({"vta-sim", "--json", "run", "digits.json"},
                     "--json is an option of run; write it after 'run'");
  expect_usage_error({"vta-sim", "run", "digits.json", "--device", "cycle", "--device", "rtl"},
                     "--device is given 2 times; it may be given once");
  expect_usage_error({"vta-sim"}, "subcommand");
  expect_usage_error({"vta-sim", "fly"}, "fly");
  expect_usage_error({"vta-sim", "run"}, "program");
  expect_usage_error({"vta-sim", "run", "digits.json", "--nonsense"}, "--nonsense");
  expect_usage_error({"vta-sim", "run", "digits.json", "--mode", "slow"}, "slow");
  expect_usage_error({"vta-sim", "run", "digits.json", "--repeat", "0"}, "--repeat");
  expect_usage_error({"vta-sim", "run", "digits.json", "--seed", "many"}, "--seed");
  expect_usage_error({"vta-sim", "run", kDigitsProgram, "--mode", "fused"}, "already compiled");
  expect_usage_error({"vta-sim", "eval", "digits.json", "--dataset", "npz:digits/test.npz",
                      "--threads", "2", "--device", "rtl", "--trace", "t.json"},
                     "--threads 1");
  expect_usage_error({"vta-sim", "eval", kDigitsProgram, "--dataset", "npz:digits/test.npz"},
                     "fp32");
  expect_usage_error({"vta-sim", "exec", "--insns", "x"}, "--arena");
  expect_usage_error({"vta-compile"}, "network");
  expect_usage_error({"vta-compile", "digits.json", "--stop-after", "lunch"}, "lunch");
}

TEST(VtaSim, UnknownNamesAreErrorsThatSayWhereItLooked) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"vta-sim", "run", "nothing.json"},
        {"vta-sim", "run", "nothing.vta"},
        {"vta-sim", "run", "digits.json", "--device", "warp:9"},
        {"vta-sim", "run", "digits.json", "--core", "vta_9x99"},
        {"vta-sim", "run", "digits.json", "--input", "nothing.png"},
        {"vta-sim", "disasm", kDigitsProgram, "--layer", "nothing"}}) {
    const ToolRun result = run(command);
    EXPECT_EQ(result.status, 1);
    EXPECT_PRED2(matches, result.err, "^vta-sim: error: [^\n]*(nothing|warp|vta_9x99)[^\n]*\n$");
  }
}

TEST(VtaSim, MemoryIsForDevicesThatCountCycles) {
  const auto cycles = [](const std::string& memory) {
    const json report =
        run_json({"vta-sim", "run", "digits.json", "--device", "rtl", "--memory", memory});
    EXPECT_EQ(report.at("device"), "rtl:" + memory);
    return report.at("counters").at("cycles").get<uint64_t>();
  };
  EXPECT_NE(cycles("ideal64"), cycles("pynq-z1"));
  for (const std::string device : {"functional", "rtl:random"}) {
    const ToolRun result =
        run({"vta-sim", "run", "digits.json", "--device", device, "--memory", "ideal64"});
    EXPECT_EQ(result.status, 1);
    EXPECT_PRED2(matches, result.err,
                 "^vta-sim: error: --memory ideal64: device '" + device + "'[^\n]*\n$");
  }
}

TEST(VtaSim, WithoutComputingThereAreCyclesAndNoResults) {
  const json computed = run_json({"vta-sim", "run", "digits.json", "--memory", "pynq-z1"});
  const json timed =
      run_json({"vta-sim", "run", "digits.json", "--memory", "pynq-z1", "--no-compute"});
  EXPECT_EQ(timed.at("device"), "timing:pynq-z1");
  EXPECT_EQ(timed.at("counters"), computed.at("counters"));
  EXPECT_EQ(timed.at("layers"), computed.at("layers"));
  EXPECT_EQ(computed.at("outputs").size(), 1u);
  EXPECT_TRUE(timed.at("outputs").empty());
  for (const char* device : {"functional", "rtl"}) {
    const ToolRun result =
        run({"vta-sim", "run", "digits.json", "--device", device, "--no-compute"});
    EXPECT_EQ(result.status, 1);
    EXPECT_PRED2(contains, result.err,
                 "--no-compute applies to --device cycle, got '" + std::string(device) + "'");
  }
  const ToolRun eval = run({"vta-sim", "eval", "digits.json", "--device", "timing", "--dataset",
                            "npz:configs/networks/digits/test.npz:2"});
  EXPECT_EQ(eval.status, 1);
  EXPECT_PRED2(contains, eval.err, "eval: device 'timing' computes no outputs");
}

TEST(Tools, RunFromAnInstallationWithItsOwnData) {
  const ScratchFolder prefix;
  run_ok({VTA_CMAKE, "--install", VTA_BUILD_FOLDER, "--prefix", prefix.path().string()});
  const std::string text =
      run_ok({prefix / "bin/vta-sim", "run", "digits.json"}, {prefix.path(), {}});
  EXPECT_PRED2(contains, text,
               "Input " + (prefix / "share/vta/configs/networks/digits/sample.png"));
}

TEST(Tools, CtrlCEndsQuietlyAndLeavesNoFile) {
  const ScratchFolder folder;
  const RunPlace place = {folder.path(), std::chrono::milliseconds(300)};
  const ToolRun result = run({"vta-sim", "run", "digits.json", "--repeat", "1000000"}, place);
  EXPECT_EQ(result.status, 130);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Hlsc, PrintsTheIrOfADesignAndReadsItBack) {
  const ScratchFolder folder;
  const std::string source = "tests/unit/hw/hlsc/front/designs/branches.cc";
  const std::string text = run_ok({"vta-hlsc", "ir", "-I", ".", source});
  EXPECT_PRED2(contains, text, "design Branches\nstream in : 32 x 4\n");
  EXPECT_EQ(run_ok({"vta-hlsc", "ir", "-I", ".", source, "-o", folder / "b.hlsir"}), "");
  EXPECT_EQ(run_ok({"vta-hlsc", "ir", folder / "b.hlsir"}), text);
  EXPECT_PRED2(contains, run_ok({"vta-hlsc", "ir", "--help"}), "Example:\n  vta-hlsc ir ");
}

TEST(Hlsc, ListsStopsAndDumpsPasses) {
  const std::string source = "hw/hlsc/examples/sums.cc";
  const std::string list = run_ok({"vta-hlsc", "ir", "--list-passes"});
  EXPECT_PRED2(contains, list, "\npipeline:\n  1 ");
  const std::string dump =
      run_ok({"vta-hlsc", "ir", "-I", ".", source, "--dump-after", "demote_phis"});
  EXPECT_PRED2(contains, dump, "demote_phis on process sum\ndesign Sums\n");
  EXPECT_PRED2(contains, dump, "register sum_total_0 : 16\n");
  const ToolRun stopped =
      run({"vta-hlsc", "ir", "-I", ".", source, "--stop-after", "rotate_loops"});
  EXPECT_EQ(stopped.status, 0);
  EXPECT_PRED2(matches, stopped.err, "last pass execution: [0-9]+ rotate_loops on process sum\n");
  const ToolRun limited = run({"vta-hlsc", "ir", "-I", ".", source, "--pass-limit", "0"});
  EXPECT_PRED2(contains, limited.err, "last pass execution: none\n");
  EXPECT_EQ(limited.out, run_ok({"vta-hlsc", "ir", "-I", ".", source}));
  EXPECT_EQ(run_ok({"vta-hlsc", "ir", "-I", ".", source, "--legalized"}),
            run({"vta-hlsc", "ir", "-I", ".", source, "--pass-limit", "1000"}).out);
}

TEST(Hlsc, RejectsPassOptionsWithoutEffect) {
  const std::string source = "hw/hlsc/examples/sums.cc";
  const auto error = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"vta-hlsc", "ir", "-I", "."});
    const ToolRun result = run(options);
    EXPECT_EQ(result.status, 2);
    return result.err;
  };
  EXPECT_PRED2(contains, error({source, "--list-passes"}), "--list-passes excludes FILE");
  EXPECT_PRED2(contains, error({"--list-passes", "--legalized"}), "--list-passes excludes FILE");
  EXPECT_PRED2(contains, error({source, "--legalized", "--pass-limit", "1"}),
               "--legalized excludes --dump-after");
  EXPECT_PRED2(contains, error({source, "--dump-after", "flatten_sums", "--pass-limit", "0"}),
               "--dump-after flatten_sums: the last pass execution comes before this pass");
  EXPECT_PRED2(contains, error({"--list-passes"}), "--list-passes excludes FILE, -I, -D");
}

TEST(Hlsc, WritesTheListOfPassesToAFile) {
  const ScratchFolder folder;
  EXPECT_EQ(run_ok({"vta-hlsc", "ir", "--list-passes", "-o", folder / "passes.txt"}), "");
  EXPECT_EQ(read_text_file(folder / "passes.txt"), run_ok({"vta-hlsc", "ir", "--list-passes"}));
}

// Before the source is compiled: it does not exist.
TEST(Hlsc, RejectsValuesOfOptionsWithTheirLimits) {
  const auto error = [&](std::vector<std::string> options) {
    options.insert(options.begin(), "vta-hlsc");
    options.push_back("missing.cc");
    const ToolRun result = run(options);
    EXPECT_EQ(result.status, 2) << result.err;
    return result.err;
  };
  EXPECT_PRED2(contains, error({"verilog", "--period", "1"}), "--period 1: expected 2 to 1000 ns");
  EXPECT_PRED2(contains, error({"report", "--margin", "61"}),
               "--margin 61: expected 0 to 60 percent");
  EXPECT_PRED2(contains, error({"model", "--struct", "1a"}),
               "--struct 1a: expected a C++ identifier");
}

TEST(Hlsc, RefusesAnUnknownPassByTheNamesOfAll) {
  const ToolRun result =
      run({"vta-hlsc", "ir", "hw/hlsc/examples/sums.cc", "--stop-after", "fold"});
  EXPECT_EQ(result.status, 2);
  EXPECT_PRED2(contains, result.err, "fold not in {");
  EXPECT_EQ(run({"vta-hlsc", "ir"}).status, 2);
}

TEST(Hlsc, RefusesBadInputInOneLine) {
  const ScratchFolder folder;
  write_file(folder / "bad.hlsir", std::string("design d\nrom x"));
  write_file(folder / "bad.cc", std::string("int f( {\n"));
  write_file(folder / "none.cc", std::string("int f;\n"));
  const std::pair<std::string, std::string> cases[] = {
      {"bad.hlsir", "bad.hlsir:2: expected an object or a process at 'rom'"},
      {"bad.cc", "bad.cc:1:9: error: "},
      {"none.cc", "no HLS_PROCESS found"},
      {"missing.cc", "no such file"}};
  for (const auto& [name, reason] : cases) {
    const ToolRun result = run({"vta-hlsc", "ir", folder / name});
    EXPECT_EQ(result.status, 1) << name;
    EXPECT_PRED2(contains, result.err, reason);
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

}  // namespace
}  // namespace vta::cli_test
