// SPDX-License-Identifier: Apache-2.0
//
// The structure of a random kernel, before any code: processes, their objects, and the streams
// between them.
#ifndef VTA_TESTS_HLS_RANDOM_PLAN_H_
#define VTA_TESTS_HLS_RANDOM_PLAN_H_

#include <optional>
#include <string>
#include <vector>

#include "base/numbers/random.h"

namespace vta::kernels {

// An integer, a struct of fields or a struct of one array; never with padding.
struct ItemType {
  struct Field {
    std::string suffix;  // appended to the item's name
    int bits;
    bool is_signed;
  };
  std::string name;
  std::string braces[2];    // around the values of the fields
  std::string declaration;  // empty: an integer
  std::vector<Field> fields;
};

struct StreamPlan {
  std::string name;
  ItemType item;
  int depth = 1;
  // Exactly one item in each round of its process: where two paths through the kernel join, both
  // must carry the same number of items.
  bool once_a_round = false;
};

struct RamPlan {
  std::string name, word;  // `word`: its type
  int bits = 32, lanes = 1, depth = 8, banks = 1;
  int rank = 1;
  bool is_borrowed = false;                        // declared and cleared by another process
  int beats() const { return lanes * bits / 64; }  // of 64 bits
};

struct RegisterPlan {
  std::string name;
  int bits = 32;  // 1: bool
  bool is_signed = false;
  int rank = 1;
};

// A process and its server. For a token of one kind the server works on memory of the process and
// its own, and returns a token of the other kind when it is done. The process waits meanwhile, so
// the memory always has one owner.
struct ServicePlan {
  std::string ask, answer;
  int ask_depth = 1, answer_depth = 1;
  RegisterPlan said;  // the server's register, which the process reads
};

// Bursts of one process. It reads memory that no process writes, and memory that it has written
// itself.
struct DramPlan {
  std::string source, target;  // ports
  int source_bursts = 1, target_bursts = 1;
  uint32_t own_bytes = 0;  // the address that it writes to
  bool reads_own = false;
};
constexpr uint32_t kDramPartBytes = 1024;  // part 0: written by no process

// An endless loop of rounds. A process waits for only one stream, or for each of its streams once a
// round, so that no item is left over when the input ends.
struct ProcessPlan {
  std::string name;
  std::vector<StreamPlan> inputs, outputs;
  std::vector<RegisterPlan> registers;  // the first one is a bool
  std::string sum;  // a 32-bit register of the highest rank: a sum of all computed values
  std::vector<RamPlan> rams;
  std::vector<RegisterPlan> seen;  // registers of other processes, which this one reads
  std::optional<ServicePlan> asks, serves;
  std::optional<DramPlan> dram;
  int interval = 0;  // of the rounds themselves, as a pipelined loop; 0: they contain loops
};

struct KernelPlan {
  std::string name;
  std::vector<ProcessPlan> processes;
  std::vector<StreamPlan> streams;  // all
  std::vector<StreamPlan> from_outside, to_outside;
  std::vector<RegisterPlan> constants;  // HLS_INPUT
  std::vector<std::string> functions;
  int num_items = 20;  // on each stream from outside
  uint32_t dram_parts = 1;
};

KernelPlan random_plan(Random& random, const std::string& name);

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_RANDOM_PLAN_H_
