// SPDX-License-Identifier: Apache-2.0
//
// The testbench of a kernel, after its instantiation in the same file and hidden from hlsc:
//
//   #ifndef __HLSC__
//   #include "hw/hls/testbench.h"
//   HLS_TESTBENCH(Fir<>) {
//     process(&K::run);                                     // each HLS_PROCESS
//     for (int i = 0; i < 100; ++i) put(&K::in, i);         // the items of each input stream
//     expect(&K::out, {1, 2, 3});                           // or output(&K::out): no expectation
//   }
//   #endif
//
// Compiled natively the file is a program that runs the kernel and checks what is expected;
// `vta-hlsc cosim` also compares each output stream with the Verilog (cosimulation.h).
#ifndef VTA_HW_HLS_TESTBENCH_H_
#define VTA_HW_HLS_TESTBENCH_H_

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "hw/hls/fiber.h"
#include "hw/hls/stream.h"

namespace hls {

using item_bytes = std::vector<uint8_t>;  // in memory layout; a token has none

// What goes in and comes out, by name.
struct test_vectors {
  std::map<std::string, std::vector<item_bytes>> inputs, outputs, expected;  // of streams
  std::map<std::string, item_bytes> constants;                               // of HLS_INPUTs
};

inline std::string text_of(const item_bytes& item) {
  std::string text = "0x";
  constexpr const char* kDigits = "0123456789abcdef";
  for (size_t i = item.size(); i-- > 0;) {
    text += kDigits[item[i] >> 4];
    text += kDigits[item[i] & 15];
  }
  return text;
}

// Empty if the items are those wanted; more may follow, whose number is returned in `surplus`.
inline std::string difference_of(const std::string& stream, const std::vector<item_bytes>& items,
                                 const std::vector<item_bytes>& wanted, size_t& surplus) {
  for (size_t i = 0; i < items.size() && i < wanted.size(); ++i) {
    if (items[i] == wanted[i]) continue;
    return stream + ": item " + std::to_string(i) + " is " + text_of(items[i]) + ", expected " +
           text_of(wanted[i]);
  }
  surplus = items.size() - std::min(items.size(), wanted.size());
  if (items.size() >= wanted.size()) return "";
  return stream + ": " + std::to_string(items.size()) + " items, expected " +
         std::to_string(wanted.size());
}

template <class Kernel>
class testbench {
 public:
  virtual ~testbench() = default;

  // Runs the kernel until all its processes wait. Errors: false, and a line on stderr.
  bool run() {
    describe();
    for (auto& [name, body] : fibers_) scheduler_.add(name.c_str(), std::move(body));
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    if (!scheduler_.run(deadline)) return fails("the kernel does not end within 60 s");
    for (const process_state& state : scheduler_.states()) {
      if (state.name != "source" || state.waits_at == nullptr || !state.for_space) continue;
      return fails(std::string(state.waits_at->name()) + ": the kernel does not read all items" +
                   open_ends());
    }
    for (const auto& [stream, wanted] : vectors_.expected) {
      size_t surplus = 0;
      const std::string found = difference_of(stream, vectors_.outputs[stream], wanted, surplus);
      if (!found.empty()) return fails(found + open_ends());
      if (surplus > 0) return fails(stream + ": " + std::to_string(surplus) + " items too many");
    }
    return true;
  }
  const test_vectors& vectors() const { return vectors_; }

 protected:
  using K = Kernel;
  virtual void describe() = 0;

  void process(void (K::*body)()) {
    fibers_.emplace_back("process", [this, body] { (kernel_.get()->*body)(); });
  }
  template <class T, int depth>
  void put(stream<T, depth> K::* member, const std::type_identity_t<T>& item) {
    put_item(kernel_.get()->*member, item);
  }
  // To element `index` of an array of streams.
  template <class T, int count, int depth>
  void put(streams<T, count, depth> K::* member, int index, const std::type_identity_t<T>& item) {
    put_item((kernel_.get()->*member)[index], item);
  }
  template <int depth>
  void put(token_queue<depth> K::* member, size_t count) {
    auto& source = kernel_.get()->*member;
    const auto [found, is_new] = vectors_.inputs.try_emplace(source.name());
    auto& tokens = found->second;
    tokens.resize(tokens.size() + count);
    if (!is_new) return;
    fibers_.emplace_back("source", [&source, &tokens] {
      for (size_t i = 0; i < tokens.size(); ++i) source.push();
    });
  }
  template <class T, int depth>
  void output(stream<T, depth> K::* member) {
    output_of(kernel_.get()->*member);
  }
  template <class T, int count, int depth>
  void output(streams<T, count, depth> K::* member) {
    for (stream<T, depth>& sink : kernel_.get()->*member) output_of(sink);
  }
  template <int depth>
  void output(token_queue<depth> K::* member) {
    auto& sink = kernel_.get()->*member;
    const auto [found, is_new] = vectors_.outputs.try_emplace(sink.name());
    auto& items = found->second;
    if (!is_new) return;
    fibers_.emplace_back("sink", [&sink, &items] {
      for (;;) sink.pop(), items.emplace_back();
    });
  }
  // All items of an output stream; may be called several times, for items in order.
  template <class T, int depth>
  void expect(stream<T, depth> K::* member, const std::vector<std::type_identity_t<T>>& items) {
    output(member);
    auto& wanted = vectors_.expected[(kernel_.get()->*member).name()];
    for (const T& item : items) wanted.push_back(bytes_of(item));
  }
  // Sets an HLS_INPUT, whose name a member does not know.
  template <class T>
  void set(const char* name, T K::* member, const std::type_identity_t<T>& value) {
    // vta-hlsc makes an input of each field of a structure.
    static_assert(std::is_integral_v<T> || std::is_enum_v<T>, "set() takes an integer");
    kernel_.get()->*member = value;
    vectors_.constants[name] = bytes_of(value);
  }

 private:
  template <class T, int depth>
  void put_item(stream<T, depth>& source, const T& item) {
    const auto [found, is_new] = vectors_.inputs.try_emplace(source.name());
    auto& items = found->second;
    items.push_back(bytes_of(item));
    if (!is_new) return;
    fibers_.emplace_back("source", [&source, &items] {
      for (const item_bytes& bytes : items) source.write(value_of<T>(bytes));
    });
  }
  template <class T, int depth>
  void output_of(stream<T, depth>& sink) {
    const auto [found, is_new] = vectors_.outputs.try_emplace(sink.name());
    auto& items = found->second;
    if (!is_new) return;
    fibers_.emplace_back("sink", [&sink, &items] {
      for (;;) items.push_back(bytes_of(sink.read()));
    });
  }
  // Streams at which a process waits, and whose other end is not in the testbench. If no process
  // has it either, one is missing: a template needs an instance.
  std::string open_ends() const {
    std::string text;
    for (const process_state& state : scheduler_.states()) {
      if (state.name != "process" || state.waits_at == nullptr) continue;
      const std::string stream = state.waits_at->name();
      const auto& known = state.for_space ? vectors_.outputs : vectors_.inputs;
      if (known.contains(stream)) continue;
      text += "; a process waits for " +
              (state.for_space ? "space in " + stream + ": does a process or output() read it?"
                               : "an item of " + stream + ": does a process or put() write it?");
    }
    return text;
  }
  template <class T>
  static item_bytes bytes_of(const T& value) {
    static_assert(std::has_unique_object_representations_v<T>, "an item with padding");
    const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
    return {bytes, bytes + sizeof(T)};
  }
  template <class T>
  static T value_of(const item_bytes& bytes) {
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  static bool fails(const std::string& what) {
    std::fprintf(stderr, "native run: %s\n", what.c_str());
    return false;
  }

  std::unique_ptr<K> kernel_{new K()};  // zero-initialized, as after a reset; may have large RAMs
  test_vectors vectors_;
  std::vector<std::pair<std::string, std::function<void()>>> fibers_;
  scheduler scheduler_;  // is destroyed first: its processes use the kernel
};

// Where clang checks the index of an array (-fsanitize=bounds), as its sanitizers describe it.
struct checked_place {
  const char* file;
  uint32_t line, column;
};

// Runs the Verilog on the same items (cosimulation.h). Returns an exit status.
int cosimulate(const test_vectors& vectors, int argc, char** argv);

}  // namespace hls

// What code of -fsanitize=bounds -fno-sanitize-recover=bounds -fno-sanitize-link-runtime calls,
// here without a library. Such an access is undefined in C++: natively it reaches other members,
// and hardware ignores it or accesses some entry.
extern "C" [[noreturn, gnu::weak]] void __ubsan_handle_out_of_bounds_abort(const void* place,
                                                                           uintptr_t index) {
  const auto* at = static_cast<const hls::checked_place*>(place);
  std::fprintf(stderr, "native run: %s:%u: index %lld is outside the array\n", at->file,
               static_cast<unsigned>(at->line), static_cast<long long>(index));
  std::exit(1);
}

#ifdef HLS_COSIMULATION
#define HLS_AFTER_NATIVE_RUN(bench) ::hls::cosimulate((bench).vectors(), argc, argv)
#else
#define HLS_AFTER_NATIVE_RUN(bench) (static_cast<void>(argc), static_cast<void>(argv), 0)
#endif

#define HLS_TESTBENCH(...)                                \
  namespace {                                             \
  struct hls_bench : ::hls::testbench<__VA_ARGS__> {      \
    void describe() override;                             \
  };                                                      \
  }                                                       \
  int main(int argc, char** argv) {                       \
    hls_bench bench;                                      \
    return bench.run() ? HLS_AFTER_NATIVE_RUN(bench) : 1; \
  }                                                       \
  void hls_bench::describe()

#endif  // VTA_HW_HLS_TESTBENCH_H_
