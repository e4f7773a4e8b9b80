// SPDX-License-Identifier: Apache-2.0
//
// Interprets a design, operation by operation: this is the meaning that passes and back ends keep.
// There is no time: processes take turns of random length and synchronize at streams; kLate is
// always the current value.
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
  // The design must be verified and outlive this. `seed` draws turns and unspecified values
  // (results of reads with a false predicate); the outcome of a correct design does not depend on
  // it.
  Interpreter(const Design& design, uint64_t seed);
  ~Interpreter();

  // Input and output streams of the top. offer() ignores the depth.
  void offer(const std::string& stream, const llvm::APInt& item);
  std::vector<llvm::APInt> take(const std::string& stream);  // all items
  void set_input(const std::string& input, const llvm::APInt& value);
  std::vector<uint8_t>& dram();  // one for all ports, from address 0; resize it before use
  llvm::APInt read_register(const std::string& name) const;
  llvm::APInt read_ram(const std::string& name, uint32_t index) const;
  void write_ram(const std::string& name, uint32_t index, const llvm::APInt& word);

  // Runs until every process waits or has ended; false if that takes more than `max_ops`
  // operations. Output streams of the top are unbounded.
  // Errors: kInvalidArgument for an access outside a RAM or DRAM, naming the operation.
  bool run(uint64_t max_ops);

 private:
  struct Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace vta::hlsc::ir

#endif  // VTA_HW_HLSC_IR_INTERPRETER_H_
