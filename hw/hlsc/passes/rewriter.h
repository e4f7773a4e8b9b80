// SPDX-License-Identifier: Apache-2.0
//
// Rebuilds a process in program order. Every pure operation goes through make(), which returns an
// equal existing value, a simpler form (fold.h), or a new operation. Loop-invariant operations
// leave the loop.
#ifndef VTA_HW_HLSC_PASSES_REWRITER_H_
#define VTA_HW_HLSC_PASSES_REWRITER_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hw/hlsc/ir/builder.h"

namespace vta::hlsc::passes {

class Rewriter {
 public:
  explicit Rewriter(ir::Process& process);

  // Rebuilds the whole process. Returns whether another run could find more.
  bool run();

  // For the rules.
  const ir::Process& process() const { return process_; }
  const ir::Op& op(ir::ValueId value) const { return process_.ops[value]; }
  uint32_t width(ir::ValueId value) const { return process_.ops[value].width; }
  bool is(ir::ValueId value, ir::Opcode opcode) const { return op(value).opcode == opcode; }
  bool is_constant(ir::ValueId value) const { return is(value, ir::Opcode::kConstant); }
  const llvm::APInt& constant(ir::ValueId value) const { return op(value).constant; }

  ir::ValueId make(ir::Op op);
  ir::ValueId make(ir::Opcode opcode, uint32_t width, std::vector<ir::ValueId> operands,
                   uint32_t offset = 0);
  ir::ValueId make_constant(const llvm::APInt& value);
  ir::ValueId make_bit(bool value) { return make_constant(llvm::APInt(1, value ? 1 : 0)); }
  ir::ValueId make_not(ir::ValueId bit);
  ir::ValueId make_slice(ir::ValueId value, uint32_t offset, uint32_t width);
  ir::ValueId make_zext(ir::ValueId value, uint32_t width);
  ir::ValueId make_concat(std::vector<ir::ValueId> parts);
  // Demanded bits of a value (demanded_bits.h), by all uses and without slices; 0 if not known.
  uint32_t demanded(ir::ValueId value) const { return known(demanded_, value); }
  uint32_t demanded_whole(ir::ValueId value) const { return known(demanded_whole_, value); }
  // The caches of active_bits() and significant_bits() (fold.h); operations do not change.
  std::map<ir::ValueId, uint32_t>& known_active_bits() const { return active_bits_; }
  std::map<ir::ValueId, uint32_t>& known_significant_bits() const { return significant_bits_; }
  // `to` gets the uses of `from`, and so the bits that they demand.
  void pass_on_demand(ir::ValueId from, ir::ValueId to);

 private:
  struct Scope {
    ir::Sequence* out;
    std::map<std::string, ir::ValueId> known;
  };

  ir::ValueId resolve(ir::ValueId value) const;
  static uint32_t known(const std::vector<uint32_t>& bits, ir::ValueId value) {
    return value < bits.size() ? bits[value] : 0;
  }
  void share_constants();
  void sequence(ir::Sequence& items);
  void operation(ir::ValueId value);
  void effect(ir::ValueId value);
  void loop(std::unique_ptr<ir::Loop> loop);
  void drop_invariant_phis(ir::Loop& loop);
  void replace_exports(const ir::Loop& loop);
  void export_values(const ir::Loop& loop);
  size_t depth(ir::ValueId value) const;
  size_t depth_of_operands(const ir::Op& op) const;
  ir::ValueId append(ir::Op op);

  ir::Process& process_;
  ir::Builder builder_;                   // its origin: the operation that is being rebuilt
  std::vector<ir::ValueId> replacement_;  // by ValueId; itself if none
  std::vector<size_t> depth_;             // of the scope that defines it
  std::vector<uint32_t> demanded_, demanded_whole_;
  mutable std::map<ir::ValueId, uint32_t> active_bits_, significant_bits_;
  std::vector<Scope> scopes_;
  std::map<std::string, ir::ValueId> constants_;
  bool changed_ = false;
};

}  // namespace vta::hlsc::passes

#endif  // VTA_HW_HLSC_PASSES_REWRITER_H_
