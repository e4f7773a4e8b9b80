// SPDX-License-Identifier: Apache-2.0
#include "sim/tool/evaluate.h"

#include <algorithm>

#include "compiler/quantize/quantize.h"
#include "runtime/host/host_operators.h"
#include "sim/tool/batched_inference.h"

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

void check_dataset(const Dataset& dataset, int64_t classes) {
  if (dataset.inputs.empty()) fail(ErrorCode::kInvalidArgument, "the data set has no images");
  if (dataset.labels.empty()) fail(ErrorCode::kInvalidArgument, "the data set has no labels");
  for (size_t i = 0; i < dataset.labels.size(); ++i) {
    if (dataset.labels[i] < 0 || dataset.labels[i] >= classes) {
      fail(ErrorCode::kInvalidArgument, "image {} has label {}, but the network has {} classes", i,
           dataset.labels[i], classes);
    }
  }
}

double percent(int64_t part, int64_t whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void evaluate(const LoadedProgram& loaded, const Dataset& dataset, driver::Device& device,
              Progress& progress, RunReport& report) {
  check_dataset(dataset, num_classes(loaded.program));
  Session session(loaded.program, device, host::execute);
  Hits core, fp32;
  int64_t agreements = 0;
  BatchedInference inference;
  inference.num_images = static_cast<int64_t>(dataset.inputs.size());
  inference.next_image = [&](int64_t image) { return dataset.inputs[image]; };
  inference.on_inference = [&](const InferenceReport& one, double) { add_inference(report, one); };
  inference.on_output = [&](int64_t image, const Tensor& scores) {
    const Tensor fp32_scores =
        quantize::run_graph(loaded.network->graph, {dataset.inputs[image]}).at(0);
    const auto core_top = top_classes(scores, kRanks, {});
    const auto fp32_top = top_classes(fp32_scores, kRanks, {});
    core.count(core_top, dataset.labels[image]);
    fp32.count(fp32_top, dataset.labels[image]);
    agreements += core_top[0].index == fp32_top[0].index;
    progress.update("classifying",
                    static_cast<double>(image + 1) / static_cast<double>(inference.num_images));
  };
  inference.run(loaded.program, session);
  progress.clear();
  const int64_t images = inference.num_images;
  report.accuracy = Accuracy{images,
                             percent(core.top1, images),
                             percent(core.top5, images),
                             percent(fp32.top1, images),
                             percent(fp32.top5, images),
                             percent(agreements, images)};
}

}  // namespace vta::sim
