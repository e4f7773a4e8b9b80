// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/beside.h"

#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/files/strict_json.h"
#include "base/limits/subprocess.h"

namespace vta::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMissingStatus = 3;  // of the script, if the runtime is not installed

// A runtime's part of the script: defines `name` and, for `inputs`, `infer`.
struct Runtime {
  const char* name;
  const char* script;
};
constexpr Runtime kRuntimes[] = {
    {"onnxruntime", R"(
    import onnxruntime
    name = "onnxruntime " + onnxruntime.__version__
    how = onnxruntime.SessionOptions()
    how.intra_op_num_threads = job["threads"]
    how.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(job["model"], how, providers=["CPUExecutionProvider"])
    feeds = dict(zip([one.name for one in session.get_inputs()], inputs))
    infer = lambda: session.run(None, feeds)
)"},
    {"torch", R"(
    import torch
    name = "torch " + torch.__version__
    torch.set_num_threads(job["threads"])
    torch.set_grad_enabled(False)
    module = torch.jit.load(job["model"]).eval()
    tensors = [torch.from_numpy(one) for one in inputs]
    infer = lambda: module(*tensors)
)"},
};

constexpr const char* kBegin = R"(
import json, sys, time
job = json.loads(sys.argv[1])
try:
    import numpy
    random = numpy.random.default_rng(1)
    inputs = [random.standard_normal(one["shape"]).astype(one["dtype"]) for one in job["inputs"]])";

constexpr const char* kEnd = R"(
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(job["missing_status"])
for _ in range(job["warm_up"]):
    infer()
seconds = []
for _ in range(job["repeat"]):
    start = time.perf_counter()
    for _ in range(job["number"]):
        infer()
    seconds.append((time.perf_counter() - start) / job["number"])
print(json.dumps({"name": name, "seconds": seconds}))
)";

const Runtime& find_runtime(const std::string& name) {
  for (const Runtime& runtime : kRuntimes) {
    if (runtime.name == name) return runtime;
  }
  fail(ErrorCode::kNotFound, "runtime '{}' is not one of {}", name,
       fmt::join(beside_names(), ", "));
}

std::string job_of(const BesideOptions& options) {
  Json job = {{"model", options.model},     {"threads", options.threads},
              {"number", options.number},   {"repeat", options.repeat},
              {"warm_up", options.warm_up}, {"missing_status", kMissingStatus},
              {"inputs", Json::array()}};
  for (const TensorType& type : options.inputs)
    job["inputs"].push_back({{"dtype", to_string(type.dtype)}, {"shape", type.shape}});
  return job.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);  // npos + 1 is 0
}

}  // namespace

std::vector<std::string> beside_names() {
  std::vector<std::string> names;
  for (const Runtime& runtime : kRuntimes) names.emplace_back(runtime.name);
  return names;
}

BenchResult bench_beside(const BesideOptions& options) {
  const std::string script = std::string(kBegin) + find_runtime(options.runtime).script + kEnd;
  const FinishedProcess run = run_process({"python3", "-c", script, job_of(options)});
  if (run.status == kMissingStatus) {
    fail(ErrorCode::kNotFound, "{} is not installed for python3: {}", options.runtime,
         last_line(run.err));
  }
  if (run.status != 0) {
    fail(ErrorCode::kUnsupported, "{}, {}: {}", options.runtime, options.model, last_line(run.err));
  }
  BenchResult result;
  result.batch = options.batch;
  result.number = options.number;
  result.warm_up = options.warm_up;
  const std::string line = last_line(run.out);
  with_json_errors(
      fmt::format("{}: python3 printed '{}' instead of times", options.runtime, line), [&] {
        const auto answer = nlohmann::json::parse(line);
        result.seconds = answer.at("seconds").get<std::vector<double>>();
        result.description =
            fmt::format("{} in {}, {}", options.model, answer.at("name").get<std::string>(),
                        counted(options.threads, "thread"));
      });
  return result;
}

}  // namespace vta::sim
