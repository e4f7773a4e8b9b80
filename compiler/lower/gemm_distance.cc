// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/gemm_distance.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "compiler/lower/conv_shape.h"
#include "compiler/lower/transfer.h"

namespace vta::lower {
namespace {

// More iterations are not unrolled if the loop can be cut instead: an instruction costs less than
// loading so many micro-ops.
constexpr int64_t kMaxUnrolled = 8;

// The accumulators take turns, in the order of their first micro-ops, until each has had all of its
// micro-ops.
struct Turns {
  std::vector<isa::Uop> uops;
  int64_t num_turns = 0;
  int64_t last_turn = 0;  // accumulators in the last turn; no turn has fewer
};

Turns take_turns(const std::vector<isa::Uop>& uops) {
  std::vector<std::vector<isa::Uop>> of_accumulator;
  std::map<uint32_t, size_t> place;
  for (const isa::Uop& uop : uops) {
    const auto [found, is_new] = place.try_emplace(uop.dst, of_accumulator.size());
    if (is_new) of_accumulator.emplace_back();
    of_accumulator[found->second].push_back(uop);
  }
  Turns turns;
  while (turns.uops.size() < uops.size()) {
    const auto turn = static_cast<size_t>(turns.num_turns++);
    turns.last_turn = 0;
    for (const auto& own : of_accumulator) {
      if (turn >= own.size()) continue;
      turns.uops.push_back(own[turn]);
      ++turns.last_turn;
    }
  }
  return turns;
}

// Iterations of both loops that become micro-ops.
struct Unrolled {
  int64_t out = 1, in = 1;
};

// The fewest iterations that are at least `least`, as factors of the loops; all if there are fewer.
Unrolled unrolled(const isa::Instruction& loops, int64_t least) {
  Unrolled best{loops.iter_out, loops.iter_in};
  for (int64_t out = 1; out <= loops.iter_out; ++out) {
    for (int64_t in = 1; loops.iter_out % out == 0 && in <= loops.iter_in; ++in) {
      if (loops.iter_in % in == 0 && out * in >= least && out * in < best.out * best.in)
        best = {out, in};
    }
  }
  return best;
}

// Cuts the longer loop in two, of which one has a multiple of `least` iterations; nullopt: it has
// too few.
std::optional<std::array<GemmKernel, 2>> cut(const GemmKernel& kernel, int64_t least) {
  const isa::Instruction& loops = kernel.loops;
  const bool is_outer = loops.iter_out > loops.iter_in;
  const int64_t iterations = is_outer ? loops.iter_out : loops.iter_in;
  const int64_t last = least + iterations % least, first = iterations - last;
  if (first < least) return std::nullopt;
  std::array<GemmKernel, 2> parts{kernel, kernel};
  const auto advance = [&](uint32_t& index, uint32_t factor_out, uint32_t factor_in) {
    index += u32(first) * (is_outer ? factor_out : factor_in);
  };
  for (isa::Uop& uop : parts[1].uops) {
    advance(uop.dst, loops.dst_factor_out, loops.dst_factor_in);
    advance(uop.src, loops.src_factor_out, loops.src_factor_in);
    advance(uop.wgt, loops.wgt_factor_out, loops.wgt_factor_in);
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    isa::Instruction& part = parts[i].loops;
    (is_outer ? part.iter_out : part.iter_in) = u32(i == 0 ? first : last);
  }
  return parts;
}

std::vector<isa::Uop> unroll(const std::vector<isa::Uop>& uops, const isa::Instruction& loops,
                             const Unrolled& by) {
  std::vector<isa::Uop> result;
  for (const isa::Uop& uop : uops) {
    for (uint32_t out = 0; out < by.out; ++out) {
      for (uint32_t in = 0; in < by.in; ++in) {
        result.push_back({uop.dst + out * loops.dst_factor_out + in * loops.dst_factor_in,
                          uop.src + out * loops.src_factor_out + in * loops.src_factor_in,
                          uop.wgt + out * loops.wgt_factor_out + in * loops.wgt_factor_in});
      }
    }
  }
  return result;
}

// What is left of a loop of which `by` iterations are unrolled.
void shorten(uint32_t& iterations, int64_t by, std::initializer_list<uint32_t*> factors) {
  iterations /= static_cast<uint32_t>(by);
  for (uint32_t* factor : factors) *factor = iterations > 1 ? u32(*factor * by) : 0;
}

void unroll_loops(GemmKernel& kernel, const Unrolled& by) {
  isa::Instruction& loops = kernel.loops;
  kernel.uops = unroll(kernel.uops, loops, by);
  shorten(loops.iter_out, by.out,
          {&loops.dst_factor_out, &loops.src_factor_out, &loops.wgt_factor_out});
  shorten(loops.iter_in, by.in, {&loops.dst_factor_in, &loops.src_factor_in, &loops.wgt_factor_in});
}

// Parts of consecutive micro-ops, which keep the distances.
std::vector<GemmKernel> parts_of(const GemmKernel& kernel, int64_t max_uops) {
  std::vector<GemmKernel> parts;
  const auto& uops = kernel.uops;
  const auto size = static_cast<size_t>(max_uops);
  for (size_t first = 0; first < uops.size(); first += size) {
    const auto begin = uops.begin() + static_cast<ptrdiff_t>(first);
    const auto end = begin + static_cast<ptrdiff_t>(std::min(size, uops.size() - first));
    parts.push_back({kernel.loops, {begin, end}});
  }
  return parts;
}

}  // namespace

std::vector<GemmKernel> separated(const GemmKernel& kernel, int64_t distance, int64_t max_uops) {
  const Turns turns = take_turns(kernel.uops);
  GemmKernel whole{kernel.loops, turns.uops};
  if (turns.num_turns <= 1 || turns.last_turn >= distance) return parts_of(whole, max_uops);
  const int64_t least = ceil_div(distance, turns.last_turn);
  const Unrolled by = unrolled(whole.loops, least);
  if (by.out * by.in > kMaxUnrolled) {
    if (const auto cuts = cut(kernel, least)) {
      std::vector<GemmKernel> parts = separated((*cuts)[0], distance, max_uops);
      for (GemmKernel& part : separated((*cuts)[1], distance, max_uops))
        parts.push_back(std::move(part));
      return parts;
    }
  }
  unroll_loops(whole, by);
  return parts_of(whole, max_uops);
}

}  // namespace vta::lower
