// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/hls/random/process_writer.h"

namespace vta::kernels {

// Bounds are values from before the loop, and often 0.
void ProcessWriter::loop(Place place) {
  const size_t before = scope();
  --place.loops;
  int trips = (2 << random_.between(0, 2)) - 1;
  while (place.trips * trips > 63) trips /= 2;
  place.trips *= trips;
  const bool pipelined = place.loops == 0 || random_.chance(60);
  const std::string bound = fresh("n");
  const Expression count = expressions_.masked(static_cast<uint64_t>(trips), kAnything, 1);
  text_.line("const uint8_t {} = uint8_t{};", bound,
             random_.chance(30) ? fmt::format("({})", random_.between(0, trips)) : count.text);
  declare(bound, 8, false, kSteady);
  const int64_t kind = random_.between(0, 9);
  if (kind < 5) {
    counted_loop(bound, place, pipelined);
  } else if (kind < 8) {
    loop_with_address(bound, place, pipelined);
  } else if (kind < 9 || pipelined) {
    loop_with_test_at_end(bound, place, pipelined);
  } else {
    loop_until_data(bound, place);
  }
  leave(before);
}

void ProcessWriter::loop_body(Place place, bool pipelined) {
  const int64_t count = random_.between(2, 5);
  if (!pipelined) return body(place, count);
  const std::vector<Variable> around = expressions_.variables();
  const auto interval = static_cast<int>(std::max<int64_t>(1, random_.between(-1, 4)));
  text_.line("HLS_PIPELINE({});", interval);
  body(enter_pipeline(interval), count);
  expressions_.variables() = around;
}

void ProcessWriter::counted_loop(const std::string& bound, Place inner, bool pipelined) {
  const int bits = 8 << random_.between(0, 2);
  const std::string i = fresh("i"), type = unsigned_type(bits);
  if (random_.chance(70)) {
    text_.open("for ({0} {1} = 0; {1} < {2}; ++{1})", type, i, bound);
  } else {
    text_.open("for ({0} {1} = {2}; {1} != 0; --{1})", type, i, bound);
  }
  declare(i, bits, false, kSteady);
  loop_body(inner, pipelined);
  text_.close();
}

// A second counter, with start and step from before the loop.
void ProcessWriter::loop_with_address(const std::string& bound, Place inner, bool pipelined) {
  const int bits = 8 << random_.between(0, 2);
  const std::string i = fresh("i"), address = fresh("a"), step = fresh("d");
  const std::string type = unsigned_type(bits);
  text_.line("const {} {} = {};", type, step, expressions_.integer(bits, kAnything, 1).text);
  const Expression first = expressions_.integer(bits, kAnything, 1);
  text_.open("for ({0} {1} = 0, {2} = {3}; {1} < {4}; ++{1}, {2} = {0}({2} + {5}))", type, i,
             address, first.text, bound, step);
  declare(i, bits, false, kSteady);
  declare(address, bits, false, kSteady);
  loop_body(inner, pipelined);
  text_.close();
}

// At least two trips: LLVM removes a loop that never repeats, and HLS_PIPELINE would then apply to
// the enclosing loop.
void ProcessWriter::loop_with_test_at_end(const std::string& bound, Place inner, bool pipelined) {
  const std::string i = fresh("i");
  text_.line("uint16_t {} = 0;", i);
  declare(i, 16, false, kSteady);
  inner.trips *= 2;
  text_.open("do");
  loop_body(inner, pipelined);
  text_.close(fmt::format(" while (++{} < {} + 2);", i, bound));
}

void ProcessWriter::loop_until_data(const std::string& bound, Place inner) {
  const int bits = expressions_.any_width();
  const std::string i = fresh("i"), data = fresh("v"), type = unsigned_type(bits);
  text_.line("{} {} = {};", type, data, expressions_.integer(bits, kAnything, 2).text);
  declare(data, bits, false, kSteady, true);
  text_.open("for (uint8_t {0} = 0; {0} < {1} && {2} > {3}u; ++{0})", i, bound, data,
             random_.between(0, 100));
  declare(i, 8, false, kSteady);
  loop_body(inner, false);
  text_.line("{0} = {1}({0} >> 1);", data, type);
  text_.close();
}

// A register ends the loop, possibly some iterations late; those have no effect.
void ProcessWriter::late_loop(Place place) {
  const size_t before = scope();
  const RegisterPlan& stop = plan_.registers[0];
  const std::string i = fresh("i");
  text_.line("{} = {};", stop.name, expressions_.condition(kAnything, 1).text);
  text_.open("for (uint8_t {0} = 0; ({0} < {1}) & !HLS_LATE({2}); ++{0})", i, random_.between(1, 7),
             stop.name);
  declare(i, 8, false, kSteady);
  const std::vector<Variable> around = expressions_.variables();
  const auto interval = static_cast<int>(random_.between(1, 3));
  text_.line("HLS_PIPELINE({});", interval);
  Place inner = enter_pipeline(interval);
  text_.open("if (!{})", stop.name);
  inner.rank = stop.rank;
  inner.branches = place.branches;
  body(inner, random_.between(1, 4));
  text_.line("{} = {};", stop.name, expressions_.condition(kStreamData, 1).text);
  text_.close();
  expressions_.variables() = around;
  text_.close();
  leave(before);
}

// Unrolled: the loop is gone before scheduling.
bool ProcessWriter::unrolled_sum(Place place) {
  const std::string sum = fresh("v"), lane = fresh("l");
  const int bits = 16 << random_.between(0, 1), max_rank = any_rank(place);
  const std::string type = unsigned_type(bits);
  text_.line("{} {} = 0;", type, sum);
  text_.line("HLS_UNROLL");
  text_.open("for (uint32_t {0} = 0; {0} < {1}; ++{0})", lane, 2 << random_.between(0, 1));
  const size_t before = scope();
  declare(lane, 32, false, kSteady);
  const Expression term = expressions_.integer(bits, max_rank, 2);
  text_.line("{0} = {1}({0} + {2});", sum, type, term.text);
  leave(before);
  text_.close();
  declare(sum, bits, false, std::max(term.rank, place.rank), true);
  return true;
}

}  // namespace vta::kernels
