// SPDX-License-Identifier: Apache-2.0
//
// GEMM micro-ops per second of the functional simulator, compared with a plain loop nest compiled
// with the same flags.
#include <benchmark/benchmark.h>

#include <map>
#include <memory>

#include "hw/isa/instruction.h"
#include "sim/functional/functional_device.h"

namespace vta {
namespace {

constexpr uint32_t kUops = 288, kIterOut = 14, kIterIn = 56;
constexpr uint64_t kMicroOps = uint64_t{kUops} * kIterOut * kIterIn;

// A 3x3 convolution tile: 9 * 8 reduction steps per pixel for 4 output blocks, 14 x 14 pixels,
// repeated four times.
std::vector<isa::InstructionBits> gemm_program(const CoreConfig& config,
                                               uint32_t uop_offset_bytes) {
  isa::Instruction load;
  load.opcode = isa::kLoad;
  load.memory = isa::kUop;
  load.dram_base = uop_offset_bytes / 4;
  load.y_size = 1;
  load.x_size = load.x_stride = kUops;
  isa::Instruction gemm;
  gemm.opcode = isa::kGemm;
  gemm.uop_end = kUops;
  gemm.iter_out = kIterOut;
  gemm.iter_in = kIterIn;
  gemm.dst_factor_out = 14;
  gemm.dst_factor_in = 1;
  gemm.src_factor_out = 16;
  gemm.src_factor_in = 1;
  isa::Instruction finish;
  return {isa::encode(load, config), isa::encode(gemm, config), isa::encode(finish, config)};
}

std::vector<uint32_t> gemm_uops(const CoreConfig& config) {
  std::vector<uint32_t> uops;
  for (uint32_t o = 0; o < 4; ++o) {
    for (uint32_t k = 0; k < kUops / 4; ++k) {
      uops.push_back(isa::encode(
          isa::Uop{o * 256, (k % 9) / 3 * 16 + k % 3 + k / 9 * 100, o * 72 + k}, config));
    }
  }
  return uops;
}

void FunctionalGemm(benchmark::State& state, const std::string& core_name) {
  const CoreConfig config = load_core_config(core_name);
  const auto device = sim::open_functional_device("functional", config);
  const auto program = gemm_program(config, 4096);
  const auto uops = gemm_uops(config);
  const driver::DeviceAddress arena = device->allocate(16384);
  const auto bytes_of = [](const auto& vector) {
    return std::span(reinterpret_cast<const uint8_t*>(vector.data()),
                     vector.size() * sizeof vector[0]);
  };
  device->copy_in(arena, bytes_of(program));
  device->copy_in({arena.bytes + 4096}, bytes_of(uops));
  driver::RunRequest request{arena, 16384, 0, static_cast<uint32_t>(program.size())};
  for (auto _ : state) benchmark::DoNotOptimize(device->run(request));
  state.counters["micro_ops/s"] = benchmark::Counter(static_cast<double>(kMicroOps),
                                                     benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK_CAPTURE(FunctionalGemm, vta_1x16, "vta_1x16")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(FunctionalGemm, vta_4x8, "vta_4x8")->Unit(benchmark::kMillisecond);

// The same work as four nested loops over arrays: the straightforward implementation.
void PlainLoopGemm(benchmark::State& state) {
  using Row = int8_t[16];
  using Matrix = int8_t[16][16];
  using Accumulator = int32_t[16];
  const auto inp = std::make_unique<Row[]>(2048);
  const auto wgt = std::make_unique<Matrix[]>(1024);
  const auto acc = std::make_unique<Accumulator[]>(2048);
  const CoreConfig config = load_core_config("vta_1x16");
  std::vector<isa::Uop> uops;
  for (const uint32_t bits : gemm_uops(config)) uops.push_back(isa::decode_uop(bits, config));
  for (auto _ : state) {
    for (uint32_t i = 0; i < kIterOut; ++i) {
      for (uint32_t j = 0; j < kIterIn; ++j) {
        for (const isa::Uop& uop : uops) {
          const uint32_t d = (uop.dst + i * 14 + j) & 2047, s = (uop.src + i * 16 + j) & 2047;
          for (int o = 0; o < 16; ++o) {
            for (int k = 0; k < 16; ++k) acc[d][o] += inp[s][k] * wgt[uop.wgt][o][k];
          }
        }
      }
    }
    benchmark::DoNotOptimize(acc.get());
    benchmark::ClobberMemory();
  }
  state.counters["micro_ops/s"] = benchmark::Counter(static_cast<double>(kMicroOps),
                                                     benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(PlainLoopGemm)->Unit(benchmark::kMillisecond);

// The console table, then the speedup of each core over the plain loop.
class RatioReporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      rates_[run.benchmark_name()] = run.counters.at("micro_ops/s").value;
    }
  }
  void Finalize() override {
    const auto plain = rates_.find("PlainLoopGemm");
    if (plain == rates_.end()) return;
    for (const auto& [name, rate] : rates_) {
      fmt::print("{:<30} {:6.1f} M micro-ops/s, {:.1f} times the plain loop\n", name, rate / 1e6,
                 rate / plain->second);
    }
  }

 private:
  std::map<std::string, double> rates_;
};

}  // namespace
}  // namespace vta

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  benchmark::AddCustomContext("compiler", __VERSION__);
#if defined(__AVX512BW__)
  benchmark::AddCustomContext("instruction_set", "AVX-512");
#elif defined(__AVX2__)
  benchmark::AddCustomContext("instruction_set", "AVX2");
#else
  benchmark::AddCustomContext("instruction_set", "baseline");
#endif
  vta::RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
}
