// SPDX-License-Identifier: Apache-2.0
//
// vta-sim run: inputs, outputs, counters, JSON keys, files that it refuses.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "base/files/array_file.h"
#include "base/files/file.h"
#include "base/files/npz_writer.h"
#include "base/files/scratch_folder.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string kModel = "tests/onnx/quantized/small.qdq_u8.onnx";
const std::string kPhoto = "configs/networks/samples/landscape.png";

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
               "\n1 sample of 3 inferences: mean [0-9.]+ s\n"
               "Core: 9992 cycles an inference, 0[.]100 ms at 100 MHz\n\nExecution statistics:");
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
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"vta-sim", "run", folder / "digits.json", "--trace", weights},
        {"vta-compile", folder / "digits.json", "-o", weights}}) {
    const ToolRun refused = run(command);
    EXPECT_EQ(refused.status, 1);
    EXPECT_PRED2(contains, refused.err, "which would be overwritten");
  }
  EXPECT_EQ(read_file(weights), before);
  expect_usage_error({"vta-compile", "digits.json", "-o", folder / "digits.json"},
                     "has the name of a network; programs end in .vta");
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

TEST(VtaSim, TakesTheClockOfTheCoreForMillisecondsAndForMemoriesInTime) {
  const auto at = [](std::vector<std::string> options) {
    options.insert(options.begin(), {"vta-sim", "run", "digits.json", "--device", "timing"});
    return run_json(options);
  };
  const auto cycles = [](const json& report) {
    return report.at("counters").at("cycles").get<uint64_t>();
  };
  const json usual = at({"--memory", "pynq-z1"});
  EXPECT_EQ(usual.at("clock_mhz"), 100);
  EXPECT_EQ(usual.at("batch"), 1);
  EXPECT_DOUBLE_EQ(usual.at("milliseconds_per_image"), static_cast<double>(cycles(usual)) / 1e5);
  EXPECT_EQ(cycles(at({"--memory", "pynq-z1", "--clock", "100"})), cycles(usual));
  const json fast = at({"--memory", "pynq-z1", "--clock", "200"});
  EXPECT_EQ(fast.at("device"), "timing:pynq-z1@200");
  EXPECT_EQ(fast.at("clock_mhz"), 200);
  EXPECT_GT(cycles(fast), cycles(usual));
  EXPECT_DOUBLE_EQ(fast.at("milliseconds_per_image"), static_cast<double>(cycles(fast)) / 2e5);
  EXPECT_EQ(at({"--memory", "pynq-z1@200"}).at("layers"), fast.at("layers"));
  EXPECT_LT(cycles(at({"--memory", "pynq-z1-2gb", "--clock", "200"})), cycles(fast));
  EXPECT_EQ(cycles(at({"--clock", "200"})), cycles(at({}))) << "ideal64 is in cycles";
  for (const std::string device : {"rtl", "lockstep:functional,rtl"}) {
    EXPECT_EQ(cycles(run_json({"vta-sim", "run", "digits.json", "--device", device, "--memory",
                               "pynq-z1", "--clock", "200"})),
              cycles(fast))
        << device;
  }
  const json functional = run_json({"vta-sim", "run", "digits.json", "--device", "functional"});
  EXPECT_TRUE(functional.at("clock_mhz").is_null());
  EXPECT_TRUE(functional.at("milliseconds_per_image").is_null());
}

TEST(VtaSim, RefusesAClockThatNothingHas) {
  const auto error = [](std::vector<std::string> options, int status) {
    options.insert(options.begin(), {"vta-sim", "run", "digits.json"});
    const ToolRun result = run(options);
    EXPECT_EQ(result.status, status) << result.err;
    return result.err;
  };
  EXPECT_PRED2(contains, error({"--device", "functional", "--clock", "125"}, 1),
               "--clock 125: device 'functional' has no clock that can be chosen");
  EXPECT_PRED2(contains, error({"--memory", "pynq-z1@50", "--clock", "125"}, 1),
               "--clock 125: memory 'pynq-z1@50' names a clock already");
  EXPECT_PRED2(contains, error({"--device", "cycle:pynq-z1@50", "--clock", "125"}, 1),
               "--clock 125: memory 'pynq-z1@50' names a clock already");
  EXPECT_PRED2(contains, error({"--clock", "501"}, 2),
               "--clock: expected a number from 1 to 500, got '501'");
  for (const std::string device : {"functional", "native", "uio:", "xrt:0"}) {
    EXPECT_PRED2(contains, error({"--device", device, "--memory", "random"}, 1),
                 "--memory random: device '" + device + "' has no DRAM model to choose");
  }
}

TEST(VtaSim, SaysWhetherCyclesAreOfAnImageOrOfABatch) {
  const json four =
      run_json({"vta-sim", "run", "digits.json", "--core", "vta_4x8", "--device", "timing"});
  const auto cycles = four.at("counters").at("cycles").get<uint64_t>();
  EXPECT_EQ(four.at("batch"), 4);
  EXPECT_DOUBLE_EQ(four.at("milliseconds_per_image"), static_cast<double>(cycles) / 4e5);
  EXPECT_PRED2(contains, run_ok({"vta-sim", "run", "digits.json", "--core", "vta_4x8"}),
               fmt::format("Core: {} cycles an inference of 4 images, ", cycles));
  EXPECT_PRED2(matches, run_ok({"vta-sim", "run", "digits.json"}),
               "\nCore: [0-9]+ cycles an inference, 0[.][0-9]+ ms at 100 MHz\n");
  EXPECT_PRED2(contains, run_ok({"vta-sim", "report", "digits.json", "--core", "vta_4x8"}),
               " cycles an inference of 4 images: ");
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

TEST(VtaSimRun, EndsBySignalsWithoutAFileLeft) {
  for (const int signal : {SIGTERM, SIGHUP, SIGPIPE}) {
    const ScratchFolder folder;
    const auto has_part = [&] { return !fs::is_empty(folder.path()); };
    const ToolRun ended = run(
        {"vta-sim", "run", "resnet18.json", "--device", "rtl", "--trace", folder / "trace.json"},
        {.kill_when = has_part, .signal = signal});
    EXPECT_EQ(ended.status, 128 + signal) << ended.err;
    EXPECT_TRUE(fs::is_empty(folder.path())) << strsignal(signal);
  }
}

}  // namespace
}  // namespace vta::cli_test
