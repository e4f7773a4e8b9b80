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

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <type_traits>

#include "base/numbers/random.h"
#include "hw/hls/burst.h"
#include "hw/hls/fiber.h"
#include "hw/hls/stream.h"
#include "tests/hls/trial.h"

namespace vta::kernels {

// What does not depend on the kernel's types. Each kernel is compiled when a test runs or in a file
// of its own, where templates, std::function above all, took longer than the kernel itself.
class Testbench {
 public:
  virtual ~Testbench() = default;
  Trial run(uint64_t seed);

 protected:
  // A process, a source or a sink. `body` knows the types.
  struct Fiber {
    void (*body)(const Fiber&);
    void* object;                                           // the kernel, or a stream of it
    std::vector<Item>* items = nullptr;                     // of the stream; not of a process
    std::array<std::byte, 2 * sizeof(void*)> process = {};  // a pointer to a member function
    void operator()() const { body(*this); }
  };

  virtual void describe(Random& random) = 0;

  void add(const char* name, const Fiber& fiber);
  // Items of an input; the first use adds the fiber.
  std::vector<Item>& input(const std::string& stream, Fiber source);
  // Items that follow once the kernel waits for input; not among the trial's inputs.
  std::vector<Item>& later_input(const std::string& stream, Fiber source);
  void output(const std::string& stream, Fiber sink);

  static Item bytes(const void* value, size_t size_bytes);
  static Item random_bytes(size_t size_bytes, Random& random);
  static void add_random_items(std::vector<Item>& items, size_t size_bytes, Random& random,
                               int count);
  // Sets an HLS_INPUT, by name: members do not know theirs.
  void constant(const char* name, void* member, const void* value, size_t size_bytes);
  // Random bytes, before any port().
  void dram(Random& random, size_t size_bytes);

  Trial trial_;

 private:
  void run_ahead();
  void run_until_quiet();

  hls::scheduler* scheduler_ = nullptr;  // while run() runs
  struct LaterInput {
    Fiber source;
    std::vector<Item> items;
  };
  std::map<std::string, LaterInput> later_inputs_;  // by stream; the fibers refer to the items
};

template <class Kernel>
class NativeBench : public Testbench {
 protected:
  using K = Kernel;
  using Testbench::constant;
  using Testbench::output;

  void process(void (K::*body)()) {
    Fiber fiber{[](const Fiber& f) {
                  void (K::*run)();
                  std::memcpy(&run, &f.process, sizeof(run));
                  (static_cast<K*>(f.object)->*run)();
                },
                &kernel_};
    static_assert(sizeof(body) == sizeof(fiber.process));
    std::memcpy(&fiber.process, &body, sizeof(body));
    add("process", fiber);
  }

  template <class T, int depth>
  void put(hls::stream<T, depth> K::* member, std::type_identity_t<T> item) {
    check_type<T>();
    input_of(member).push_back(bytes(&item, sizeof(T)));
  }
  // Items with random bits; they must not contain bool.
  template <class T, int depth>
  void put_any(hls::stream<T, depth> K::* member, Random& random, int count) {
    check_type<T>();
    add_random_items(input_of(member), sizeof(T), random, count);
  }
  // Input for Trial::outputs_ahead, after all of put() and put_any().
  template <class T, int depth>
  void put_any_later(hls::stream<T, depth> K::* member, Random& random, int count) {
    check_type<T>();
    add_random_items(later_input((kernel_.*member).name(), source_of(member)), sizeof(T), random,
                     count);
  }
  template <int depth>
  void put_tokens(hls::token_queue<depth> K::* member, int count) {
    using Tokens = hls::token_queue<depth>;
    Tokens& tokens = kernel_.*member;
    const auto body = [](const Fiber& f) {
      for (size_t i = 0; i < f.items->size(); ++i) static_cast<Tokens*>(f.object)->push();
    };
    input(tokens.name(), {body, &tokens}).resize(static_cast<size_t>(count));
  }

  template <class T, int depth>
  void output(hls::stream<T, depth> K::* member) {
    using Stream = hls::stream<T, depth>;
    check_type<T>();
    Stream& stream = kernel_.*member;
    const auto body = [](const Fiber& f) {
      for (;;) {
        const T item = static_cast<Stream*>(f.object)->read();
        f.items->push_back(bytes(&item, sizeof(T)));
      }
    };
    output(stream.name(), {body, &stream});
  }
  template <int depth>
  void output(hls::token_queue<depth> K::* member) {
    using Tokens = hls::token_queue<depth>;
    Tokens& tokens = kernel_.*member;
    const auto body = [](const Fiber& f) {
      for (;;) static_cast<Tokens*>(f.object)->pop(), f.items->push_back({});
    };
    output(tokens.name(), {body, &tokens});
  }

  template <class T>
  void constant(const char* name, T K::* member, std::type_identity_t<T> value) {
    check_type<T>();
    constant(name, &(kernel_.*member), &value, sizeof(T));
  }

  template <class Port>
  void port(Port K::* member) {
    (kernel_.*member).bind(trial_.dram_after.data());
  }

 private:
  template <class T>
  static void check_type() {
    static_assert(std::has_unique_object_representations_v<T>, "padding has no value");
  }
  template <class T, int depth>
  std::vector<Item>& input_of(hls::stream<T, depth> K::* member) {
    return input((kernel_.*member).name(), source_of(member));
  }
  template <class T, int depth>
  Fiber source_of(hls::stream<T, depth> K::* member) {
    using Stream = hls::stream<T, depth>;
    const auto body = [](const Fiber& f) {
      for (const Item& bytes : *f.items) {
        T item;
        std::memcpy(&item, bytes.data(), sizeof(T));
        static_cast<Stream*>(f.object)->write(item);
      }
    };
    return {body, &(kernel_.*member)};
  }

  K kernel_ = K();  // zero-initialized, as after a reset; may have large RAMs
};

}  // namespace vta::kernels

#define KERNEL(...)                                                                \
  namespace {                                                                      \
  struct Bench : ::vta::kernels::NativeBench<__VA_ARGS__> {                        \
    void describe(::vta::Random& random) override;                                 \
  };                                                                               \
  [[maybe_unused]] const bool registered =                                         \
      ::vta::kernels::add_kernel(__FILE__, [](uint64_t seed) {                     \
        return ::std::unique_ptr<::vta::kernels::Testbench>(new Bench)->run(seed); \
      });                                                                          \
  }                                                                                \
  void Bench::describe([[maybe_unused]] ::vta::Random& random)

#endif  // VTA_TESTS_HLS_NATIVE_BENCH_H_
