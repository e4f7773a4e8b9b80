// SPDX-License-Identifier: Apache-2.0
//
// vta-run as documented, on the functional simulator.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"
#include "tests/unit/runtime/host/encoded_images.h"

namespace vta::cli_test {
namespace {

using nlohmann::json;

constexpr const char* kSample = VTA_SOURCE_FOLDER "/configs/networks/digits/sample.png";

std::vector<json> lines_of(const std::string& text) {
  std::vector<json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
  return lines;
}

TEST(VtaRun, ClassifiesAsVtaSimDoes) {
  const json expected = run_json({"vta-sim", "run", VTA_DIGITS_PROGRAM, "--device", "functional"});
  const std::vector<json> lines =
      lines_of(run_ok({"vta-run", VTA_DIGITS_PROGRAM, "--device", "functional", "--json"}));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0]["top"], expected["outputs"][0]["top"]);
  EXPECT_TRUE(lines[0]["cycles"].is_null());
}

TEST(VtaRun, PrintsClassesAndThroughput) {
  const std::string text = run_ok({"vta-run", VTA_DIGITS_PROGRAM, "--device", "functional",
                                   "--input", kSample, "--top", "1", "--count", "3"});
  EXPECT_PRED2(matches, text, "sample.png: 7 \\([0-9.]+\\); [0-9.]+ ms\n");
  EXPECT_PRED2(matches, text,
               "\n3 images on functional, [0-9.]+ images per second, 2 in flight; latency in ms: ");
}

// All numbers that the expression's first group matches, as they are printed.
std::vector<std::string> all_matches(const std::string& text, const std::string& expression) {
  const std::regex regex(expression);
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match)
    found.push_back((*match)[1]);
  return found;
}

TEST(VtaRun, PrintsNearestRanksOfTheLatencies) {
  const std::string text = run_ok({"vta-run", VTA_DIGITS_PROGRAM, "--device", "functional",
                                   "--input", kSample, "--count", "4"});
  std::vector<std::string> ms = all_matches(text, "; ([0-9.]+) ms\n");
  ASSERT_EQ(ms.size(), 4u) << text;
  std::ranges::sort(ms, {}, [](const std::string& one) { return std::stod(one); });
  EXPECT_EQ(all_matches(text, "(?:%|maximum) ([0-9.]+)"),
            (std::vector{ms[1], ms[3], ms[3], ms[3]}));
}

TEST(VtaRun, PrintsNumbersOfClassesWithoutLabels) {
  const ScratchFolder folder;
  const std::string program = folder / "mlp.vta";
  run_ok({"vta-compile", "mlp.json", "-o", program});
  const std::string text =
      run_ok({"vta-run", program, "--device", "functional", "--input", kSample, "--top", "2"});
  EXPECT_PRED2(matches, text, "sample.png: class [0-9] \\([0-9.]+\\), class [0-9] \\(");
}

// As on a board, which gets the program alone.
TEST(VtaRun, PrintsTheLabelsThatTheProgramHolds) {
  const ScratchFolder folder;
  std::string names;
  for (int i = 0; i < 10; ++i) names += fmt::format("digit {}\n", i);
  write_file(folder / "names.txt", names);
  const std::string program = folder / "digits.vta";
  run_ok({"vta-compile", "digits.json", "--labels", folder / "names.txt", "-o", program});
  std::filesystem::remove(folder / "names.txt");
  EXPECT_PRED2(contains, run_ok({"vta-run", program, "--device", "functional", "--input", kSample}),
               ": digit 7 (");
  const json top =
      run_json({"vta-sim", "run", program, "--device", "functional"}).at("outputs")[0].at("top");
  EXPECT_EQ(top[0].at("label"), "digit 7");
}

TEST(VtaRun, KeepsTheOrderOfInputs) {
  std::vector<std::string> command = {
      "vta-run", VTA_DIGITS_PROGRAM, "--device", "functional", "--in-flight", "4",
      "--json",  "--input",          kSample,    "noise:1",    "noise:2",     "noise:3"};
  const std::vector<json> lines = lines_of(run_ok(command));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0]["input"], kSample);
  EXPECT_EQ(lines[3]["input"], "noise:3");
}

// A camera that delivers the frames of a file; --loop ends with it.
TEST(VtaRun, ClassifiesTheFramesOfACamera) {
  const ScratchFolder folder;
  std::vector<uint8_t> stream;
  std::vector<std::string> images;
  for (const uint8_t shade : {0, 90, 255}) {
    std::vector<uint8_t> pixels(64, shade);
    std::fill_n(pixels.begin() + 20, 24, uint8_t{200});
    const std::vector<uint8_t> jpeg = test::encode_jpeg(pixels, 8, 8, 1);
    stream.insert(stream.end(), jpeg.begin(), jpeg.end());
    images.push_back(folder / fmt::format("{}.jpg", shade));
    write_file(images.back(), jpeg);
  }
  const std::string camera = folder / "stream.mjpeg";
  write_file(camera, stream);
  const auto classify = [&](std::vector<std::string> inputs) {
    inputs.insert(inputs.begin(),
                  {"vta-run", VTA_DIGITS_PROGRAM, "--device", "functional", "--json", "--input"});
    return lines_of(run_ok(inputs));
  };
  const std::vector<json> expected = classify(images);
  const std::vector<json> frames = classify({"camera:" + camera, "--loop", "--in-flight", "2"});
  ASSERT_EQ(frames.size(), expected.size());
  for (size_t i = 0; i < frames.size(); ++i) {
    EXPECT_EQ(frames[i]["top"], expected[i]["top"]);
    EXPECT_EQ(frames[i]["input"], "camera:" + camera);
  }
  EXPECT_EQ(classify({"camera:" + camera}).size(), 1u);
}

#ifdef VTA_FAKE_CAMERA
// A camera whose frames are of one shade each (fake_camera.c): outdated ones are left out.
TEST(VtaRun, ClassifiesTheFramesOfAVideoDevice) {
  const auto classify = [](const std::string& format) {
    return run({"/usr/bin/env", std::string("LD_PRELOAD=") + VTA_FAKE_CAMERA,
                "FAKE_CAMERA=" + format, tool_path("vta-run").string(), VTA_DIGITS_PROGRAM,
                "--device", "functional", "--json", "--input", "camera:/dev/zero", "--count", "2",
                "--in-flight", "2", "--top", "10"});
  };
  const ToolRun frames = classify("YUYV");
  EXPECT_EQ(frames.status, 0) << frames.err;
  const std::vector<json> lines = lines_of(frames.out);
  ASSERT_EQ(lines.size(), 2u);
  // The newest of each pair of the frames with luma 100 to 103, as gray of the full range.
  const ScratchFolder folder;
  for (const int luma : {101, 103}) {
    const auto gray = static_cast<uint8_t>((298 * (luma - 16) + 128) >> 8);
    const std::string image = folder / fmt::format("{}.png", luma);
    write_file(
        image,
        test::PngBuilder().header(8, 8, 8, 0).pixels(std::vector<uint8_t>(64, gray), 8).finish());
    const json expected = lines_of(run_ok({"vta-run", VTA_DIGITS_PROGRAM, "--device", "functional",
                                           "--json", "--input", image, "--top", "10"}))[0];
    EXPECT_EQ(lines[luma == 101 ? 0 : 1]["top"], expected["top"]) << luma;
  }
  const ToolRun other = classify("NV12");
  EXPECT_EQ(other.status, 1);
  EXPECT_PRED2(contains, other.err, "camera /dev/zero: it delivers neither YUYV nor MJPEG");
}
#endif

TEST(VtaRun, LoopsUntilCtrlC) {
  const ToolRun result = run({"vta-run", VTA_DIGITS_PROGRAM, "--device", "functional", "--loop"},
                             {".", std::chrono::milliseconds(2000)});
  EXPECT_EQ(result.status, 130);
  EXPECT_PRED2(contains, result.out, "sample: 7 (");
}

TEST(VtaRun, RefusesWhatItCannotDo) {
  const auto fails = [](std::vector<std::string> arguments, int status, const std::string& text) {
    arguments.insert(arguments.begin(), "vta-run");
    const ToolRun result = run(arguments);
    EXPECT_EQ(result.status, status);
    EXPECT_PRED2(contains, result.err, text);
  };
  fails({VTA_DIGITS_PROGRAM, "--loop", "--count", "2"}, 2, "--loop has no end");
  fails({VTA_DIGITS_PROGRAM, "--device", "cycle"}, 1, "unknown scheme 'cycle'");
  fails({"nothing.vta"}, 1, "nothing.vta");
  fails({VTA_DIGITS_PROGRAM, "--device", "functional", "--input", "nothing.png"}, 1, "nothing.png");
  fails({VTA_DIGITS_PROGRAM, "--device", "functional", "--input", "camera:/dev/null"}, 1,
        "not a Video4Linux device");
  fails({VTA_DIGITS_PROGRAM, "--device", "functional", "--input", "camera:x", "noise:1"}, 1,
        "a camera must be the only one");
  fails({kSample, "--device", "functional"}, 1, "sample.png");
}

}  // namespace
}  // namespace vta::cli_test
