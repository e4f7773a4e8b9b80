// SPDX-License-Identifier: Apache-2.0
//
// What a tuner prints: its progress line, its result as text and as JSON.
#ifndef VTA_SIM_ANALYSIS_TUNE_TUNE_REPORT_H_
#define VTA_SIM_ANALYSIS_TUNE_TUNE_REPORT_H_

#include <string>

#include "sim/analysis/tune/tune_network.h"

namespace vta::sim {

// "[Task  3/20] Current/Best: 41.2/ 46.9 GOPS | Progress: (64/64) | 2.18 s Done.", without newline;
// "[Pass ..." for a round of the pass over the network. Operations are two per multiply-accumulate
// of the layer and its neighbours, or of the network.
std::string progress_line(const TuneProgress& progress, double clock_mhz);

// A line for each task whose tiling changed and for each step of the pass, and the network's
// cycles.
std::string to_text(const TuneResult& result);

// One JSON object: cycles_before, cycles_after, measured, from_log, tasks (task, layers, before,
// after, window_cycles_before, window_cycles_after, trials, saved_cycles, open), pass (null, or
// cycles_before, cycles_after, measured, from_log, kept: layers, tilings, saved_cycles).
std::string to_json(const TuneResult& result);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_TUNE_TUNE_REPORT_H_
