// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/front/front_end.h"

#include <utility>

#include "base/errors/error.h"
#include "hw/hlsc/front/annotations.h"
#include "hw/hlsc/front/clang.h"
#include "hw/hlsc/front/globals.h"
#include "hw/hlsc/front/initial_values.h"
#include "hw/hlsc/front/llvm_passes.h"
#include "hw/hlsc/front/refuse.h"
#include "hw/hlsc/front/translate.h"
#include "hw/hlsc/ir/verify.h"

namespace vta::hlsc::front {
namespace {

// In the order of their definitions.
std::vector<llvm::Function*> processes_of(llvm::Module& module) {
  const auto annotated = annotations(module);
  std::vector<llvm::Function*> result;
  for (llvm::Function& function : module) {
    const auto found = annotated.find(&function);
    if (found != annotated.end() && found->second.text == "hls.process" &&
        !function.isDeclaration()) {
      if (!function.arg_empty())
        refuse(location_of(function), "a parameter of a process: use a stream or an HLS_INPUT");
      result.push_back(&function);
    }
  }
  return result;
}

}  // namespace

ir::Design compile(const Source& source, std::vector<std::string>* warnings, VariableNames* names) {
  llvm::LLVMContext context;
  std::vector<std::string> found;
  const std::unique_ptr<llvm::Module> module = run_clang(source, context, found);
  const std::vector<llvm::Function*> processes = processes_of(*module);
  if (processes.empty()) {
    fail(ErrorCode::kInvalidArgument,
         "{}: no HLS_PROCESS found; instantiate the class template explicitly", source.path);
  }
  prepare_initial_values(*module);
  VariableNames variables;
  run_llvm_passes(*module, processes, variables);
  if (names != nullptr) *names = std::move(variables);
  const Globals globals(*module, processes);
  ir::Design design;
  design.name = class_name(processes[0]->getName().str());
  if (design.name.empty()) design.name = "design";
  design.objects = globals.objects();
  for (llvm::Function* process : processes) {
    design.processes.push_back(translate(*process, globals));
  }
  ir::verify(design);
  for (const std::string& warning : globals.warnings()) found.push_back(warning);
  if (warnings != nullptr) *warnings = std::move(found);
  return design;
}

}  // namespace vta::hlsc::front
