// SPDX-License-Identifier: Apache-2.0
//
// The passes of passes.def: each keeps the meaning of a design, which stays verified. What a pass
// does, expects and leaves is at the top of its file.
#ifndef VTA_HW_HLSC_PASSES_PASSES_H_
#define VTA_HW_HLSC_PASSES_PASSES_H_

#include <cstdint>
#include <type_traits>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::passes {

enum class Scope : uint8_t { kProcess, kDesign };

using ProcessPass = void(ir::Design& design, ir::Process& process);
using DesignPass = void(ir::Design& design);
template <Scope scope>
using PassFunction = std::conditional_t<scope == Scope::kProcess, ProcessPass, DesignPass>;

#define VTA_HLSC_PASS(name, scope, summary) PassFunction<Scope::scope> name;
#include "hw/hlsc/passes/passes.def"

}  // namespace vta::hlsc::passes

#endif  // VTA_HW_HLSC_PASSES_PASSES_H_
