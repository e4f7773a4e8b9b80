// SPDX-License-Identifier: Apache-2.0
//
// run_on_core(): lowers a graph, checks its streams, and runs it on the functional device.
#ifndef VTA_TESTS_UNIT_COMPILER_LOWER_CORE_RUN_H_
#define VTA_TESTS_UNIT_COMPILER_LOWER_CORE_RUN_H_

#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "compiler/graph/graph.h"
#include "compiler/lower/lower.h"
#include "compiler/lower/tiling_search.h"
#include "runtime/session/session.h"

namespace vta::test {

// The core `name`, with or without the extension.
CoreConfig core_named(const std::string& name, bool extension = true);

// Runs check_stream() on all streams of the program; throws its errors.
void check_streams(const Program& program);

// The ways to lower a graph; all compute the same bytes.
struct Way {
  const char* name;
  lower::Mode mode;
  bool extension;
};
inline constexpr Way kWays[] = {
    {"fused", lower::Mode::kFused, true},
    {"fused without the extension", lower::Mode::kFused, false},
    {"compatible", lower::Mode::kCompatible, true},
};

struct CoreRun {
  lower::LoweredGraph lowered;
  std::vector<Tensor> outputs;
  InferenceReport report;
};
CoreRun run_on_core(const graph::Graph& graph, const CoreConfig& core, lower::Mode mode,
                    const std::vector<Tensor>& inputs, const lower::LoweringOptions& options = {});

// One of `tiles`, whatever its cost, with any number of slots that it may have.
lower::Tiling draw_tiling(Random& random, const std::vector<lower::Tiling>& tiles,
                          const lower::TilingProblem& problem, const CoreConfig& core);

// run_on_core() in mode fused with this tiling of the task.
CoreRun run_with_tiling(const graph::Graph& graph, const CoreConfig& core, const std::string& task,
                        const lower::Tiling& tiling, const std::vector<Tensor>& inputs);

// Executes arithmetic by the reference of tests/support, data movement by the host's operators.
Tensor execute(OpKind kind, const OpAttrs& attrs, const std::vector<Tensor>& inputs);

// Runs the graph by execute().
std::vector<Tensor> run_by_reference(const graph::Graph& graph, const std::vector<Tensor>& inputs);

}  // namespace vta::test

#endif  // VTA_TESTS_UNIT_COMPILER_LOWER_CORE_RUN_H_
