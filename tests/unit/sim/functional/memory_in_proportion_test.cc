// SPDX-License-Identifier: Apache-2.0
//
// The memory that a run takes, over random programs. A stranger may send one to a server, so it
// must be in proportion to what was sent. That is at most kBaseBytes + 4 times the program and its
// micro-ops + the arena, and at most kKeptBytes after the run. The test counts the live heap.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <random>

#include "base/errors/error.h"
#include "hw/isa/program_bytes.h"
#include "runtime/program/stream_races.h"
#include "sim/functional/checked_streams.h"
#include "sim/functional/functional_device.h"
#include "tests/support/test_count.h"

namespace {

std::atomic<int64_t> live_bytes = 0, peak_bytes = 0;

void* counted(void* block) {
  if (block == nullptr) throw std::bad_alloc();
  const auto size = static_cast<int64_t>(malloc_usable_size(block));
  const int64_t now = live_bytes += size;
  if (now > peak_bytes) peak_bytes = now;
  return block;
}
void release(void* block) {
  live_bytes -= static_cast<int64_t>(malloc_usable_size(block));
  std::free(block);
}

}  // namespace

void* operator new(size_t size) { return counted(std::malloc(std::max<size_t>(size, 1))); }
void* operator new(size_t size, std::align_val_t alignment) {
  const auto align = static_cast<size_t>(alignment);
  return counted(
      std::aligned_alloc(align, (std::max<size_t>(size, 1) + align - 1) / align * align));
}
void operator delete(void* block) noexcept { release(block); }
void operator delete(void* block, size_t) noexcept { release(block); }
void operator delete(void* block, std::align_val_t) noexcept { release(block); }
void operator delete(void* block, size_t, std::align_val_t) noexcept { release(block); }

namespace vta::sim {
namespace {

constexpr int64_t kBaseBytes = int64_t{32} << 20;  // mostly the history of a slice of DRAM
constexpr int64_t kKeptBytes = int64_t{1} << 20;
constexpr uint64_t kProgramOffset = 65536;  // after all micro-ops
constexpr uint32_t kMaxLog2Instructions = 11;

class RandomProgram {
 public:
  RandomProgram(const CoreConfig& core, uint64_t seed) : core_(core), random_(seed) {
    arena_bytes = uint64_t{1} << from(18, 26);
    const uint32_t kinds = from(1, 7);  // a set of kinds: single kinds have no races
    const uint32_t most = static_cast<uint32_t>((arena_bytes - kProgramOffset) / 16 - 1);
    // As many short streams as long ones, because short ones are quick.
    const uint32_t count = std::min(from(1, 2U << from(0, kMaxLog2Instructions)), most);
    while (stream.size() < count) {
      const uint32_t kind = from(0, 2);
      if ((kinds >> kind & 1) != 0) stream.push_back(isa::encode(instruction(kind), core_));
    }
    stream.push_back(isa::encode(isa::Instruction{}, core_));  // FINISH
  }

  uint64_t arena_bytes;
  std::vector<isa::InstructionBits> stream;

 private:
  uint32_t from(uint32_t first, uint32_t last) {
    return std::uniform_int_distribution<uint32_t>(first, last)(random_);
  }

  isa::Instruction instruction(uint32_t kind) {
    if (kind == 0) return micro_op_load();
    isa::Instruction transfer = rows_of(kind == 1 ? isa::kOut : isa::kInp);
    transfer.opcode = kind == 1 ? isa::kStore : isa::kLoad;
    return transfer;
  }
  isa::Instruction micro_op_load() {
    isa::Instruction load;
    load.opcode = isa::kLoad;
    load.memory = isa::kUop;
    load.x_size = from(1, 3) == 1 ? from(1, core_.uop_depth()) : core_.uop_depth();
    load.y_size = load.x_stride = 1;
    return load;
  }
  // Many rows of few elements, at any place of the arena.
  isa::Instruction rows_of(uint32_t memory) {
    const bool out = memory == isa::kOut;
    const uint32_t depth = out ? core_.acc_depth() : core_.inp_depth();
    const uint64_t elem = out ? core_.out_elem_bytes() : core_.inp_elem_bytes();
    isa::Instruction rows;
    rows.memory = memory;
    rows.x_size = from(1, 4);
    rows.y_size = std::min(from(1, depth / rows.x_size), 65535u);
    rows.x_stride = rows.x_size + from(0, 3);
    const uint64_t begin = (kProgramOffset + 65536) / elem, end = arena_bytes / elem;
    const uint64_t span = uint64_t{rows.y_size} * rows.x_stride;
    if (begin + span >= end) rows.y_size = 1;
    const uint64_t last = end - std::min(end - begin, uint64_t{rows.y_size} * rows.x_stride);
    rows.dram_base = from(static_cast<uint32_t>(begin), static_cast<uint32_t>(last));
    return rows;
  }

  const CoreConfig& core_;
  std::mt19937_64 random_;
};

// Runs the program; an error, such as a race, is a result.
void run(driver::Device& device, driver::DeviceAddress arena, const RandomProgram& program) {
  driver::RunRequest request{arena, program.arena_bytes, kProgramOffset,
                             static_cast<uint32_t>(program.stream.size()),
                             std::chrono::seconds(60)};
  try {
    device.run(request);
  } catch (const Error& error) {
    EXPECT_NE(error.code(), ErrorCode::kOutOfMemory) << error.what();
  }
}

class MemoryOnACore : public testing::TestWithParam<const char*> {};

TEST_P(MemoryOnACore, IsInProportionToProgramAndArena) {
  const support::Seeds seeds = support::test_seeds(1, 20);
  const CoreConfig core = load_core_config(GetParam());
  const auto device = open_functional_device("functional", core);
  for (uint64_t seed = seeds.begin; seed < seeds.end; ++seed) {
    SCOPED_TRACE(fmt::format("VTA_TEST_SEED={}", seed));
    const RandomProgram program(core, seed);
    const auto arena = device->allocate(program.arena_bytes);
    device->copy_in({arena.bytes + kProgramOffset}, isa::bytes_of(program.stream));
    const int64_t before = live_bytes;
    peak_bytes = before;
    run(*device, arena, program);
    const auto uploaded = static_cast<int64_t>(16 * program.stream.size());
    EXPECT_LE(peak_bytes - before,
              kBaseBytes + 4 * uploaded + static_cast<int64_t>(program.arena_bytes));
    EXPECT_LE(live_bytes - before, kKeptBytes);
    device->free(arena);
  }
}

INSTANTIATE_TEST_SUITE_P(Cores, MemoryOnACore, testing::Values("tiny_1x8", "vta_1x16"));

// The order of slices must not change which race is found.
TEST(MemoryOfARun, SlicesOfDramFindTheRaceOfTheWhole) {
  const support::Seeds seeds = support::test_seeds(1, 20);
  const CoreConfig core = load_core_config("tiny_1x8");
  size_t races = 0;
  for (uint64_t seed = seeds.begin; seed < seeds.end; ++seed) {
    SCOPED_TRACE(fmt::format("VTA_TEST_SEED={}", seed));
    const RandomProgram program(core, seed);
    const std::vector<uint8_t> arena(program.arena_bytes);
    const StreamMemory memory{arena, program.arena_bytes};
    const auto whole = find_flaws(program.stream, core, memory, {}, UINT64_MAX).race;
    const auto sliced = find_flaws(program.stream, core, memory, {}, 1 << 16).race;
    ASSERT_EQ(whole.has_value(), sliced.has_value());
    if (!whole) continue;
    ++races;
    EXPECT_EQ(whole->second_index, sliced->second_index);
  }
  EXPECT_TRUE(races > 0 || seeds.end - seeds.begin < 20);
}

TEST(MemoryOfARun, LooksAtTheTimeWithEachLoadOfMicroOps) {
  const CoreConfig core = load_core_config("vta_1x16");
  auto stream =
      isa::assemble("load.uop sram=0 dram=0 size=[1,8192] stride=1\nfinish\n", "test", core);
  constexpr int kLoads = 500;
  stream.insert(stream.begin(), kLoads - 1, stream[0]);
  const std::vector<uint8_t> arena(kProgramOffset);
  CheckedStreams checked(core);
  for (const char* const which : {"first", "remembered"}) {
    int looks = 0;
    EXPECT_EQ(checked.flaw_of(stream, arena, 0, [&] { ++looks; }), "");
    EXPECT_GE(looks, kLoads) << which;
  }
}

}  // namespace
}  // namespace vta::sim
