// SPDX-License-Identifier: Apache-2.0
//
// Makes the objects of the design from the globals of a module.
#ifndef VTA_HW_HLSC_FRONT_GLOBALS_H_
#define VTA_HW_HLSC_FRONT_GLOBALS_H_

#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hw/hlsc/front/address.h"
#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::front {

// The address of an access, and the global that is its base.
struct GlobalAddress : Address {
  const llvm::GlobalVariable* global = nullptr;
};
// Errors: a pointer that is not an object; a local variable.
GlobalAddress resolve(const llvm::Instruction& at, llvm::Value* pointer);

// Whether it is a constant with a value.
bool is_table(const llvm::GlobalVariable& global);

// Throws the reason why a local variable is still in memory: a variable index, or a choice.
[[noreturn]] void refuse_local(const llvm::Instruction& at, const llvm::AllocaInst& local);

// A part of a register or input that is accessed by itself. A struct or array has several; each
// becomes an object.
struct Piece {
  uint32_t offset_bytes, size_bytes;
  ir::ObjectId object;
};

class Globals {
 public:
  // After run_llvm_passes(): parts of registers and lanes of RAMs follow from their accesses.
  // Errors: memory that is not an object; a variable index into a register of many entries; a
  // stream of no known type, or chosen at run time.
  Globals(const llvm::Module& module, const std::vector<llvm::Function*>& processes);

  const std::vector<ir::Object>& objects() const { return objects_; }
  // Streams and ports that no process uses: "name: ...".
  std::vector<std::string> warnings() const;
  // A RAM, stream or port; of an interleaved RAM the first of its ways().
  ir::ObjectId object(const llvm::GlobalVariable& global) const { return whole_.at(&global); }
  // The objects that an interleaved RAM consists of, each of its number; 1 for other RAMs.
  uint32_t ways(const llvm::GlobalVariable& global) const { return info_.at(&global).ways; }
  uint32_t bytes_of(const llvm::GlobalVariable& global) const;
  bool is_ram(const llvm::GlobalVariable& global) const;
  bool is_input(const llvm::GlobalVariable& global) const;
  const Piece& piece(const llvm::GlobalVariable& global, uint32_t offset_bytes) const;

 private:
  struct Use {
    uint32_t begin, end;  // bytes
  };
  struct Info {
    std::string annotation;
    ir::Location location;
    std::vector<Use> uses;    // registers, inputs
    uint32_t lane_bytes = 0;  // RAMs: of the narrowest store
    uint32_t ways = 1;        // RAMs: objects among which words are interleaved
    uint32_t item_bits = 0;   // streams
  };
  void collect(const llvm::Instruction& instruction);
  void access(const llvm::Instruction& instruction, llvm::Value* pointer, uint32_t size_bytes,
              bool stores);
  void add_objects(const llvm::GlobalVariable& global, const Info& info);
  void add_channel(const llvm::GlobalVariable& global, const Info& info);
  void add_ram(const llvm::GlobalVariable& global, const Info& info);
  void add_pieces(const llvm::GlobalVariable& global, const Info& info);

  const llvm::Module& module_;
  std::map<const llvm::GlobalVariable*, Info> info_;
  std::vector<ir::Object> objects_;
  std::map<const llvm::GlobalVariable*, ir::ObjectId> whole_;
  std::map<const llvm::GlobalVariable*, std::vector<Piece>> pieces_;
};

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_GLOBALS_H_
