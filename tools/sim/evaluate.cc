// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/evaluate.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/errors/counted.h"
#include "compiler/quantize/run_graph.h"
#include "runtime/host/host_operators.h"
#include "tools/sim/batched_inference.h"
#include "tools/sim/stopwatch.h"

namespace vta::sim {
namespace {

constexpr int64_t kRanks = 5;

// The contribution of one image to the accuracy.
struct Verdict {
  bool top1 = false, top5 = false, fp32_top1 = false, fp32_top5 = false, agrees = false;
};

Verdict judge(const Tensor& scores, const Tensor& fp32_scores, int64_t label) {
  const auto top = top_classes(scores, kRanks, {});
  const auto fp32_top = top_classes(fp32_scores, kRanks, {});
  const auto holds_label = [&](const std::vector<RankedClass>& ranks) {
    return std::ranges::any_of(ranks, [&](const RankedClass& rank) { return rank.index == label; });
  };
  return {top[0].index == label, holds_label(top), fp32_top[0].index == label,
          holds_label(fp32_top), top[0].index == fp32_top[0].index};
}

void check_dataset(const Dataset& dataset, int64_t classes) {
  if (dataset.num_images < 1) fail(ErrorCode::kInvalidArgument, "the data set has no images");
  if (dataset.labels.empty())
    fail(ErrorCode::kInvalidArgument, "the data set has no labels, which eval compares with");
  for (size_t i = 0; i < dataset.labels.size(); ++i) {
    if (dataset.labels[i] < 0 || dataset.labels[i] >= classes) {
      fail(ErrorCode::kInvalidArgument, "image {} has label {}, but the network has {}", i,
           dataset.labels[i], counted(classes, "class"));
    }
  }
}

// Evaluates the batches of a data set on several threads. Each batch writes its own results, so the
// result does not depend on which thread ran it.
class Evaluation {
 public:
  Evaluation(const LoadedProgram& loaded, const Dataset& dataset, Progress& progress,
             std::vector<ImageOutputs>* outputs)
      : loaded_(loaded),
        dataset_(dataset),
        progress_(progress),
        batch_(batch_of(loaded.program)),
        num_batches_((dataset.num_images + batch_ - 1) / batch_),
        verdicts_(dataset.num_images),
        outputs_(outputs) {
    if (outputs != nullptr) outputs->resize(static_cast<size_t>(dataset.num_images));
  }

  void run(const std::vector<std::unique_ptr<driver::Device>>& devices) {
    {
      std::vector<std::jthread> threads;  // joined at the end of this scope
      try {
        for (size_t i = 1; i < devices.size(); ++i)
          threads.emplace_back([this, &device = *devices[i]] { work(device); });
      } catch (const std::system_error& error) {
        note(-1,
             std::make_exception_ptr(Error(ErrorCode::kOutOfMemory,
                                           fmt::format("{}: {}", counted(devices.size(), "thread"),
                                                       error.code().message()))));
      }
      work(*devices.at(0));
    }
    if (error_) std::rethrow_exception(error_);
  }

  const std::vector<Verdict>& verdicts() const { return verdicts_; }
  const InferenceReport& last() const { return last_; }
  double device_seconds() const { return device_seconds_; }
  double host_seconds() const { return host_seconds_; }
  uint64_t cycles_before_last() const { return cycles_before_last_; }

 private:
  // Takes batches in order until none is left or one has failed.
  void work(driver::Device& device) {
    int64_t batch = 0;
    try {
      Session session(loaded_.program, device, host::execute);
      quantize::GraphRunner fp32(loaded_.network->graph, quantize::GraphRunner::Results::kOutputs);
      for (batch = next_batch(); batch < num_batches_; batch = next_batch()) {
        run_batch(session, fp32, batch);
      }
    } catch (...) {
      note(batch, std::current_exception());
    }
  }

  // Keeps the error of the earliest batch.
  void note(int64_t batch, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (error_ && batch >= error_batch_) return;
    error_ = std::move(error);
    error_batch_ = batch;
  }

  int64_t next_batch() {
    const std::lock_guard lock(mutex_);
    return error_ ? num_batches_ : next_++;
  }

  void run_batch(Session& session, quantize::GraphRunner& fp32, int64_t batch) {
    const int64_t first = batch * batch_;
    std::vector<ImageInputs> images;
    for (int64_t i = first; i < std::min(first + batch_, dataset_.num_images); ++i) {
      images.push_back(dataset_.inputs(i));
    }
    InferenceReport report;
    auto outputs = infer_batch(loaded_.program, session, images, &report);
    const auto exact = run_images(fp32, loaded_.network->graph, loaded_.program, images);
    for (size_t i = 0; i < images.size(); ++i) {
      const int64_t image = first + static_cast<int64_t>(i);
      verdicts_[image] = judge(outputs[i].at(0), exact[i].at(0), dataset_.labels[image]);
      if (outputs_ != nullptr) (*outputs_)[static_cast<size_t>(image)] = std::move(outputs[i]);
    }
    account(batch, static_cast<int64_t>(images.size()), report);
  }

  void account(int64_t batch, int64_t num_images, const InferenceReport& report) {
    const std::lock_guard lock(mutex_);
    device_seconds_ += report.device_seconds;
    host_seconds_ += report.host_seconds;
    if (batch == num_batches_ - 1) {
      last_ = report;
    } else {
      cycles_before_last_ += numbered_cycles(report);
    }
    images_done_ += num_images;
    progress_.update("classifying",
                     static_cast<double>(images_done_) / static_cast<double>(dataset_.num_images));
  }

  const LoadedProgram& loaded_;
  const Dataset& dataset_;
  Progress& progress_;
  const int64_t batch_, num_batches_;
  std::vector<Verdict> verdicts_;       // each written by the thread that runs the image
  std::vector<ImageOutputs>* outputs_;  // likewise; null if not wanted

  std::mutex mutex_;  // guards the members below
  int64_t next_ = 0, images_done_ = 0;
  InferenceReport last_;
  double device_seconds_ = 0, host_seconds_ = 0;
  uint64_t cycles_before_last_ = 0;
  std::exception_ptr error_;
  int64_t error_batch_ = 0;
};

double percent(const std::vector<Verdict>& verdicts, bool Verdict::* member) {
  return 100.0 * static_cast<double>(std::ranges::count(verdicts, true, member)) /
         static_cast<double>(verdicts.size());
}

}  // namespace

void evaluate(const LoadedProgram& loaded, const Dataset& dataset,
              const std::vector<std::unique_ptr<driver::Device>>& devices, Progress& progress,
              RunReport& report, std::vector<ImageOutputs>* outputs) {
  if (const TensorType& scores = output_type(loaded.program); scores.is_open()) {
    fail(ErrorCode::kUnsupported, "{}: output '{}' is {}, expected scores of classes",
         loaded.program.network, output_name(loaded.program, 0), to_string(scores));
  }
  check_dataset(dataset, num_classes(loaded.program));
  const Stopwatch stopwatch;
  Evaluation evaluation(loaded, dataset, progress, outputs);
  evaluation.run(devices);
  progress.clear();
  add_inference(report, evaluation.last());
  report.first_cycle = evaluation.cycles_before_last();
  report.device_seconds = evaluation.device_seconds();
  report.host_seconds = evaluation.host_seconds();
  const std::vector<Verdict>& verdicts = evaluation.verdicts();
  report.accuracy = Accuracy{dataset.num_images,
                             percent(verdicts, &Verdict::top1),
                             percent(verdicts, &Verdict::top5),
                             percent(verdicts, &Verdict::fp32_top1),
                             percent(verdicts, &Verdict::fp32_top5),
                             percent(verdicts, &Verdict::agrees),
                             static_cast<int64_t>(devices.size()),
                             stopwatch.seconds()};
}

}  // namespace vta::sim
