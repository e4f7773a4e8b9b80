// SPDX-License-Identifier: Apache-2.0
//
// Schedule logs (vta-sim tune), of the core and memory of the seeds.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/schedule_log.h"
#include "tests/fuzz/round_trip.h"

namespace {

using Trials = std::vector<vta::Trial>;

const vta::CoreConfig& core() {
  static const vta::CoreConfig loaded = vta::load_core_config("vta_1x16");
  return loaded;
}

std::string write_log(const Trials& trials) {
  std::string text;
  for (const vta::Trial& trial : trials)
    text += to_line(trial, core(), vta::kScheduleMemory) + "\n";
  return text;
}

Trials read_log(const std::string& text) {
  Trials trials = vta::parse_schedule_log(text, "input", core(), vta::kScheduleMemory);
  vta::KeptTilings kept;
  kept.add(trials);
  kept.book();
  return trials;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  vta::fuzz::check_round_trip(std::string(reinterpret_cast<const char*>(data), size), read_log,
                              write_log);
  return 0;
}
