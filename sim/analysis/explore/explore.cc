// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/explore/explore.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <utility>

#include "base/errors/error.h"
#include "base/files/content_key.h"
#include "base/files/file.h"
#include "base/limits/parallel.h"
#include "compiler/import/quantized_file.h"
#include "configs/memory_clock.h"
#include "sim/analysis/explore/pareto.h"
#include "sim/analysis/explore/result_store.h"
#include "sim/analysis/tune/program_cycles.h"
#include "sim/timed/timed_device.h"

namespace vta::sim {
namespace {

constexpr const char* kQuantizePass = "quantize";
// The limit for a stream on the cycle model, which runs at 10 to 100 million cycles a second.
constexpr std::chrono::hours kTimeout{4};

// A core, a network or both that do not go together; the others can still be explored.
bool is_of_the_core(const Error& error) {
  switch (error.code()) {
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kUnsupported:
    case ErrorCode::kOutOfMemory:
    case ErrorCode::kDevice:
      return true;
    default:
      return false;
  }
}

class Explorer {
 public:
  Explorer(const ExploreRequest& request, ModelCache& models)
      : request_(request), models_(models), results_(request.results) {
    for (const std::string& name : request.memories) {
      if (split_memory_clock(name).clock_mhz) {
        fail(ErrorCode::kInvalidArgument,
             "memory '{}' names a clock; explore takes each memory at the clocks of --clock", name);
      }
      load_memory_config(name);  // what it refuses is refused before any core is measured
    }
  }

  ExploreResult run() {
    ExploreResult result;
    result.part = request_.part;
    result.max_share = request_.max_share;
    result.cores.resize(request_.cores.size());
    in_parallel(request_.cores.size(), request_.workers, [&](size_t, size_t i) {
      result.cores[i] = explore(request_.cores[i]);
      report(result.cores[i]);
    });
    find_front(result);
    result.num_measured = num_measured_;
    result.num_found = num_found_;
    result.models_built = models_.num_built();
    result.models_found = models_.num_found();
    return result;
  }

 private:
  ExploredCore explore(const CoreChoice& choice) {
    ExploredCore core;
    core.choice = choice;
    try {
      const std::string report = schedule(core);
      core.uses = estimate_resources(choice.core, report);
      core.clocks = estimate_clocks(choice.core, report, [&] {
        return models_.verilog_sha256(choice.core, period_of(core));
      });
    } catch (const Error& error) {
      if (!is_of_the_core(error)) throw;
      core.error = error.what();
      return core;
    }
    core.share = share_of(request_.part, core.uses);
    for (const ExploredNetwork& network : request_.networks) add_runs(network, core);
    core.mean_ms = mean_ms(core.runs);
    core.fits = core.share.share <= request_.max_share && core.mean_ms.has_value();
    return core;
  }

  static double period_of(const ExploredCore& core) { return 1000 / core.scheduled_mhz; }

  // The report of vta-hlsc for the core's clock. If it refuses that, for the default clock: the
  // cycles are then those of a slower schedule at the faster clock.
  std::string schedule(ExploredCore& core) const {
    core.scheduled_mhz = core.choice.clock_mhz;
    try {
      return models_.report(core.choice.core, period_of(core));
    } catch (const Error& refusal) {
      if (refusal.code() != ErrorCode::kUnsupported || core.choice.clock_mhz <= kDefaultClockMhz)
        throw;
      const std::string report = models_.report(core.choice.core, 1000 / kDefaultClockMhz);
      core.scheduled_mhz = kDefaultClockMhz;
      core.schedule_refusal = refusal.what();
      return report;
    }
  }

  // Adds a network's runs with each memory. Compiles it for the core only if a result is missing.
  void add_runs(const ExploredNetwork& network, ExploredCore& core) {
    std::optional<Program> program;
    for (const std::string& name : request_.memories) {
      const MemoryConfig memory = load_memory_config(name, core.choice.clock_mhz);
      const std::string key = key_of(core, network, memory);
      std::optional<StoredRun> stored = results_.find(key);
      ++(stored ? num_found_ : num_measured_);
      if (!stored) {
        stored = measure(core, network, memory, program);
        results_.put(key, *stored,
                     fmt::format("{} on {} at {} MHz, memory {}", network.network.graph.name,
                                 core.choice.core.name, core.choice.clock_mhz, memory.name));
      }
      const double us = static_cast<double>(stored->cycles) / core.choice.clock_mhz;
      core.runs.push_back({network.network.graph.name, memory.name, stored->cycles,
                           us / 1000 / static_cast<double>(stored->batch), stored->error});
    }
  }

  std::string key_of(const ExploredCore& core, const ExploredNetwork& network,
                     const MemoryConfig& memory) const {
    MemoryConfig unnamed = memory;
    unnamed.name = "memory";
    return ContentKey()
        .add(models_.key(core.choice.core, period_of(core)))
        .add(network.key)
        .add(to_json(unnamed))
        .text();
  }

  StoredRun measure(const ExploredCore& core, const ExploredNetwork& network,
                    const MemoryConfig& memory, std::optional<Program>& program) {
    try {
      if (!program) {
        CompileOptions how = network.how;
        how.core = core.choice.core;
        program = compile(network.network, how).program;
      }
      const auto device = make_timed_device(
          "timing", core.choice.core, memory,
          [&](const CoreConfig& config, const MemoryConfig& of, const WaveformRequest*) {
            return models_.make(config, period_of(core), of);
          },
          false);
      return {.cycles = program_cycles(*program, *device, kTimeout), .batch = program->batch};
    } catch (const Error& error) {
      if (!is_of_the_core(error)) throw;
      return {.error = error.what(), .is_of_machine = error.code() == ErrorCode::kOutOfMemory};
    }
  }

  static std::optional<double> mean_ms(const std::vector<ExploredRun>& runs) {
    double logarithms = 0;
    for (const ExploredRun& run : runs) {
      if (!run.error.empty() || run.cycles == 0) return std::nullopt;
      logarithms += std::log(run.ms);
    }
    return std::exp(logarithms / static_cast<double>(runs.size()));
  }

  void report(const ExploredCore& core) {
    const std::lock_guard lock(mutex_);
    ++progress_.done;
    progress_.cores = request_.cores.size();
    if (core.fits && (!progress_.best_ms || *core.mean_ms < *progress_.best_ms))
      progress_.best_ms = core.mean_ms;
    if (request_.on_progress) request_.on_progress(progress_);
  }

  static void find_front(ExploreResult& result) {
    std::vector<size_t> fitting;
    std::vector<std::pair<double, double>> points;
    for (size_t i = 0; i < result.cores.size(); ++i) {
      if (!result.cores[i].fits || !result.cores[i].schedule_refusal.empty()) continue;
      fitting.push_back(i);
      points.emplace_back(*result.cores[i].mean_ms, result.cores[i].share.share);
    }
    for (const size_t point : pareto_front(points)) {
      result.front.push_back(fitting[point]);
      result.cores[fitting[point]].on_front = true;
    }
  }

  const ExploreRequest& request_;
  ModelCache& models_;
  ResultStore results_;
  std::atomic<uint64_t> num_measured_ = 0, num_found_ = 0;
  std::mutex mutex_;  // of progress_
  ExploreProgress progress_;
};

// Everything besides the core and the graph that lowering depends on.
std::string key_of(const ExploredNetwork& network) {
  const CompileOptions& how = network.how;
  ContentKey key;
  key.add(import::to_quantized_file(network.network));
  key.add(fmt::format("{} {} {} {}", to_string(how.mode),
                      how.first_convolution ? to_string(*how.first_convolution) : "",
                      how.per_layer_streams, network.network.is_integer));
  key.add(how.tuned_for);
  for (const std::filesystem::path& log : schedule_files(how.schedules)) key.add(read_file(log));
  return key.text();
}

}  // namespace

ExploredNetwork make_explored_network(const import::Network& network, const CompileOptions& how) {
  ExploredNetwork explored{network, how, {}};
  if (!network.is_quantized || how.requantize) {
    CompileOptions quantize = how;
    quantize.stop_after = kQuantizePass;
    quantize.on_pass = [&](const PassResult& pass) {
      if (pass.name == kQuantizePass) explored.network.graph = pass.graph;
    };
    compile(network, quantize);
    // As a .vtaq file of it would be read.
    explored.network.is_quantized = explored.network.is_integer = true;
    explored.how.requantize = false;
    explored.how.quantize = {};
    explored.how.calibration.clear();
  }
  explored.how.on_progress = nullptr;
  explored.key = key_of(explored);
  return explored;
}

ExploreResult explore(const ExploreRequest& request, ModelCache& models) {
  VTA_ASSERT(!request.cores.empty() && !request.networks.empty() && !request.memories.empty(),
             "nothing to explore");
  return Explorer(request, models).run();
}

}  // namespace vta::sim
