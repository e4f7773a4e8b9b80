// SPDX-License-Identifier: Apache-2.0
//
// vta-compile as documented.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

using nlohmann::json;

// A .vtaq file of a graph whose constants are in its text.
std::string quantized_file(const std::string& graph) {
  const json network = {{"weights", ""},
                        {"sample", ""},
                        {"labels", ""},
                        {"first_convolution", "host"},
                        {"postprocess", {{"kind", "classes"}, {"top", 1}}}};
  const json metadata = {{"format", "vta-graph-1"}, {"graph", graph}, {"network", network.dump()}};
  const std::string header = json{{"__metadata__", metadata}}.dump();
  const uint64_t size = header.size();
  return std::string(reinterpret_cast<const char*>(&size), sizeof size) + header;
}

TEST(VtaCompile, WritesAProgramAndPrintsASummary) {
  const ScratchFolder folder;
  const std::string text = run_ok({"vta-compile", "digits.json", "-o", folder / "digits.vta"});
  EXPECT_PRED2(matches, text,
               "^layer +operator +where +tiles +macs +gemm_counter +dram_bytes +macs/byte\n");
  EXPECT_PRED2(matches, text, "\nsum +1123648 +[0-9]+ +[0-9]+\n");
  EXPECT_PRED2(contains, text, "\n1123648 of 1123648 macs on the core: 100.00 %\n");
  EXPECT_PRED2(matches, text,
               "\ntuned tilings: [0-9]+ of [0-9]+ layers \\(the schedule logs have [0-9]+ "
               "for vta_1x16 and ideal64\\)\n");
  EXPECT_EQ(read_file(folder / "digits.vta"), read_file(VTA_DIGITS_PROGRAM))
      << "the same bytes every time";
}

TEST(VtaCompile, JsonSummaryAgreesWithTheCountersOfARun) {
  const json summary = run_json({"vta-compile", "digits.json"});
  const json report = run_json({"vta-sim", "run", "digits.json"});
  const json& counters = report.at("counters");
  uint64_t gemm_counter = 0, dram_bytes = 0;
  for (const json& layer : summary.at("layers")) {
    gemm_counter += layer.at("gemm_counter").get<uint64_t>();
    dram_bytes += layer.at("dram_bytes").get<uint64_t>();
  }
  uint64_t counted_bytes = 0;
  for (const char* counter : {"inp", "wgt", "acc", "uop"})
    counted_bytes += counters.at(std::string(counter) + "_load_nbytes").get<uint64_t>();
  counted_bytes += counters.at("out_store_nbytes").get<uint64_t>();
  EXPECT_EQ(gemm_counter, counters.at("gemm_counter"));
  EXPECT_EQ(dram_bytes, counted_bytes);
  for (const char* key : {"macs", "macs_on_core"}) EXPECT_EQ(summary.at(key), report.at(key));
}

TEST(VtaCompile, DumpsAGraphAndStopsWhereAsked) {
  const std::string text =
      run_ok({"vta-compile", "digits.json", "--dump-after", "fold", "--stop-after", "fold"});
  EXPECT_PRED2(contains, text, "; after fold\ngraph digits\n");
  EXPECT_PRED2(contains, text, "conv2d");
  EXPECT_PRED2(lacks, text, "batch_norm");
  EXPECT_PRED2(lacks, text, "macs/byte");
}

TEST(VtaCompile, DumpsThePackedGraph) {
  const std::string text =
      run_ok({"vta-compile", "digits.json", "--mode", "compatible", "--quantize", "global",
              "--dump-after", "pack", "--stop-after", "pack"});
  for (const char* lines :
       {"%conv1.bitpack = bitpack\\(%conv1\\) \\{layout = \"NCHW1n16c\"\\} : "
        "int8\\[1, 1, 8, 8, 1, 16\\]\n",
        "%layer1.0.conv1 = conv2d\\(%conv1.bitpack, %layer1.0.conv1.folded_weight : "
        "int8\\[1, 1, 3, 3, 16, 16\\]\\) \\{kernel = \\[3, 3\\], pad = \\[1, 1, 1, 1\\], "
        "data_layout "
        "= \"NCHW1n16c\", kernel_layout = \"OIHW16o16i\"\\} : int32\\[1, 1, 8, 8, 1, 16\\]\n"
        "%layer1.0.conv1.1 = add\\(%layer1.0.conv1, %layer1.0.conv1.folded_bias : "
        "int32\\[1, 1, 1, 1, 16\\]\\)\n"
        "%layer1.0.conv1.2 = relu\\(%layer1.0.conv1.1\\)\n"
        "%layer1.0.conv1.3 = add\\(%layer1.0.conv1.2, [0-9]+\\)\n"
        "%layer1.0.conv1.4 = right_shift\\(%layer1.0.conv1.3, [0-9]+\\)\n"
        "%layer1.0.conv1.5 = clip\\(%layer1.0.conv1.4, 0, 127\\) : int8\\[1, 1, 8, 8, 1, 16\\]\n",
        "%[a-z0-9.]+.bitunpack = bitunpack\\(%[a-z0-9.]+\\) \\{layout = \"NCHW\"\\} : int8\\[1, "
        "32"})
    EXPECT_PRED2(matches, text, lines);
}

TEST(VtaCompile, StartsAndStopsOffloadingAtLayers) {
  const auto places = [](std::vector<std::string> options) {
    options.insert(options.begin(), {"vta-compile", "digits.json"});
    std::string places;
    const json summary = run_json(options);
    for (const json& layer : summary.at("layers")) {
      if (layer.at("op") == "qconv2d") places += layer.at("where") == "core" ? 'c' : 'h';
    }
    return places;
  };
  const std::string all = places({});
  EXPECT_EQ(all, "cccccccccc");
  EXPECT_EQ(places({"--start", "layer1.1.conv1", "--stop", "layer2.1.conv1"}), "hhhccccchh");
  EXPECT_EQ(places({"--stop", "qavg_pool2d"}), all);
  EXPECT_EQ(places({"--start", "layer2.1.conv2"}), "hhhhhhhhhc");
  EXPECT_EQ(places({"--start", "layer2.1.conv1", "--stop", "qadd"}), "hhhhhhhhcc");
  const auto error = [](std::vector<std::string> options) {
    options.insert(options.begin(), {"vta-compile", "digits.json"});
    const ToolRun result = run(options);
    EXPECT_EQ(result.status, 1);
    return result.err;
  };
  EXPECT_PRED2(contains, error({"--stop", "avgpoo"}), "(did you mean 'avgpool'?)");
  EXPECT_PRED2(contains, error({"--start", "fc", "--stop", "conv1"}),
               "stop 'conv1' is not after start 'fc'");
}

TEST(VtaCompile, ComputesTheSameWhereverOffloadingStartsAndStops) {
  const auto checksum = [](std::vector<std::string> options) {
    options.insert(options.begin(), {"vta-sim", "run", "digits.json", "--device", "functional"});
    return run_json(options).at("outputs");
  };
  EXPECT_EQ(checksum({"--start", "layer1.1.conv1", "--stop", "layer2.1.conv1"}), checksum({}));
}

TEST(VtaCompile, KnowsNamesOfOtherCollections) {
  for (const char* name : {"resnet18_v1", "resnet18_v1.json"}) {
    const std::string text =
        run_ok({"vta-compile", name, "--dump-after", "import", "--stop-after", "import"});
    EXPECT_PRED2(contains, text, "graph resnet18\n") << name;
  }
}

TEST(VtaCompile, RefusesOptionsThatDoNotGoTogether) {
  const std::vector<std::string> kTogether[] = {
      {"--stop-after", "fold", "-o", "x.vta"},
      {"--stop-after", "fold", "--save-quantized", "x"},
      {"--stop-after", "fold", "--json"},
      {"--stop-after", "import", "--dump-after", "lower"},
      {"--quantize", "global", "--calibrate", "npz:x.npz"},
      {"--sensitivity", "--mode", "compatible"},
      {"--sensitivity", "--core", "tiny_1x8"},
      {"--sensitivity", "--dump-after", "fold"},
      {"--sensitivity", "-o", "x.vta"}};
  for (std::vector<std::string> command : kTogether) {
    command.insert(command.begin(), {"vta-compile", "digits.json"});
    const ToolRun refused = run(command);
    EXPECT_EQ(refused.status, 2) << command[2];
    EXPECT_EQ(refused.out, "") << command[2];
    EXPECT_PRED2(contains, refused.err, command[2]);
  }
}

TEST(VtaCompile, RefusesLabelsThatAreNotOneForEachClass) {
  const ScratchFolder folder;
  write_file(folder / "names.txt", std::string("zero\none\n"));
  const ToolRun result = run({"vta-compile", "digits.json", "--labels", folder / "names.txt", "-o",
                              folder / "digits.vta"});
  EXPECT_EQ(result.status, 1);
  EXPECT_PRED2(contains, result.err, "names.txt: 2 labels for a network of 10 classes");
  expect_usage_error({"vta-compile", "digits.json", "--labels", folder / "names.txt"},
                     "--labels is for the program; it needs -o");
}

TEST(VtaCompile, WritesAProgramThatDoesNothing) {
  const ScratchFolder folder;
  write_file(folder / "id.vtaq",
             quantized_file("graph id\n%x = input() : float32[1, 4]\nreturn %x\n"));
  run_ok({"vta-compile", folder / "id.vtaq", "-o", folder / "id.vta"});
  EXPECT_TRUE(std::filesystem::exists(folder / "id.vta"));
}

TEST(VtaCompile, KeepsTheFileThatItReadsAndBothThatItWrites) {
  const ScratchFolder folder;
  const std::string network = quantized_file("graph id\n%x = input() : float32[1, 4]\nreturn %x\n");
  const std::string file = folder / "id.vtaq", other = folder / "./id.vtaq";
  write_file(file, network);
  for (const char* option : {"-o", "--save-quantized"}) {
    const ToolRun refused = run({"vta-compile", file, option, other});
    EXPECT_EQ(refused.status, 2);
    EXPECT_PRED2(contains, refused.err, "would be overwritten");
  }
  EXPECT_EQ(read_text_file(file), network);
  const ToolRun refused =
      run({"vta-compile", file, "-o", folder / "a", "--save-quantized", folder / "./a"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_PRED2(contains, refused.err, "--out and --save-quantized name the same file");
  run_ok({"vta-compile", file, "-o", "/dev/null", "--save-quantized", "/dev/null"});
}

TEST(VtaCompile, CalibratesNoNetworkWithoutInputs) {
  const ScratchFolder folder;
  write_file(folder / "none.vtaq",
             quantized_file("graph none\n%c = constant() : float32[1, 2] = [1, 2]\n"
                            "%y = relu(%c) : float32[1, 2]\nreturn %y\n"));
  const ToolRun refused =
      run({"vta-compile", folder / "none.vtaq", "--calibrate", "npz:digits/calibration.npz:2"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_PRED2(contains, refused.err, "the network has no inputs, so no data set can give them");
}

TEST(VtaCompile, AQuantizedNetworkIsTakenInsteadOfTheNetwork) {
  const ScratchFolder folder;
  run_ok({"vta-compile", "digits.json", "-o", folder / "direct.vta", "--save-quantized",
          folder / "digits.vtaq"});
  run_ok({"vta-compile", folder / "digits.vtaq", "-o", folder / "again.vta", "--scales", "auto"});
  const json direct = run_json({"vta-sim", "run", folder / "direct.vta", "--scales", "auto"});
  const json again = run_json({"vta-sim", "run", folder / "again.vta"});
  EXPECT_EQ(direct.at("counters"), again.at("counters"));
  EXPECT_EQ(direct.at("outputs").at(0).at("values"), again.at("outputs").at(0).at("values"));
  const ToolRun refused = run({"vta-compile", folder / "digits.vtaq", "--quantize", "max"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_PRED2(contains, refused.err, "quantized already");
}

TEST(VtaCompile, SensitivityTellsWhatEachLayerCosts) {
  const json report = run_json({"vta-compile", "digits.json", "--sensitivity"});
  EXPECT_EQ(report.at("num_inputs"), 8);
  EXPECT_GT(report.at("snr_db"), 25);
  EXPECT_EQ(report.at("layers").size(), 11u) << "the convolutions and the classifier";
  for (const json& layer : report.at("layers")) EXPECT_GT(layer.at("snr_db"), 15) << layer;
  const std::string text = run_ok({"vta-compile", "digits.json", "--sensitivity"});
  EXPECT_PRED2(matches, text,
               "^layer +operator +snr_db +gain_db +alone_db\nconv1 +conv2d +[0-9.]+ ");
  const ToolRun refused = run({"vta-compile", "digits.json", "--sensitivity", "-o", "x.vta"});
  EXPECT_EQ(refused.status, 2);
}

TEST(VtaCompile, ALayerKeptInFloatLeavesTheCore) {
  const json all = run_json({"vta-compile", "digits.json"});
  const json kept = run_json({"vta-compile", "digits.json", "--keep-float", "layer2.1.conv1"});
  EXPECT_LT(kept.at("macs_on_core"), all.at("macs_on_core"));
  EXPECT_EQ(kept.at("macs"), all.at("macs"));
}

TEST(VtaCompile, CalibratesOnADataSet) {
  const ScratchFolder folder;
  const auto compile = [&](const std::string& count, const std::string& file) {
    run_ok({"vta-compile", "digits.json", "-o", folder / file, "--calibrate",
            "npz:digits/calibration.npz:" + count});
    return read_file(folder / file);
  };
  EXPECT_NE(compile("2", "few.vta"), compile("16", "many.vta"));
}

}  // namespace
}  // namespace vta::cli_test
