// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/file_roles.h"
#include "base/files/strict_json.h"
#include "configs/config_files.h"

namespace vta {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kMaxLogBytes = uint64_t{1} << 30;
constexpr const char* kLogSuffix = ".jsonl";
constexpr std::string_view kLineStart = "{\"core\":{";  // of every line

Json core_json(const CoreConfig& core) {
  Json json = parse_strict_json(to_json(core));
  json.erase("name");
  return json;
}

Json tiling_json(const lower::Tiling& tiling) {
  Json json;
  for_each_choice(tiling, [&](const char* name, auto choice) { json[name] = choice; });
  return json;
}

uint64_t cycles_of(const Json& json, const char* key) {
  if (!json.at(key).is_number_unsigned())
    fail(ErrorCode::kCorrupt, "{}: expected an integer number of cycles, got {}", key,
         json.at(key).dump());
  return json.at(key).get<uint64_t>();
}

lower::Tiling tiling_of(const Json& json) {
  lower::Tiling tiling;
  for_each_choice(tiling, [&]<typename Choice>(const char* name, Choice& choice) {
    const Json& value = json.at(name);
    constexpr bool kIsSize = !std::is_same_v<Choice, bool>;
    const bool fits =
        kIsSize ? value.is_number_unsigned() && value.get<int64_t>() >= 1 : value.is_boolean();
    if (!fits)
      fail(ErrorCode::kCorrupt, "tiling: {}: expected {}, got {}", name,
           kIsSize ? "an integer of at least 1" : "true or false", value.dump());
    choice = value.get<Choice>();
  });
  if (json.size() != lower::kNumTilingChoices)
    fail(ErrorCode::kCorrupt, "tiling: {}, expected {}", counted(json.size(), "key"),
         lower::kNumTilingChoices);
  return tiling;
}

Json with_json(const Trial::Together& together) {
  Json json = Json::array();
  for (const Trial::OfTask& other : together.others) {
    json.push_back(
        {{"task", other.task}, {"tiling", tiling_json(other.tiling)}, {"cycles", other.cycles}});
  }
  return json;
}

Trial::Together together_of(const Json& line) {
  Trial::Together together{{}, cycles_of(line, "with_cycles")};
  for (const Json& other : line.at("with")) {
    together.others.push_back({other.at("task").get<std::string>(), tiling_of(other.at("tiling")),
                               cycles_of(other, "cycles")});
  }
  return together;
}

// Tasks do not depend on the depths of queues.
constexpr const char* kDepths[] = {"command_queue_depth", "token_queue_depth"};

// Only the depths of queues differ.
bool has_same_tasks(const Json& core, const Json& wanted) {
  Json same = core;
  for (const char* depth : kDepths) same[depth] = wanted.at(depth);
  return core != wanted && same == wanted;
}

// `json`: a line.
Trial trial_of(const Json& json) {
  Trial trial;
  trial.task = json.at("task").get<std::string>();
  trial.tiling = tiling_of(json.at("tiling"));
  trial.neighbours = json.at("neighbours").get<std::string>();
  trial.cycles = cycles_of(json, "cycles");
  if (json.contains("with")) trial.together = together_of(json);
  const bool is_state = json.value("state", false);
  if (!json.contains("network") && !is_state) return trial;
  trial.of_network = Trial::OfNetwork{json.at("network").get<std::string>(),
                                      cycles_of(json, "network_cycles_before"),
                                      cycles_of(json, "network_cycles"), is_state};
  return trial;
}

[[noreturn]] void fail_io(const std::filesystem::path& file, const char* what) {
  fail(ErrorCode::kIo, "{}: {}: {}", file.string(), what, std::strerror(errno));
}

// The length of a log without a torn last line.
off_t complete_bytes(const std::filesystem::path& file) {
  std::error_code none;
  if (!std::filesystem::exists(file, none)) return 0;
  const ReadsOwn own;
  const std::string text = read_text_file(file, kMaxLogBytes);
  const size_t size = text.rfind('\n') + 1;  // npos + 1 is 0
  const std::string_view torn = std::string_view(text).substr(size);
  if (!kLineStart.starts_with(torn.substr(0, kLineStart.size())))
    fail(ErrorCode::kCorrupt, "{}: its last line is not one of a schedule log", file.string());
  return static_cast<off_t>(size);
}

// The logs in schedules/ of the configuration folders: by folder, then by name.
std::vector<std::filesystem::path> zoo_logs() {
  std::vector<std::filesystem::path> logs;
  for (const std::filesystem::path& folder : config_folders()) {
    const size_t first = logs.size();
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "schedules", none)) {
      if (entry.path().extension() == kLogSuffix) logs.push_back(entry.path());
    }
    std::sort(logs.begin() + static_cast<ptrdiff_t>(first), logs.end());
  }
  return logs;
}

// Where the trials of a line's core, as core_json(), belong; nullptr: they are not wanted.
using Destination = std::function<std::vector<Trial>*(const Json& core)>;

// Adds the trials of the memory.
void parse_log(const std::string& text, const std::string& origin, const std::string& memory,
               const Destination& destination) {
  size_t begin = 0;
  for (size_t number = 1;; ++number) {
    const size_t end = text.find('\n', begin);
    if (end == std::string::npos) return;
    const std::string place = fmt::format("{}:{}", origin, number);
    with_json_errors(place + ": not a line of a schedule log", [&] {
      const Json json = parse_strict_json(text.substr(begin, end - begin));
      std::vector<Trial>* const trials = destination(json.at("core"));
      if (trials != nullptr && json.at("memory") == memory) {
        trials->push_back(trial_of(json));
        trials->back().origin = place;
      }
    });
    begin = end + 1;
  }
}

// Not an input: `tune` continues logs.
std::string text_of_log(const std::filesystem::path& file) {
  const ReadsOwn own;
  return read_text_file(file, kMaxLogBytes);
}

// Each slot has a token for each direction (TilingSpace::max_slots()).
bool fits_queues(const lower::Tiling& tiling, const CoreConfig& core) {
  return std::max(tiling.inp_slots, tiling.wgt_slots) <= core.token_queue_depth / 2;
}

}  // namespace

std::string to_line(const Trial& trial, const CoreConfig& core, const std::string& memory) {
  Json json = {{"core", core_json(core)},
               {"memory", memory},
               {"task", trial.task},
               {"tiling", tiling_json(trial.tiling)},
               {"neighbours", trial.neighbours},
               {"cycles", trial.cycles}};
  if (trial.together) {
    json["with"] = with_json(*trial.together);
    json["with_cycles"] = trial.together->cycles;
  }
  if (trial.of_network) {
    json["network"] = trial.of_network->network;
    json["network_cycles_before"] = trial.of_network->cycles_before;
    json["network_cycles"] = trial.of_network->cycles;
    if (trial.of_network->is_state) json["state"] = true;
  }
  return json.dump();
}

std::vector<Trial> parse_schedule_log(const std::string& text, const std::string& origin,
                                      const CoreConfig& core, const std::string& memory) {
  const Json wanted = core_json(core);
  std::vector<Trial> trials;
  parse_log(text, origin, memory, [&](const Json& of) { return of == wanted ? &trials : nullptr; });
  return trials;
}

std::vector<Trial> read_schedule_log(const std::filesystem::path& file, const CoreConfig& core,
                                     const std::string& memory) {
  return parse_schedule_log(text_of_log(file), file.string(), core, memory);
}

ScheduleLog::ScheduleLog(const std::filesystem::path& file) : file_(file) {
  const off_t size = complete_bytes(file);
  descriptor_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail_io(file, "cannot be opened");
  struct stat status{};
  const bool is_file = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
  if (is_file && status.st_size > size && ::ftruncate(descriptor_, size) != 0) {
    const int error = errno;
    ::close(descriptor_);
    errno = error;
    fail_io(file, "its torn last line cannot be cut off");
  }
}

ScheduleLog::~ScheduleLog() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void ScheduleLog::append(const std::string& line) {
  const std::string text = line + "\n";
  ssize_t written = 0;
  do {
    errno = ENOSPC;  // of a short write, which sets none
    written = ::write(descriptor_, text.data(), text.size());
  } while (written < 0 && errno == EINTR);
  if (written != static_cast<ssize_t>(text.size())) fail_io(file_, "cannot be written");
}

void KeptTilings::add(const std::vector<Trial>& trials) {
  for (const Trial& trial : trials) {
    if (!trial.kept()) continue;
    const auto& [network, cycles_before, network_cycles, is_state] = *trial.of_network;
    add(trial.task, network,
        {network_cycles, trial.cycles, is_state, count_++, {trial.tiling, trial.origin}});
    if (!trial.together) continue;
    for (const Trial::OfTask& other : trial.together->others) {
      add(other.task, network,
          {network_cycles, other.cycles, false, count_++, {other.tiling, trial.origin}});
    }
  }
}

void KeptTilings::add(const std::string& task, const std::string& network, Kept kept) {
  const auto [entry, is_new] = kept_[task].try_emplace(network, kept);
  if (is_new) return;
  const auto order = [](const Kept& k) { return std::pair(k.network_cycles, !k.is_state); };
  if (order(kept) < order(entry->second)) entry->second = std::move(kept);
}

const KeptTilings::Kept& KeptTilings::best_of(const OfTask& networks, const std::string& network) {
  const auto own = networks.find(network);
  if (own != networks.end() && own->second.is_state) return own->second;
  return std::ranges::min_element(networks, {},
                                  [](const auto& of_network) {
                                    return std::pair(of_network.second.cycles,
                                                     of_network.second.number);
                                  })
      ->second;
}

lower::ScheduleBook KeptTilings::book(const std::string& network) const {
  lower::ScheduleBook book;
  add_to(book, network);
  return book;
}

void KeptTilings::add_to(lower::ScheduleBook& book, const std::string& network,
                         const std::function<bool(const lower::Tiling&)>& fits) const {
  for (const auto& [task, networks] : kept_) {
    const lower::ScheduleBook::Entry& entry = best_of(networks, network).entry;
    if (!fits || fits(entry.tiling)) book.set(task, entry);
  }
}

bool names_logs(const std::vector<std::string>& names) {
  return std::ranges::any_of(names, [](const std::string& name) { return name != kNoSchedules; });
}

std::vector<std::filesystem::path> schedule_files(const std::vector<std::string>& names) {
  std::vector<std::filesystem::path> files;
  for (const std::string& name : names) {
    if (name == kZooSchedules) {
      const std::vector<std::filesystem::path> logs = zoo_logs();
      files.insert(files.end(), logs.begin(), logs.end());
    } else if (name != kNoSchedules) {
      files.emplace_back(name);
    }
  }
  return files;
}

bool names_memory(const std::vector<std::string>& names, const std::string& memory) {
  const std::string field = "\"memory\":" + Json(memory).dump() + ",";
  const ReadsOwn own;
  return std::ranges::any_of(schedule_files(names), [&](const std::filesystem::path& file) {
    return read_text_file(file, kMaxLogBytes).find(field) != std::string::npos;
  });
}

lower::ScheduleBook load_schedules(const std::vector<std::string>& names, const CoreConfig& core,
                                   const std::string& memory, const std::string& network) {
  const Json wanted = core_json(core);
  std::vector<Trial> own, of_others;
  for (const std::filesystem::path& file : schedule_files(names)) {
    parse_log(text_of_log(file), file.string(), memory, [&](const Json& of) {
      if (of == wanted) return &own;
      return has_same_tasks(of, wanted) ? &of_others : nullptr;
    });
  }
  KeptTilings own_kept, others_kept;
  own_kept.add(own);
  others_kept.add(of_others);
  lower::ScheduleBook book;
  others_kept.add_to(book, network, [&](const lower::Tiling& t) { return fits_queues(t, core); });
  own_kept.add_to(book, network);
  return book;
}

}  // namespace vta
