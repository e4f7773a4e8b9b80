// SPDX-License-Identifier: Apache-2.0
#include "tools/flash/selftest/network_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/numbers/best_indices.h"

namespace vta::selftest {
namespace {

std::vector<Tensor> run(const TestNetwork& network, driver::Device& device) {
  return Session(network.program, device, network.host).run(network.inputs);
}

// "" if the outputs are not the scores of one image.
std::string class_of(const TestNetwork& network, const std::vector<Tensor>& outputs) {
  const bool has_classes = network.program.output_spec.kind == "classes";
  if (!has_classes || outputs[0].dtype() != DType::kFloat32 || outputs[0].num_elems() == 0)
    return "";
  const auto scores = outputs[0].data<float>();
  return fmt::format(": class {}",
                     best_indices(scores.size(), 1, [&](size_t i) { return scores[i]; }).front());
}

}  // namespace

NetworkCheck::NetworkCheck(const TestNetwork& network, driver::Device& reference)
    : network_(network), expected_(run(network, reference)) {}

std::optional<std::string> NetworkCheck::find_fault(driver::Device& device) const {
  const std::string& name = network_.program.network;
  std::vector<Tensor> got;
  try {
    got = run(network_, device);
  } catch (const Error& error) {
    return fmt::format("network {}: {}", name, error.what());
  }
  for (size_t i = 0; i < expected_.size(); ++i) {
    if (std::ranges::equal(got[i].bytes(), expected_[i].bytes())) continue;
    return fmt::format(
        "network {}{}, but the simulator has{}; output {} differs: the core computes wrong values "
        "where the random programs do not look, such as the end of a scratchpad",
        name, class_of(network_, got), class_of(network_, expected_),
        output_name(network_.program, i));
  }
  return std::nullopt;
}

std::string NetworkCheck::answer() const {
  return network_.program.network + class_of(network_, expected_);
}

}  // namespace vta::selftest
