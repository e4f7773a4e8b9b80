// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/initial_values.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "hw/hlsc/front/annotations.h"
#include "hw/hlsc/front/refuse.h"

namespace vta::hlsc::front {
namespace {

// A local variable, or clang's guard of an initialization that happens once.
bool is_local(const llvm::Value* pointer) {
  const llvm::Value* object = llvm::getUnderlyingObject(pointer);
  return llvm::isa<llvm::AllocaInst>(object) || object->getName().starts_with("_ZGV");
}

bool is_zero(const llvm::Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  return constant != nullptr && (constant->isNullValue() || llvm::isa<llvm::UndefValue>(constant));
}

// Whether the function, or one that it calls, stores anything but zeros outside its local
// variables.
bool stores_values(const llvm::Function& function, std::set<const llvm::Function*>& visited) {
  if (!visited.insert(&function).second) return false;
  for (const llvm::Instruction& it : llvm::instructions(function)) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&it)) {
      if (!is_local(store->getPointerOperand()) && !is_zero(store->getValueOperand())) return true;
    } else if (const auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&it)) {
      if (!is_local(fill->getDest()) && !is_zero(fill->getValue())) return true;
    } else if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&it)) {
      if (!is_local(copy->getDest())) return true;
    } else if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&it)) {
      const llvm::Function* callee = call->getCalledFunction();
      if (callee != nullptr && stores_values(*callee, visited)) return true;
    }
  }
  return false;
}

std::set<const llvm::GlobalVariable*> globals_in(const llvm::Function& function) {
  std::set<const llvm::GlobalVariable*> result;
  for (const llvm::Instruction& it : llvm::instructions(function)) {
    for (const llvm::Use& operand : it.operands()) {
      if (!operand->getType()->isPointerTy()) continue;
      if (const auto* global =
              llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(operand)))
        result.insert(global);
    }
  }
  return result;
}

// Inserts the bits of the constant at `offset_bits`.
void insert(const llvm::Constant& constant, const llvm::DataLayout& layout, uint64_t offset_bits,
            const ir::Location& location, llvm::APInt& word) {
  if (is_zero(&constant)) return;
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&constant))
    return word.insertBits(number->getValue(), static_cast<unsigned>(offset_bits));
  llvm::Type* type = constant.getType();
  if (!type->isArrayTy() && !type->isStructTy())
    refuse(location, "an initial value of anything but integers");
  const uint64_t count =
      type->isArrayTy() ? type->getArrayNumElements() : type->getStructNumElements();
  for (unsigned i = 0; i < count; ++i) {
    const uint64_t bytes =
        type->isArrayTy()
            ? i * layout.getTypeAllocSize(type->getArrayElementType()).getFixedValue()
            : layout.getStructLayout(llvm::cast<llvm::StructType>(type))->getElementOffset(i);
    insert(*constant.getAggregateElement(i), layout, offset_bits + 8 * bytes, location, word);
  }
}

// Bytes of the parts that words are copied in: expand_copy() finds them by the type.
uint64_t part_bytes(llvm::Type* type, uint64_t word_bytes) {
  while (type->getNumContainedTypes() != 0) type = type->getContainedType(0);
  const uint64_t bytes = type->isIntegerTy() ? type->getIntegerBitWidth() / 8 : 1;
  return std::has_single_bit(bytes) && bytes <= 8 && word_bytes % bytes == 0 ? bytes : 1;
}

// clang makes a struct of an initializer that ends in zeros, or of words with unions. A RAM stays
// an array of words.
void make_array(llvm::GlobalVariable& global, const Annotation& annotation) {
  llvm::Module& module = *global.getParent();
  const llvm::DataLayout& layout = module.getDataLayout();
  const uint64_t word_bytes = annotation.numbers.at(0);
  const uint64_t step = part_bytes(global.getValueType(), word_bytes);
  auto* part = llvm::IntegerType::get(module.getContext(), static_cast<unsigned>(8 * step));
  auto* word = llvm::ArrayType::get(part, word_bytes / step);
  const llvm::APInt bits = bits_of(*global.getInitializer(), layout, annotation.location);
  std::vector<llvm::Constant*> words;
  for (unsigned at = 0; at < bits.getBitWidth();) {
    std::vector<llvm::Constant*> parts;
    for (uint64_t i = 0; i < word->getNumElements(); ++i, at += part->getBitWidth())
      parts.push_back(llvm::ConstantInt::get(part, bits.extractBits(part->getBitWidth(), at)));
    words.push_back(llvm::ConstantArray::get(word, parts));
  }
  auto* type = llvm::ArrayType::get(word, words.size());
  auto* made = new llvm::GlobalVariable(module, type, false, global.getLinkage(),
                                        llvm::ConstantArray::get(type, words), "", &global);
  made->takeName(&global);
  global.replaceAllUsesWith(made);
  global.eraseFromParent();
}

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// The text with each comment replaced by a space.
std::string without_comments(const std::string& text) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const std::string_view start = std::string_view(text).substr(at, 2);
    if (start != "//" && start != "/*") {
      result += text[at++];
      continue;
    }
    const std::string_view end = start == "//" ? "\n" : "*/";
    const size_t found = text.find(end, at + 2);
    at = found == std::string::npos ? text.size() : found + end.size();
    result += ' ';
  }
  return result;
}

// The position after `name` as an argument of a macro.
size_t after_argument(const std::string& text, const std::string& name) {
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    size_t before = at, after = at + name.size();
    while (before > 0 && is_space(text[before - 1])) --before;
    while (after < text.size() && is_space(text[after])) ++after;
    const bool starts = before > 0 && (text[before - 1] == ',' || text[before - 1] == '(');
    const bool ends =
        after < text.size() && std::string_view(",)[").find(text[after]) != std::string_view::npos;
    if (starts && ends) return after;
  }
  return std::string::npos;
}

// The initializers that clang leaves to constructors at run time.
void refuse_constructors(const llvm::Module& module,
                         const std::map<const llvm::GlobalValue*, Annotation>& annotated) {
  for (const llvm::Function& function : module) {
    if (!function.getName().starts_with("__cxx_global_var_init")) continue;
    std::set<const llvm::Function*> visited;
    if (!stores_values(function, visited)) continue;
    for (const llvm::GlobalVariable* global : globals_in(function)) {
      const auto found = annotated.find(global);
      if (found == annotated.end()) continue;
      refuse(found->second.location,
             "an initial value of " + member_name(global->getName().str()) +
                 " that is not a constant: use constexpr functions and constructors");
    }
  }
}

}  // namespace

void prepare_initial_values(llvm::Module& module) {
  const auto annotated = annotations(module);
  refuse_constructors(module, annotated);
  for (llvm::GlobalVariable& global : llvm::make_early_inc_range(module.globals())) {
    const auto found = annotated.find(&global);
    if (found == annotated.end() || !found->second.text.starts_with("hls.ram")) continue;
    global.setConstant(false);
    if (!global.getValueType()->isArrayTy()) make_array(global, found->second);
  }
}

bool has_initializer(const llvm::GlobalVariable& global, const ir::Location& location) {
  const llvm::Constant* initializer = global.getInitializer();
  if (!is_zero(initializer)) return true;
  constexpr int kMaxLines = 8;  // of the declaration
  std::ifstream file(location.file);
  std::string text, line;
  for (uint32_t i = 1; i < location.line + kMaxLines && std::getline(file, line); ++i) {
    if (i >= location.line) text += line + "\n";
  }
  text = without_comments(text);
  size_t at = after_argument(text, member_name(global.getName().str()));
  for (int depth = 1; at < text.size() && depth > 0; ++at)
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
  while (at < text.size() && is_space(text[at])) ++at;
  return at < text.size() && (text[at] == '=' || text[at] == '{');
}

llvm::APInt bits_of(const llvm::Constant& constant, const llvm::DataLayout& layout,
                    const ir::Location& location) {
  const uint64_t bytes = layout.getTypeAllocSize(constant.getType()).getFixedValue();
  llvm::APInt bits(static_cast<unsigned>(8 * bytes), 0);
  insert(constant, layout, 0, location, bits);
  return bits;
}

}  // namespace vta::hlsc::front
