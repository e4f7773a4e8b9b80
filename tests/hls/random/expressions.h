// SPDX-License-Identifier: Apache-2.0
//
// Random C++ expressions of unsigned arithmetic, without undefined behaviour: operands narrower
// than int are widened explicitly, shift amounts stay in range.
#ifndef VTA_TESTS_HLS_RANDOM_EXPRESSIONS_H_
#define VTA_TESTS_HLS_RANDOM_EXPRESSIONS_H_

#include <string>
#include <vector>

#include "base/numbers/random.h"

namespace vta::kernels {

// The rank of a value in a pipelined loop: what it depends on. A register or memory has its own
// number, from 1 on, and is updated only by values of lower rank. So every recurrence goes through
// a single operation, and any initiation interval is possible.
constexpr int kSteady =
    -1;  // known when the iteration starts: counters, and values from before the loop
constexpr int kStreamData = 0;
constexpr int kAnything = 1000;

struct Variable {
  std::string name;
  int bits = 32;  // 1: bool
  bool is_signed = false;
  int rank = kSteady;
  bool is_assignable = false;
  bool is_register = false;
};

struct Expression {
  std::string text;
  int rank = kSteady;
};

class Expressions {
 public:
  explicit Expressions(Random& random) : random_(random) {}

  std::vector<Variable>& variables() { return variables_; }
  // Functions of two uint32_t that return one.
  void add_function(const std::string& name) { functions_.push_back(name); }

  // Its type is uint8_t, uint16_t, uint32_t or uint64_t; it uses variables up to `max_rank`.
  Expression integer(int bits, int max_rank, int depth);
  // Its type is bool.
  Expression condition(int max_rank, int depth);
  // `mask` + 1 is a power of two.
  Expression masked(uint64_t mask, int max_rank, int depth);

  int any_width();  // 8 to 64

 private:
  const Variable* variable(int bits, int max_rank, int& rank);  // null if there is none
  std::string constant(int bits);
  std::string leaf(int bits, int max_rank, int& rank);
  std::string part(int bits, int max_rank, int depth, int& rank);
  std::string arithmetic(int bits, int max_rank, int depth, int& rank);
  std::string quotient(int bits, const std::string& dividend);
  std::string shift(int bits, int max_rank, int depth, int& rank);
  std::string conversion(int bits, int max_rank, int depth, int& rank);
  std::string choice(int bits, int max_rank, int depth, int& rank);
  std::string bit_count(int bits, int max_rank, int depth, int& rank);
  std::string mirrored(int bits, int max_rank, int depth, int& rank);
  std::string comparison(int max_rank, int depth, int& rank);

  Random& random_;
  std::vector<Variable> variables_;
  std::vector<std::string> functions_;
};

std::string unsigned_type(int bits);
std::string type_of(int bits, bool is_signed);  // bits 1: bool
// Around operands and results of arithmetic.
std::string widened(int bits, const std::string& text);
std::string narrowed(int bits, const std::string& text);

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_RANDOM_EXPRESSIONS_H_
