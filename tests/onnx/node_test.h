// SPDX-License-Identifier: Apache-2.0
//
// ONNX's node tests: a folder with model.onnx and test_data_set_N/input_K.pb and output_K.pb.
#ifndef VTA_TESTS_ONNX_NODE_TEST_H_
#define VTA_TESTS_ONNX_NODE_TEST_H_

#include <filesystem>
#include <string>
#include <vector>

namespace vta::onnx {

struct NodeTestResult {
  enum class Status {
    kPass,
    kRefused,  // not supported by the importer
    kFail,     // wrong values, shapes or types, or any other error
  };
  Status status = Status::kFail;
  std::string reason;  // of kRefused and kFail
};

// Imports the model (with the values of inputs that shapes depend on), runs it on the host and
// compares as ONNX's own runner does: types and shapes exactly, values within a relative 1e-3.
NodeTestResult run_node_test(const std::filesystem::path& folder);

// "pass", "refused: REASON", "FAIL: REASON"
std::string to_string(const NodeTestResult& result);

// The tests in a folder and its subfolders, sorted by name.
std::vector<std::filesystem::path> find_node_tests(const std::filesystem::path& folder);

}  // namespace vta::onnx

#endif  // VTA_TESTS_ONNX_NODE_TEST_H_
