// SPDX-License-Identifier: Apache-2.0
//
// Runs all ONNX node tests in the given folders: one line per test, then the totals. Exits with 1
// if a test fails; a test that the importer refuses does not fail.
#include <cstdio>
#include <map>

#include "tests/onnx/node_test.h"

int main(int argc, char** argv) {
  using Status = vta::onnx::NodeTestResult::Status;
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s FOLDER...\n", argv[0]);
    return 2;
  }
  std::map<Status, int> counts;
  for (int i = 1; i < argc; ++i) {
    for (const std::filesystem::path& test : vta::onnx::find_node_tests(argv[i])) {
      const vta::onnx::NodeTestResult result = vta::onnx::run_node_test(test);
      ++counts[result.status];
      std::printf("%s %s\n", test.filename().c_str(), to_string(result).c_str());
    }
  }
  std::printf("%d pass, %d refused, %d fail\n", counts[Status::kPass], counts[Status::kRefused],
              counts[Status::kFail]);
  return counts[Status::kFail] == 0 ? 0 : 1;
}
