// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/random/process_writer.h"

#include <algorithm>
#include <utility>

namespace vta::kernels {

void ProcessWriter::write() {
  for (const RegisterPlan& state : plan_.registers) {
    expressions_.variables().push_back(
        {state.name, state.bits, state.is_signed, state.rank, false, true});
  }
  for (const RegisterPlan& seen : plan_.seen) {
    expressions_.variables().push_back(
        {seen.name, seen.bits, seen.is_signed, kStreamData, false, true});
  }
  text_.open("HLS_PROCESS {}()", plan_.name);
  clear_memories();
  text_.open("for (;;)");
  round();
  text_.close();
  text_.close();
}

// The content of a memory after reset is unspecified: clear it.
void ProcessWriter::clear_memories() {
  for (const RamPlan& ram : plan_.rams) {
    if (ram.is_borrowed) continue;
    text_.open("for (uint32_t i = 0; i < {}; ++i)", ram.depth);
    text_.line("HLS_PIPELINE(1);");
    if (ram.lanes > 1) {
      text_.line("{}[i] = {}{{}};", ram.name, ram.word);
    } else {
      text_.line("{}[i] = {}(i * 37u);", ram.name, ram.word);
    }
    text_.close();
  }
}

void ProcessWriter::round() {
  Place place;
  if (plan_.interval != 0) {
    text_.line("HLS_PIPELINE({});", plan_.interval);
    place = enter_pipeline(plan_.interval);
  }
  if (plan_.serves) return serve(place, random_.between(2, 6));
  for (const StreamPlan& stream : plan_.inputs) {
    take(budget_.reads, stream.name, place);
    read_item(stream, place);
  }
  for (const StreamPlan& stream : plan_.outputs) take(budget_.writes, stream.name, place);
  const bool asks_first = random_.chance(50);
  if (asks_first) exchange(place);
  body(place, random_.between(3, 8));
  if (!asks_first) exchange(place);
  if (plan_.dram) write_burst(place), read_burst(place);
  for (const StreamPlan& stream : plan_.outputs) write_item(stream, plan_.sum);
}

// Variables from before the loop are known when an iteration starts, and do not change.
ProcessWriter::Place ProcessWriter::enter_pipeline(int interval) {
  for (Variable& variable : expressions_.variables()) {
    variable.is_assignable = false;
    if (!variable.is_register) variable.rank = kSteady;
  }
  budget_ = {};
  for (const StreamPlan& stream : plan_.inputs) budget_.reads[stream.name] = interval;
  for (const StreamPlan& stream : plan_.outputs) budget_.writes[stream.name] = interval;
  if (plan_.asks) budget_.reads[plan_.asks->ask] = interval;
  for (const RamPlan& ram : plan_.rams) {
    budget_.reads[ram.name] = budget_.writes[ram.name] = interval;
  }
  Place place;
  place.pipelined = true;
  place.loops = 0;
  return place;
}

// An iteration, of which every value is used.
void ProcessWriter::body(Place place, int64_t count) {
  const std::string around = std::exchange(trace_, fresh("t"));
  text_.line("uint32_t {} = 0;", trace_);
  block(place, count);
  text_.line("{0} = (({0} << 5) | ({0} >> 27)) + {1};", plan_.sum, trace_);
  trace_ = around;
}

// Names are in scope until its end.
void ProcessWriter::block(Place place, int64_t count) {
  const size_t before = scope();
  for (int64_t i = 0; i < count; ++i) statement(place);
  observe(before);
  leave(before);
}

void ProcessWriter::observe(size_t first) {
  std::string terms;
  for (size_t i = first; i < scope(); ++i) {
    const Variable& variable = expressions_.variables()[i];
    terms += terms.empty() ? "" : " ^ ";
    terms += fmt::format("uint32_t({})", variable.name);
    if (variable.bits == 64) terms += fmt::format(" ^ uint32_t(uint64_t({}) >> 32)", variable.name);
  }
  if (!terms.empty()) text_.line("{0} = (({0} << 5) | ({0} >> 27)) + ({1});", trace_, terms);
}

void ProcessWriter::statement(Place place) {
  using Statement = bool (ProcessWriter::*)(Place);
  constexpr Statement kStatements[] = {
      &ProcessWriter::local,           &ProcessWriter::local,        &ProcessWriter::assign,
      &ProcessWriter::update_register, &ProcessWriter::read_ram,     &ProcessWriter::write_ram,
      &ProcessWriter::update_ram,      &ProcessWriter::update_word,  &ProcessWriter::read_stream,
      &ProcessWriter::write_stream,    &ProcessWriter::write_stream, &ProcessWriter::unrolled_sum,
      &ProcessWriter::exchange,        &ProcessWriter::exchange};
  const int64_t kind = random_.between(0, 99);
  if (kind < 25 && place.loops > 0 && place.trips < 32) {
    if (plan_.dram && place.trips < 8 && random_.chance(30))
      return random_.chance(50) ? read_burst(place) : write_burst(place);
    return random_.chance(15) ? late_loop(place) : loop(place);
  }
  if (kind < 40 && place.branches > 0) return branch(place);
  if (kind < 43 && place.branches > 0) return choice(place);
  while (!(this->*kStatements[random_.between(0, 13)])(place)) {
  }
}

void ProcessWriter::branch(Place place) {
  const Expression condition = expressions_.condition(any_rank(place), 2);
  place.rank = std::max(place.rank, condition.rank);
  --place.branches;
  text_.open("if ({})", condition.text);
  block(place, random_.between(1, 3));
  text_.close();
  if (random_.chance(50)) return;
  text_.open("else");
  block(place, random_.between(1, 3));
  text_.close();
}

void ProcessWriter::choice(Place place) {
  const Expression selector = expressions_.masked(3, any_rank(place), 1);
  place.rank = std::max(place.rank, selector.rank);
  place.branches = 0;
  place.loops = std::min(place.loops, 1);
  text_.open("switch {}", selector.text);
  const int64_t cases = random_.between(1, 3);
  for (int64_t i = 0; i < cases; ++i) {
    text_.open("case {}:", i);
    block(place, random_.between(1, 2));
    if (random_.chance(70)) text_.line("break;");
    text_.close();
  }
  text_.open("default:");
  block(place, random_.between(1, 2));
  text_.close();
  text_.close();
}

int ProcessWriter::any_rank(Place place) {
  if (!place.pipelined) return kAnything;
  const int64_t kind = random_.between(0, 3);
  if (kind == 0) return kSteady;
  return kind == 1 ? kStreamData : kAnything;
}

void ProcessWriter::declare(const std::string& name, int bits, bool is_signed, int rank,
                            bool is_assignable) {
  expressions_.variables().push_back({name, bits, is_signed, rank, is_assignable, false});
}

bool ProcessWriter::take(std::map<std::string, int>& budget, const std::string& name, Place place) {
  if (!place.pipelined) return true;
  return budget[name]-- > 0;
}

}  // namespace vta::kernels
