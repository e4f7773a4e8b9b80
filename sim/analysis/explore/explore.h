// SPDX-License-Identifier: Apache-2.0
//
// explore(): the cycles of networks on many cores, and which of the cores are worth building.
//
// Each core is compiled by vta-hlsc for its clock, or for the default clock if that is too fast,
// and its cycle model (sim/cycle/model_cache.h) counts the cycles of each network with each memory.
// Results are kept in a folder, by the content of everything that they depend on. So a run that was
// killed continues, and another one that has some of the cores does not repeat them.
#ifndef VTA_SIM_ANALYSIS_EXPLORE_EXPLORE_H_
#define VTA_SIM_ANALYSIS_EXPLORE_EXPLORE_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "compiler/import/network.h"
#include "configs/parts.h"
#include "sim/analysis/explore/clock_estimate.h"
#include "sim/analysis/explore/core_space.h"
#include "sim/analysis/explore/resource_estimate.h"
#include "sim/cycle/model_cache.h"

namespace vta::sim {

// A network as every core gets it: quantized once.
struct ExploredNetwork {
  import::Network network;
  CompileOptions how;  // without `core`
  std::string key;     // of its content and the options
};

// Quantizes the network, unless it is quantized already. Errors: as compile().
ExploredNetwork make_explored_network(const import::Network& network, const CompileOptions& how);

struct ExploreProgress {
  size_t done = 0, cores = 0;
  std::optional<double> best_ms;  // mean_ms of the fastest core so far that fits
};

struct ExploreRequest {
  std::vector<CoreChoice> cores;
  std::vector<ExploredNetwork> networks;
  // Names or files, as load_memory_config() takes them: at the clock of each core.
  std::vector<std::string> memories;
  FpgaPart part;
  double max_share = 1;  // of each of the part's resources; a core that needs more does not fit
  std::filesystem::path results;  // the folder of results, created when needed
  size_t workers = 1;             // threads; the result does not depend on their number
  std::function<void(const ExploreProgress&)> on_progress;  // optional
};

// The run of a network with a memory.
struct ExploredRun {
  std::string network, memory;
  uint64_t cycles = 0;  // of an inference: `batch` images
  double ms = 0;        // of one image, at the core's clock
  std::string error;    // why the core cannot run the network; "": it can
};

struct ExploredCore {
  CoreChoice choice;
  double scheduled_mhz = 0;      // the clock's, or kDefaultClockMhz if vta-hlsc refuses that
  std::string schedule_refusal;  // why it does; "": it does not
  std::string error;             // why vta-hlsc does not compile it; "": it does
  FpgaResources uses;
  PartShare share;
  CoreClocks clocks;
  bool fits = false;  // in the part, and runs every network
  bool on_front = false;
  std::vector<ExploredRun> runs;  // networks by memories, in the order of the request
  std::optional<double> mean_ms;  // geometric mean of `ms`; none if a run has an error
};

struct ExploreResult {
  FpgaPart part;
  double max_share = 1;
  std::vector<ExploredCore> cores;  // in the order of the request
  // The Pareto front of the cores that fit and are scheduled for their clock, in order of time: no
  // other core is as fast with a smaller share.
  std::vector<size_t> front;
  uint64_t num_measured = 0, num_found = 0;  // runs: measured now, and found in the folder
  uint64_t models_built = 0, models_found = 0;
};

// Errors of a core or of a network on it are in the result; others are thrown: kNotFound, kIo.
ExploreResult explore(const ExploreRequest& request, ModelCache& models);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_EXPLORE_EXPLORE_H_
