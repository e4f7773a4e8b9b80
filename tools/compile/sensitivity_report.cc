// SPDX-License-Identifier: Apache-2.0
#include "tools/compile/sensitivity_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/errors/counted.h"

namespace vta {

std::string sensitivity_text(const quantize::Sensitivity& sensitivity) {
  size_t name = 5, op = 8;
  for (const quantize::LayerSensitivity& layer : sensitivity.layers) {
    name = std::max(name, layer.layer.size());
    op = std::max(op, std::string(to_string(layer.op)).size());
  }
  std::string text = fmt::format("{:<{}}  {:<{}}  {:>7}  {:>7}  {:>8}\n", "layer", name, "operator",
                                 op, "snr_db", "gain_db", "alone_db");
  for (const quantize::LayerSensitivity& layer : sensitivity.layers) {
    text += fmt::format("{:<{}}  {:<{}}  {:>7.2f}  {:>+7.2f}  {:>8.2f}\n", layer.layer, name,
                        to_string(layer.op), op, layer.snr_db, layer.gain_db, layer.alone_db);
  }
  return text +
         fmt::format(
             "\nsnr_db: the layer's int8 result against fp32; gain_db: gain of the network's "
             "SNR with --keep-float LAYER; alone_db: the network's SNR if all other layers are in "
             "fp32 (low for each of several noisy ones)\nnetwork: {:.2f} dB on {}",
             sensitivity.snr_db, counted(sensitivity.num_inputs, "input"));
}

std::string sensitivity_json(const quantize::Sensitivity& sensitivity) {
  nlohmann::ordered_json json = {{"snr_db", sensitivity.snr_db},
                                 {"num_inputs", sensitivity.num_inputs},
                                 {"layers", nlohmann::ordered_json::array()}};
  for (const quantize::LayerSensitivity& layer : sensitivity.layers) {
    json["layers"].push_back({{"layer", layer.layer},
                              {"op", to_string(layer.op)},
                              {"snr_db", layer.snr_db},
                              {"gain_db", layer.gain_db},
                              {"alone_db", layer.alone_db}});
  }
  return json.dump(2);
}

}  // namespace vta
