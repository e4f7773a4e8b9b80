// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/unit/tools/c_api/digits_client.h"
#include "tools/c_api/client.h"

namespace vta {
namespace {

using client::Network;
using client::Report;
using client::Server;
using CProgram = client::Program;
using CDevice = client::Device;
using CSession = client::Session;

Network digits_network() {
  vta_network* network = nullptr;
  EXPECT_EQ(vta_network_load("digits.json", nullptr, &network), VTA_OK) << vta_last_error();
  return Network(network);
}

CProgram digits_program(const vta_compile_options* options = nullptr) {
  const Network network = digits_network();
  vta_program* program = nullptr;
  EXPECT_EQ(vta_compile(network.get(), options, &program), VTA_OK) << vta_last_error();
  return CProgram(program);
}

CDevice open_device(const std::string& uri, const CProgram& program) {
  vta_device* device = nullptr;
  EXPECT_EQ(vta_device_open(uri.c_str(), program.get(), &device), VTA_OK) << vta_last_error();
  return CDevice(device);
}

CSession open_session(const CProgram& program, const CDevice& device) {
  vta_session* session = nullptr;
  EXPECT_EQ(vta_session_open(program.get(), device.get(), &session), VTA_OK) << vta_last_error();
  return CSession(session);
}

// The memory of one inference of the digits network. The input has exactly its size, for the
// address sanitizer.
struct Inference {
  std::unique_ptr<float[]> x = std::make_unique<float[]>(64);
  std::vector<float> y = std::vector<float>(10);
  vta_buffer input() { return {x.get(), 64 * sizeof(float)}; }
  vta_buffer output() { return {y.data(), y.size() * sizeof(float)}; }

  vta_status run(vta_session* session, const vta_run_options* options = nullptr,
                 vta_report** report = nullptr) {
    const vta_buffer in = input(), out = output();
    return vta_session_run(session, &in, 1, &out, 1, options, report);
  }
};

Inference sample_inference(const CProgram& program) {
  Inference inference;
  const vta_buffer input = inference.input();
  EXPECT_EQ(vta_program_read_input(program.get(), nullptr, &input), VTA_OK) << vta_last_error();
  return inference;
}

TEST(CApi, ClassifiesADigitFromC) {
  uint64_t cycles = 0;
  EXPECT_EQ(classify_digit("functional", &cycles), 7);
  EXPECT_EQ(cycles, 0u);
  EXPECT_EQ(classify_digit("cycle", &cycles), 7);
  EXPECT_GT(cycles, 0u);
}

TEST(CApi, DescribesAProgram) {
  const CProgram program = digits_program();
  const vta_program_info* info = vta_program_info_of(program.get());
  EXPECT_STREQ(info->network, "digits");
  EXPECT_STREQ(info->core, "vta_1x16");
  EXPECT_EQ(info->macs, 1'123'648u);
  EXPECT_EQ(info->macs_on_core, info->macs);
  ASSERT_EQ(info->num_inputs, 1u);
  const vta_tensor_info* input = vta_program_input(program.get(), 0);
  EXPECT_EQ(std::vector<int64_t>(input->shape, input->shape + input->rank),
            (std::vector<int64_t>{1, 1, 8, 8}));
  EXPECT_EQ(input->dtype, VTA_FLOAT32);
  EXPECT_EQ(vta_program_input(program.get(), 1), nullptr);
  EXPECT_EQ(info->num_labels, 10u);
  const char* label = nullptr;
  ASSERT_EQ(vta_program_label(program.get(), 7, &label), VTA_OK) << vta_last_error();
  EXPECT_STREQ(label, "7");
  EXPECT_EQ(vta_program_label(program.get(), 10, &label), VTA_INVALID_ARGUMENT);
}

std::vector<int64_t> shape_of(const vta_tensor_info* info) {
  return {info->shape, info->shape + info->rank};
}

// Buffers have the size of the bound, infos that of the run; the reference keeps other boxes.
TEST(CApi, GivesTheSizesOfTheRun) {
  vta_network* raw_network = nullptr;
  ASSERT_EQ(vta_network_load("tests/onnx/detector.onnx", nullptr, &raw_network), VTA_OK)
      << vta_last_error();
  const Network network(raw_network);
  vta_program* raw_program = nullptr;
  ASSERT_EQ(vta_compile(network.get(), nullptr, &raw_program), VTA_OK) << vta_last_error();
  const CProgram program(raw_program);
  const CSession session = open_session(program, open_device("functional", program));
  EXPECT_EQ(vta_session_output(session.get(), 0), nullptr) << "it has not run";
  std::vector<float> image(3 * 8 * 8), boxes(40 * 4);
  image[0] = 2;  // few boxes have scores
  std::vector<int32_t> selected(40 * 3, -1);
  EXPECT_EQ(shape_of(vta_program_output(program.get(), 0)), (std::vector<int64_t>{40, 3}));
  const vta_buffer input{image.data(), image.size() * sizeof(float)};
  const vta_buffer outputs[] = {{selected.data(), selected.size() * sizeof(int32_t)},
                                {boxes.data(), boxes.size() * sizeof(float)}};
  ASSERT_EQ(vta_session_run(session.get(), &input, 1, outputs, 2, nullptr, nullptr), VTA_OK)
      << vta_last_error();
  const int64_t rows = shape_of(vta_session_output(session.get(), 0))[0];
  EXPECT_GT(rows, 0);
  EXPECT_LT(rows, 40);
  EXPECT_EQ(shape_of(vta_session_output(session.get(), 1)), (std::vector<int64_t>{rows, 4}));
  EXPECT_EQ(vta_session_output(session.get(), 0)->num_bytes, static_cast<size_t>(rows) * 12);
  EXPECT_EQ(vta_session_output(session.get(), 2), nullptr);
  const auto end = static_cast<size_t>(rows) * 3;
  EXPECT_GE(selected[end - 1], 0);
  EXPECT_EQ(selected[end], -1) << "bytes after the result are not written";

  vta_reference* reference = nullptr;
  ASSERT_EQ(vta_reference_open(network.get(), &reference), VTA_OK) << vta_last_error();
  EXPECT_EQ(vta_reference_output(reference, 0), nullptr);
  EXPECT_EQ(vta_reference_run(reference, &input, 1, outputs, 2), VTA_OK) << vta_last_error();
  EXPECT_EQ(shape_of(vta_reference_output(reference, 0))[0],
            shape_of(vta_reference_output(reference, 1))[0]);
  vta_reference_free(reference);
}

TEST(CApi, ReportsLayersThatSumToTheTotals) {
  const CProgram program = digits_program();
  const CSession session = open_session(program, open_device("cycle", program));
  vta_report* raw = nullptr;
  ASSERT_EQ(sample_inference(program).run(session.get(), nullptr, &raw), VTA_OK);
  const Report report(raw);
  const vta_run_report* totals = vta_report_totals(raw);
  uint64_t cycles = 0, macs = 0, gemm = 0;
  for (size_t i = 0; i < totals->num_layers; ++i) {
    const vta_layer_report* layer = vta_report_layer(raw, i);
    const vta_layer_info* info = vta_program_layer(program.get(), i);
    EXPECT_STREQ(layer->name, info->name);
    EXPECT_EQ(layer->counters.gemm_counter, info->gemm_counter) << info->name;
    gemm += info->gemm_counter;
    cycles += layer->counters.cycles;
    macs += layer->macs;
  }
  EXPECT_EQ(vta_report_layer(raw, totals->num_layers), nullptr);
  EXPECT_EQ(totals->counters.has_cycles, 1);
  EXPECT_EQ(cycles, totals->counters.cycles);
  EXPECT_EQ(macs, 1'123'648u);
  EXPECT_EQ(gemm, totals->counters.gemm_counter);
  EXPECT_GT(gemm, 4000u);
  for (const auto& states : totals->counters.stages) {
    uint64_t sum = 0;
    for (const uint64_t count : states) sum += count;
    EXPECT_EQ(sum, cycles) << "the states of a stage sum to the cycles";
  }
}

TEST(CApi, LayersHaveTheShapesOfTheirOperandsWeightsAndResults) {
  const CProgram program = digits_program();
  size_t i = 0;
  while (std::string_view(vta_program_layer(program.get(), i)->op) != "qconv2d") ++i;
  EXPECT_STREQ(vta_program_layer(program.get(), i)->shapes,
               "int8[1, 1, 8, 8, 1, 16], int8[1, 1, 1, 1, 16, 16], int32[1, 1, 1, 1, 16], "
               "int8[1, 1, 8, 8, 1, 16]");
}

TEST(CApi, ReadsInputsWhereTheyAre) {
  const CProgram program = digits_program();
  const CSession session = open_session(program, open_device("functional", program));
  Inference inference = sample_inference(program);
  const std::vector<float> before(inference.x.get(), inference.x.get() + 64);
  ASSERT_EQ(inference.run(session.get()), VTA_OK);
  const std::vector<float> seven = inference.y;
  EXPECT_EQ(std::vector<float>(inference.x.get(), inference.x.get() + 64), before);
  std::memset(inference.x.get(), 0, 64 * sizeof(float));
  ASSERT_EQ(inference.run(session.get()), VTA_OK);
  EXPECT_NE(inference.y, seven) << "the second run sees what the caller has written since";
}

TEST(CApi, CopiesNeitherTheImageNorTheScores) {
  const CProgram program = digits_program();
  const CSession session = open_session(program, open_device("functional", program));
  vta_report* raw = nullptr;
  ASSERT_EQ(sample_inference(program).run(session.get(), nullptr, &raw), VTA_OK);
  const Report report(raw);
  EXPECT_EQ(vta_report_totals(raw)->copied_bytes, 0u);
}

TEST(CApi, SavesAndOpensPrograms) {
  const ScratchFolder folder;
  const std::string path = folder / "digits.vta";
  const CProgram program = digits_program();
  ASSERT_EQ(vta_program_save(program.get(), path.c_str()), VTA_OK);
  vta_program* raw = nullptr;
  ASSERT_EQ(vta_program_open(path.c_str(), &raw), VTA_OK) << vta_last_error();
  const CProgram again(raw);
  EXPECT_STREQ(vta_program_info_of(raw)->calibration, "");
  Inference first = sample_inference(program), second = sample_inference(again);
  ASSERT_EQ(first.run(open_session(program, open_device("functional", program)).get()), VTA_OK);
  ASSERT_EQ(second.run(open_session(again, open_device("functional", again)).get()), VTA_OK);
  EXPECT_EQ(first.y, second.y);

  size_t num_bytes = 0;
  ASSERT_EQ(vta_program_file_bytes(program.get(), &num_bytes), VTA_OK);
  std::vector<uint8_t> bytes(num_bytes);
  const vta_buffer buffer = {bytes.data(), bytes.size()};
  ASSERT_EQ(vta_program_write(program.get(), &buffer), VTA_OK) << vta_last_error();
  EXPECT_EQ(bytes, read_file(path));
  ASSERT_EQ(vta_program_parse("memory", bytes.data(), bytes.size(), &raw), VTA_OK)
      << vta_last_error();
  const CProgram parsed(raw);
  EXPECT_EQ(vta_program_info_of(raw)->macs, vta_program_info_of(program.get())->macs);
  EXPECT_EQ(vta_program_parse("memory", bytes.data(), 100, &raw), VTA_CORRUPT);
  EXPECT_EQ(std::string(vta_last_error()).find("memory: "), 0u) << vta_last_error();
}

TEST(CApi, CompilesWithTheOptionsOfTheTool) {
  vta_compile_options options{};
  options.struct_size = sizeof(options);
  options.mode = "compatible";
  options.quantize = "global";
  options.core = "vta_4x8";
  const CProgram program = digits_program(&options);
  EXPECT_STREQ(vta_program_info_of(program.get())->mode, "compatible");
  EXPECT_STREQ(vta_program_info_of(program.get())->quantize, "global");
  EXPECT_STREQ(vta_program_info_of(program.get())->core, "vta_4x8");
  EXPECT_EQ(vta_program_input(program.get(), 0)->shape[0], 4) << "batch of the core";
}

TEST(CApi, CalibratesOnTheCallersInputs) {
  std::vector<float> images(2 * 64, 0.5f);
  vta_compile_options options{};
  options.struct_size = sizeof(options);
  options.calibration_data = images.data();
  options.num_calibration_inputs = 2;
  EXPECT_STREQ(vta_program_info_of(digits_program(&options).get())->calibration, "2 images");
}

TEST(CApi, ReadsModelsInMemory) {
  const std::string path = "tests/onnx/quantized/small.qdq_s8.onnx";
  const std::vector<uint8_t> model = read_file(path);
  vta_network *loaded = nullptr, *parsed = nullptr;
  ASSERT_EQ(vta_network_load(path.c_str(), nullptr, &loaded), VTA_OK) << vta_last_error();
  const Network file(loaded);
  ASSERT_EQ(vta_network_parse("memory", model.data(), model.size(), nullptr, &parsed), VTA_OK)
      << vta_last_error();
  const Network memory(parsed);
  EXPECT_STREQ(vta_network_name(memory.get()), "memory");
  EXPECT_EQ(vta_network_is_quantized(memory.get()), 1);
  EXPECT_EQ(vta_network_is_quantized(digits_network().get()), 0);
  ASSERT_EQ(vta_network_num_outputs(memory.get()), vta_network_num_outputs(file.get()));
  EXPECT_STREQ(vta_network_output(memory.get(), 0)->name, vta_network_output(file.get(), 0)->name);

  EXPECT_NE(vta_network_parse("memory", model.data(), model.size() / 2, nullptr, &parsed), VTA_OK);
  EXPECT_EQ(std::string(vta_last_error()).find("memory: "), 0u) << vta_last_error();
}

TEST(CApi, TheReferenceIsTheNetworkInFp32) {
  const Network network = digits_network();
  const CProgram program = digits_program();
  vta_reference* reference = nullptr;
  ASSERT_EQ(vta_reference_open(network.get(), &reference), VTA_OK);
  Inference inference = sample_inference(program);
  const vta_buffer in = inference.input(), out = inference.output();
  ASSERT_EQ(vta_reference_run(reference, &in, 1, &out, 1), VTA_OK);
  vta_reference_free(reference);
  const std::vector<float> fp32 = inference.y;
  ASSERT_EQ(inference.run(open_session(program, open_device("functional", program)).get()), VTA_OK);
  for (size_t i = 0; i < fp32.size(); ++i) EXPECT_NEAR(fp32[i], inference.y[i], 0.5) << i;
  EXPECT_NE(fp32, inference.y) << "int8 is not fp32";
}

TEST(CApi, ReadsDatasets) {
  const CProgram program = digits_program();
  vta_dataset* dataset = nullptr;
  ASSERT_EQ(vta_dataset_open("npz:digits/test.npz:20", program.get(), &dataset), VTA_OK)
      << vta_last_error();
  EXPECT_EQ(vta_dataset_size(dataset), 20u);
  const int64_t* labels = vta_dataset_labels(dataset);
  ASSERT_NE(labels, nullptr);
  const CSession session = open_session(program, open_device("functional", program));
  Inference inference;
  const vta_buffer input = inference.input();
  int right = 0;
  for (size_t i = 0; i < 20; ++i) {
    ASSERT_EQ(vta_dataset_read(dataset, i, &input), VTA_OK);
    ASSERT_EQ(inference.run(session.get()), VTA_OK);
    const auto best = std::max_element(inference.y.begin(), inference.y.end());
    right += best - inference.y.begin() == labels[i] ? 1 : 0;
  }
  EXPECT_GE(right, 19);
  EXPECT_EQ(vta_dataset_read(dataset, 20, &input), VTA_INVALID_ARGUMENT);
  vta_dataset_free(dataset);
}

TEST(CApi, ServesADevice) {
  vta_server* raw = nullptr;
  ASSERT_EQ(vta_server_start("cycle", nullptr, nullptr, &raw), VTA_OK) << vta_last_error();
  const Server server(raw);
  const CProgram program = digits_program();
  const std::string uri = "rpc://127.0.0.1:" + std::to_string(vta_server_port(raw));
  const CDevice device = open_device(uri, program);
  EXPECT_EQ(vta_device_info_of(device.get())->timed, 1);
  Inference remote = sample_inference(program), local = sample_inference(program);
  ASSERT_EQ(remote.run(open_session(program, device).get()), VTA_OK) << vta_last_error();
  ASSERT_EQ(local.run(open_session(program, open_device("functional", program)).get()), VTA_OK);
  EXPECT_EQ(remote.y, local.y);
}

TEST(CApi, AServersTokenFollowsTheRulesOfFiles) {
  for (const std::string& wrong : {std::string(), std::string("x"), std::string("0123456789abcde"),
                                   std::string("0123456789 abcdef"), std::string(257, 'x')}) {
    vta_server_options options{};
    options.struct_size = sizeof(options);
    options.token = wrong.c_str();
    vta_server* server = nullptr;
    EXPECT_EQ(vta_server_start("functional", nullptr, &options, &server), VTA_INVALID_ARGUMENT);
    EXPECT_NE(std::string(vta_last_error()).find("not a token of 16 to 256"), std::string::npos);
    EXPECT_EQ(server, nullptr) << "a server without a token";
  }
}

// --- Errors ---

TEST(CApi, ErrorsHaveACodeAndAMessage) {
  vta_network* network = nullptr;
  EXPECT_EQ(vta_network_load("no_such_network", nullptr, &network), VTA_NOT_FOUND);
  EXPECT_NE(std::string(vta_last_error()).find("no_such_network"), std::string::npos);
  EXPECT_EQ(network, nullptr);
  vta_program* program = nullptr;
  EXPECT_EQ(vta_program_open("/nonexistent.vta", &program), VTA_NOT_FOUND);
  EXPECT_EQ(vta_network_load(nullptr, nullptr, &network), VTA_INVALID_ARGUMENT);
  EXPECT_STREQ(vta_last_error(), "name is NULL");
}

TEST(CApi, MessagesBelongToTheThread) {
  vta_program* program = nullptr;
  EXPECT_EQ(vta_program_open("/nonexistent.vta", &program), VTA_NOT_FOUND);
  std::string other = "unset";
  std::thread([&] { other = vta_last_error(); }).join();
  EXPECT_EQ(other, "");
  EXPECT_NE(std::string(vta_last_error()), "");
}

TEST(CApi, RefusesOptionsOfAnotherVersion) {
  vta_network_options options{};
  options.struct_size = 4096;
  vta_network* network = nullptr;
  EXPECT_EQ(vta_network_load("digits.json", &options, &network), VTA_INVALID_ARGUMENT);
  // An older caller has a shorter structure; the members that it lacks have their defaults.
  options.struct_size = offsetof(vta_network_options, input_size);
  options.input_size = "not a size";
  EXPECT_EQ(vta_network_load("digits.json", &options, &network), VTA_OK) << vta_last_error();
  vta_network_free(network);
}

TEST(CApi, RefusesUnknownChoices) {
  const Network network = digits_network();
  const auto refuse = [&](const char* vta_compile_options::* member, const char* value) {
    vta_compile_options options{};
    options.struct_size = sizeof(options);
    options.*member = value;
    vta_program* program = nullptr;
    const vta_status status = vta_compile(network.get(), &options, &program);
    EXPECT_EQ(program, nullptr) << value;
    return status;
  };
  EXPECT_EQ(refuse(&vta_compile_options::quantize, "best"), VTA_INVALID_ARGUMENT);
  EXPECT_EQ(refuse(&vta_compile_options::mode, "fast"), VTA_INVALID_ARGUMENT);
  EXPECT_EQ(refuse(&vta_compile_options::rounding, "up"), VTA_INVALID_ARGUMENT);
  EXPECT_EQ(refuse(&vta_compile_options::scales, "any"), VTA_INVALID_ARGUMENT);
  EXPECT_EQ(refuse(&vta_compile_options::per_channel, "maybe"), VTA_INVALID_ARGUMENT);
  EXPECT_EQ(refuse(&vta_compile_options::first_convolution, "board"), VTA_INVALID_ARGUMENT);
  EXPECT_EQ(refuse(&vta_compile_options::core, "no_such_core"), VTA_NOT_FOUND);
  EXPECT_EQ(refuse(&vta_compile_options::schedules, "no_such_log.jsonl"), VTA_NOT_FOUND);
}

TEST(CApi, ChecksBuffers) {
  const CProgram program = digits_program();
  const CSession session = open_session(program, open_device("functional", program));
  Inference inference;
  vta_buffer in = inference.input(), out = inference.output();
  EXPECT_EQ(vta_session_run(session.get(), &in, 0, &out, 1, nullptr, nullptr),
            VTA_INVALID_ARGUMENT);
  EXPECT_STREQ(vta_last_error(), "expected 1 input, got 0");
  in.num_bytes = 4;
  EXPECT_EQ(vta_session_run(session.get(), &in, 1, &out, 1, nullptr, nullptr),
            VTA_INVALID_ARGUMENT);
  EXPECT_NE(std::string(vta_last_error()).find("expected 256 bytes for float32[1, 1, 8, 8], got 4"),
            std::string::npos)
      << vta_last_error();
  in = inference.input();
  out.data = nullptr;
  EXPECT_EQ(vta_session_run(session.get(), &in, 1, &out, 1, nullptr, nullptr),
            VTA_INVALID_ARGUMENT);
}

TEST(CApi, FunctionsAcceptNull) {
  vta_network_free(nullptr);
  vta_program_free(nullptr);
  vta_device_free(nullptr);
  vta_session_free(nullptr);
  vta_report_free(nullptr);
  vta_reference_free(nullptr);
  vta_dataset_free(nullptr);
  vta_server_free(nullptr);
  vta_session_cancel(nullptr);
  EXPECT_EQ(vta_program_info_of(nullptr), nullptr);
  EXPECT_EQ(vta_device_info_of(nullptr), nullptr);
  EXPECT_EQ(vta_report_totals(nullptr), nullptr);
  EXPECT_EQ(vta_session_run(nullptr, nullptr, 0, nullptr, 0, nullptr, nullptr),
            VTA_INVALID_ARGUMENT);
}

// --- Lifetimes, threads, cancellation ---

TEST(CApi, ASessionKeepsWhatItNeeds) {
  CProgram program = digits_program();
  CDevice device = open_device("functional", program);
  const CSession session = open_session(program, device);
  Inference inference = sample_inference(program);
  device.reset();
  program.reset();
  EXPECT_EQ(inference.run(session.get()), VTA_OK) << vta_last_error();
}

TEST(CApi, SessionsOfOneDeviceRunOnTwoThreads) {
  const CProgram program = digits_program();
  const CDevice device = open_device("functional", program);
  Inference expected = sample_inference(program);
  ASSERT_EQ(expected.run(open_session(program, device).get()), VTA_OK);
  std::atomic<int> equal = 0;
  const auto work = [&] {
    const CSession session = open_session(program, device);
    for (int i = 0; i < 50; ++i) {
      Inference inference = sample_inference(program);
      if (inference.run(session.get()) == VTA_OK && inference.y == expected.y) ++equal;
    }
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
  EXPECT_EQ(equal, 100);
}

TEST(CApi, ThreadsShareASession) {
  const CProgram program = digits_program();
  const CSession session = open_session(program, open_device("functional", program));
  std::atomic<int> done = 0;
  const auto work = [&] {
    for (int i = 0; i < 50; ++i) {
      Inference inference = sample_inference(program);
      if (inference.run(session.get()) == VTA_OK) ++done;
    }
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
  EXPECT_EQ(done, 100);
}

// A run whose progress function runs the same session once, and then cancels the first run.
struct NestedRun {
  vta_session* session;
  vta_buffer input, output;
  vta_status status = VTA_OK;  // of the inner run
  std::string message;

  static int progress(void* user, const char*, double) {
    auto& self = *static_cast<NestedRun*>(user);
    self.status = vta_session_run(self.session, &self.input, 1, &self.output, 1, nullptr, nullptr);
    self.message = vta_last_error();
    return 1;
  }
};

TEST(CApi, AProgressFunctionCannotRunItsSession) {
  vta_network* raw = nullptr;
  ASSERT_EQ(vta_network_load("resnet20_cifar", nullptr, &raw), VTA_OK) << vta_last_error();
  const Network network(raw);
  vta_program* compiled = nullptr;
  ASSERT_EQ(vta_compile(network.get(), nullptr, &compiled), VTA_OK) << vta_last_error();
  const CProgram program(compiled);
  const CSession session = open_session(program, open_device("rtl", program));
  std::vector<float> x(3 * 32 * 32), y(10);
  NestedRun nested{
      session.get(), {x.data(), x.size() * sizeof(float)}, {y.data(), y.size() * sizeof(float)}};
  const vta_run_options options{sizeof(options), NestedRun::progress, &nested};
  EXPECT_EQ(vta_session_run(session.get(), &nested.input, 1, &nested.output, 1, &options, nullptr),
            VTA_CANCELLED);
  EXPECT_EQ(nested.status, VTA_INVALID_ARGUMENT);
  EXPECT_NE(nested.message.find("the session is running"), std::string::npos) << nested.message;
}

TEST(CApi, AProgressFunctionCancelsCompilation) {
  const Network network = digits_network();
  vta_compile_options options{};
  options.struct_size = sizeof(options);
  int calls = 0;
  options.progress_user = &calls;
  options.progress = [](void* user, const char* what, double fraction) {
    EXPECT_NE(what, nullptr);
    EXPECT_TRUE(fraction >= 0 && fraction <= 1) << fraction;
    return ++*static_cast<int*>(user) == 2 ? 1 : 0;
  };
  vta_program* program = nullptr;
  EXPECT_EQ(vta_compile(network.get(), &options, &program), VTA_CANCELLED);
  EXPECT_EQ(calls, 2) << "no call after it cancelled";
  EXPECT_EQ(program, nullptr);
}

}  // namespace
}  // namespace vta
