// SPDX-License-Identifier: Apache-2.0
//
// Average pools on every device: the core's results equal the integer reference bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "base/numbers/random.h"
#include "compiler/lower/passes.h"
#include "sim/cycle/cycle_device.h"
#include "sim/functional/functional_device.h"
#include "sim/rtl/rtl_device.h"
#include "tests/support/random_tensor.h"
#include "tests/unit/compiler/lower/core_run.h"

namespace vta::test {
namespace {

using graph::Graph;
using graph::NodeId;

using Pool = Attrs<OpKind::kQAvgPool2d>;

struct Window {
  const char* name;
  int64_t size;  // of the image
  Pool attrs;
  bool fits_tiny = true;  // core tiny_1x8, whose half of ACC has 16 elements
};

std::vector<Window> windows() {
  const std::array<int64_t, 4> ones = {1, 1, 1, 1};
  return {
      {"inception", 9, Pool(attr::kernel{{3, 3}}, attr::pad{ones}, attr::count_include_pad{true})},
      {"borders of fewer elements", 9,
       Pool(attr::kernel{{3, 3}}, attr::pad{ones}, attr::shift{-2})},
      {"densenet", 8, Pool(attr::kernel{{2, 2}}, attr::stride{{2, 2}})},
      {"partial windows", 8,
       Pool(attr::kernel{{3, 2}}, attr::stride{{2, 3}}, attr::pad{{1, 0, 2, 1}},
            attr::ceil_mode{true})},
      {"dilated", 9, Pool(attr::kernel{{2, 3}}, attr::dilation{{3, 2}}, attr::shift{1}), false},
      {"gaps", 10, Pool(attr::kernel{{2, 1}}, attr::stride{{3, 2}})},
      {"global", 7, Pool(attr::kernel{{7, 7}}, attr::shift{-3}), false},
  };
}

// A convolution, an average pool of its result and another convolution of the average.
struct Net {
  Graph graph;
  Tensor x;

  explicit Net(const Window& window) {
    Random random(1);
    x = random_tensor<int8_t>(random, {1, 8, window.size, window.size}, -127, 127);
    const NodeId data = graph.add_input("x", x.type());
    const NodeId a = conv(random, "a", data, 40);
    const NodeId average = graph.add(OpKind::kQAvgPool2d, "average", {a}, window.attrs);
    graph.set_outputs({average, conv(random, "b", average, 8)});
  }

 private:
  NodeId conv(Random& random, const std::string& name, NodeId source, int64_t oc) {
    const int64_t ic = graph.node(source).type.shape[1];
    OpAttrs attrs;
    attrs.shift = 7;
    const NodeId w =
        graph.add_constant(name + ".w", random_tensor<int8_t>(random, {oc, ic, 1, 1}, -60, 60));
    const NodeId b =
        graph.add_constant(name + ".b", random_tensor<int32_t>(random, {oc}, -3000, 3000));
    return graph.add(OpKind::kQConv2d, name, {source, w, b}, attrs);
  }
};

void expect_reference_on_all_devices(Net net, const CoreConfig& core, lower::Mode mode) {
  const std::vector<Tensor> expected = run_by_reference(net.graph, {net.x});
  lower::partition(net.graph, core);
  for (NodeId id : net.graph.order()) {
    const graph::Node& node = net.graph.node(id);
    if (node.kind == OpKind::kQAvgPool2d) ASSERT_TRUE(node.on_core);
  }
  const Program program = lower::lower(net.graph, core, mode).program;
  std::vector<std::unique_ptr<driver::Device>> devices;
  devices.push_back(sim::open_functional_device("functional", core));
  devices.push_back(sim::open_cycle_device("cycle", core));
  devices.push_back(sim::open_rtl_device("rtl", core));
  for (const auto& device : devices) {
    Session session(program, *device, execute);
    const std::vector<Tensor> outputs = session.run({net.x});
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(std::ranges::equal(outputs.at(i).bytes(), expected[i].bytes()))
          << device->describe().uri << ", output " << i;
    }
  }
}

TEST(AveragePools, EqualTheReferenceOnEveryDevice) {
  for (const Window& window : windows()) {
    for (const Way& way : kWays) {
      for (const char* core : {"vta_1x16", "tiny_1x8"}) {
        if (std::string(core) == "tiny_1x8" && !window.fits_tiny) continue;
        SCOPED_TRACE(fmt::format("{}, {}, {}", window.name, way.name, core));
        expect_reference_on_all_devices(Net(window), core_named(core, way.extension), way.mode);
      }
    }
  }
}

}  // namespace
}  // namespace vta::test
