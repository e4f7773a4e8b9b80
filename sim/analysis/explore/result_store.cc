// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/explore/result_store.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/command_line/command_line.h"
#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/file_roles.h"
#include "base/files/strict_json.h"

namespace vta::sim {
namespace fs = std::filesystem;

namespace {

constexpr uint64_t kMaxResultBytes = 1 << 16;
constexpr uint64_t kMaxCycles = uint64_t{1} << 50;  // months of a core at 100 MHz

// nullopt for what put() does not write.
std::optional<StoredRun> run_of(const nlohmann::ordered_json& json) {
  if (!json.is_object() || json.contains("error") == json.contains("cycles")) return std::nullopt;
  StoredRun run;
  if (json.contains("error")) {
    if (!json["error"].is_string()) return std::nullopt;
    run.error = json["error"].get<std::string>();
    return run.error.empty() ? std::nullopt : std::optional(run);
  }
  if (!json["cycles"].is_number_unsigned() || !json.contains("batch") ||
      !json["batch"].is_number_unsigned())
    return std::nullopt;
  run.cycles = json["cycles"].get<uint64_t>();
  run.batch = json["batch"].get<int64_t>();
  const bool is_sense = run.cycles > 0 && run.cycles <= kMaxCycles && run.batch > 0;
  return is_sense ? std::optional(run) : std::nullopt;
}

}  // namespace

ResultStore::ResultStore(fs::path folder) : folder_(std::move(folder)) { make_folder(folder_); }

std::optional<StoredRun> ResultStore::find(const std::string& key) const {
  std::error_code ignored;
  if (!fs::is_regular_file(file_of(key), ignored)) return std::nullopt;
  const ReadsOwn cache;
  try {
    return run_of(parse_strict_json(read_text_file(file_of(key), kMaxResultBytes)));
  } catch (const Error&) {  // damaged, or no longer there
    return std::nullopt;
  }
}

void ResultStore::put(const std::string& key, const StoredRun& run,
                      const std::string& about) const {
  if (run.is_of_machine) return;
  nlohmann::ordered_json json = {{"run", about}};
  if (run.error.empty()) {
    json["cycles"] = run.cycles;
    json["batch"] = run.batch;
  } else {
    json["error"] = run.error;
  }
  const std::string text =
      json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  without_interruption([&] { write_file(file_of(key), text); });
}

}  // namespace vta::sim
