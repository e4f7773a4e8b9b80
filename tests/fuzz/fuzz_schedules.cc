// SPDX-License-Identifier: Apache-2.0
//
// Logs of tilings (vta-sim tune), of the core and memory of the seeds.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "compiler/schedule_log.h"
#include "runtime/base/error.h"

// A trial that is accepted must be written and read again without a change.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const vta::CoreConfig core = vta::load_core_config("vta_1x16");
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::string written;
  try {
    vta::KeptTilings kept;
    const auto trials = vta::parse_schedule_log(text, "input", core, vta::kScheduleMemory);
    kept.add(trials);
    kept.book();
    for (const vta::Trial& trial : trials)
      written += to_line(trial, core, vta::kScheduleMemory) + "\n";
    std::string again;
    for (const vta::Trial& trial :
         vta::parse_schedule_log(written, "written", core, vta::kScheduleMemory))
      again += to_line(trial, core, vta::kScheduleMemory) + "\n";
    if (again != written) std::abort();
  } catch (const vta::Error&) {
    if (!written.empty()) std::abort();
  }
  return 0;
}
