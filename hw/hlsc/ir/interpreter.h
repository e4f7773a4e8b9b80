// SPDX-License-Identifier: Apache-2.0
//
// Runs a design from its IR, operation by operation: the meaning that every back end must keep. No
// time: processes take turns, in an order and at a pace drawn from the seed, and meet at streams.
// Without time nothing is late: kLate always takes the present value.
#ifndef VTA_HW_HLSC_IR_INTERPRETER_H_
#define VTA_HW_HLSC_IR_INTERPRETER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::ir {

class Interpreter {
 public:
  // The design must be verified and outlive this. `seed` draws turns and unspecified values (those
  // of reads whose predicate is false): a correct design does not depend on them.
  Interpreter(const Design& design, uint64_t seed);
  ~Interpreter();

  // Streams whose other end is outside. offer() ignores the depth.
  void offer(const std::string& stream, const llvm::APInt& item);
  std::vector<llvm::APInt> take(const std::string& stream);  // all that is there
  void set_input(const std::string& input, const llvm::APInt& value);
  std::vector<uint8_t>& dram();  // of all ports, from address 0; resize it before use
  llvm::APInt read_register(const std::string& name) const;
  llvm::APInt read_ram(const std::string& name, uint32_t index) const;
  void write_ram(const std::string& name, uint32_t index, const llvm::APInt& word);

  // Runs until every process waits or has ended; false if `max_ops` operations were not enough.
  // Output streams of the top never make a process wait.
  // Errors: kInvalidArgument for an access outside a RAM or DRAM, naming the operation.
  bool run(uint64_t max_ops);

 private:
  struct Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace vta::hlsc::ir

#endif  // VTA_HW_HLSC_IR_INTERPRETER_H_
