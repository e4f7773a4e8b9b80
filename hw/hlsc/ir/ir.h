// SPDX-License-Identifier: Apache-2.0
//
// The process IR: what hlsc knows of a design between LLVM and its back ends.
//
// A Design is a set of objects (RAMs, registers, streams, ports) and processes. A process is a tree
// of sequences and loops whose operations are in static single assignment form; it has no branches:
// what a branch guards in the source carries a predicate here (if-conversion is the front end's
// work), and a loop that a branch guards is a predicated loop.
//
// Values are bit vectors of any width; signedness is the operation's. The text form (text.h) holds
// everything that is here; verify() (verify.h) says what makes a design well formed; an Interpreter
// (interpreter.h) runs one.
#ifndef VTA_HW_HLSC_IR_IR_H_
#define VTA_HW_HLSC_IR_IR_H_

#include <llvm/ADT/APInt.h>

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace vta::hlsc::ir {

// A place in the source; line 0: unknown.
struct Location {
  std::string file;
  uint32_t line = 0;
  bool operator==(const Location&) const = default;
};

enum class ObjectKind : uint8_t {
  kRam,       // depth words of width bits; one read and one write a cycle for each process
  kRegister,  // width bits; written by one process, 0 after reset
  kInput,     // width bits; constant while the design runs
  kStream,    // a FIFO of depth items of width bits, between one writer and one reader; width 0:
              // tokens
  kReadPort,  // DRAM, read in bursts: requests of (address, beats), then beats of 64 bits in order;
              // depth: bursts under way
  kWritePort,  // DRAM, written in bursts
};

// RAMs and streams of which the design has one end only belong to the outside as well: a stream
// without a writer is an input of the top, one without a reader an output.
struct Object {
  ObjectKind kind;
  std::string name;  // the source's, unique in the design
  uint32_t width = 0;
  uint32_t depth = 0;
  uint32_t lane_width = 0;  // RAM: what a write can reach by itself; divides width
  uint32_t banks = 1;       // RAM: parts by the top bits of the index, each with its own ports
  Location location;
  bool operator==(const Object&) const = default;
};
using ObjectId = uint32_t;
constexpr ObjectId kNoObject = ~ObjectId{0};

// x-list of operations: enumerator, text mnemonic, number of operands (-1: any).
#define VTA_HLSC_OPCODES(X)                                                                       \
  /* Pure. Operands and result have one width, if nothing else is said. */                        \
  X(kConstant, "const", 0)                                                                        \
  X(kAdd, "add", 2)                                                                               \
  X(kSub, "sub", 2)                                                                               \
  X(kMul, "mul", 2) /* low bits; operands may be narrower than the result: see Op::is_signed */   \
  X(kAnd, "and", 2)                                                                               \
  X(kOr, "or", 2)                                                                                 \
  X(kXor, "xor", 2)                                                                               \
  X(kShl, "shl", 2) /* the amount may have any width; from the width on: 0, or the sign */        \
  X(kLshr, "lshr", 2)                                                                             \
  X(kAshr, "ashr", 2)                                                                             \
  X(kEq, "eq", 2) /* comparisons have width 1 */                                                  \
  X(kNe, "ne", 2)                                                                                 \
  X(kUlt, "ult", 2)                                                                               \
  X(kUle, "ule", 2)                                                                               \
  X(kSlt, "slt", 2)                                                                               \
  X(kSle, "sle", 2)                                                                               \
  X(kSelect, "select", 3) /* condition (1 bit), if true, if false */                              \
  X(kZext, "zext", 1)                                                                             \
  X(kSext, "sext", 1)                                                                             \
  X(kSlice, "slice", 1)     /* bits [offset, offset + width) of the operand; also truncation */   \
  X(kLane, "lane", 2)       /* bits [i * width, (i + 1) * width) of operand 0; i = operand 1 */   \
  X(kConcat, "concat", -1)  /* operand 0 is the lowest */                                         \
  X(kReverse, "reverse", 1) /* bit 0 becomes the top bit */                                       \
  X(kSum, "sum", -1)        /* of operands of the result's width, wrapping */                     \
  X(kLate, "late", 1)       /* operand 0, or a value it had earlier since the loop was entered */ \
  X(kPhi, "phi", 0)         /* of a loop: see Loop::phis */                                       \
  /* With effects, or dependent on them: operand 0 is the predicate. A result that the predicate  \
     kept from being read is unspecified. */                                                      \
  X(kRamRead, "ram_read", 2)    /* predicate, index -> word */                                    \
  X(kRamWrite, "ram_write", -1) /* predicate, index, value [, lane]: the bits from offset +       \
                                   lane * width(value) on */                                      \
  X(kRegisterRead, "reg_read", 1)                                                                 \
  X(kRegisterWrite, "reg_write", 2) /* predicate, value */                                        \
  X(kInputRead, "input", 1)                                                                       \
  X(kStreamRead, "stream_read", 1)     /* waits for an item; of tokens: width 0 */                \
  X(kStreamWrite, "stream_write", -1)  /* predicate [, value]: waits for room */                  \
  X(kReadRequest, "read_request", 3)   /* predicate, address in bytes (32), beats (32) */         \
  X(kReadBeat, "read_beat", 1)         /* -> 64 bits */                                           \
  X(kWriteRequest, "write_request", 3) /* as kReadRequest */                                      \
  X(kWriteBeat, "write_beat", 2)       /* predicate, 64 bits */                                   \
  X(kWriteWait, "write_wait", 1)       /* until every write so far is in memory */                \
  X(kHalt, "halt", 1)                  /* the process ends here */

enum class Opcode : uint8_t {
#define VTA_HLSC_ENUMERATOR(name, text, operands) name,
  VTA_HLSC_OPCODES(VTA_HLSC_ENUMERATOR)
#undef VTA_HLSC_ENUMERATOR
};

using ValueId = uint32_t;  // index in Process::ops
constexpr ValueId kNoValue = ~ValueId{0};

struct Op {
  Opcode opcode = Opcode::kConstant;
  uint32_t width = 0;  // of the result; 0: none
  std::vector<ValueId> operands;
  ObjectId object = kNoObject;
  uint32_t offset = 0;     // kSlice, kRamWrite: bits
  bool is_signed = false;  // kMul: how operands narrower than the result are extended
  llvm::APInt constant;    // kConstant: `width` bits
  std::string name;        // from the source, may be empty; need not be unique
  Location location;
};

struct Loop;

// Operations in program order, and loops between them. Every operation stands in exactly one
// sequence, except constants and phis, which stand in none.
using Item = std::variant<ValueId, std::unique_ptr<Loop>>;
using Sequence = std::vector<Item>;

struct LoopPhi {
  ValueId phi;
  ValueId init;  // on entry
  ValueId next;  // after the body
};

//   if (predicate) {
//     phis = init;
//     for (;;) { head; if (!condition) break; body; phis = next; }
//   }
// After the loop its phis and the values of `head` are the last ones; if it was not entered they
// are unspecified. Values of `body` cannot be used after the loop.
struct Loop {
  std::string name;
  Location location;
  ValueId predicate = kNoValue;  // 1 bit
  std::vector<LoopPhi> phis;
  Sequence head;
  ValueId condition = kNoValue;  // 1 bit; constant 1: endless
  Sequence body;
  uint32_t initiation_interval = 0;  // cycles, as asked for; 0: not pipelined. A pipelined loop
                                     // holds no loop.
};

struct Process {
  std::string name;
  Location location;
  std::vector<Op> ops;
  Sequence body;  // runs once after reset; an endless loop as a rule
};

struct Design {
  std::string name;
  std::vector<Object> objects;
  std::vector<Process> processes;
};

// Properties of operations.
const char* mnemonic(Opcode opcode);
int num_operands(Opcode opcode);  // -1: any
bool is_pure(Opcode opcode);
// Operations that may have to wait for another process or for DRAM.
bool may_wait(Opcode opcode);
// Those of them that take an item, a token, a beat or a response; the others give one, but a halt.
bool takes(Opcode opcode);
// Reads and writes of RAMs and registers.
bool accesses_memory(Opcode opcode);
// 1 if operand 0 is a predicate.
bool is_predicated(Opcode opcode);
// Op::object says what it reads or writes.
bool has_object(Opcode opcode);

// Appends an operation to the arena (not to a sequence).
ValueId add_op(Process& process, Op op);
ValueId add_constant(Process& process, uint32_t width, uint64_t value);
bool is_constant(const Process& process, ValueId value, uint64_t expected);

}  // namespace vta::hlsc::ir

#endif  // VTA_HW_HLSC_IR_IR_H_
