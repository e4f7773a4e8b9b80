// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/random/process_writer.h"

namespace vta::kernels {

// The server owns the memory meanwhile.
bool ProcessWriter::exchange(Place place) {
  if (!plan_.asks || (place.pipelined && place.rank != kSteady)) return false;
  if (!take(budget_.reads, plan_.asks->ask, place)) return false;
  text_.line("{}.push();", plan_.asks->ask);
  text_.line("{}.pop();", plan_.asks->answer);
  return true;
}

void ProcessWriter::serve(Place place, int64_t count) {
  const ServicePlan& service = *plan_.serves;
  text_.line("{}.pop();", service.ask);
  body(place, count);
  text_.line("{} = {}({});", service.said.name, unsigned_type(service.said.bits), plan_.sum);
  text_.line("{}.push();", service.answer);
}

// A burst of one to eight beats; all of them must be read.
void ProcessWriter::read_burst(Place place) {
  const size_t before = scope();
  const std::string beats = fresh("n"), i = fresh("i"), beat = fresh("b");
  const uint32_t base = plan_.dram->reads_own && random_.chance(50) ? plan_.dram->own_bytes : 0;
  const Expression at = expressions_.masked(63, kAnything, 1);
  const Expression count = expressions_.masked(7, kAnything, 1);
  text_.line("const uint8_t {} = uint8_t({} + 1);", beats, count.text);
  text_.line("{}.request({}u + 8u * uint32_t({}), {});", plan_.dram->source, base, at.text, beats);
  text_.open("for (uint8_t {0} = 0; {0} < {1}; ++{0})", i, beats);
  declare(i, 8, false, kSteady);
  const std::vector<Variable> around = expressions_.variables();
  const auto interval = static_cast<int>(random_.between(1, 3));
  text_.line("HLS_PIPELINE({});", interval);
  place = enter_pipeline(interval);
  text_.line("const uint64_t {} = {}.read();", beat, plan_.dram->source);
  declare(beat, 64, false, kStreamData);
  body(place, random_.between(1, 3));
  expressions_.variables() = around;
  text_.close();
  leave(before);
}

void ProcessWriter::write_burst(Place place) {
  const size_t before = scope();
  const std::string beats = fresh("n"), i = fresh("i");
  const Expression at = expressions_.masked(63, kAnything, 1);
  const Expression count = expressions_.masked(7, kAnything, 1);
  text_.line("const uint8_t {} = uint8_t({} + 1);", beats, count.text);
  text_.line("{}.request({}u + 8u * uint32_t({}), {});", plan_.dram->target, plan_.dram->own_bytes,
             at.text, beats);
  text_.open("for (uint8_t {0} = 0; {0} < {1}; ++{0})", i, beats);
  declare(i, 8, false, kSteady);
  const std::vector<Variable> around = expressions_.variables();
  const auto interval = static_cast<int>(random_.between(1, 3));
  text_.line("HLS_PIPELINE({});", interval);
  place = enter_pipeline(interval);
  body(place, random_.between(1, 3));
  text_.line("{}.write({});", plan_.dram->target, expressions_.integer(64, kAnything, 2).text);
  expressions_.variables() = around;
  text_.close();
  if (plan_.dram->reads_own || random_.chance(50))
    text_.line("{}.wait_responses();", plan_.dram->target);
  leave(before);
}

}  // namespace vta::kernels
