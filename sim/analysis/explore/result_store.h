// SPDX-License-Identifier: Apache-2.0
//
// ResultStore: results of runs in a folder, a file each, named by the key of their content. Files
// are complete or not there, so processes may share a folder, and folders are merged by copying.
#ifndef VTA_SIM_ANALYSIS_EXPLORE_RESULT_STORE_H_
#define VTA_SIM_ANALYSIS_EXPLORE_RESULT_STORE_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace vta::sim {

struct StoredRun {
  uint64_t cycles = 0;
  int64_t batch = 1;           // samples of the run: the core's, or the network's own
  std::string error;           // the run's, instead of cycles; "": none
  bool is_of_machine = false;  // the error: another machine, or a later call, may not have it
};

class ResultStore {
 public:
  // Creates the folder if needed. Errors: kIo.
  explicit ResultStore(std::filesystem::path folder);

  // nullopt: no file of this key, or one that is not a result.
  std::optional<StoredRun> find(const std::string& key) const;

  // `about`: what was run, for readers of the folder. Does not keep errors of the machine. Threads
  // may call it. Errors: kIo.
  void put(const std::string& key, const StoredRun& run, const std::string& about) const;

 private:
  std::filesystem::path file_of(const std::string& key) const { return folder_ / (key + ".json"); }

  const std::filesystem::path folder_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_EXPLORE_RESULT_STORE_H_
