// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/run_report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/errors/counted.h"
#include "base/files/checksum.h"
#include "base/numbers/best_indices.h"
#include "base/numbers/statistics.h"
#include "runtime/program/host_work.h"
#include "sim/timed/waveform.h"

namespace vta::sim {
namespace {

using Json = nlohmann::ordered_json;

// Larger outputs (feature maps) are reported by checksum only.
constexpr int64_t kMaxJsonValues = 4096;

// File names and labels are user input: bytes that are not UTF-8 become U+FFFD.
std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

struct NamedCounter {
  const char* name;
  uint64_t value;
};

std::vector<NamedCounter> named(const hw::Counters& counters) {
  return {
#define VTA_COUNTER(offset, name, description) {#name, counters.name},
#include "hw/registers/registers.def"
  };
}

Json stages_json(const hw::StageCycles& cycles) {
  Json json;
  for (size_t stage = 0; stage < hw::kNumCycleStages; ++stage) {
    Json& entry = json[hw::kStageNames[stage]];
    for (size_t state = 0; state < hw::kNumStageStates; ++state)
      entry[hw::kStageStateNames[state]] = cycles.of[stage][state];
  }
  return json;
}

std::string stages_text(const hw::StageCycles& cycles) {
  constexpr int kWidth = 12;
  std::string text = fmt::format("\t{:<16}:", "cycles of");
  for (const char* name : hw::kStageStateNames) text += fmt::format(" {:>{}}", name, kWidth);
  text += '\n';
  for (size_t stage = 0; stage < hw::kNumCycleStages; ++stage) {
    text += fmt::format("\t{:<16}:", hw::kStageNames[stage]);
    for (const uint64_t count : cycles.of[stage]) text += fmt::format(" {:>{}}", count, kWidth);
    text += '\n';
  }
  return text;
}

void put_counters(Json& json, const hw::Counters& counters) {
  for (const auto& [name, value] : named(counters)) json[name] = value;
  json["cycles"] = counters.cycles ? Json(*counters.cycles) : Json(nullptr);
  json["stages"] = counters.stages ? stages_json(*counters.stages) : Json(nullptr);
}

// `cycle`: the first cycle of the first layer.
Json layers_json(const std::vector<LayerReport>& layers, uint64_t cycle) {
  Json json = Json::array();
  for (const LayerReport& layer : layers) {
    Json entry = {{"name", layer.name}, {"op", layer.op}, {"where", to_string(layer.where)}};
    const bool has_cycles = layer.counters.cycles.has_value();
    entry["first_cycle"] = has_cycles ? Json(cycle) : Json(nullptr);
    if (has_cycles) cycle += *layer.counters.cycles + (layer.ends_run ? RunClock::kQuietCycles : 0);
    entry["macs"] = layer.macs;
    put_counters(entry, layer.counters);
    json.push_back(std::move(entry));
  }
  return json;
}

double value_at(const Tensor& tensor, int64_t index) {
  switch (tensor.dtype()) {
    case DType::kFloat32:
      return tensor.data<float>()[index];
    case DType::kInt8:
      return tensor.data<int8_t>()[index];
    case DType::kInt32:
      return tensor.data<int32_t>()[index];
  }
  return 0;
}

Json object_json(const FoundObject& object) {
  const auto& [class_index, score, box] = object.detection;
  Json json = {{"index", class_index},
               {"score", score},
               {"box", {box.left, box.top, box.right, box.bottom}}};
  if (!object.label.empty()) json["label"] = object.label;
  return json;
}

Json sample_json(const SampleReport& sample) {
  Json json = {{"input", sample.input},
               {"name", sample.name},
               {"type", to_string(sample.output.type())},
               {"crc32", fmt::format("0x{:08x}", crc32(sample.output.bytes()))}};
  Json top = Json::array();
  for (const RankedClass& rank : sample.top) {
    Json entry = {{"index", rank.index}, {"score", rank.score}};
    if (!rank.label.empty()) entry["label"] = rank.label;
    top.push_back(std::move(entry));
  }
  json["top"] = std::move(top);
  if (sample.objects) {
    json["objects"] = Json::array();
    for (const FoundObject& object : *sample.objects)
      json["objects"].push_back(object_json(object));
  }
  if (sample.output.num_elems() <= kMaxJsonValues) {
    Json values = Json::array();
    for (int64_t i = 0; i < sample.output.num_elems(); ++i)
      values.push_back(value_at(sample.output, i));
    json["values"] = std::move(values);
  }
  return json;
}

Json throughput_json(const Throughput& throughput) {
  return {{"in_flight", throughput.in_flight},
          {"images_per_second", throughput.images_per_second},
          {"mean_latency_seconds", throughput.mean_latency_seconds},
          {"max_latency_seconds", throughput.max_latency_seconds}};
}

Json repetition(const std::vector<double>& seconds) {
  return {{"seconds", seconds},
          {"mean_seconds", mean(seconds)},
          {"stddev_seconds", standard_deviation(seconds)}};
}

void put_accuracy(Json& json, const Accuracy& accuracy) {
  json["images"] = accuracy.images;
  json["top1"] = accuracy.top1;
  json["top5"] = accuracy.top5;
  json["fp32_top1"] = accuracy.fp32_top1;
  json["fp32_top5"] = accuracy.fp32_top5;
  json["agreement"] = accuracy.agreement;
  json["threads"] = accuracy.threads;
  json["eval_seconds"] = accuracy.seconds;
}

std::string class_text(const RankedClass& rank) {
  return rank.label.empty() ? fmt::format("class {}", rank.index) : rank.label;
}

std::string ranks_text(const std::vector<RankedClass>& ranks) {
  std::string text;
  int position = 0;
  for (const RankedClass& rank : ranks) {
    text += fmt::format("\t#{}: {} ({:.5g})\n", ++position, class_text(rank), rank.score);
  }
  return text;
}

// Time of the core alone, at its clock.
std::optional<double> ms_of_inference(const RunReport& report) {
  const std::optional<uint64_t> cycles = report.inference.counters.cycles;
  if (!cycles || !report.clock_mhz) return std::nullopt;
  constexpr double kKilohertz = 1000;
  return static_cast<double>(*cycles) / (*report.clock_mhz * kKilohertz);
}

std::string objects_text(const std::vector<FoundObject>& objects) {
  if (objects.empty()) return "\tnone\n";
  std::string text;
  for (const FoundObject& object : objects) {
    const auto& [class_index, score, box] = object.detection;
    const std::string label =
        object.label.empty() ? fmt::format("class {}", class_index) : object.label;
    text += fmt::format("\t{:<16}: {:>6.1f} % at ({:.0f}, {:.0f}) to ({:.0f}, {:.0f})\n", label,
                        100 * score, box.left, box.top, box.right, box.bottom);
  }
  return text;
}

}  // namespace

std::vector<RankedClass> top_classes(const Tensor& scores, int64_t count,
                                     const std::vector<std::string>& labels) {
  const auto score_of = [&](size_t index) { return value_at(scores, static_cast<int64_t>(index)); };
  std::vector<RankedClass> top;
  for (const size_t index : best_indices(static_cast<size_t>(scores.num_elems()),
                                         static_cast<size_t>(count), score_of)) {
    top.push_back(
        {static_cast<int64_t>(index), score_of(index), labels.empty() ? "" : labels.at(index)});
  }
  return top;
}

RunReport begin_report(const Program& program, const std::string& device, double compile_seconds) {
  RunReport report;
  report.network = program.network;
  report.device = device;
  report.core = program.core.name;
  report.batch = program.batch;
  report.mode = program.mode;
  report.quantize = program.quantize;
  report.weights = program.weights;
  report.macs = macs_of(program);
  report.placement = placement_text(program);
  report.host_work = host_work(program);
  report.compile_seconds = compile_seconds;
  return report;
}

uint64_t launches(const InferenceReport& inference) {
  return static_cast<uint64_t>(std::ranges::count_if(inference.layers, &LayerReport::ends_run));
}

uint64_t numbered_cycles(const InferenceReport& inference) {
  if (!inference.counters.cycles) return 0;
  return *inference.counters.cycles + launches(inference) * RunClock::kQuietCycles;
}

void add_inference(RunReport& report, const InferenceReport& inference) {
  report.first_cycle += numbered_cycles(report.inference);
  report.inference = inference;
  report.device_seconds += inference.device_seconds;
  report.host_seconds += inference.host_seconds;
}

std::string core_time_text(const RunReport& report) {
  const std::optional<uint64_t> cycles = report.inference.counters.cycles;
  if (!cycles) return "";
  const std::optional<double> ms = ms_of_inference(report);
  const bool is_batch = report.batch > 1;
  std::string text = fmt::format("Core: {} an inference", counted(*cycles, "cycle"));
  if (is_batch) text += fmt::format(" of {}", counted(report.batch, "image"));
  if (ms) text += fmt::format(", {:.3f} ms at {:g} MHz", *ms, *report.clock_mhz);
  if (is_batch) {
    const auto images = static_cast<double>(report.batch);
    text += fmt::format("; an image {:.0f} cycles", static_cast<double>(*cycles) / images);
    if (ms) text += fmt::format(", {:.3f} ms", *ms / images);
  }
  return text + "\n";
}

bool has_synthetic_weights(const RunReport& report) {
  return report.weights.starts_with("synthetic");
}

std::string to_json(const RunReport& report) {
  Json json = {{"network", report.network},   {"device", report.device},
               {"core", report.core},         {"mode", report.mode},
               {"quantize", report.quantize}, {"calibration", report.calibration},
               {"weights", report.weights}};
  put_counters(json["counters"], report.inference.counters);
  json["batch"] = report.batch;
  json["clock_mhz"] = report.clock_mhz ? Json(*report.clock_mhz) : Json();
  const std::optional<double> ms = ms_of_inference(report);
  json["milliseconds_per_image"] = ms ? Json(*ms / static_cast<double>(report.batch)) : Json();
  json["launches"] = launches(report.inference);
  json["macs"] = report.macs.all;
  json["macs_on_core"] = report.macs.on_core;
  json["host"] = to_json(report.host_work);
  json["layers"] = layers_json(report.inference.layers, report.first_cycle);
  json["outputs"] = Json::array();
  for (const SampleReport& sample : report.samples) json["outputs"].push_back(sample_json(sample));
  json["device_seconds"] = report.device_seconds;
  json["host_seconds"] = report.host_seconds;
  json["compile_seconds"] = report.compile_seconds;
  json["wall_seconds"] = report.wall_seconds;
  if (!report.repeat_seconds.empty()) json["repeat"] = repetition(report.repeat_seconds);
  if (report.throughput) json["throughput"] = throughput_json(*report.throughput);
  if (report.accuracy) put_accuracy(json, *report.accuracy);
  return text_of(json);
}

std::string to_json(const ExecReport& report) {
  Json json = {{"device", report.device}, {"core", report.core}};
  put_counters(json["counters"], report.counters);
  json["device_seconds"] = report.device_seconds;
  json["wall_seconds"] = report.wall_seconds;
  if (!report.repeat_seconds.empty()) json["repeat"] = repetition(report.repeat_seconds);
  return text_of(json);
}

std::string to_json(const ExecError& error) {
  Json json = {{"device", error.device}, {"core", error.core}};
  json["error"] = {{"message", error.message}};
  if (error.fault) {
    json["error"]["fault"] = error.fault->name;
    json["error"]["instruction"] = error.fault->instruction_index;
    json["error"]["value"] = error.fault->value;
  }
  return text_of(json);
}

std::string statistics_text(const hw::Counters& counters) {
  std::string text = "Execution statistics:\n";
  for (const auto& [name, value] : named(counters))
    text += fmt::format("\t{:<16}: {:>16}\n", name, value);
  if (counters.cycles) text += fmt::format("\t{:<16}: {:>16}\n", "cycles", *counters.cycles);
  if (counters.stages) text += stages_text(*counters.stages);
  return text;
}

std::string predictions_text(const RunReport& report) {
  const char* const note =
      has_synthetic_weights(report) ? " (synthetic weights: class indices only)" : "";
  std::string text;
  int64_t number = -1;
  for (const SampleReport& sample : report.samples) {
    number += sample.is_first;
    const std::string file = std::filesystem::path(sample.input).filename().string();
    if (!sample.top.empty()) {
      text += fmt::format("\n{} prediction for sample {}, {}{}\n{}", report.network, number, file,
                          note, ranks_text(sample.top));
    }
    if (sample.objects) {
      text += fmt::format("\n{} objects in sample {}, {}{}\n{}", report.network, number, file, note,
                          objects_text(*sample.objects));
    }
    if (report.lists_outputs) {
      if (sample.is_first)
        text += fmt::format("\n{} outputs of sample {}, {}\n", report.network, number, file);
      text += fmt::format("\t{}: {}\n", sample.name, to_string(sample.output.type()));
    }
  }
  return text;
}

std::string repetition_text(const std::vector<double>& seconds, uint64_t number,
                            const std::string& what) {
  const std::string text = fmt::format("{} of {}: mean {:.6f} s", counted(seconds.size(), "sample"),
                                       counted(number, what), mean(seconds));
  if (seconds.size() == 1) return text + "\n";
  return fmt::format("{}, standard deviation {:.6f} s\n\tresults: ({:.6f})\n", text,
                     standard_deviation(seconds), fmt::join(seconds, ", "));
}

std::string throughput_text(const Throughput& throughput) {
  return fmt::format(
      "{:.1f} images per second, {} in flight; latency: mean {:.3f} s, maximum {:.3f} s\n",
      throughput.images_per_second, counted(throughput.in_flight, "inference"),
      throughput.mean_latency_seconds, throughput.max_latency_seconds);
}

std::string accuracy_text(const Accuracy& accuracy) {
  return fmt::format(
      "Accuracy on {}:\n"
      "\t{:<16}: {:>8.2f} %\n\t{:<16}: {:>8.2f} %\n\t{:<16}: {:>8.2f} %\n\t{:<16}: {:>8.2f} %\n"
      "\t{:<16}: {:>8.2f} %\n\t{:<16}: {:>8.2f} with {}\n",
      counted(accuracy.images, "image"), "top1", accuracy.top1, "top5", accuracy.top5, "fp32_top1",
      accuracy.fp32_top1, "fp32_top5", accuracy.fp32_top5, "agreement", accuracy.agreement,
      "seconds", accuracy.seconds, counted(accuracy.threads, "thread"));
}

}  // namespace vta::sim
