// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/explore/result_store.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/command_line/command_line.h"
#include "base/errors/error.h"
#include "base/files/file.h"

namespace vta::sim {
namespace fs = std::filesystem;

ResultStore::ResultStore(fs::path folder) : folder_(std::move(folder)) { make_folder(folder_); }

std::optional<StoredRun> ResultStore::find(const std::string& key) const {
  std::error_code ignored;
  if (!fs::is_regular_file(file_of(key), ignored)) return std::nullopt;
  try {
    const auto json = nlohmann::json::parse(read_text_file(file_of(key)));
    StoredRun run;
    if (json.contains("error")) {
      run.error = json.at("error").get<std::string>();
    } else {
      run.cycles = json.at("cycles").get<uint64_t>();
    }
    return run;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

void ResultStore::put(const std::string& key, const StoredRun& run,
                      const std::string& about) const {
  if (run.is_of_machine) return;
  nlohmann::ordered_json json = {{"run", about}};
  if (run.error.empty()) {
    json["cycles"] = run.cycles;
  } else {
    json["error"] = run.error;
  }
  const std::string text =
      json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  without_interruption([&] { write_file(file_of(key), text); });
}

}  // namespace vta::sim
