// SPDX-License-Identifier: Apache-2.0
//
// Program files with wrong structure and right checksums: fields of the JSON header and of
// instructions that are changed, swapped, repeated or left out. What the reader accepts runs in a
// session, which ends with a result or an error.
//   VTA_TEST_SEED, VTA_TEST_COUNT: seeds (tests/support/test_count.h)
#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/numbers/random.h"
#include "base/numbers/round_up.h"
#include "compiler/lower/passes.h"
#include "compiler/quantize/quantize.h"
#include "hw/isa/program_bytes.h"
#include "runtime/host/host_operators.h"
#include "sim/functional/functional_device.h"
#include "tests/support/error_in.h"
#include "tests/support/program_preamble.h"
#include "tests/support/random_network.h"
#include "tests/support/test_count.h"
#include "tests/unit/compiler/lower/core_run.h"

namespace vta::test {
namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<uint8_t>;

constexpr uint64_t kMaxArenaBytes = uint64_t{64} << 20;

// The functional device, whose runs end soon: a loop may have 2^28 iterations.
class ShortRuns : public driver::Device {
 public:
  ShortRuns(const CoreConfig& core, std::chrono::milliseconds timeout)
      : device_(sim::open_functional_device("functional", core)), timeout_(timeout) {}
  driver::DeviceDescription describe() const override { return device_->describe(); }
  driver::DeviceAddress allocate(uint64_t size_bytes) override {
    return device_->allocate(size_bytes);
  }
  void free(driver::DeviceAddress address) override { device_->free(address); }
  void copy_in(driver::DeviceAddress dst, std::span<const uint8_t> src) override {
    device_->copy_in(dst, src);
  }
  void copy_out(std::span<uint8_t> dst, driver::DeviceAddress src) override {
    device_->copy_out(dst, src);
  }
  hw::Counters run(const driver::RunRequest& request) override {
    driver::RunRequest limited = request;
    limited.timeout = timeout_;
    return device_->run(limited);
  }

 private:
  const std::unique_ptr<driver::Device> device_;
  const std::chrono::milliseconds timeout_;
};

// A random network, compiled for tiny_1x8.
Program random_program(uint64_t seed) {
  RandomNetwork network(seed, RandomNetwork::Layers::kOdd);
  const graph::Graph exact = network.build();
  const TensorType type = exact.node(exact.inputs()[0]).type;
  const CoreConfig core = core_named("tiny_1x8");
  graph::Graph graph =
      quantize::quantize(exact, quantize::Method::kMse, {{network.tensor(type.shape, 1)}});
  lower::fuse_shortcut(graph, core);
  graph = lower::rebatch(graph, core);
  lower::partition(graph, core);
  return lower::lower(graph, core, lower::Mode::kFused, {.streams = lower::Streams::kMerged})
      .program;
}

// A program file in its parts.
struct File {
  explicit File(const Bytes& bytes) {
    uint64_t header_bytes = 0;
    std::memcpy(&header_bytes, &bytes[support::kHeaderBytesAt], sizeof header_bytes);
    preamble.assign(bytes.begin(), bytes.begin() + support::kHeaderAt);
    const auto header_at = bytes.begin() + support::kHeaderAt;
    const auto header_end = header_at + static_cast<ptrdiff_t>(header_bytes);
    header = Json::parse(header_at, header_end);
    data.assign(bytes.begin() + static_cast<ptrdiff_t>(round_up(support::kHeaderAt + header_bytes,
                                                                support::kDataAlignmentBytes)),
                bytes.end());
  }

  Bytes bytes() const {
    const std::string text = header.dump();
    Bytes file = preamble;
    file.insert(file.end(), text.begin(), text.end());
    file.resize(round_up(file.size(), support::kDataAlignmentBytes));
    file.insert(file.end(), data.begin(), data.end());
    const uint64_t file_bytes = file.size(), header_bytes = text.size();
    std::memcpy(&file[support::kFileBytesAt], &file_bytes, sizeof file_bytes);
    std::memcpy(&file[support::kHeaderBytesAt], &header_bytes, sizeof header_bytes);
    support::fix_checksum(file);
    return file;
  }

  Bytes preamble, data;
  Json header;
};

class Changer {
 public:
  Changer(File& file, const Program& program, uint64_t seed)
      : file_(file), program_(program), random_(seed) {}

  void change() {
    for (int64_t left = random_.between(1, 4); left > 0; --left) {
      if (random_.chance(25)) {
        change_instruction();
      } else {
        change_header();
      }
    }
  }

 private:
  Json& any_value() {
    Json* value = &file_.header;
    while (value->is_structured() && !value->empty() &&
           !(value != &file_.header && random_.chance(15)))
      value = &any_element(*value);
    return *value;
  }

  Json& any_element(Json& list) {
    auto element = list.begin();
    std::advance(element, random_.between(0, static_cast<int64_t>(list.size()) - 1));
    return *element;
  }

  void change_header() {
    Json& value = any_value();
    switch (random_.between(0, 3)) {
      case 0:
        if (value.is_structured() && !value.empty()) return change_list(value);
        [[fallthrough]];
      case 1:
        value = Json(any_value());
        return;
      default:
        value = value.is_number() ? changed(value) : Json(any_value());
    }
  }

  void change_list(Json& list) {
    if (list.is_object()) {
      auto element = list.begin();
      std::advance(element, random_.between(0, static_cast<int64_t>(list.size()) - 1));
      list.erase(element);
    } else if (random_.chance(40)) {
      std::swap(any_element(list), any_element(list));
    } else if (random_.chance(50)) {
      list.push_back(Json(any_element(list)));
    } else {
      list.erase(static_cast<size_t>(random_.between(0, static_cast<int64_t>(list.size()) - 1)));
    }
  }

  Json changed(const Json& number) {
    constexpr int64_t kValues[] = {-1, 0, 1, 2, 7, 8, 16, 64, 4096, 1 << 20, INT32_MAX, INT64_MAX};
    if (random_.chance(40)) return kValues[random_.between(0, std::size(kValues) - 1)];
    if (!number.is_number_integer()) return 0.5;
    const auto value = number.get<uint64_t>();
    const uint64_t near[] = {value + 1, value - 1, value * 2, value / 2, value + 16, value - 16};
    return near[random_.between(0, std::size(near) - 1)];
  }

  // One bit, or one field's worth of bits, of an instruction or a micro-op of the image.
  void change_instruction() {
    if (file_.data.empty()) return;
    for (int64_t left = random_.between(1, 3); left > 0; --left) {
      const auto at = static_cast<size_t>(random_.between(0, std::ssize(file_.data) - 1));
      const std::vector<StreamSteps> streams = streams_of(program_);
      size_t target = at;
      if (!streams.empty() && random_.chance(80)) {
        const StreamSteps stream =
            streams[static_cast<size_t>(random_.between(0, std::ssize(streams) - 1))];
        const ProgramStep& step = program_.steps[stream.first];
        const auto size = static_cast<int64_t>(stream_bytes(program_, stream).size());
        target = step.stream_offset_bytes + static_cast<size_t>(random_.between(0, size - 1));
      }
      if (target >= file_.data.size()) continue;
      if (random_.chance(70)) {
        file_.data[target] ^= static_cast<uint8_t>(1U << random_.between(0, 7));
      } else {
        file_.data[target] = static_cast<uint8_t>(random_.next());
      }
    }
  }

  File& file_;
  const Program& program_;
  Random random_;
};

std::vector<Tensor> zeros_for(const Program& program) {
  std::vector<Tensor> inputs;
  for (const ProgramInput& input : program.inputs)
    inputs.emplace_back(program.value(input.value).type);
  return inputs;
}

enum class End { kRefused, kFailed, kRan };

End use(const Bytes& bytes, std::chrono::milliseconds timeout = std::chrono::milliseconds(200)) {
  std::optional<Program> program;
  if (!error_in([&] { program = parse_program(bytes, "file"); }).empty()) return End::kRefused;
  if (program->arena_bytes > kMaxArenaBytes) return End::kRefused;
  const std::string error = error_in([&] {
    ShortRuns device(program->core, timeout);
    Session session(*program, device, host::execute);
    session.run(zeros_for(*program));
  });
  return error.empty() ? End::kRan : End::kFailed;
}

TEST(ProgramStructure, EndsWithAResultOrAnError) {
  constexpr uint64_t kSeedsOfAProgram = 50;
  const support::Seeds seeds = support::test_seeds(1, support::test_count(400));
  std::printf("seeds %" PRIu64 " to %" PRIu64 "\n", seeds.begin, seeds.end - 1);
  std::map<End, uint64_t> ends;
  std::optional<Program> program;
  Bytes original;
  uint64_t made_of = UINT64_MAX;
  for (uint64_t seed = seeds.begin; seed < seeds.end && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("VTA_TEST_SEED={}", seed));
    if (seed / kSeedsOfAProgram != made_of) {
      made_of = seed / kSeedsOfAProgram;
      program = random_program(made_of);
      original = serialize(*program);
      ASSERT_EQ(use(original, std::chrono::minutes(1)), End::kRan);
      ASSERT_EQ(File(original).bytes(), original);
    }
    File file(original);
    Changer(file, *program, seed).change();
    ++ends[use(file.bytes())];
  }
  std::printf("%" PRIu64 " refused, %" PRIu64 " failed, %" PRIu64 " ran\n", ends[End::kRefused],
              ends[End::kFailed], ends[End::kRan]);
  if (seeds.end - seeds.begin < 200) return;
  EXPECT_GT(ends[End::kRefused], 0u);
  EXPECT_GT(ends[End::kFailed], 0u);
  EXPECT_GT(ends[End::kRan], 0u);
}

}  // namespace
}  // namespace vta::test
