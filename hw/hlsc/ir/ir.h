// SPDX-License-Identifier: Apache-2.0
//
// The process IR, between LLVM and the back ends.
//
// A Design is a set of objects (RAMs, registers, streams, ports) and processes. A process is a tree
// of sequences and loops in static single assignment form. It has no branches: operations and loops
// have predicates instead (the front end does the if-conversion).
//
// Values are bit vectors of any width; signedness belongs to the operation. The text form (text.h)
// is complete; verify() (verify.h) checks that a design is well formed; an Interpreter
// (interpreter.h) runs one; builder.h creates operations, walk.h has the walkers.
#ifndef VTA_HW_HLSC_IR_IR_H_
#define VTA_HW_HLSC_IR_IR_H_

#include <llvm/ADT/APInt.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace vta::hlsc::ir {

// A line of the source; line 0: unknown.
struct Location {
  std::string file;
  uint32_t line = 0;
  bool operator==(const Location&) const = default;
};

enum class ObjectKind : uint8_t {
  kRam,       // depth words of width bits; one read and one write a cycle for each process
  kRegister,  // width bits; written by one process
  kInput,     // width bits; constant while the design runs
  kStream,    // a FIFO of depth items of width bits, between one writer and one reader; width 0:
              // tokens
  kReadPort,  // DRAM, read in bursts: requests of (address, beats), then beats of 64 bits in order;
              // depth: bursts in flight
  kWritePort,  // DRAM, written in bursts
};

// A stream without a writer is an input of the top, one without a reader an output.
struct Object {
  ObjectKind kind;
  std::string name;  // the source's, unique in the design
  uint32_t width = 0;
  uint32_t depth = 0;
  uint32_t lane_width = 0;  // RAM: bits of the smallest part to write; divides width
  uint32_t banks = 1;       // RAM: parts with ports of their own, by the top bits of the index
  Location location;
  // RAM: its words before any write, as many as its depth; a reset does not restore them. Register:
  // one word, its value after a reset. Empty: unspecified words, and 0.
  std::vector<llvm::APInt> initial;
  bool operator==(const Object&) const = default;
};
// Bits of a beat, and of a burst's address and number of beats.
constexpr uint32_t kBeatBits = 64, kRequestOperandBits = 32;

using ObjectId = uint32_t;
constexpr ObjectId kNoObject = ~ObjectId{0};

// What an operation does to its object.
enum class Effect : uint8_t {
  kNone,   // pure: no object, no predicate
  kRead,   // reads a RAM, register or input
  kWrite,  // writes a RAM or register
  kTake,   // waits for an item, a token, a beat or a response, and takes it
  kGive,   // waits for space (a credit), and gives an item, a token, a request or a beat
  kEnd,    // ends the process
};

// Rules for the widths of a pure operation's operands and result.
enum class Widths : uint8_t {
  kSame,     // all are equal
  kCompare,  // the operands are equal, the result has one bit
  kSelect,   // as kSame, but operand 0 has one bit
  kShift,    // operand 0 is as wide as the result, operand 1 has any width
  kExtend,   // no operand is wider than the result
  kSlice,    // offset + width of the result is at most the operand's width
  kLane,     // the width of operand 0 is a multiple of the result's
  kConcat,   // the widths of the operands add up to the result's
  kNoRule,   // constants, phis; operations with effects have rules for each
};

// The FIFO of a stream or DRAM port that an operation takes from or gives to.
enum class Channel : uint8_t { kNoChannel, kStream, kRequests, kBeats, kResponses };

// Delay of a result from its operands, by the kind of logic; schedule/delay.h has the times.
enum class DelayClass : uint8_t {
  kWire,  // none; a RAM's word is there in the next step
  kLogic,
  kMultiplexer,
  kLaneMultiplexer,
  kAdder,
  kAdderTree,
  kMultiplier,
  kShifter,
  kComparator,
  kRegister,
  kStream,
};

enum class Opcode : uint8_t {
#define VTA_HLSC_OPCODE(name, ...) name,
#include "hw/hlsc/ir/opcodes.def"
};

// The number of enumerators of Opcode.
constexpr size_t kNumOpcodes = 0
#define VTA_HLSC_OPCODE(...) +1
#include "hw/hlsc/ir/opcodes.def"
    ;

// Case labels for a switch over Opcode that treats all pure operations alike, or all operations
// with effects. With a new opcode in none of the lists the switch does not compile.
#define VTA_HLSC_CASES_OF_CHANNELS \
  case ir::Opcode::kStreamRead:    \
  case ir::Opcode::kStreamWrite:   \
  case ir::Opcode::kReadRequest:   \
  case ir::Opcode::kReadBeat:      \
  case ir::Opcode::kWriteRequest:  \
  case ir::Opcode::kWriteBeat:     \
  case ir::Opcode::kWriteWait
#define VTA_HLSC_CASES_OF_EFFECTS  \
  case ir::Opcode::kRamRead:       \
  case ir::Opcode::kRamWrite:      \
  case ir::Opcode::kRegisterRead:  \
  case ir::Opcode::kRegisterWrite: \
  case ir::Opcode::kInputRead:     \
  VTA_HLSC_CASES_OF_CHANNELS:      \
  case ir::Opcode::kHalt
#define VTA_HLSC_CASES_OF_COMPARISONS \
  case ir::Opcode::kEq:               \
  case ir::Opcode::kNe:               \
  case ir::Opcode::kUlt:              \
  case ir::Opcode::kUle:              \
  case ir::Opcode::kSlt:              \
  case ir::Opcode::kSle
#define VTA_HLSC_CASES_OF_PURE   \
  case ir::Opcode::kConstant:    \
  case ir::Opcode::kAdd:         \
  case ir::Opcode::kSub:         \
  case ir::Opcode::kMul:         \
  case ir::Opcode::kAnd:         \
  case ir::Opcode::kOr:          \
  case ir::Opcode::kXor:         \
  case ir::Opcode::kShl:         \
  case ir::Opcode::kLshr:        \
  case ir::Opcode::kAshr:        \
  VTA_HLSC_CASES_OF_COMPARISONS: \
  case ir::Opcode::kSelect:      \
  case ir::Opcode::kZext:        \
  case ir::Opcode::kSext:        \
  case ir::Opcode::kSlice:       \
  case ir::Opcode::kLane:        \
  case ir::Opcode::kConcat:      \
  case ir::Opcode::kReverse:     \
  case ir::Opcode::kSum:         \
  case ir::Opcode::kStage:       \
  case ir::Opcode::kLate:        \
  case ir::Opcode::kPhi

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

// Operations and loops in program order. Every operation is in exactly one sequence, except
// constants and phis, which are in none.
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
// After the loop, its phis and the values of `head` keep their last values; they are unspecified if
// the loop was not entered. Values of `body` cannot be used after the loop.
struct Loop {
  std::string name;
  Location location;
  ValueId predicate = kNoValue;  // 1 bit
  std::vector<LoopPhi> phis;
  Sequence head;
  ValueId condition = kNoValue;  // 1 bit; constant 1: endless
  Sequence body;
  uint32_t initiation_interval = 0;  // requested, in cycles; 0: not pipelined. A pipelined loop
                                     // holds no loops.
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

// The columns of opcodes.def.
struct OpcodeInfo {
  const char* mnemonic;
  int operands;  // -1: any number
  Widths widths;
  Effect effect;
  std::optional<ObjectKind> object;
  bool commutes;
  DelayClass delay;
  Channel channel;
};
const OpcodeInfo& info(Opcode opcode);

// Single columns, and properties that follow from them.
const char* mnemonic(Opcode opcode);
int num_operands(Opcode opcode);  // -1: any number
bool is_pure(Opcode opcode);
// Whether operand 0 is a predicate.
bool is_predicated(Opcode opcode);
// Whether the operation accesses an object, Op::object.
bool has_object(Opcode opcode);
// Whether the operation may wait for another process or for DRAM, or forever: a halt.
bool may_wait(Opcode opcode);
// Whether it takes from or gives to a stream or a DRAM port, and may wait for it: all operations
// that may wait, but no halt.
bool accesses_channel(Opcode opcode);
// Whether it takes an item, a token, a beat or a response.
bool takes(Opcode opcode);
// Whether it reads or writes a RAM or register.
bool accesses_memory(Opcode opcode);
// Whether it changes no state, so that it can be removed if its result is not used.
bool is_removable(Opcode opcode);
// Whether it is pure, or reads a register or an input.
bool is_combinational(Opcode opcode);

// Appends an operation to the arena (not to a sequence).
ValueId add_op(Process& process, Op op);
bool is_constant(const Process& process, ValueId value, uint64_t expected);
// Whether the loop computes anything before its body. A loop that does not, such as an endless one,
// has no control step for its head.
bool has_head(const Process& process, const Loop& loop);

}  // namespace vta::hlsc::ir

#endif  // VTA_HW_HLSC_IR_IR_H_
