// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/globals.h"

#include <fmt/format.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "base/errors/error.h"
#include "hw/hlsc/front/annotations.h"
#include "hw/hlsc/front/channels.h"
#include "hw/hlsc/front/initial_values.h"
#include "hw/hlsc/front/llvm_passes.h"
#include "hw/hlsc/front/local_arrays.h"
#include "hw/hlsc/front/refuse.h"

namespace vta::hlsc::front {
namespace {

constexpr std::string_view kBanks = "banks=";

bool is_type(const llvm::GlobalVariable& global, llvm::StringRef name) {
  const auto* type = llvm::dyn_cast<llvm::StructType>(global.getValueType());
  return type != nullptr && is_named(*type, name);
}

bool is_channel(const llvm::GlobalVariable& global) {
  return global.getValueType()->isStructTy() && channel_type(global) != nullptr;
}

// The depth of a channel of hw/hls is the length of its only member.
uint32_t channel_depth(const llvm::GlobalVariable& global) {
  const auto* type = llvm::cast<llvm::StructType>(global.getValueType());
  return static_cast<uint32_t>(
      llvm::cast<llvm::ArrayType>(type->getElementType(0))->getNumElements());
}

// A local variable among the operands of a choice between pointers; null if there is none.
const llvm::AllocaInst* chosen_local(const llvm::Value& choice) {
  if (!llvm::isa<llvm::SelectInst, llvm::PHINode>(choice)) return nullptr;
  for (const llvm::Use& use : llvm::cast<llvm::Instruction>(choice).operands()) {
    if (!use->getType()->isPointerTy()) continue;
    if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(use)))
      return local;
  }
  return nullptr;
}

// The instruction that chooses between this and another pointer; null if there is none.
const llvm::Instruction* choice_of(const llvm::Value& pointer) {
  for (const llvm::User* user : pointer.users()) {
    if (llvm::isa<llvm::SelectInst, llvm::PHINode>(user))
      return llvm::cast<llvm::Instruction>(user);
    if (!llvm::isa<llvm::GetElementPtrInst>(user)) continue;
    if (const llvm::Instruction* choice = choice_of(*user)) return choice;
  }
  return nullptr;
}

}  // namespace

void refuse_local(const llvm::Instruction& at, const llvm::AllocaInst& local) {
  if (const llvm::Instruction* choice = choice_of(local)) {
    refuse(location_of(*choice).line == 0 ? at : *choice,
           "a choice between two local arrays or structs: assign in an if");
  }
  refuse(at,
         "a local array or struct that needs memory: an index that is not constant takes at most " +
             std::to_string(kMaxLocalEntries) + " entries; use HLS_RAM");
}

GlobalAddress resolve(const llvm::Instruction& at, llvm::Value* pointer) {
  GlobalAddress result{address_of(at, pointer)};
  const llvm::Value& base = *result.base;
  result.global = llvm::dyn_cast<llvm::GlobalVariable>(result.base);
  if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(&base)) refuse_local(at, *local);
  if (const llvm::AllocaInst* local = chosen_local(base)) refuse_local(at, *local);
  if (llvm::isa<llvm::CallInst>(base)) refuse(at, "memory from the heap");
  if (result.global == nullptr) refuse(at, "a pointer that is not an object");
  return result;
}

bool is_table(const llvm::GlobalVariable& global) {
  return global.isConstant() && global.hasInitializer();
}

Globals::Globals(const llvm::Module& module, const std::vector<llvm::Function*>& processes)
    : module_(module) {
  for (const auto& [global, annotation] : annotations(module)) {
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(global)) {
      info_[variable].annotation = annotation.text;
      info_[variable].location = annotation.location;
      if (annotation.numbers.size() > 1)
        info_[variable].ways = static_cast<uint32_t>(annotation.numbers[1]);
    }
  }
  for (const llvm::Function* process : processes) {
    for (const llvm::Instruction& instruction : llvm::instructions(process)) collect(instruction);
  }
  for (const llvm::GlobalVariable& global : module.globals()) {
    const auto found = info_.find(&global);
    if (found != info_.end()) add_objects(global, found->second);
  }
}

std::vector<std::string> Globals::warnings() const {
  std::vector<std::string> result;
  for (const llvm::GlobalVariable& global : module_.globals()) {
    if (info_.contains(&global) || !(is_channel(global))) continue;
    result.push_back(member_name(global.getName().str()) +
                     ": no process uses this stream or port; a process that is a template needs an "
                     "instance of its own");
  }
  return result;
}

void Globals::collect(const llvm::Instruction& instruction) {
  const llvm::DataLayout& layout = module_.getDataLayout();
  const auto bytes = [&](llvm::Type* type) {
    return static_cast<uint32_t>(layout.getTypeStoreSize(type).getFixedValue());
  };
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    access(instruction, const_cast<llvm::Value*>(load->getPointerOperand()), bytes(load->getType()),
           false);
  } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    access(instruction, const_cast<llvm::Value*>(store->getPointerOperand()),
           bytes(store->getValueOperand()->getType()), true);
  } else if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    if (call->arg_empty() || !call->getArgOperand(0)->getType()->isPointerTy()) return;
    const auto* channel = llvm::dyn_cast<llvm::GlobalVariable>(call->getArgOperand(0));
    if (call->getCalledFunction() == nullptr) return;
    const llvm::StringRef name = call->getCalledFunction()->getName();
    if (channel == nullptr && (name.starts_with("__hls_") || name.starts_with("hls."))) {
      refuse(instruction,
             "a stream or port that is chosen at run time: use HLS_STREAMS or a reference, "
             "`auto& s = c ? a : b;`");
    }
    if (channel == nullptr) return;
    if (is_channel(*channel) && channel_depth(*channel) == 0) {
      refuse(instruction, member_name(channel->getName().str()) +
                              " has depth 0: a stream needs at least 1 place, a port 1 burst");
    }
    if (name.starts_with(kStreamRead))
      info_[channel].item_bits = call->getType()->getIntegerBitWidth();
    if (name.starts_with(kStreamWrite)) {
      info_[channel].item_bits = call->getArgOperand(1)->getType()->getIntegerBitWidth();
    }
    info_[channel];
  }
}

void Globals::access(const llvm::Instruction& instruction, llvm::Value* pointer,
                     uint32_t size_bytes, bool stores) {
  const GlobalAddress address = resolve(instruction, pointer);
  const std::string name = member_name(address.global->getName().str());
  if (is_table(*address.global)) {
    if (stores) refuse(instruction, "a write of the constant table " + name);
    return;
  }
  Info& info = info_[address.global];
  if (info.annotation.starts_with("hls.ram")) {
    if (stores) info.lane_bytes = std::gcd(info.lane_bytes, size_bytes);
    return;
  }
  if (info.annotation != "hls.register" && info.annotation != "hls.input") {
    refuse(instruction, "memory that is not an object: " + name +
                            "; declare it in the class, with HLS_REGISTER or HLS_RAM");
  }
  if (address.terms.empty()) {
    const auto begin = static_cast<uint32_t>(address.offset_bytes);
    return info.uses.push_back({begin, begin + size_bytes});
  }
  const Entries entries = entries_of(address, bytes_of(*address.global), size_bytes);
  if (entries.count == 0 || entries.count > kMaxLocalEntries)
    refuse(instruction, fmt::format("a variable index into {} entries of the register {}, at most "
                                    "{}: use HLS_RAM",
                                    entries.count, name, kMaxLocalEntries));
  for (uint64_t i = 0; i < entries.count; ++i) {
    const auto begin = static_cast<uint32_t>(entries.at(i));
    info.uses.push_back({begin, begin + size_bytes});
  }
}

void Globals::add_objects(const llvm::GlobalVariable& global, const Info& info) {
  if (info.annotation == "hls.input" && !global.getInitializer()->isNullValue())
    refuse(info.location, "an initial value of the input " + member_name(global.getName().str()) +
                              ": it comes from outside; use HLS_REGISTER");
  if (info.annotation.starts_with("hls.ram")) return add_ram(global, info);
  if (!info.annotation.empty()) return add_pieces(global, info);
  add_channel(global, info);
}

void Globals::add_channel(const llvm::GlobalVariable& global, const Info& info) {
  ir::Object object;
  object.name = member_name(global.getName().str());
  if (is_type(global, "struct.hls::stream")) {
    object.kind = ir::ObjectKind::kStream;
    object.width = info.item_bits;
  } else if (is_type(global, "struct.hls::token_queue")) {
    object.kind = ir::ObjectKind::kStream;
  } else if (is_type(global, "struct.hls::read_port")) {
    object.kind = ir::ObjectKind::kReadPort;
    object.width = 64;
  } else if (is_type(global, "struct.hls::write_port")) {
    object.kind = ir::ObjectKind::kWritePort;
    object.width = 64;
  } else {
    fail(ErrorCode::kInvalidArgument, "{}: neither annotated nor of a type of hw/hls", object.name);
  }
  object.depth = channel_depth(global);
  whole_[&global] = static_cast<ir::ObjectId>(objects_.size());
  objects_.push_back(std::move(object));
}

void Globals::add_ram(const llvm::GlobalVariable& global, const Info& info) {
  const auto* words = llvm::cast<llvm::ArrayType>(global.getValueType());
  const auto bytes = static_cast<uint32_t>(
      module_.getDataLayout().getTypeAllocSize(words->getElementType()).getFixedValue());
  ir::Object object;
  object.kind = ir::ObjectKind::kRam;
  object.name = member_name(global.getName().str());
  object.width = 8 * bytes;
  object.depth = static_cast<uint32_t>(words->getNumElements());
  object.location = info.location;
  object.lane_width = 8 * (info.lane_bytes == 0 ? bytes : std::gcd(info.lane_bytes, bytes));
  if (const size_t banks = info.annotation.find(kBanks); banks != std::string::npos) {
    const llvm::StringRef text = llvm::StringRef(info.annotation).substr(banks + kBanks.size());
    if (text.getAsInteger(10, object.banks))
      refuse(info.location,
             "banks of " + object.name + ": expected an integer, got '" + text.str() + "'");
  }
  if (has_initializer(global, info.location)) {
    for (uint32_t i = 0; i < object.depth; ++i)
      object.initial.push_back(bits_of(*global.getInitializer()->getAggregateElement(i),
                                       module_.getDataLayout(), info.location));
  }
  whole_[&global] = static_cast<ir::ObjectId>(objects_.size());
  if (info.ways == 1) return objects_.push_back(std::move(object));
  if (!std::has_single_bit(info.ways) || object.depth % info.ways != 0) {
    refuse(info.location,
           fmt::format("{} ways of {} with {} words: must be a power of two that divides them",
                       info.ways, object.name, object.depth));
  }
  object.depth /= info.ways;
  const std::vector<llvm::APInt> initial = std::exchange(object.initial, {});
  for (uint32_t way = 0; way < info.ways; ++way) {
    ir::Object& part = objects_.emplace_back(object);
    part.name += fmt::format("_{}", way);
    for (size_t i = way; i < initial.size(); i += info.ways) part.initial.push_back(initial[i]);
  }
}

// Overlapping accesses share a piece.
void Globals::add_pieces(const llvm::GlobalVariable& global, const Info& info) {
  std::vector<Use> uses = info.uses;
  std::sort(uses.begin(), uses.end(), [](Use a, Use b) { return a.begin < b.begin; });
  std::vector<Use> merged;
  for (const Use& use : uses) {
    if (!merged.empty() && use.begin < merged.back().end) {
      merged.back().end = std::max(merged.back().end, use.end);
    } else {
      merged.push_back(use);
    }
  }
  const std::string name = member_name(global.getName().str());
  const llvm::APInt initial =
      bits_of(*global.getInitializer(), module_.getDataLayout(), info.location);
  for (size_t i = 0; i < merged.size(); ++i) {
    ir::Object object;
    object.kind =
        info.annotation == "hls.input" ? ir::ObjectKind::kInput : ir::ObjectKind::kRegister;
    object.name = merged.size() == 1 ? name : name + "_" + std::to_string(i);
    object.location = info.location;
    object.width = 8 * (merged[i].end - merged[i].begin);
    if (!initial.isZero())
      object.initial = {initial.extractBits(object.width, 8 * merged[i].begin)};
    pieces_[&global].push_back({merged[i].begin, merged[i].end - merged[i].begin,
                                static_cast<ir::ObjectId>(objects_.size())});
    objects_.push_back(std::move(object));
  }
}

uint32_t Globals::bytes_of(const llvm::GlobalVariable& global) const {
  return static_cast<uint32_t>(
      module_.getDataLayout().getTypeAllocSize(global.getValueType()).getFixedValue());
}

bool Globals::is_ram(const llvm::GlobalVariable& global) const {
  return info_.at(&global).annotation.starts_with("hls.ram");
}

bool Globals::is_input(const llvm::GlobalVariable& global) const {
  return info_.at(&global).annotation == "hls.input";
}

const Piece& Globals::piece(const llvm::GlobalVariable& global, uint32_t offset_bytes) const {
  for (const Piece& piece : pieces_.at(&global)) {
    if (offset_bytes >= piece.offset_bytes &&
        offset_bytes < piece.offset_bytes + piece.size_bytes) {
      return piece;
    }
  }
  VTA_ASSERT(false, "an access that was not collected");
  return pieces_.at(&global).front();
}

}  // namespace vta::hlsc::front
