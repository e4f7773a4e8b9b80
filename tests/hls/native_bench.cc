// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/native_bench.h"

#include "base/errors/error.h"

namespace vta::kernels {

Trial Testbench::run(uint64_t seed) {
  hls::scheduler scheduler;  // destroyed before the kernel, which its processes use
  scheduler_ = &scheduler;
  Random random(seed);
  describe(random);
  run_until_quiet();
  if (!later_inputs_.empty()) run_ahead();
  return trial_;
}

void Testbench::run_until_quiet() {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  VTA_ASSERT(scheduler_->run(deadline), "the kernel does not end");
  for (const hls::process_state& state : scheduler_->states()) {
    VTA_ASSERT(state.waits_at == nullptr || !state.for_space,
               "a kernel that does not read all its input");
  }
}

void Testbench::run_ahead() {
  const Trial so_far = trial_;
  for (const auto& [stream, later] : later_inputs_) add("later source", later.source);
  run_until_quiet();
  for (auto& [name, items] : trial_.outputs) {
    const size_t ahead = so_far.outputs.at(name).size();
    trial_.outputs_ahead[name].assign(items.begin() + static_cast<ptrdiff_t>(ahead), items.end());
    items.resize(ahead);
  }
  trial_.dram_after = so_far.dram_after;
}

void Testbench::add(const char* name, const Fiber& fiber) { scheduler_->add(name, fiber); }

std::vector<Item>& Testbench::input(const std::string& stream, Fiber source) {
  const auto [found, is_new] = trial_.inputs.try_emplace(stream);
  source.items = &found->second;
  if (is_new) add("source", source);
  return found->second;
}

std::vector<Item>& Testbench::later_input(const std::string& stream, Fiber source) {
  LaterInput& later = later_inputs_[stream];
  later.source = source;
  later.source.items = &later.items;
  return later.items;
}

void Testbench::output(const std::string& stream, Fiber sink) {
  sink.items = &trial_.outputs[stream];
  add("sink", sink);
}

Item Testbench::bytes(const void* value, size_t size_bytes) {
  const auto* begin = static_cast<const uint8_t*>(value);
  return {begin, begin + size_bytes};
}

Item Testbench::random_bytes(size_t size_bytes, Random& random) {
  Item item(size_bytes);
  for (uint8_t& byte : item) byte = static_cast<uint8_t>(random.next());
  return item;
}

void Testbench::add_random_items(std::vector<Item>& items, size_t size_bytes, Random& random,
                                 int count) {
  for (int i = 0; i < count; ++i) items.push_back(random_bytes(size_bytes, random));
}

void Testbench::constant(const char* name, void* member, const void* value, size_t size_bytes) {
  std::memcpy(member, value, size_bytes);
  trial_.constants[name] = bytes(value, size_bytes);
}

void Testbench::dram(Random& random, size_t size_bytes) {
  trial_.dram_before = random_bytes(size_bytes, random);
  trial_.dram_after = trial_.dram_before;
}

}  // namespace vta::kernels
