// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/llvm_passes.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>

#include <algorithm>
#include <mutex>

#include "base/errors/error.h"
#include "hw/hlsc/front/divisions.h"
#include "hw/hlsc/front/growth.h"
#include "hw/hlsc/front/local_arrays.h"
#include "hw/hlsc/front/loop_exits.h"
#include "hw/hlsc/front/overflows.h"
#include "hw/hlsc/front/pointer_choices.h"
#include "hw/hlsc/front/refuse.h"
#include "hw/hlsc/front/unroll_by.h"

namespace vta::hlsc::front {
namespace {

// Left out on purpose: instcombine (turns slices into mixes of shifts), indvars (widens counters),
// loop-rotate (puts the test at the end of a loop), loop-idiom (makes memcpy), vectorizers.
constexpr const char* kBeforeUnrolling =
    "function(early-cse<memssa>,simplifycfg,instsimplify,loop-simplify,lcssa,"
    "loop-mssa(licm<no-allowspeculation>))";
constexpr const char* kUnrolling =
    "function(loop-simplify,lcssa,loop(loop-unroll-full),sroa<modify-cfg>,early-cse<memssa>,"
    "instsimplify,simplifycfg,gvn<no-pre;no-load-pre>,sroa<modify-cfg>,dse,bdce,adce,simplifycfg,"
    "loop-simplify,lcssa)";

// Registers must stay memory: promoted to phis, they would become part of loop control.
void set_options_once() {
  static std::once_flag once;
  std::call_once(once, [] {
    const char* arguments[] = {"hlsc", "-disable-licm-promotion"};
    llvm::cl::ParseCommandLineOptions(2, arguments);
  });
}

void run(llvm::Module& module, const char* passes) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager manager;
  if (llvm::Error error = builder.parsePassPipeline(manager, passes)) {
    VTA_ASSERT(false, llvm::toString(std::move(error)).c_str());
  }
  manager.run(module, modules);
}

void inline_all(llvm::Module& module, const std::vector<llvm::Function*>& processes) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    if (std::find(processes.begin(), processes.end(), &function) != processes.end()) continue;
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.setComdat(nullptr);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  run(module, "always-inline,globaldce");
  for (llvm::Function* process : processes) {
    for (llvm::Instruction& instruction : llvm::instructions(process)) {
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call == nullptr) continue;
      const llvm::Function* callee = call->getCalledFunction();
      if (callee != nullptr && !callee->isDeclaration()) {
        refuse(instruction, "recursion: " + member_name(callee->getName().str()));
      }
    }
  }
}

// A _BitInt of more than 64 bits has whole words of 64 bits in memory. clang stores as many bytes
// as it has bits and passes words to functions. SROA needs accesses of the same bytes, so all of
// them become words; the bytes above are undefined in C++.
void access_whole_words(llvm::Function& process) {
  constexpr unsigned kWordBits = 64;
  for (llvm::Instruction& access : llvm::make_early_inc_range(llvm::instructions(process))) {
    if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(access)) continue;
    llvm::Type* const type = llvm::getLoadStoreType(&access);
    llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&access);
    const unsigned bits = type->isIntegerTy() ? type->getIntegerBitWidth() : 0;
    if (bits <= kWordBits || bits % kWordBits == 0) continue;
    if (!llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer))) continue;
    llvm::IRBuilder<> builder(&access);
    llvm::Type* const words =
        builder.getIntNTy(static_cast<unsigned>(llvm::alignTo(bits, kWordBits)));
    const llvm::Align align = llvm::getLoadStoreAlignment(&access);
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&access)) {
      builder.CreateAlignedStore(builder.CreateZExt(store->getValueOperand(), words), pointer,
                                 align);
    } else {
      access.replaceAllUsesWith(
          builder.CreateTrunc(builder.CreateAlignedLoad(words, pointer, align), type));
    }
    access.eraseFromParent();
  }
}

// Calls that only mark a place do not access memory. Calls of streams and ports may, because tokens
// order the accesses of other processes to RAMs.
void set_effects(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!function.getName().starts_with("__hls_") && !function.getName().starts_with("hls.")) {
      continue;
    }
    function.setDoesNotThrow();
    function.setWillReturn();
    if (function.getName() == "__hls_pipeline") {
      function.setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
    }
    if (function.getName() == "__hls_late") {
      // A read after it must not be replaced by a read before it.
      function.setMemoryEffects(llvm::MemoryEffects::unknown());
    }
  }
}

// Prints are for native runs: hardware has none. Their arguments are computed anyway, so an item
// that one of them reads is still read.
void drop_prints(llvm::Module& module) {
  for (const char* name : {"printf", "puts", "putchar"}) {
    llvm::Function* print = module.getFunction(name);
    if (print == nullptr || !print->isDeclaration()) continue;
    for (llvm::User* user : llvm::make_early_inc_range(print->users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (call == nullptr || call->getCalledFunction() != print) continue;
      call->replaceAllUsesWith(llvm::Constant::getNullValue(call->getType()));
      call->eraseFromParent();
    }
  }
}

// Functions of the C library that hardware has: clang leaves their calls in freestanding code.
void use_intrinsics(llvm::Module& module) {
  const auto replace = [&](llvm::StringRef name, auto make) {
    llvm::Function* function = module.getFunction(name);
    if (function == nullptr || !function->isDeclaration()) return;
    for (llvm::User* user : llvm::make_early_inc_range(function->users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (call == nullptr || call->getCalledFunction() != function) continue;
      llvm::IRBuilder<> builder(call);
      call->replaceAllUsesWith(make(builder, *call));
      call->eraseFromParent();
    }
  };
  for (const char* name : {"abs", "labs", "llabs"}) {
    replace(name, [](llvm::IRBuilder<>& builder, llvm::CallInst& call) -> llvm::Value* {
      return builder.CreateBinaryIntrinsic(llvm::Intrinsic::abs, call.getArgOperand(0),
                                           builder.getFalse());
    });
  }
  replace("memcpy", [](llvm::IRBuilder<>& builder, llvm::CallInst& call) {
    builder.CreateMemCpy(call.getArgOperand(0), llvm::Align(1), call.getArgOperand(1),
                         llvm::Align(1), call.getArgOperand(2));
    return call.getArgOperand(0);
  });
  replace("memmove", [](llvm::IRBuilder<>& builder, llvm::CallInst& call) {
    builder.CreateMemMove(call.getArgOperand(0), llvm::Align(1), call.getArgOperand(1),
                          llvm::Align(1), call.getArgOperand(2));
    return call.getArgOperand(0);
  });
  replace("memset", [](llvm::IRBuilder<>& builder, llvm::CallInst& call) {
    llvm::Value* byte = builder.CreateTrunc(call.getArgOperand(1), builder.getInt8Ty());
    builder.CreateMemSet(call.getArgOperand(0), byte, call.getArgOperand(2), llvm::Align(1));
    return call.getArgOperand(0);
  });
}

// Passes items of streams as integers instead of in memory.
void make_items_values(llvm::Module& module) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call == nullptr || call->getCalledFunction() == nullptr) continue;
      const llvm::StringRef name = call->getCalledFunction()->getName();
      if (name == "__hls_stream_read" || name == "__hls_stream_write") calls.push_back(call);
    }
  }
  for (llvm::CallInst* call : calls) {
    llvm::IRBuilder<> builder(call);
    const auto bytes = llvm::cast<llvm::ConstantInt>(call->getArgOperand(2))->getZExtValue();
    llvm::Type* item = builder.getIntNTy(static_cast<unsigned>(8 * bytes));
    const std::string width = std::to_string(8 * bytes);
    llvm::Value *stream = call->getArgOperand(0), *memory = call->getArgOperand(1);
    if (call->getCalledFunction()->getName() == "__hls_stream_read") {
      const auto read = module.getOrInsertFunction(
          kStreamRead + width, llvm::FunctionType::get(item, {builder.getPtrTy()}, false));
      builder.CreateAlignedStore(builder.CreateCall(read, {stream}), memory, llvm::Align(1));
    } else {
      const auto write = module.getOrInsertFunction(
          kStreamWrite + width,
          llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy(), item}, false));
      builder.CreateCall(write, {stream, builder.CreateAlignedLoad(item, memory, llvm::Align(1))});
    }
    call->eraseFromParent();
  }
}

// Whether the local variable is never read: usually the padding of a struct.
bool is_never_read(const llvm::AllocaInst& memory) {
  for (const llvm::User* user : memory.users()) {
    const auto* inherent = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    if (inherent != nullptr && inherent->isLifetimeStartOrEnd()) continue;
    const auto* fill = llvm::dyn_cast<llvm::MemIntrinsic>(user);
    if (fill != nullptr && fill->getRawDest() == &memory) continue;
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (store == nullptr || store->getValueOperand() == &memory) return false;
  }
  return true;
}

// Removes dead stores that LLVM keeps because a process never returns.
void drop_unread_memory(llvm::Function& process) {
  std::vector<llvm::AllocaInst*> unread;
  for (llvm::Instruction& instruction : process.getEntryBlock()) {
    auto* memory = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (memory != nullptr && is_never_read(*memory)) unread.push_back(memory);
  }
  for (llvm::AllocaInst* memory : unread) {
    while (!memory->user_empty()) {
      llvm::cast<llvm::Instruction>(*memory->user_begin())->eraseFromParent();
    }
    memory->eraseFromParent();
  }
}

// Size of the integers in the memory that a pointer points to; 8 if unknown.
uint64_t element_bytes(const llvm::Value* pointer) {
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(pointer));
  if (global == nullptr) return 8;
  llvm::Type* type = global->getValueType();
  while (!type->isIntegerTy()) {
    if (type->getNumContainedTypes() == 0) return 8;
    type = type->getContainedType(0);
  }
  return std::min<uint64_t>(type->getIntegerBitWidth() / 8, 8);
}

// Expands a copy or fill of a whole register or word, which SROA leaves, to loads and stores of its
// lanes.
void expand_copy(llvm::MemIntrinsic& copy, uint64_t bytes) {
  llvm::IRBuilder<> builder(&copy);
  uint64_t step = element_bytes(copy.getRawDest());
  if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&copy)) {
    step = std::min(step, element_bytes(transfer->getRawSource()));
  }
  if (step == 0 || bytes % step != 0) step = 1;
  llvm::Type* type = builder.getIntNTy(static_cast<unsigned>(8 * step));
  const auto at = [&](llvm::Value* pointer, uint64_t offset) {
    return builder.CreateConstGEP1_64(builder.getInt8Ty(), pointer, offset);
  };
  const auto part = [&](uint64_t offset) -> llvm::Value* {
    if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&copy)) {
      return builder.CreateAlignedLoad(type, at(transfer->getRawSource(), offset), llvm::Align(1));
    }
    auto* fill = llvm::cast<llvm::ConstantInt>(llvm::cast<llvm::MemSetInst>(copy).getValue());
    return builder.getInt(llvm::APInt::getSplat(static_cast<unsigned>(8 * step), fill->getValue()));
  };
  // Source and destination of memmove() may overlap: all of the source is read first.
  std::vector<llvm::Value*> parts;
  for (uint64_t offset = 0; llvm::isa<llvm::MemMoveInst>(copy) && offset < bytes; offset += step) {
    parts.push_back(part(offset));
  }
  for (uint64_t offset = 0; offset < bytes; offset += step) {
    llvm::Value* value = parts.empty() ? part(offset) : parts[offset / step];
    builder.CreateAlignedStore(value, at(copy.getRawDest(), offset), llvm::Align(1));
  }
  copy.eraseFromParent();
}

void expand_copies(llvm::Function& process) {
  // An element of ACC with 256 lanes. A longer copy is refused: it should be a loop.
  constexpr uint64_t kLimitBytes = 1024;
  std::vector<std::pair<llvm::MemIntrinsic*, uint64_t>> copies;
  for (llvm::Instruction& instruction : llvm::instructions(process)) {
    auto* copy = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
    const auto* bytes =
        copy == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
    if (bytes == nullptr || bytes->getZExtValue() > kLimitBytes) continue;
    const auto* fill = llvm::dyn_cast<llvm::MemSetInst>(copy);
    if (fill != nullptr && !llvm::isa<llvm::ConstantInt>(fill->getValue())) continue;
    copies.emplace_back(copy, bytes->getZExtValue());
  }
  for (const auto& [copy, bytes] : copies) expand_copy(*copy, bytes);
}

// If the default of a switch is unreachable, makes its last case the default: else the default
// would be another exit of the loop around it.
void drop_unreachable_defaults(llvm::Function& process) {
  for (llvm::BasicBlock& block : process) {
    auto* choice = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator());
    if (choice == nullptr || choice->getNumCases() == 0) continue;
    if (!llvm::isa<llvm::UnreachableInst>(choice->getDefaultDest()->getFirstNonPHIOrDbg()))
      continue;
    const auto last = std::prev(choice->case_end());
    choice->setDefaultDest(last->getCaseSuccessor());
    choice->removeCase(last);
  }
}

}  // namespace

void run_llvm_passes(llvm::Module& module, const std::vector<llvm::Function*>& processes,
                     VariableNames& names) {
  set_options_once();
  drop_prints(module);
  use_intrinsics(module);
  for (const llvm::Function* process : processes) refuse_large_inlining(*process);
  inline_all(module, processes);
  for (llvm::Function* process : processes) access_whole_words(*process);
  make_items_values(module);
  set_effects(module);
  for (llvm::Function* process : processes) use_constants(*process);
  run(module, "function(sroa<modify-cfg>)");
  for (llvm::Function* process : processes) add_variable_names(*process, names);
  run(module, kBeforeUnrolling);
  for (llvm::Function* process : processes) {
    refuse_large_unrolling(*process);
    unroll_by_counts(*process);
  }
  run(module, kUnrolling);
  bool has_choices = false;
  for (llvm::Function* process : processes) {
    drop_unread_memory(*process);
    expand_copies(*process);
    expand_overflows(*process);
    has_choices |= expand_pointer_choices(*process);
  }
  if (has_choices) run(module, "function(adce)");
  for (llvm::Function* process : processes) {
    drop_unreachable_defaults(*process);
    refuse_marked_loops(*process);
    expand_variable_indexes(*process);
  }
  // Promotes local words that were filled or copied whole, and arrays.
  run(module, "function(sroa<modify-cfg>,instsimplify,early-cse<memssa>,adce)");
  for (llvm::Function* process : processes) {
    expand_divisions(*process);
    unify_loop_exits(*process);  // simplifycfg would thread the jumps again
  }
}

}  // namespace vta::hlsc::front
