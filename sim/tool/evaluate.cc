// SPDX-License-Identifier: Apache-2.0
#include "sim/tool/evaluate.h"

#include <algorithm>

#include "compiler/quantize/quantize.h"
#include "runtime/host/host_operators.h"
#include "sim/tool/network_batch.h"

namespace vta::sim {
namespace {

constexpr int64_t kRanks = 5;

// How many of the images seen so far had their label at the first and among the first five ranks.
struct Hits {
  int64_t top1 = 0, top5 = 0;

  void count(const std::vector<RankedClass>& top, int64_t label) {
    top1 += top.at(0).index == label;
    top5 +=
        std::any_of(top.begin(), top.end(), [&](const RankedClass& r) { return r.index == label; });
  }
};

void check_dataset(const Dataset& dataset, int64_t num_classes) {
  if (dataset.inputs.empty()) fail(ErrorCode::kInvalidArgument, "the data set has no images");
  if (dataset.labels.empty()) fail(ErrorCode::kInvalidArgument, "the data set has no labels");
  for (size_t i = 0; i < dataset.labels.size(); ++i) {
    if (dataset.labels[i] < 0 || dataset.labels[i] >= num_classes) {
      fail(ErrorCode::kInvalidArgument, "image {} has label {}, but the network has {} classes", i,
           dataset.labels[i], num_classes);
    }
  }
}

double percent(int64_t part, int64_t whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void evaluate(const LoadedProgram& loaded, const Dataset& dataset, driver::Device& device,
              Progress& progress, RunReport& report) {
  const Program& program = loaded.program;
  const TensorType& scores = program.values.at(program.outputs.at(0).value).type;
  check_dataset(dataset, scores.num_elems() / scores.shape.at(0));

  const int64_t num_images = static_cast<int64_t>(dataset.inputs.size());
  const int64_t batch = scores.shape.at(0);
  Session session(program, device, host::execute);
  Hits core, fp32;
  int64_t agreements = 0;
  for (int64_t first = 0; first < num_images; first += batch) {
    progress.update("classifying", static_cast<double>(first) / static_cast<double>(num_images));
    const std::vector<Tensor> inputs = {stack_images(dataset.inputs, first, batch)};
    const Tensor core_scores = session.run(inputs, &report.inference).at(0);
    const Tensor fp32_scores = quantize::run_graph(loaded.network->graph, inputs).at(0);
    report.device_seconds += report.inference.device_seconds;
    report.host_seconds += report.inference.host_seconds;
    for (int64_t i = 0; i < std::min(batch, num_images - first); ++i) {
      const auto core_top = top_classes(core_scores, i, kRanks, {});
      const auto fp32_top = top_classes(fp32_scores, i, kRanks, {});
      core.count(core_top, dataset.labels[first + i]);
      fp32.count(fp32_top, dataset.labels[first + i]);
      agreements += core_top[0].index == fp32_top[0].index;
    }
  }
  progress.clear();
  report.accuracy = Accuracy{num_images,
                             percent(core.top1, num_images),
                             percent(core.top5, num_images),
                             percent(fp32.top1, num_images),
                             percent(fp32.top5, num_images),
                             percent(agreements, num_images)};
}

}  // namespace vta::sim
