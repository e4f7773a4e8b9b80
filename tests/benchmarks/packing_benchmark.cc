// SPDX-License-Identifier: Apache-2.0
//
// Packing of a 224x224x3 image for a first convolution on vta_1x16: quantizing and unfolding for
// the kernels of ResNet-18 and VGG-16, compared with a plain copy of as many bytes.
#include <benchmark/benchmark.h>

#include <cstring>

#include "base/numbers/random.h"
#include "runtime/program/program.h"

namespace vta {
namespace {

Tensor image() {
  Tensor x(TensorType{DType::kFloat32, {1, 3, 224, 224}});
  Random random(1);
  for (float& value : x.mutable_data<float>()) {
    value = static_cast<float>(random.between(-1000, 1000)) / 500;
  }
  return x;
}

OpAttrs unfold(const char* window) { return attrs_from_string(OpKind::kUnfold2d, window); }

// `window`: attributes of unfold2d.
void PackUnfolded(benchmark::State& state, const char* window) {
  const CoreConfig core = load_core_config("vta_1x16");
  const Tensor x = image();
  const OpAttrs attrs = unfold(window);
  const TensorType type = infer_type(OpKind::kUnfold2d, attrs, {x.type()});
  std::vector<uint8_t> packed(packed_size_bytes(type, core));
  for (auto _ : state) {
    pack_unfolded(x, attrs, type, core, packed);
    benchmark::DoNotOptimize(packed.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(packed.size()));
}

// Copies the bytes that PackUnfolded writes.
void Copy(benchmark::State& state, const char* window) {
  const TensorType type = infer_type(OpKind::kUnfold2d, unfold(window), {image().type()});
  const std::vector<uint8_t> from(packed_size_bytes(type, load_core_config("vta_1x16")), 1);
  std::vector<uint8_t> to(from.size());
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), from.size());
    benchmark::DoNotOptimize(to.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(to.size()));
}

constexpr const char* kResNet =
    "{kernel = [7, 7], stride = [2, 2], pad = [3, 3, 3, 3], frac_bits = 5}";
constexpr const char* kVgg = "{kernel = [3, 3], pad = [1, 1, 1, 1], frac_bits = 5}";
BENCHMARK_CAPTURE(PackUnfolded, resnet18, kResNet)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Copy, resnet18, kResNet)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(PackUnfolded, vgg16, kVgg)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Copy, vgg16, kVgg)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace vta

BENCHMARK_MAIN();
