// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/hls/random/process_writer.h"

namespace vta::kernels {

bool ProcessWriter::local(Place place) {
  const std::string name = fresh("v");
  const bool changes = random_.chance(35);
  const char* constant = changes ? "" : "const ";
  if (random_.chance(15)) {
    const Expression value = expressions_.condition(any_rank(place), 2);
    text_.line("{}bool {} = {};", constant, name, value.text);
    declare(name, 1, false, std::max(value.rank, place.rank), changes);
    return true;
  }
  const int bits = expressions_.any_width();
  const bool is_signed = random_.chance(25);
  const Expression value = expressions_.integer(bits, any_rank(place), 3);
  text_.line("{}{} {} = {};", constant, type_of(bits, is_signed), name, value.text);
  declare(name, bits, is_signed, std::max(value.rank, place.rank), changes);
  return true;
}

bool ProcessWriter::assign(Place place) {
  std::vector<size_t> targets;
  for (size_t i = 0; i < scope(); ++i) {
    if (expressions_.variables()[i].is_assignable) targets.push_back(i);
  }
  if (targets.empty()) return false;
  const size_t target =
      targets[static_cast<size_t>(random_.between(0, static_cast<int64_t>(targets.size()) - 1))];
  const Variable before = expressions_.variables()[target];
  const Expression value = before.bits == 1 ? expressions_.condition(any_rank(place), 1)
                                            : expressions_.integer(before.bits, any_rank(place), 2);
  text_.line("{} = {};", before.name, value.text);
  expressions_.variables()[target].rank = std::max({before.rank, value.rank, place.rank});
  return true;
}

// The old value through one operation, or a new value.
std::string ProcessWriter::updated(const std::string& old, int bits, int max_rank) {
  constexpr const char* kOperators[] = {"+", "-", "^", "|", "&", "+"};
  const std::string before = fmt::format("{}({})", unsigned_type(bits), old);
  const Expression other = expressions_.integer(bits, max_rank, 2);
  const int64_t kind = random_.between(0, 7);
  if (kind == 7) return other.text;
  if (kind == 6) return fmt::format("({0} < {1} ? {0} : {1})", before, other.text);
  return narrowed(bits, fmt::format("{} {} {}", widened(bits, before), kOperators[kind],
                                    widened(bits, other.text)));
}

bool ProcessWriter::update_register(Place place) {
  const auto last = static_cast<int64_t>(plan_.registers.size()) - 1;
  const RegisterPlan& state = plan_.registers[static_cast<size_t>(random_.between(0, last))];
  if (!may_update(place, state.rank)) return false;
  const int max_rank = rank_below(place, state.rank);
  if (state.bits == 1) {
    text_.line("{} = {};", state.name, expressions_.condition(max_rank, 2).text);
  } else {
    text_.line("{} = {};", state.name, updated(state.name, state.bits, max_rank));
  }
  return true;
}

const RamPlan* ProcessWriter::any_ram() {
  if (plan_.rams.empty()) return nullptr;
  const auto last = static_cast<int64_t>(plan_.rams.size()) - 1;
  return &plan_.rams[static_cast<size_t>(random_.between(0, last))];
}

Expression ProcessWriter::index_of(const RamPlan& ram, Place place, int max_rank) {
  const auto mask = static_cast<uint64_t>(ram.depth - 1);
  return expressions_.masked(mask, std::min(max_rank, any_rank(place)), 1);
}

std::string ProcessWriter::lane_of(const RamPlan& ram, int max_rank, int& rank) {
  const auto mask = static_cast<uint64_t>(ram.lanes - 1);
  const Expression lane = expressions_.masked(mask, max_rank, 1);
  rank = std::max(rank, lane.rank);
  return random_.chance(50) ? lane.text : std::to_string(random_.between(0, ram.lanes - 1));
}

bool ProcessWriter::read_ram(Place place) {
  const RamPlan* ram = any_ram();
  if (ram == nullptr || !take(budget_.reads, ram->name, place)) return false;
  const Expression index = index_of(*ram, place, kAnything);
  int rank = std::max({index.rank, ram->rank, place.rank});
  const std::string name = fresh("m"), word = fmt::format("{}[{}]", ram->name, index.text);
  const int64_t kind = ram->lanes == 1 ? 0 : random_.between(1, ram->beats() > 0 ? 3 : 2);
  if (kind == 0) {
    text_.line("const {} {} = {};", ram->word, name, word);
    declare(name, ram->bits, false, rank);
  } else if (kind == 1) {
    text_.line("const {} {} = {};", ram->word, name, word);
    for (int i = 0; i < ram->lanes; ++i) {
      declare(fmt::format("{}.v[{}]", name, i), ram->bits, false, rank);
    }
  } else if (kind == 2) {
    const std::string lane = lane_of(*ram, kAnything, rank);
    text_.line("const {} {} = {}.v[{}];", unsigned_type(ram->bits), name, word, lane);
    declare(name, ram->bits, false, rank);
  } else {
    const auto beats = static_cast<uint64_t>(ram->beats());
    const Expression beat = expressions_.masked(beats - 1, kAnything, 1);
    text_.line("const uint64_t {} = ::hls::get_beat({}, {});", name, word, beat.text);
    declare(name, 64, false, std::max(rank, beat.rank));
  }
  return true;
}

bool ProcessWriter::write_ram(Place place) {
  const RamPlan* ram = any_ram();
  if (ram == nullptr || !may_update(place, ram->rank)) return false;
  if (!take(budget_.writes, ram->name, place)) return false;
  const int max_rank = rank_below(place, ram->rank);
  const Expression index = index_of(*ram, place, max_rank);
  const std::string word = fmt::format("{}[{}]", ram->name, index.text);
  const int64_t kind = ram->lanes == 1 ? 0 : random_.between(1, ram->beats() > 0 ? 3 : 2);
  if (kind == 0) {
    text_.line("{} = {};", word, expressions_.integer(ram->bits, max_rank, 2).text);
  } else if (kind == 1) {
    std::string lanes;
    for (int i = 0; i < ram->lanes; ++i) {
      lanes += (i == 0 ? "" : ", ") + expressions_.integer(ram->bits, max_rank, 1).text;
    }
    text_.line("{} = {}{{{{{}}}}};", word, ram->word, lanes);
  } else if (kind == 2) {
    int rank = kSteady;
    const std::string lane = lane_of(*ram, max_rank, rank);
    text_.line("{}.v[{}] = {};", word, lane, expressions_.integer(ram->bits, max_rank, 2).text);
  } else {
    const auto beats = static_cast<uint64_t>(ram->beats());
    const Expression beat = expressions_.masked(beats - 1, max_rank, 1);
    const Expression value = expressions_.integer(64, max_rank, 2);
    text_.line("::hls::set_beat({}, {}, {});", word, beat.text, value.text);
  }
  return true;
}

bool ProcessWriter::update_ram(Place place) {
  const RamPlan* ram = any_ram();
  if (ram == nullptr || !may_update(place, ram->rank)) return false;
  if (!take(budget_.reads, ram->name, place)) return false;
  if (!take(budget_.writes, ram->name, place)) return false;
  const int max_rank = rank_below(place, ram->rank);
  const Expression index = index_of(*ram, place, max_rank);
  std::string target = fmt::format("{}[{}]", ram->name, index.text);
  int rank = kSteady;
  if (ram->lanes > 1) target += ".v[" + lane_of(*ram, max_rank, rank) + "]";
  text_.line("{} = {};", target, updated(target, ram->bits, max_rank));
  return true;
}

// All lanes of a word at once, as in the core's accumulator updates.
bool ProcessWriter::update_word(Place place) {
  const RamPlan* ram = any_ram();
  if (ram == nullptr || ram->lanes == 1 || !may_update(place, ram->rank)) return false;
  if (!take(budget_.reads, ram->name, place)) return false;
  if (!take(budget_.writes, ram->name, place)) return false;
  const int max_rank = rank_below(place, ram->rank);
  const size_t before = scope();
  const Expression index = index_of(*ram, place, max_rank);
  const std::string at = fresh("i"), word = fresh("w"), lane = fresh("l");
  text_.open("");
  text_.line("const uint32_t {} = {};", at, index.text);
  text_.line("{} {} = {}[{}];", ram->word, word, ram->name, at);
  text_.line("HLS_UNROLL");
  text_.open("for (uint32_t {0} = 0; {0} < {1}; ++{0})", lane, ram->lanes);
  declare(lane, 32, false, kSteady);
  const std::string target = fmt::format("{}.v[{}]", word, lane);
  text_.line("{} = {};", target, updated(target, ram->bits, max_rank));
  text_.close();
  text_.line("{}[{}] = {};", ram->name, at, word);
  text_.close();
  leave(before);
  return true;
}

void ProcessWriter::read_item(const StreamPlan& stream, Place place) {
  const std::string name = fresh("x");
  text_.line("const {} {} = {}.read();", stream.item.name, name, stream.name);
  for (const ItemType::Field& field : stream.item.fields) {
    declare(name + field.suffix, field.bits, field.is_signed, std::max(kStreamData, place.rank));
  }
}

// In a pipelined loop, the predicate of a stream read must be known when the iteration starts.
bool ProcessWriter::read_stream(Place place) {
  if (plan_.inputs.empty()) return false;
  const StreamPlan& stream = plan_.inputs[0];
  if (stream.once_a_round || (place.pipelined && place.rank != kSteady)) return false;
  if (!take(budget_.reads, stream.name, place)) return false;
  read_item(stream, place);
  return true;
}

void ProcessWriter::write_item(const StreamPlan& stream, const std::string& more) {
  std::string fields;
  for (const ItemType::Field& field : stream.item.fields) {
    std::string value = expressions_.integer(field.bits, kAnything, 2).text;
    if (!more.empty()) value += " ^ " + more;
    fields += (fields.empty() ? "" : ", ") + type_of(field.bits, field.is_signed);
    fields += "(" + value + ")";
  }
  text_.line("{}.write({}{}{}{});", stream.name, stream.item.name, stream.item.braces[0], fields,
             stream.item.braces[1]);
}

bool ProcessWriter::write_stream(Place place) {
  if (plan_.outputs.empty()) return false;
  const auto last = static_cast<int64_t>(plan_.outputs.size()) - 1;
  const StreamPlan& stream = plan_.outputs[static_cast<size_t>(random_.between(0, last))];
  if (stream.once_a_round || !take(budget_.writes, stream.name, place)) return false;
  write_item(stream);
  return true;
}

}  // namespace vta::kernels
