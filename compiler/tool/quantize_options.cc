// SPDX-License-Identifier: Apache-2.0
#include "compiler/tool/quantize_options.h"

namespace vta {

void add_quantize_options(Command& command, QuantizeOptions& options) {
  command
      .option("--per-channel", options.per_channel, "",
              "Scales of weights for each output channel, where they help")
      .choices({"on", "off"});
  command
      .option("--equalize", options.equalize, "",
              "Move powers of two from one layer's channels to the next")
      .choices({"on", "off"});
  command
      .option("--rounding", options.rounding, "",
              "Of weights: each by itself, or such that the layer's result stays")
      .choices({"nearest", "adaptive"});
  command
      .option("--keep-float", options.keep_float, "LAYER", "Compute this layer in fp32 on the host")
      .one_each_time();
}

}  // namespace vta
