// SPDX-License-Identifier: Apache-2.0
//
// The executor against the same operations executed one at a time.
#include "runtime/host/executor.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <set>

#include "runtime/host/onednn.h"
#include "tests/support/error_in.h"
#include "tests/support/random_tensor.h"
#include "tests/support/test_count.h"
#include "tests/unit/runtime/host/plain.h"
#include "tests/unit/runtime/host/random_window.h"

namespace vta::host {
namespace {

constexpr uint64_t kSeed = 31;
constexpr int kNumNetworks = 20;

// Builds a network operation by operation.
class Lines {
 public:
  size_t add(OpKind kind, std::vector<size_t> inputs, const std::string& attrs = "") {
    Operation operation{fmt::format("{}{}", to_string(kind), all.size()),
                        kind,
                        attrs_from_string(kind, attrs),
                        std::move(inputs),
                        {},
                        {}};
    std::vector<TensorType> types;
    for (size_t input : operation.inputs) types.push_back(all[input].type);
    operation.type = infer_type(kind, operation.attrs, types);
    all.push_back(std::move(operation));
    return all.size() - 1;
  }
  size_t add_input(TensorType type) {
    all.push_back({"x", OpKind::kInput, {}, {}, std::move(type), {}});
    return all.size() - 1;
  }
  size_t add_constant(const Tensor& value) {
    all.push_back({"constant", OpKind::kConstant, {}, {}, value.type(), value});
    return all.size() - 1;
  }
  const std::vector<int64_t>& shape(size_t i) const { return all[i].type.shape; }

  std::vector<Operation> all;
};

// All results, with one operation executed at a time.
std::vector<Tensor> results_of(const std::vector<Operation>& operations, const Tensor& input) {
  std::vector<Tensor> results;
  for (const Operation& operation : operations) {
    std::vector<Tensor> operands;
    for (size_t i : operation.inputs) operands.push_back(results[i]);
    if (operation.kind == OpKind::kInput) {
      results.push_back(input);
    } else if (operation.kind == OpKind::kConstant) {
      results.push_back(operation.value);
    } else {
      results.push_back(execute(operation.kind, operation.attrs, operands));
    }
  }
  return results;
}

void expect_near(const Tensor& actual, const Tensor& expected) {
  ASSERT_EQ(actual.type(), expected.type());
  const auto found = actual.data<float>(), wanted = expected.data<float>();
  float largest = 0;
  for (float value : wanted) largest = std::max(largest, std::abs(value));
  for (size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], wanted[i], 1e-5 * (1 + largest)) << "element " << i;
  }
}

bool same_bytes(const Tensor& a, const Tensor& b) {
  return a.type() == b.type() && std::equal(a.bytes().begin(), a.bytes().end(), b.bytes().begin());
}

size_t add_convolution(Random& random, Lines& lines, size_t x, int64_t channels, bool depthwise) {
  const int64_t ic = lines.shape(x)[1];
  const int64_t size = random.chance(50) && lines.shape(x)[2] > 2 ? 3 : 1;
  const Tensor weights =
      test::random_float(random, {depthwise ? ic : channels, depthwise ? 1 : ic, size, size});
  std::vector<size_t> inputs = {x, lines.add_constant(weights)};
  if (random.chance(60))
    inputs.push_back(lines.add_constant(test::random_float(random, {weights.dim(0)})));
  return lines.add(OpKind::kConv2d, inputs,
                   fmt::format("{{kernel = [{0}, {0}], pad = [{1}, {1}, {1}, {1}], groups = {2}}}",
                               size, size / 2, depthwise ? ic : 1));
}

size_t add_something(Random& random, Lines& lines, const std::vector<size_t>& values) {
  const auto pick = [&] {
    return values[static_cast<size_t>(random.between(0, static_cast<int64_t>(values.size()) - 1))];
  };
  const size_t x = random.chance(70) ? values.back() : pick();
  const size_t y = pick();
  switch (random.between(0, 9)) {
    case 0:
      return lines.add(OpKind::kRelu, {x});
    case 1:
      return lines.add(OpKind::kClip, {x}, "{lo = -1, hi = 2}");
    case 2:
      return lines.add(OpKind::kMaxPool2d, {x}, "{kernel = [3, 3], pad = [1, 1, 1, 1]}");
    case 3:
      return lines.add(OpKind::kAvgPool2d, {x},
                       "{kernel = [2, 2], pad = [1, 0, 0, 1], count_include_pad = true}");
    case 4:
      return lines.add(OpKind::kSigmoid, {x});
    case 5:
      if (lines.shape(x)[2] == lines.shape(y)[2])
        return lines.add(OpKind::kConcat, {x, y}, "{axis = 1}");
      [[fallthrough]];
    case 6:
      if (lines.all[x].type == lines.all[y].type) return lines.add(OpKind::kAdd, {x, y});
      [[fallthrough]];
    case 7:
      return add_convolution(random, lines, x, 0, true);
    case 8:  // back to the usual number of channels, for adds
      return add_convolution(random, lines, x, 12, false);
    default:
      return lines.add(OpKind::kMax, {x, x});  // oneDNN does not have it
  }
}

TEST(Executor, EqualsOperationsOneByOneForRandomNetworks) {
  Random random(kSeed);
  for (int i = 0; i < kNumNetworks && !::testing::Test::HasFatalFailure(); ++i) {
    Lines lines;
    std::vector<size_t> values = {
        lines.add_input({DType::kFloat32, {random.between(1, 2), 12, 6, 6}})};
    for (int64_t more = random.between(2, 12); more > 0; --more) {
      values.push_back(add_something(random, lines, values));
      if (lines.shape(values.back())[1] > 60) break;
    }
    std::set<size_t> outputs = {values.back(), values[values.size() / 2]};
    const std::vector<size_t> wanted(outputs.begin(), outputs.end());
    const Tensor input = test::random_float(random, lines.shape(0));
    const std::vector<Tensor> expected = results_of(lines.all, input);
    std::string text;
    for (const Operation& operation : lines.all) {
      text += fmt::format("{}({}) ", operation.name, fmt::join(operation.inputs, ", "));
    }
    SCOPED_TRACE(fmt::format("seed {}, network {}: {}", kSeed, i, text));
    Executor fused(lines.all, wanted, {1, true}), threaded(lines.all, wanted, {2, true});
    const std::vector<Tensor> first = fused.run({input}), again = fused.run({input});
    const std::vector<Tensor> on_two_threads = threaded.run({input});
    for (size_t k = 0; k < wanted.size(); ++k) {
      expect_near(first[k], expected[wanted[k]]);
      EXPECT_TRUE(same_bytes(first[k], again[k]));
      EXPECT_TRUE(same_bytes(first[k], on_two_threads[k]));
    }
    size_t seen = 0;
    Executor plain(lines.all, wanted, {1, false});
    plain.run({input}, [&](size_t operation, const Tensor& value) {
      expect_near(value, expected[operation]);
      ++seen;
    });
    EXPECT_EQ(seen, static_cast<size_t>(std::count_if(
                        lines.all.begin(), lines.all.end(),
                        [](const Operation& o) { return o.kind != OpKind::kConstant; })));
  }
}

// A residual operand must not be overwritten while it has other readers.
TEST(Executor, KeepsAnOperandThatIsReadAgain) {
  Random random(kSeed);
  Lines lines;
  const size_t x = lines.add_input({DType::kFloat32, {1, 8, 4, 4}});
  const size_t base = lines.add(OpKind::kRelu, {x});
  const size_t conv = add_convolution(random, lines, base, 8, false);
  const size_t sum = lines.add(OpKind::kAdd, {conv, base});
  const size_t later = lines.add(OpKind::kAdd, {sum, base});
  const size_t second = add_convolution(random, lines, later, 8, false);
  const size_t out = lines.add(OpKind::kAdd, {later, second});
  const Tensor input = test::random_float(random, {1, 8, 4, 4});
  const std::vector<Tensor> expected = results_of(lines.all, input);
  Executor executor(lines.all, {later, out, x}, {});
  for (int i = 0; i < 2; ++i) {
    const std::vector<Tensor> results = executor.run({input});
    expect_near(results[0], expected[later]);
    expect_near(results[1], expected[out]);
    EXPECT_TRUE(same_bytes(results[2], input));
  }
}

// Two convolutions of `x` with the window `attrs`, and their sum. Returns whether the sum is a part
// of the second.
bool expect_sum(Random& random, const std::vector<int64_t>& x, int64_t channels,
                const OpAttrs& attrs) {
  Lines lines;
  lines.add_input({DType::kFloat32, x});
  const auto convolution = [&] {
    const Tensor weights =
        test::random_float(random, {channels, x[1], attrs.kernel[0], attrs.kernel[1]});
    const Tensor bias = test::random_float(random, {channels});
    return lines.add(OpKind::kConv2d, {0, lines.add_constant(weights), lines.add_constant(bias)},
                     to_string(OpKind::kConv2d, attrs));
  };
  const size_t first = convolution(), second = convolution();
  const size_t sum = lines.add(OpKind::kAdd, {second, first});
  const Tensor input = test::random_float(random, x);
  SCOPED_TRACE(fmt::format("{} of {}, {} channels", to_string(OpKind::kConv2d, attrs),
                           to_string(input.type()), channels));
  Executor executor(lines.all, {sum}, {});
  expect_near(executor.run({input}).at(0), results_of(lines.all, input)[sum]);
  return executor.layers().at(1).operations.size() == 2;
}

TEST(Executor, AddsResidualsOfAnyWindow) {
  for (auto [seed, end] = support::test_seeds(kSeed, 500); seed < end; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Random random(seed);
    OpAttrs attrs;
    test::set_random_window(random, attrs, 4, 3);
    const std::vector<int64_t> size = test::random_image_size(random, attrs, 6);
    const std::vector<int64_t> x = {1, random.between(1, 40), size[0], size[1]};
    const bool is_fused = expect_sum(random, x, random.between(1, 40), attrs);
    if (HasFatalFailure()) return;
    EXPECT_TRUE(is_fused || attrs.pad != (std::array<int64_t, 4>{}));
  }
}

// A row or a column of the second convolution reads nothing but padding. oneDNN 2.6 leaves out the
// bias there when it accumulates into a residual operand.
TEST(Executor, AddsTheBiasOfWindowsOfPadding) {
  struct Case {
    std::vector<int64_t> x;
    const char* window;
  };
  for (const auto& [x, window] :
       {Case{{1, 35, 1, 4}, "{kernel = [2, 1], dilation = [2, 1], pad = [1, 0, 1, 0]}"},
        Case{{1, 35, 2, 4}, "{kernel = [2, 1], dilation = [3, 1], pad = [1, 0, 2, 0]}"},
        Case{{1, 4, 2, 5}, "{stride = [3, 2], pad = [0, 1, 1, 0]}"}}) {
    Random random(kSeed);
    EXPECT_FALSE(expect_sum(random, x, 39, attrs_from_string(OpKind::kConv2d, window)));
  }
}

// Two activations of one algorithm after a product: each with its own parameters (oneDNN 2.6 has
// those of the first for both).
TEST(Executor, GivesEachActivationItsParameters) {
  struct Activation {
    OpKind kind;
    const char* attrs;
  };
  constexpr Activation kPairs[][2] = {
      {{OpKind::kClip, "{lo = -1, hi = 2}"}, {OpKind::kClip, "{lo = 0, hi = 1}"}},
      {{OpKind::kLeakyRelu, "{alpha = 0.5}"}, {OpKind::kRelu, ""}},
      {{OpKind::kLeakyRelu, "{alpha = 0.5}"}, {OpKind::kLeakyRelu, "{alpha = 0.1}"}},
  };
  for (const auto& [first, second] : kPairs) {
    for (const bool adds : {false, true}) {
      Random random(kSeed);
      Lines lines;
      const size_t x = lines.add_input({DType::kFloat32, {1, 8, 4, 4}});
      const size_t base = lines.add(OpKind::kSigmoid, {x});
      size_t value = add_convolution(random, lines, base, 8, false);
      value = lines.add(first.kind, {value}, first.attrs);
      if (adds) value = lines.add(OpKind::kAdd, {value, base});
      value = lines.add(second.kind, {value}, second.attrs);
      const Tensor input = test::random_float(random, {1, 8, 4, 4});
      expect_near(Executor(lines.all, {value}, {}).run({input}).at(0),
                  results_of(lines.all, input)[value]);
    }
  }
}

TEST(Executor, GoesFromImagesToRowsAndIntegers) {
  Random random(kSeed);
  Lines lines;
  const size_t x = lines.add_input({DType::kFloat32, {2, 3, 8, 8}});
  const size_t conv = add_convolution(random, lines, x, 20, false);
  const size_t pool = lines.add(OpKind::kGlobalAvgPool2d, {conv});
  const size_t rows = lines.add(OpKind::kFlatten, {pool});
  const size_t weights = lines.add_constant(test::random_float(random, {5, 20}));
  const size_t dense = lines.add(OpKind::kDense, {rows, weights});
  const size_t relu = lines.add(OpKind::kRelu, {dense});
  const size_t soft = lines.add(OpKind::kSoftmax, {relu});
  const size_t integers = lines.add(OpKind::kQuantize, {soft}, "{frac_bits = 6}");
  const size_t best = lines.add(OpKind::kArgMax, {soft});
  const Tensor input = test::random_float(random, {2, 3, 8, 8});
  const std::vector<Tensor> expected = results_of(lines.all, input);
  const std::vector<Tensor> results = Executor(lines.all, {relu, integers, best}, {}).run({input});
  expect_near(results[0], expected[relu]);
  EXPECT_TRUE(same_bytes(results[1], expected[integers]));
  EXPECT_TRUE(same_bytes(results[2], expected[best]));
}

class LayerLog : public Executor::Meter {
 public:
  void begin() override {
    EXPECT_EQ(layers, (std::vector<size_t>{}));
    ++num_begins;
  }
  void end(size_t layer) override { layers.push_back(layer); }
  std::vector<size_t> layers;
  int num_begins = 0;
};

TEST(Executor, MetersEachLayerOnceInOrder) {
  Random random(kSeed);
  Lines lines;
  const size_t x = lines.add_input({DType::kFloat32, {1, 16, 4, 4}});
  const size_t conv = add_convolution(random, lines, x, 16, false);
  const size_t out = lines.add(OpKind::kRelu, {conv});
  Executor executor(lines.all, {out}, {});
  const std::vector<ExecutedLayer> layers = executor.layers();
  ASSERT_EQ(layers.size(), 2u);
  ASSERT_EQ(layers[0].operations.size(), 2u);
  EXPECT_EQ(layers[0].operations[0]->kind, OpKind::kConv2d);
  EXPECT_EQ(layers[0].operations[1]->kind, OpKind::kRelu);
  EXPECT_EQ(layers[0].types.front(), lines.all[x].type);
  EXPECT_EQ(layers[0].types.back(), lines.all[out].type);
  const LayerLayouts& layouts = layers[0].layouts;
  EXPECT_EQ(layouts.source, "plain");
  EXPECT_TRUE(layouts.data.starts_with("n")) << layouts.data;
  EXPECT_TRUE(layouts.kernel.starts_with("O")) << layouts.kernel;
  EXPECT_TRUE(layouts.result.starts_with("n")) << layouts.result;
  EXPECT_EQ(layers[1].layouts.source, layouts.result);
  EXPECT_EQ(layers[1].layouts.result, "plain");
  EXPECT_TRUE(layers[1].operations.empty());  // the result's conversion

  const Tensor input = test::random_float(random, {1, 16, 4, 4});
  LayerLog log;
  const Tensor metered = executor.run_metered({input}, log)[0];
  EXPECT_EQ(log.num_begins, 1);
  EXPECT_EQ(log.layers, (std::vector<size_t>{0, 1}));
  EXPECT_TRUE(same_bytes(metered, executor.run({input})[0]));
}

TEST(LayoutText, NamesAxesAndBlocks) {
  using dnnl::memory;
  const auto text = [](const memory::dims& dims, memory::format_tag tag) {
    return layout_text(memory::desc(dims, kFloat, tag));
  };
  EXPECT_EQ(text({2, 32, 5, 7}, memory::format_tag::nchw), "nchw");
  EXPECT_EQ(text({2, 32, 5, 7}, memory::format_tag::nhwc), "nhwc");
  EXPECT_EQ(text({2, 32, 5, 7}, memory::format_tag::nChw16c), "nChw16c");
  EXPECT_EQ(text({2, 32}, memory::format_tag::nc), "nc");
}

int64_t resident_bytes() {
  std::ifstream pages("/proc/self/statm");
  int64_t all = 0, resident = 0;
  pages >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

// 64 steps of an unrolled loop, with 4 MB of weights.
TEST(Executor, SharesTheWeightsOfUnrolledSteps) {
  constexpr int64_t kSize = 1024, kSteps = 64;
  Random random(kSeed);
  Lines lines;
  size_t x = lines.add_input({DType::kFloat32, {1, kSize}});
  const size_t weights = lines.add_constant(test::random_float(random, {kSize, kSize}));
  for (int64_t i = 0; i < kSteps; ++i)
    x = lines.add(OpKind::kTanh, {lines.add(OpKind::kDense, {x, weights})});
  const int64_t before = resident_bytes();
  const Executor executor(lines.all, {x}, {});
  EXPECT_LT(resident_bytes() - before, int64_t{64} << 20);
}

TEST(Executor, NamesWhatIsWrongWithItsInputs) {
  Lines lines;
  const size_t x = lines.add_input({DType::kFloat32, {1, 2}});
  Executor executor(lines.all, {x}, {});
  const auto error_of = [&](const std::vector<Tensor>& inputs) -> std::string {
    return error_in([&] { executor.run(inputs); });
  };
  EXPECT_EQ(error_of({}), "x: input 0 is missing, 0 were given");
  EXPECT_EQ(error_of({test::floats({2}, {1, 2})}),
            "x: the input is float32[2], expected float32[1, 2]");
}

}  // namespace
}  // namespace vta::host
