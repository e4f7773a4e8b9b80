// SPDX-License-Identifier: Apache-2.0
//
// The native testbench of a kernel. A kernel's file has, after the instantiation,
//
//   #ifndef __HLSC__
//   KERNEL(Fir<>) {
//     process(&K::run);                                            // every HLS_PROCESS
//     for (int i = 0; i < 100; ++i) put(&K::in, random.between(-9, 9));  // every input stream
//     output(&K::out);                                             // every output stream
//   }
//   #endif
#ifndef VTA_TESTS_HLS_NATIVE_BENCH_H_
#define VTA_TESTS_HLS_NATIVE_BENCH_H_

#include <cstring>
#include <memory>
#include <type_traits>

#include "hw/hls/burst.h"
#include "hw/hls/fiber.h"
#include "hw/hls/stream.h"
#include "runtime/base/error.h"
#include "runtime/base/random.h"
#include "tests/hls/trial.h"

namespace vta::kernels {

template <class Kernel>
class NativeBench {
 public:
  virtual ~NativeBench() = default;

  Trial run(uint64_t seed) {
    Random random(seed);
    describe(random);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    VTA_ASSERT(scheduler_.run(deadline), "the kernel does not end");
    for (const hls::process_state& state : scheduler_.states()) {
      VTA_ASSERT(state.waits_at == nullptr || !state.for_room,
                 "a kernel that does not read all its input");
    }
    return trial_;
  }

 protected:
  using K = Kernel;

  virtual void describe(Random& random) = 0;

  void process(void (K::*body)()) {
    scheduler_.add("process", [this, body] { (kernel_.get()->*body)(); });
  }

  template <class T, int depth>
  void put(hls::stream<T, depth> K::* member, std::type_identity_t<T> item) {
    hls::stream<T, depth>& stream = kernel_.get()->*member;
    std::vector<Item>& items = trial_.inputs[stream.name()];
    if (items.empty()) {
      scheduler_.add("source", [&stream, &items] {
        for (const Item& item : items) stream.write(value<T>(item));
      });
    }
    items.push_back(bytes(item));
  }
  // Items with random bits; they must not contain bool.
  template <class T, int depth>
  void put_any(hls::stream<T, depth> K::* member, Random& random, int count) {
    for (int i = 0; i < count; ++i) {
      Item item(sizeof(T));
      for (uint8_t& byte : item) byte = static_cast<uint8_t>(random.next());
      put(member, value<T>(item));
    }
  }
  template <int depth>
  void put_tokens(hls::token_queue<depth> K::* member, int count) {
    hls::token_queue<depth>& tokens = kernel_.get()->*member;
    trial_.inputs[tokens.name()].resize(static_cast<size_t>(count));
    scheduler_.add("source", [&tokens, count] {
      for (int i = 0; i < count; ++i) tokens.push();
    });
  }

  template <class T, int depth>
  void output(hls::stream<T, depth> K::* member) {
    hls::stream<T, depth>& stream = kernel_.get()->*member;
    std::vector<Item>& items = trial_.outputs[stream.name()];
    scheduler_.add("sink", [&stream, &items] {
      for (;;) items.push_back(bytes(stream.read()));
    });
  }
  template <int depth>
  void output(hls::token_queue<depth> K::* member) {
    hls::token_queue<depth>& tokens = kernel_.get()->*member;
    std::vector<Item>& items = trial_.outputs[tokens.name()];
    scheduler_.add("sink", [&tokens, &items] {
      for (;;) tokens.pop(), items.push_back({});
    });
  }

  // Sets an HLS_INPUT, by name: members do not know theirs.
  template <class T>
  void constant(const char* name, T K::* member, std::type_identity_t<T> item) {
    kernel_.get()->*member = item;
    trial_.constants[name] = bytes(item);
  }

  // Random bytes, before any port().
  void dram(Random& random, size_t size_bytes) {
    trial_.dram_before.resize(size_bytes);
    for (uint8_t& byte : trial_.dram_before) byte = static_cast<uint8_t>(random.next());
    trial_.dram_after = trial_.dram_before;
  }
  template <class Port>
  void port(Port K::* member) {
    (kernel_.get()->*member).bind(trial_.dram_after.data());
  }

 private:
  template <class T>
  static Item bytes(const T& item) {
    static_assert(std::has_unique_object_representations_v<T>, "padding has no value");
    Item result(sizeof(T));
    std::memcpy(result.data(), &item, sizeof(T));
    return result;
  }
  template <class T>
  static T value(const Item& item) {
    T result;
    std::memcpy(&result, item.data(), sizeof(T));
    return result;
  }

  std::unique_ptr<K> kernel_ = std::make_unique<K>();  // zero-initialized, as after a reset
  Trial trial_;
  hls::scheduler scheduler_;  // destroyed before the objects that its processes use
};

}  // namespace vta::kernels

#define KERNEL(...)                                                                          \
  namespace {                                                                                \
  struct Bench : ::vta::kernels::NativeBench<__VA_ARGS__> {                                  \
    void describe(::vta::Random& random) override;                                           \
  };                                                                                         \
  [[maybe_unused]] const bool registered =                                                   \
      ::vta::kernels::add_kernel(__FILE__, [](uint64_t seed) { return Bench().run(seed); }); \
  }                                                                                          \
  void Bench::describe([[maybe_unused]] ::vta::Random& random)

#endif  // VTA_TESTS_HLS_NATIVE_BENCH_H_
