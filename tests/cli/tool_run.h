// SPDX-License-Identifier: Apache-2.0
//
// Runs the built tools as a user does: returns exit status, stdout and stderr.
#ifndef VTA_TESTS_CLI_TOOL_RUN_H_
#define VTA_TESTS_CLI_TOOL_RUN_H_

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace vta::cli_test {

struct ToolRun {
  int status = -1;  // exit status; 128 + signal number if killed by a signal
  std::string out, err;
};

struct RunPlace {
  std::filesystem::path working_folder = ".";
  std::optional<std::chrono::milliseconds> interrupt_after;  // send SIGINT after this time
  std::function<bool()> kill_when;                           // send `signal` once this is true
  int signal = SIGKILL;
};

// Runs `command[0]` (a path, or the name of a tool of this build). A sanitizer report gives exit
// status 99.
ToolRun run(const std::vector<std::string>& command, const RunPlace& place = {});

// Expects status 0 and nothing on stderr; returns what was printed.
std::string run_ok(const std::vector<std::string>& command, const RunPlace& place = {});

// The same with --json, parsed.
nlohmann::json run_json(std::vector<std::string> command);

// Expects status 2, nothing on stdout and one line on stderr with `what`.
void expect_usage_error(const std::vector<std::string>& command, const std::string& what);

// digits.json compiled for vta_1x16 by the build.
inline const std::string kDigitsProgram = VTA_DIGITS_PROGRAM;

// The counters of a run or a layer in JSON, which also has its cycles and stages.
inline const std::vector<std::string> kCounters = {
    "inp_load_nbytes",  "wgt_load_nbytes", "acc_load_nbytes", "uop_load_nbytes",
    "out_store_nbytes", "gemm_counter",    "alu_counter"};
void expect_counters(const nlohmann::json& object);

std::filesystem::path tool_path(const std::string& name);

}  // namespace vta::cli_test

#endif  // VTA_TESTS_CLI_TOOL_RUN_H_
