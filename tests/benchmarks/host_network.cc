// SPDX-License-Identifier: Apache-2.0
//
// Runs a network in fp32 on the host, without a core; host_vs_torch.py runs this program.
//
//   host_network NETWORK [--weights FILE] [--input FILE.npz] [--threads N] [--repeat N]
//
// Prints one JSON object: the milliseconds of every run and the first output values.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/command_line/command_line.h"
#include "base/files/array_file.h"
#include "base/limits/stopwatch.h"
#include "compiler/import/network.h"
#include "compiler/quantize/run_graph.h"

namespace vta {
namespace {

struct Request {
  std::string network, weights, input;
  uint64_t threads = 1, repeat = 10;
};

Tensor input_of(const Request& request, const TensorType& type) {
  Tensor tensor(type);
  if (request.input.empty()) return tensor;
  const NamedArrays arrays = read_arrays(request.input);
  const NamedArray& array = arrays.at("input");
  VTA_ASSERT(array.bytes.size() == tensor.bytes().size(), "an input of the network's size");
  std::copy(array.bytes.begin(), array.bytes.end(), tensor.mutable_bytes().begin());
  return tensor;
}

void measure(const Request& request) {
  import::NetworkOptions options;
  options.weights = request.weights;
  const import::Network network = import::load_network(request.network, options);
  const graph::Graph& graph = network.graph;
  const Tensor input = input_of(request, graph.node(graph.inputs()[0]).type);
  quantize::GraphRunner runner(graph, quantize::GraphRunner::Results::kOutputs,
                               static_cast<int>(request.threads));
  std::vector<double> milliseconds;
  Tensor output;
  for (uint64_t i = 0; i < request.repeat; ++i) {
    const Stopwatch stopwatch;
    output = runner.run({input})[0];
    milliseconds.push_back(stopwatch.seconds() * 1e3);
  }
  const auto values = output.data<float>();
  fmt::print("{{\"milliseconds\": [{:.3f}], \"output\": [{}]}}\n", fmt::join(milliseconds, ", "),
             fmt::join(values.first(std::min<size_t>(values.size(), 16)), ", "));
}

}  // namespace
}  // namespace vta

int main(int argc, char** argv) {
  vta::Request request;
  vta::Tool tool("host_network", "A network in fp32 on the host, without a core", "1");
  vta::Command command = tool.command();
  command.argument("network", request.network, "NET", "Network file");
  command.option("--weights", request.weights, "FILE", "Weights instead of the network's own");
  command.option("--input", request.input, "FILE", "An .npz with the array 'input'; else zeros");
  command.option("--threads", request.threads, "N", "Threads of oneDNN").at_least(1);
  command.option("--repeat", request.repeat, "N", "Runs").at_least(1);
  command.example("host_network mobilenet_v2.json --threads 2");
  command.action([&] { vta::measure(request); });
  return tool.run(argc, argv);
}
