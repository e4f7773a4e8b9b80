// SPDX-License-Identifier: Apache-2.0
//
// The code of one process: random statements around its streams, registers and memories.
#ifndef VTA_TESTS_HLS_RANDOM_PROCESS_WRITER_H_
#define VTA_TESTS_HLS_RANDOM_PROCESS_WRITER_H_

#include <map>
#include <string>

#include "tests/hls/random/expressions.h"
#include "tests/hls/random/plan.h"
#include "tests/hls/random/text.h"

namespace vta::kernels {

class ProcessWriter {
 public:
  // `expressions` holds what all processes see: constants and functions.
  ProcessWriter(Random& random, Text& text, const ProcessPlan& plan, Expressions expressions)
      : random_(random), text_(text), plan_(plan), expressions_(std::move(expressions)) {}

  void write();

 private:
  // The context of a statement.
  struct Place {
    bool pipelined = false;
    int rank = kSteady;  // of the enclosing conditions
    int loops = 3;       // that may still be nested inside
    int trips = 1;       // maximum product of the trip counts of the enclosing loops
    int branches = 3;    // that may still be nested inside
  };
  // The accesses that the iteration may still make: one of each stream and memory every cycle.
  struct Budget {
    std::map<std::string, int> reads, writes;
  };

  // The frame (process_writer.cc).
  void clear_memories();
  void round();
  Place enter_pipeline(int interval);
  void body(Place place, int64_t count);
  void block(Place place, int64_t count);
  void observe(size_t scope);
  void statement(Place place);
  void branch(Place place);
  void choice(Place place);

  // Loops (loops.cc).
  void loop(Place place);
  void late_loop(Place place);
  void loop_body(Place place, bool pipelined);
  void counted_loop(const std::string& bound, Place inner, bool pipelined);
  void loop_with_address(const std::string& bound, Place inner, bool pipelined);
  void loop_with_test_at_end(const std::string& bound, Place inner, bool pipelined);
  void loop_until_data(const std::string& bound, Place inner);

  // Accesses shared with other processes and DRAM (sharing.cc).
  bool exchange(Place place);
  void serve(Place place, int64_t count);
  void read_burst(Place place);
  void write_burst(Place place);

  // Single statements (statements.cc); false if the statement is not possible there.
  bool local(Place place);
  bool unrolled_sum(Place place);  // loops.cc
  bool assign(Place place);
  bool update_register(Place place);
  bool read_ram(Place place);
  bool write_ram(Place place);
  bool update_ram(Place place);
  bool update_word(Place place);
  bool read_stream(Place place);
  bool write_stream(Place place);

  void read_item(const StreamPlan& stream, Place place);
  void write_item(const StreamPlan& stream, const std::string& more = "");
  Expression index_of(const RamPlan& ram, Place place, int max_rank);
  std::string lane_of(const RamPlan& ram, int max_rank, int& rank);
  std::string updated(const std::string& old, int bits, int max_rank);
  const RamPlan* any_ram();
  bool take(std::map<std::string, int>& budget, const std::string& name, Place place);

  // The maximum rank of a condition or value, in general and for the update of an object.
  int any_rank(Place place);
  static int rank_below(Place place, int rank) { return place.pipelined ? rank - 1 : kAnything; }
  static bool may_update(Place place, int rank) { return !place.pipelined || place.rank < rank; }
  std::string fresh(const char* prefix) { return prefix + std::to_string(next_name_++); }
  void declare(const std::string& name, int bits, bool is_signed, int rank,
               bool is_assignable = false);
  size_t scope() { return expressions_.variables().size(); }
  void leave(size_t scope) { expressions_.variables().resize(scope); }

  Random& random_;
  Text& text_;
  const ProcessPlan& plan_;
  Expressions expressions_;
  Budget budget_;
  std::string trace_;  // the variable that accumulates the values of the current body
  int next_name_ = 0;
};

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_RANDOM_PROCESS_WRITER_H_
