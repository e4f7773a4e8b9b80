// SPDX-License-Identifier: Apache-2.0
//
// Single instructions as operations of process IR.
#ifndef VTA_HW_HLSC_FRONT_OPERATIONS_H_
#define VTA_HW_HLSC_FRONT_OPERATIONS_H_

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "hw/hlsc/front/globals.h"
#include "hw/hlsc/ir/builder.h"

namespace vta::hlsc::front {

class Operations {
 public:
  Operations(ir::Builder& builder, const Globals& globals) : builder_(builder), globals_(globals) {}

  // Appends the operations of an instruction; its effects get the predicate.
  // Errors: code outside the subset.
  void translate(llvm::Instruction& instruction, ir::ValueId predicate);

  // The value of a translated operand; undefined values are 0.
  ir::ValueId value(const llvm::Instruction& user, llvm::Value* operand);
  void define(llvm::Value* instruction, ir::ValueId value) { values_[instruction] = value; }
  // Bits of an integer type. Errors: floating point, pointers, vectors and structs as values.
  static uint32_t width_of(const llvm::Instruction& instruction, llvm::Type* type);

  // Drops the cache of words that were read: an operation may have changed them.
  void forget_words() { words_.clear(); }

 private:
  ir::ValueId pure(llvm::Instruction& instruction);
  ir::ValueId binary(llvm::BinaryOperator& instruction);
  ir::ValueId compare(llvm::ICmpInst& instruction);
  ir::ValueId cast(llvm::CastInst& instruction);
  void call(llvm::CallInst& instruction, ir::ValueId predicate);
  void stream_call(llvm::CallInst& instruction, ir::Opcode opcode, ir::ValueId predicate);
  ir::ValueId intrinsic(llvm::IntrinsicInst& instruction);
  ir::ValueId min_or_max(llvm::IntrinsicInst& instruction, ir::Opcode less, bool is_min);
  ir::ValueId absolute(llvm::IntrinsicInst& instruction);
  ir::ValueId count_zeros(llvm::IntrinsicInst& instruction, bool from_top);
  ir::ValueId count_ones(llvm::IntrinsicInst& instruction);
  ir::ValueId swap_bytes(llvm::IntrinsicInst& instruction);
  ir::ValueId funnel(llvm::IntrinsicInst& instruction, bool left);

  ir::ValueId load(llvm::LoadInst& instruction, ir::ValueId predicate);
  ir::ValueId table_entry(const llvm::LoadInst& load, const GlobalAddress& address);
  void store(llvm::StoreInst& instruction, ir::ValueId predicate);
  // The place of an access in a RAM.
  struct Cell {
    ir::ObjectId ram;
    ir::ValueId index;
    uint32_t offset;                  // bits
    ir::ValueId lane = ir::kNoValue;  // in units of the access's width
    uint32_t ways = 1;                // objects from `ram` on, one of which the low bits select
    std::optional<uint32_t> way;      // the one, if it is known
  };
  // A part of an access of an interleaved RAM: that of one of its objects.
  struct Part {
    ir::ObjectId ram;
    ir::ValueId index, predicate;
  };
  Cell cell(const llvm::Instruction& at, const GlobalAddress& address, uint32_t width);
  void carry(const llvm::Instruction& at, int64_t lanes, Cell& cell);
  ir::ValueId combine(const llvm::Instruction& at, const std::vector<Term>& terms,
                      int64_t unit_bytes, int64_t constant);
  std::vector<Part> parts(const Cell& cell, ir::ValueId predicate);
  ir::ValueId word(const Cell& cell, ir::ValueId predicate);
  ir::ValueId read(const Part& part);
  // An access of one entry of a register or input, by a variable index.
  ir::ValueId entry_number(const llvm::Instruction& at, const GlobalAddress& address,
                           const Entries& entries);
  ir::ValueId read_entry(const llvm::Instruction& at, const GlobalAddress& address, uint32_t width,
                         ir::ValueId predicate);
  void write_entry(const llvm::Instruction& at, const GlobalAddress& address, ir::ValueId value,
                   ir::ValueId predicate);
  ir::ValueId read_part(const GlobalAddress& address, int64_t offset_bytes, uint32_t width,
                        ir::ValueId predicate);
  void write_part(const GlobalAddress& address, int64_t offset_bytes, ir::ValueId value,
                  ir::ValueId predicate);
  ir::ValueId read_piece(const Piece& piece, ir::ValueId predicate);
  void write_piece(const Piece& piece, uint32_t offset, ir::ValueId value, ir::ValueId predicate);

  ir::Builder& builder_;
  const Globals& globals_;
  std::map<llvm::Value*, ir::ValueId> values_;
  std::map<std::tuple<ir::ObjectId, ir::ValueId, ir::ValueId>, ir::ValueId> words_;
};

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_OPERATIONS_H_
