// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/variable_names.h"

#include <fmt/format.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "hw/hlsc/front/refuse.h"

namespace vta::hlsc::front {
namespace {

const llvm::DIType* without_qualifiers(const llvm::DIType* type) {
  while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    const unsigned tag = derived->getTag();
    if (tag != llvm::dwarf::DW_TAG_typedef && tag != llvm::dwarf::DW_TAG_const_type &&
        tag != llvm::dwarf::DW_TAG_volatile_type)
      break;
    type = derived->getBaseType();
  }
  return type;
}

std::string part_at(const llvm::DIType* type, uint64_t offset_bits, uint64_t size_bits);

// "[1][2]" and what follows in the element.
std::string element_at(const llvm::DICompositeType& array, uint64_t offset_bits,
                       uint64_t size_bits) {
  const llvm::DIType* element = without_qualifiers(array.getBaseType());
  if (element == nullptr || element->getSizeInBits() == 0) return "";
  uint64_t rest = array.getSizeInBits();
  std::string text;
  for (const llvm::DINode* node : array.getElements()) {
    const auto* range = llvm::dyn_cast<llvm::DISubrange>(node);
    if (range == nullptr) return "";
    const auto* count = llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount());
    if (count == nullptr || count->isZero()) return "";
    rest /= count->getZExtValue();
    if (rest == 0 || size_bits > rest) return text;
    text += fmt::format("[{}]", offset_bits / rest);
    offset_bits %= rest;
  }
  return text + part_at(element, offset_bits, size_bits);
}

std::string part_at(const llvm::DIType* type, uint64_t offset_bits, uint64_t size_bits) {
  const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(without_qualifiers(type));
  if (composite == nullptr) return "";
  if (composite->getTag() == llvm::dwarf::DW_TAG_array_type)
    return element_at(*composite, offset_bits, size_bits);
  for (const llvm::DINode* node : composite->getElements()) {
    const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
    if (member == nullptr || member->isStaticMember()) continue;
    const uint64_t begin = member->getOffsetInBits(), end = begin + member->getSizeInBits();
    if (offset_bits < begin || offset_bits + size_bits > end) continue;
    const std::string name = member->getName().empty() ? "" : "." + member->getName().str();
    return name + part_at(member->getBaseType(), offset_bits - begin, size_bits);
  }
  return "";
}

std::string verilog_name(llvm::StringRef name) {
  std::string text = name.str();
  std::ranges::replace_if(text, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return text;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

// LLVM's scalar replacement names the values of a part "s.sroa.8.0", "s.sroa.8.1", ...: "s_sroa_8"
// of them all; "" for other names.
std::string part_of(const std::string& name) {
  constexpr std::string_view kMark = "_sroa_";
  const size_t mark = name.find(kMark);
  if (mark == std::string::npos) return "";
  const size_t end = name.find_first_not_of("0123456789", mark + kMark.size());
  return name.substr(0, end);
}

// The variable that a phi is at the start of its block, by its first record there.
std::string variable_of(const llvm::PHINode& phi) {
  llvm::BasicBlock& block = *const_cast<llvm::BasicBlock*>(phi.getParent());
  for (const llvm::DbgVariableRecord& record :
       llvm::filterDbgVars(block.getFirstNonPHI()->getDbgRecordRange())) {
    const auto part = record.getExpression()->getFragmentInfo();
    if (!part || record.getVariableLocationOp(0) != &phi) continue;
    const llvm::DILocalVariable& variable = *record.getVariable();
    return variable.getName().str() +
           part_at(variable.getType(), part->OffsetInBits, part->SizeInBits);
  }
  return "";
}

}  // namespace

void add_variable_names(llvm::Function& process, VariableNames& names) {
  const std::string prefix = member_name(process.getName().str()) + "_";
  for (const llvm::BasicBlock& block : process) {
    for (const llvm::PHINode& phi : block.phis()) {
      const std::string part = part_of(verilog_name(phi.getName()));
      const std::string variable = part.empty() ? "" : variable_of(phi);
      if (variable.empty()) continue;
      names.emplace(prefix + part, variable);
      const auto [known, is_new] = names.emplace(part, variable);
      if (known->second != variable) known->second.clear();  // of several processes
    }
  }
}

std::string with_variable_names(const std::string& text, const VariableNames& names) {
  std::string result;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string word = text.substr(begin, std::max<size_t>(end - begin, 1));
    const auto found = names.find(part_of(verilog_name(word)));
    const bool is_known = found != names.end() && !found->second.empty();
    result += is_known ? fmt::format("{} ({})", found->second, word) : word;
    begin += word.size();
  }
  return result;
}

}  // namespace vta::hlsc::front
