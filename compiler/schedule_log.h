// SPDX-License-Identifier: Apache-2.0
//
// The log of a tuner: a line of JSON for each tiling that was measured, and for each that was tried
// on a whole network. Lines are only appended, so that a log can be resumed, and several logs are
// merged by concatenation. A last line without its newline is what a killed tuner left; it is
// ignored.
//
// Each line has these keys, and no others:
//   core           object of configs/cores without its name
//   memory         name of the DRAM model
//   task           lower::task_text()
//   tiling         object: the choices of lower::Tiling by name (lower::for_each_choice())
//   neighbours     tilings of the layers before and after it, or ""
//   cycles         of the layer between its neighbours
//   with           only of tilings of several tasks that were measured together: for each other
//                  task an object of task, tiling and cycles
//   with_cycles    of the layers of all these tasks, between the neighbours of all
//   network, network_cycles_before, network_cycles  only of tilings that were tried on a whole
//                  network: its name, and the cycles without the tilings and with them; they were
//                  kept if these are fewer
//   state          true, only of what a search had for the tasks of a network together, at its
//                  start or at its end: its tiling of each, with which the network takes
//                  network_cycles. Kept, so that a log replays without those that it started from
#ifndef VTA_COMPILER_SCHEDULE_LOG_H_
#define VTA_COMPILER_SCHEDULE_LOG_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/lower/schedule_book.h"
#include "configs/core_config.h"

namespace vta {

// The memory whose entries are used if no other is named, of configs/memories.
inline constexpr const char* kScheduleMemory = "ideal64";

// Names of load_schedules().
inline constexpr const char* kNoSchedules = "none";
inline constexpr const char* kZooSchedules = "zoo";

struct Trial {
  std::string task;
  lower::Tiling tiling;  // without cost
  std::string neighbours;
  uint64_t cycles = 0;
  struct OfTask {
    std::string task;
    lower::Tiling tiling;
    uint64_t cycles = 0;  // of its layer between its neighbours
  };
  struct Together {
    std::vector<OfTask> others;
    uint64_t cycles = 0;  // of the layers of all tasks
  };
  std::optional<Together> together;
  struct OfNetwork {
    std::string network;
    uint64_t cycles_before = 0, cycles = 0;
    bool is_state = false;  // the tiling is one of those that the search ended with
    bool kept() const { return is_state || cycles < cycles_before; }
  };
  std::optional<OfNetwork> of_network;
  bool kept() const { return of_network && of_network->kept(); }
  std::string origin;  // "FILE:LINE"; not in the line
};

// One line, without newline.
std::string to_line(const Trial& trial, const CoreConfig& core, const std::string& memory);

// The trials of a log's text for this core and memory, in order. Errors, with `origin` and the
// number of the line: kCorrupt for a complete line that is not JSON, others for its values.
std::vector<Trial> parse_schedule_log(const std::string& text, const std::string& origin,
                                      const CoreConfig& core, const std::string& memory);

// Likewise of a file. Errors: kNotFound; kIo.
std::vector<Trial> read_schedule_log(const std::filesystem::path& file, const CoreConfig& core,
                                     const std::string& memory);

// Appends lines to a file, each by one write, and creates the file. If the file ends in a torn
// line, that is cut off first. Errors: kIo; kCorrupt for a file whose last line is not the
// beginning of one of a log, which is not changed.
class ScheduleLog {
 public:
  explicit ScheduleLog(const std::filesystem::path& file);
  ~ScheduleLog();
  ScheduleLog(const ScheduleLog&) = delete;
  ScheduleLog& operator=(const ScheduleLog&) = delete;

  void append(const std::string& line);

 private:
  const std::filesystem::path file_;
  int descriptor_ = -1;
};

// The kept tilings of logs. Among several for one task the one that made its network fastest, which
// is what a search kept last. Among different networks the one with the fewest cycles between its
// neighbours, but a search's own network has the tilings of its state; among equal ones the first.
class KeptTilings {
 public:
  void add(const std::vector<Trial>& trials);
  // `network`: the name of the one to lower; "": any.
  lower::ScheduleBook book(const std::string& network = "") const;
  // Adds the same tilings to a book, of which it replaces the entries; with `fits` only those that
  // fit.
  void add_to(lower::ScheduleBook& book, const std::string& network,
              const std::function<bool(const lower::Tiling&)>& fits = {}) const;

 private:
  struct Kept {
    uint64_t network_cycles = 0, cycles = 0;
    bool is_state = false;
    size_t number = 0;  // in the order of the logs
    lower::ScheduleBook::Entry entry;
  };

  using OfTask = std::map<std::string, Kept>;  // by network

  void add(const std::string& task, const std::string& network, Kept kept);
  static const Kept& best_of(const OfTask& networks, const std::string& network);

  std::map<std::string, OfTask> kept_;  // by task
  size_t count_ = 0;
};

// Whether any of the names is not kNoSchedules.
bool names_logs(const std::vector<std::string>& names);

// The logs of load_schedules(): none for kNoSchedules.
std::vector<std::filesystem::path> schedule_files(const std::vector<std::string>& names);

// Whether a log of load_schedules() has an entry for the memory. Errors: as read_schedule_log().
bool names_memory(const std::vector<std::string>& names, const std::string& memory);

// The schedules of logs for a network: of none for kNoSchedules; for kZooSchedules of all logs in
// schedules/ of the configuration folders, if there are any. Tilings of a core that differs only in
// the depths of its queues are used for tasks that have none of their own, if they fit the queues.
// Errors: as read_schedule_log().
lower::ScheduleBook load_schedules(const std::vector<std::string>& names, const CoreConfig& core,
                                   const std::string& memory, const std::string& network = "");

}  // namespace vta

#endif  // VTA_COMPILER_SCHEDULE_LOG_H_
